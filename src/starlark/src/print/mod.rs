//! Prints a tree as canonical text.
//!
//! Lines are never wrapped because of their length. Line breaks depend on the line breaks in the
//! source, on the number of elements and on comments.

mod expression;
mod sequence;
mod spacing;
mod statement;

use crate::kind::FileKind;
use crate::tree::{CommentId, NodeId, Tree};

/// Prints a tree with the layout for this kind of file.
pub(crate) fn print(tree: &Tree<'_>, kind: FileKind) -> String {
    let mut printer = Printer {
        tree,
        kind,
        out: String::with_capacity(tree.text.len() + tree.text.len() / 16 + 16),
        margin: 0,
        depth: 0,
        bare: 0,
        level: 0,
        pending: Vec::new(),
        owed: false,
        spine: Vec::new(),
    };
    printer.file();
    printer.out
}

struct Printer<'t, 'a> {
    tree: &'t Tree<'a>,
    kind: FileKind,
    out: String,
    /// Spaces at the start of a new line.
    margin: usize,
    /// The number of open brackets. Inside brackets, a line can be broken without a backslash.
    depth: u32,
    /// The number of enclosing tuples without brackets.
    bare: u32,
    /// The number of blocks around the current statement.
    level: u32,
    /// Comments to print at the end of the current line.
    pending: Vec<CommentId>,
    /// Whether the next output must start a new line first.
    owed: bool,
    /// Operators and suffixes whose left side is being printed.
    spine: Vec<expression::Frame>,
}

const SPACES: &str = "                                                                ";

impl Printer<'_, '_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn put_margin(&mut self) {
        self.put_spaces(self.margin);
    }

    fn put_spaces(&mut self, mut count: usize) {
        while count > 0 {
            let now = count.min(SPACES.len());
            self.out.push_str(&SPACES[..now]);
            count -= now;
        }
    }

    fn trim(&mut self) {
        let length = self.out.trim_end_matches(' ').len();
        self.out.truncate(length);
    }

    /// The number of bytes since the last line break.
    fn column(&self) -> usize {
        let bytes = self.out.as_bytes();
        match bytes.iter().rposition(|b| *b == b'\n') {
            Some(at) => bytes.len() - at - 1,
            None => bytes.len(),
        }
    }

    fn put_comment(&mut self, id: CommentId) {
        let text = self.tree.comment_text(id);
        self.put(text);
    }

    /// The number of empty comments at the start, which represent blank lines.
    fn leading_blanks(&self, comments: &[CommentId]) -> usize {
        let is_blank = |id: &&CommentId| self.tree.comment_text(**id).is_empty();
        comments.iter().take_while(is_blank).count()
    }

    /// Ends the line with its pending comments, and starts the next line at the margin.
    fn newline(&mut self) {
        self.owed = false;
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.put("  ");
            for (at, id) in pending.iter().enumerate() {
                if at > 0 {
                    self.trim();
                    self.put("\n");
                    self.put_margin();
                }
                self.put_comment(*id);
            }
            self.pending = pending;
            self.pending.clear();
        }
        self.trim();
        self.put("\n");
        self.put_margin();
    }

    fn newline_if_owed(&mut self) {
        if self.owed {
            self.newline();
        }
    }

    /// Breaks the line inside an expression.
    fn break_line(&mut self) {
        if self.depth == 0 {
            self.put(" \\\n");
            self.put_margin();
        } else {
            self.newline();
        }
    }

    /// Prints what precedes a node: a pending line break and the node's own comments.
    fn lead(&mut self, id: NodeId) {
        self.newline_if_owed();
        let tree = self.tree;
        let before = tree.before(id);
        if before.is_empty() {
            return;
        }
        self.trim();
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.put("\n");
        }
        self.put_margin();
        // Pending end-of-line comments come first. After another comment on the same line, they
        // would become part of it.
        let pending = std::mem::take(&mut self.pending);
        for comment in &pending {
            self.put_comment(*comment);
            self.newline();
        }
        let blanks = match pending.is_empty() {
            true => 0,
            false => self.leading_blanks(before),
        };
        for comment in &before[blanks..] {
            self.put_comment(*comment);
            self.newline();
        }
    }

    fn trail(&mut self, id: NodeId) {
        let tree = self.tree;
        self.pending.extend_from_slice(tree.suffix(id));
    }
}
