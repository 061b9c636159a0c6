//! Documents, their markers and their directives.

use super::{Context, TreePrinter};
use crate::doc::Doc;
use crate::yaml::tree::{Kind, Markers, NodeId};

impl<'a> TreePrinter<'a> {
    /// Prints the whole stream.
    pub(super) fn root(&self) -> Doc<'a> {
        let mut parts = Vec::new();
        // Whether the last part ends a line.
        let mut is_line_start = true;
        let documents = self.tree.children(NodeId::ROOT);
        for (index, (document, markers)) in documents.zip(&self.tree.markers).enumerate() {
            if index > 0 && !is_line_start {
                parts.push(Doc::HARDLINE);
            }
            let next = self.tree.get(document).next;
            let is_last = next.is_none();
            parts.push(self.document(document, *markers, Context { is_last }));
            let last = self.tree.last_descendant(document);
            let is_block_scalar = self.tree.kind(last).is_block_scalar();
            let ends_line = is_block_scalar
                && (self.has_final_blanks(last) || (is_last && self.keeps_newlines(last)));
            if ends_line && !is_last {
                parts.push(Doc::LITERALLINE);
            }
            let has_marker = self.has_end_marker(document, *markers);
            if has_marker {
                if !ends_line {
                    parts.push(Doc::HARDLINE);
                }
                parts.push(Doc::Text("..."));
                if let Some(comment) = self.tree.extras(document).trailing {
                    parts.extend([Doc::SPACE, self.comment(comment)]);
                }
            }
            is_line_start = ends_line && !has_marker;
        }
        if !is_line_start {
            parts.push(Doc::HARDLINE);
        }
        self.build.concat(&parts)
    }

    fn document(&self, id: NodeId, markers: Markers, context: Context) -> Doc<'a> {
        let Some((head, body)) = self.tree.pair(id) else {
            return Doc::NIL;
        };
        let mut parts = Vec::new();
        let head_extras = self.tree.extras(head);
        let has_head = self.tree.first_child(head).is_some() || !head_extras.end.is_empty();
        if markers.start || has_head {
            if has_head {
                parts.push(self.node(head, Context { is_last: false }));
            }
            parts.push(match head_extras.trailing {
                Some(comment) => self
                    .build
                    .concat(&[Doc::Text("--- "), self.comment(comment)]),
                None => Doc::Text("---"),
            });
        }
        let has_body =
            self.tree.first_child(body).is_some() || !self.tree.extras(body).end.is_empty();
        if has_body {
            parts.push(self.node(body, context));
        }
        self.build.group(self.build.join(Doc::HARDLINE, &parts))
    }

    fn has_end_marker(&self, document: NodeId, markers: Markers) -> bool {
        let next_head = self
            .tree
            .get(document)
            .next
            .and_then(|next| self.tree.first_child(next));
        markers.end
            || next_head.is_some_and(|head| {
                self.tree.first_child(head).is_some() || !self.tree.extras(head).end.is_empty()
            })
    }

    pub(super) fn head(&self, id: NodeId) -> Doc<'a> {
        let context = Context { is_last: false };
        let mut parts: Vec<_> = self
            .children(id, context)
            .into_iter()
            .map(|(_, doc)| doc)
            .collect();
        let comments = &self.tree.extras(id).end;
        parts.extend(comments.iter().map(|comment| self.comment(*comment)));
        self.build.join(Doc::HARDLINE, &parts)
    }

    pub(super) fn body(&self, id: NodeId, context: Context) -> Doc<'a> {
        let comments = &self.tree.extras(id).end;
        let Some(content) = self.tree.first_child(id) else {
            return self.comments(comments);
        };
        let mut separator = Vec::new();
        if let Some(first) = comments.first() {
            let last = self.tree.last_descendant(id);
            let is_block_scalar = self.tree.kind(last).is_block_scalar();
            let follows_blank_line = self.tree.kind(content) == Kind::Mapping
                && self.follows_blank_line(self.tree.comments[*first].start.offset);
            let line_ends = match is_block_scalar {
                true if self.keeps_newlines(last) => 0,
                true => 2,
                false if follows_blank_line => {
                    self.take_blank_line_after(content);
                    2
                }
                false => 1,
            };
            separator = vec![Doc::HARDLINE; line_ends];
        }
        let mut parts = vec![self.node(content, context)];
        parts.append(&mut separator);
        parts.push(self.comments(comments));
        self.build.concat(&parts)
    }

    /// The name and the parameters of a directive, separated by single spaces.
    pub(super) fn directive(&self, id: NodeId) -> Doc<'a> {
        let words: Vec<_> = self.slice(id).split_whitespace().map(Doc::Text).collect();
        self.build.join(Doc::SPACE, &words)
    }
}
