//! Prints comments beside the nodes that they belong to.

use oxc_ast::AstKind;

use super::super::{Printer, scan};
use super::{Comment, Marker, Role};
use crate::doc::{Align, Doc};

/// The leading and the trailing comments of a node.
#[derive(Clone, Copy)]
pub(in super::super) struct Around<'a> {
    pub(in super::super) leading: Doc<'a>,
    pub(in super::super) trailing: Doc<'a>,
}

impl<'a> Printer<'a> {
    /// `doc` between the leading and the trailing comments of `node`.
    pub(in super::super) fn with_comments(&self, node: AstKind<'a>, doc: Doc<'a>) -> Doc<'a> {
        if !self.comments.has_leading(node) && !self.comments.has_trailing(node) {
            return doc;
        }
        let Around { leading, trailing } = self.comments_around(node);
        self.inherit_label(doc, |doc| self.concat(&[leading, doc, trailing]))
    }

    /// Applies `wrap` to a document below its label.
    pub(in super::super) fn inherit_label(
        &self,
        doc: Doc<'a>,
        wrap: impl FnOnce(Doc<'a>) -> Doc<'a>,
    ) -> Doc<'a> {
        match doc {
            Doc::Labeled(label, node) => self.label(label, wrap(node.contents)),
            _ => wrap(doc),
        }
    }

    pub(in super::super) fn comments_around(&self, node: AstKind<'a>) -> Around<'a> {
        Around {
            leading: self.leading_comments(node),
            trailing: self.trailing_comments(node),
        }
    }

    pub(in super::super) fn leading_comments(&self, node: AstKind<'a>) -> Doc<'a> {
        let is_leading = |comment: &&Comment| comment.role == Role::Leading;
        let mut parts = Vec::new();
        for comment in self.comments.of(node).filter(is_leading) {
            parts.push(self.comment(comment));
            let has_newline = scan::has_newline(self.text, comment.end);
            parts.push(if !comment.is_block {
                Doc::HARDLINE
            } else if !has_newline {
                Doc::SPACE
            } else if scan::has_newline_before(self.text, comment.start) {
                Doc::HARDLINE
            } else {
                Doc::LINE
            });
            if scan::is_line_after_comment_empty(self.text, comment.end) {
                parts.push(Doc::HARDLINE);
            }
        }
        self.concat(&parts)
    }

    pub(in super::super) fn trailing_comments(&self, node: AstKind<'a>) -> Doc<'a> {
        let is_trailing = |comment: &&Comment| comment.role == Role::Trailing;
        let mut parts = Vec::new();
        // Whether the previous comment is at the end of a line, and whether it is a block.
        let mut suffix: Option<bool> = None;
        for comment in self.comments.of(node).filter(is_trailing) {
            let printed = self.comment(comment);
            if suffix == Some(false) || scan::has_newline_before(self.text, comment.start) {
                let empty = if scan::is_previous_line_empty(self.text, comment.start) {
                    Doc::HARDLINE
                } else {
                    Doc::NIL
                };
                let lines = self.concat(&[Doc::HARDLINE, empty, printed]);
                parts.push(self.line_suffix(lines));
                suffix = Some(comment.is_block);
            } else if !comment.is_block || suffix.is_some() {
                let spaced = self.concat(&[Doc::SPACE, printed]);
                parts.extend([self.line_suffix(spaced), Doc::BreakParent]);
                suffix = Some(comment.is_block);
            } else {
                parts.extend([Doc::SPACE, printed]);
            }
        }
        self.concat(&parts)
    }

    pub(in super::super) fn dangling_comments(&self, node: AstKind<'a>) -> Doc<'a> {
        self.marked_comments(node, Marker::None)
    }

    pub(in super::super) fn marked_comments(&self, node: AstKind<'a>, marker: Marker) -> Doc<'a> {
        let mut parts = Vec::new();
        let mut previous: Option<&Comment> = None;
        for comment in self.comments.of(node) {
            if comment.role != Role::Dangling || comment.marker != marker {
                continue;
            }
            match (previous, marker) {
                (None, _) => {}
                (Some(previous), Marker::BeforeArrow) => {
                    if previous.end != comment.start {
                        parts.push(Doc::SPACE);
                    }
                }
                (Some(_), _) => {
                    parts.push(Doc::HARDLINE);
                    if scan::is_previous_line_empty(self.text, comment.start) {
                        parts.push(Doc::HARDLINE);
                    }
                }
            }
            parts.push(self.comment(comment));
            previous = Some(comment);
        }
        self.concat(&parts)
    }

    /// Dangling comments between brackets.
    pub(in super::super) fn dangling_comments_in_list(&self, node: AstKind<'a>) -> Doc<'a> {
        let is_in_list =
            |comment: &Comment| comment.role == Role::Dangling && comment.marker == Marker::None;
        if !self.comments.any(node, is_in_list) {
            return Doc::NIL;
        }
        let has_line = self
            .comments
            .any(node, |comment| is_in_list(comment) && !comment.is_block);
        let comments = self.dangling_comments(node);
        let contents = self.concat(&[Doc::SOFTLINE, comments]);
        let end = match has_line {
            true => Doc::HARDLINE,
            false => Doc::SOFTLINE,
        };
        self.concat(&[self.indent(contents), end])
    }

    fn comment(&self, comment: &Comment) -> Doc<'a> {
        comment.is_printed.set(true);
        let text = &self.text[comment.start..comment.end];
        if !comment.is_block {
            return Doc::Text(text.trim_end());
        }
        self.aligned_comment(text)
            .unwrap_or_else(|| self.lines(text, Doc::LITERALLINE))
    }

    /// A comment whose lines all start with an asterisk is aligned by its asterisks.
    fn aligned_comment(&self, text: &'a str) -> Option<Doc<'a>> {
        if !is_aligned(text) {
            return None;
        }
        let is_jsdoc = text.starts_with("/**") && !text.starts_with("/***");
        let last = text.matches('\n').count();
        let mut parts = Vec::new();
        for (index, line) in text.split('\n').enumerate() {
            if index == 0 {
                parts.extend([Doc::Text(line.trim_end()), Doc::HARDLINE]);
                continue;
            }
            let line = line.trim_start();
            parts.push(Doc::SPACE);
            if index == last {
                parts.push(Doc::Text(line));
                continue;
            }
            let content = line.trim_end();
            parts.push(Doc::Text(content));
            if is_jsdoc && content != "*" && line.ends_with("  ") {
                // Two spaces are a line break of Markdown.
                parts.push(Doc::Text("  "));
                parts.push(self.align(Align::Root, Doc::LITERALLINE));
            } else {
                parts.push(Doc::HARDLINE);
            }
        }
        Some(self.concat(&parts))
    }
}

/// Whether all lines of a comment but the first start with an asterisk.
pub(in super::super) fn is_aligned(text: &str) -> bool {
    text.contains('\n')
        && text
            .split('\n')
            .skip(1)
            .all(|line| line.trim_start().starts_with('*'))
}
