//! The statements of a block, with the blank lines and comments between them.

use super::layout::{is_first_on_line, is_next_line_blank};
use super::{Place, Printer};
use crate::css::parser::{Kind, Node};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn block(&self, block: &[Node<'a>], place: Place<'_>) -> Doc<'a> {
        let mut parts = Vec::with_capacity(block.len() * 2);
        let mut index = 0;
        let mut has_range_end = true;
        while let Some(node) = block.get(index) {
            let mut last = index;
            let is_ignored =
                index > 0 && self.comment_text(&block[index - 1]) == Some("prettier-ignore");
            if is_ignored || self.kept.binary_search(&node.range.start).is_ok() {
                parts.push(self.source(node, node));
            } else if let Some(end) = self.ignored_end(block, index, &mut has_range_end) {
                last = end;
                parts.push(self.source(node, &block[end]));
            } else {
                parts.push(self.node(node, place));
            }
            let (node, next) = (&block[last], block.get(last + 1));
            if let Some(next) = next {
                self.separate(node, next, &mut parts);
            }
            index = last + 1;
        }
        self.docs.concat(&parts)
    }

    fn separate(&self, node: &Node<'a>, next: &Node<'a>, parts: &mut Vec<Doc<'a>>) {
        let is_comment = |node: &Node<'a>| matches!(node.kind, Kind::Comment { .. });
        let is_else = matches!(&next.kind, Kind::AtRule(rule) if rule.name == "else");
        let is_same_line = is_comment(next) && !is_first_on_line(self.text, next.range.start);
        if is_same_line || is_else && !is_comment(node) {
            parts.push(Doc::SPACE);
            return;
        }
        parts.push(Doc::HARDLINE);
        if is_next_line_blank(self.text, node.range.end) {
            parts.push(Doc::HARDLINE);
        }
    }

    fn source(&self, first: &Node<'a>, last: &Node<'a>) -> Doc<'a> {
        Doc::Text(&self.text[first.range.start..last.range.end])
    }

    /// The contents of a comment.
    fn comment_text(&self, node: &Node<'a>) -> Option<&'a str> {
        let Kind::Comment { is_line } = node.kind else {
            return None;
        };
        let text = &self.text[node.range.clone()];
        let text = if is_line {
            &text[2..]
        } else {
            text.get(2..text.len() - 2)?
        };
        Some(text.trim())
    }

    /// The comment that ends the range that is ignored from `start`. `has_end` is set to false if
    /// there is none, so that later ranges do not search for it again.
    fn ignored_end(&self, block: &[Node<'a>], start: usize, has_end: &mut bool) -> Option<usize> {
        if !*has_end || self.comment_text(&block[start])? != "prettier-ignore-start" {
            return None;
        }
        let is_end = |node: &Node<'a>| self.comment_text(node) == Some("prettier-ignore-end");
        let length = block[start..].iter().position(is_end);
        *has_end = length.is_some();
        Some(start + length?)
    }

    fn node(&self, node: &Node<'a>, place: Place<'_>) -> Doc<'a> {
        match &node.kind {
            Kind::Comment { is_line } => {
                let text = &self.text[node.range.clone()];
                Doc::Text(if *is_line { text.trim_end() } else { text })
            }
            Kind::Rule(rule) => self.rule(rule, place),
            Kind::Declaration(declaration) => self.declaration(declaration, place),
            Kind::AtRule(rule) => self.at_rule(rule, place),
        }
    }
}
