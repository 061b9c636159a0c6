//! Comments.

use super::{IGNORE, TreePrinter};
use crate::doc::{Align, Doc};
use crate::yaml::tree::{CommentId, Kind, NodeId};

impl<'a> TreePrinter<'a> {
    pub(super) fn comment(&self, id: CommentId) -> Doc<'a> {
        let comment = &self.tree.comments[id];
        let text = Doc::Text(&self.text[comment.span().range()]);
        self.build
            .concat(&[text, self.blank_line_after_comment(comment)])
    }

    pub(super) fn comments(&self, ids: &[CommentId]) -> Doc<'a> {
        let comments: Vec<_> = ids.iter().map(|id| self.comment(*id)).collect();
        self.build.join(Doc::HARDLINE, &comments)
    }

    pub(super) fn trailing_comment(&self, id: NodeId) -> Option<Doc<'a>> {
        let comment = self.tree.extras(id).trailing?;
        let is_empty_value =
            self.tree.kind(id) == Kind::Value && self.tree.first_child(id).is_none();
        let space = if is_empty_value { Doc::NIL } else { Doc::SPACE };
        let may_stay_on_line = self.is_key_of_mapping(id) && self.tree.kind(id).is_inline();
        let line_break = if may_stay_on_line {
            Doc::NIL
        } else {
            Doc::BreakParent
        };
        let suffix = self
            .build
            .concat(&[space, line_break, self.comment(comment)]);
        Some(self.build.line_suffix(suffix))
    }

    /// Whether the node is the content of a key of a block mapping.
    fn is_key_of_mapping(&self, id: NodeId) -> bool {
        let parents: Vec<_> = std::iter::successors(Some(id), |id| self.tree.parent(*id))
            .skip(1)
            .take(3)
            .map(|id| self.tree.kind(id))
            .collect();
        matches!(parents[..], [Kind::Key, _, Kind::Mapping])
    }

    /// Whether the comments after the last child are printed with the node.
    pub(super) fn prints_end_comments(&self, id: NodeId) -> bool {
        let kind = self.tree.kind(id);
        !self.tree.extras(id).end.is_empty()
            && !matches!(kind, Kind::Head | Kind::Body)
            && !kind.is_flow_collection()
    }

    pub(super) fn end_comments(&self, id: NodeId) -> Doc<'a> {
        let column = match self.tree.kind(id) {
            Kind::SequenceItem => 2,
            _ => 0,
        };
        let mut parts = vec![if self.ends_in_blanks(id) {
            self.literal_line()
        } else {
            Doc::HARDLINE
        }];
        for (index, comment) in self.tree.extras(id).end.iter().enumerate() {
            if index > 0 {
                parts.push(Doc::HARDLINE);
            }
            if self.follows_blank_line(self.tree.comments[*comment].start.offset) {
                parts.push(Doc::HARDLINE);
            }
            parts.push(self.comment(*comment));
        }
        let comments = self.build.concat(&parts);
        self.build.align(Align::Spaces(column), comments)
    }

    /// Whether the author excluded a node from formatting.
    pub(super) fn is_ignored(&self, id: NodeId) -> bool {
        let last = match self.tree.kind(id) {
            Kind::Body => {
                let document = self.tree.parent(id);
                let head = document.and_then(|document| self.tree.first_child(document));
                head.and_then(|head| self.tree.extras(head).end.last())
            }
            _ => self.tree.extras(id).leading.last(),
        };
        last.is_some_and(|id| {
            let comment = &self.text[self.tree.comments[*id].span().range()];
            comment.strip_prefix('#').map(str::trim) == Some(IGNORE)
        })
    }
}
