//! Blank lines between nodes: one of them stays.

use super::TreePrinter;
use crate::doc::Doc;
use crate::yaml::tree::{Comment, NodeId};

impl<'a> TreePrinter<'a> {
    /// A line end if a blank line follows the node and was not printed for another one.
    pub(super) fn blank_line_after(&self, id: NodeId) -> Doc<'a> {
        let end = self.tree.get(id).end.offset;
        let is_inside = self
            .tree
            .parent(id)
            .is_some_and(|parent| self.prints_end_comments(parent));
        self.blank_line_at(end, is_inside)
    }

    pub(super) fn blank_line_after_comment(&self, comment: &Comment) -> Doc<'a> {
        let is_inside = comment
            .owner
            .is_some_and(|owner| self.prints_end_comments(owner));
        self.blank_line_at(comment.end.offset, is_inside)
    }

    fn blank_line_at(&self, end: usize, is_inside: bool) -> Doc<'a> {
        match self.take_blank_line_at(end) && !is_inside && self.precedes_blank_line(end) {
            true => Doc::SOFTLINE,
            false => Doc::NIL,
        }
    }

    /// Records that the blank line after a node is printed elsewhere.
    pub(super) fn take_blank_line_after(&self, id: NodeId) {
        self.take_blank_line_at(self.tree.get(id).end.offset);
    }

    /// Marks the blank line after `end` as decided. Returns false if it was already marked.
    fn take_blank_line_at(&self, end: usize) -> bool {
        let mut taken = self.blank_lines_after.borrow_mut();
        !std::mem::replace(&mut taken[end], true)
    }

    /// Whether a blank line follows the line that `end` is on or ends.
    fn precedes_blank_line(&self, end: usize) -> bool {
        let bytes = self.text.as_bytes();
        let start = end.saturating_sub(1);
        let Some(newline) = memchr::memchr(b'\n', &bytes[start..]) else {
            return false;
        };
        let after = &bytes[start + newline + 1..];
        let next = after
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        next == Some(&b'\n')
    }

    /// Whether the line before the one at `start` is blank.
    pub(super) fn follows_blank_line(&self, start: usize) -> bool {
        let before = self.text[..start].trim_end_matches([' ', '\t', '\r']);
        let above = before.strip_suffix('\n');
        above.is_some_and(|above| {
            let above = above.trim_end_matches([' ', '\t', '\r']);
            above.ends_with('\n')
        })
    }
}
