//! What the parser hands to the layout: one flat list for the whole document, in the order in
//! which it is printed.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A comment on a line of its own.
    Comment,
    /// A comment behind what stands on its line. After a value: behind its comma too.
    Trailing,
    /// `[` or `[[` of a table's header; its key follows.
    Header,
    /// The first part of a key.
    Key,
    /// A further part of a dotted key.
    Part,
    Scalar,
    Open,
    Close,
}

/// One token, as written.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) kind: Kind,
    /// Whether a blank line is to stand before it, where it begins a line.
    pub(super) blank: bool,
    /// For what begins a line outside of all brackets: its indentation, at first in characters as
    /// written, then in levels. For an opening bracket: its container.
    pub(super) link: u32,
}

/// An array or an inline table. Containers are listed in the order in which they open.
#[derive(Clone, Copy, Default)]
pub(super) struct Container {
    /// The container around it, counted from 1; 0 is none.
    pub(super) parent: u32,
    /// Its closing bracket, among the tokens.
    pub(super) close: u32,
    pub(super) is_table: bool,
    pub(super) is_empty: bool,
    /// It has two values or more.
    pub(super) several: bool,
    /// The author broke it over lines.
    pub(super) split: bool,
    /// It has a comment right within it, save one behind the last value of an array.
    pub(super) commented: bool,
    /// An array with a comment behind its last value, and no other.
    pub(super) hangs: bool,
    /// It is a table with a comment right within it, or has such a table somewhere inside.
    pub(super) table_commented: bool,
    /// A string in triple quotes is somewhere inside.
    pub(super) holds_long_string: bool,
    /// Something inside takes more than one line, however it is laid out.
    pub(super) holds_lines: bool,
    /// It is, or is somewhere inside of, a table that stands on one line.
    pub(super) in_line: bool,
    /// As `in_line`, and that table holds a string in triple quotes: no array is broken for width.
    pub(super) collapsed: bool,
    /// It is broken over lines whatever the width.
    pub(super) broken: bool,
}

/// A parsed document.
pub(super) struct Document<'t> {
    pub(super) tokens: Vec<Token<'t>>,
    pub(super) containers: Vec<Container>,
    /// Whether anything outside of all brackets is indented.
    pub(super) indented: bool,
}

impl Document<'_> {
    /// The last token of the value, or key and value, that begins at `from`.
    pub(super) fn end_of_item(&self, from: usize) -> usize {
        let mut at = from;
        while matches!(self.tokens[at].kind, Kind::Key | Kind::Part) {
            at += 1;
        }
        match self.tokens[at].kind {
            Kind::Open => self.container(at).close as usize,
            _ => at,
        }
    }

    /// The container that opens at the token `open`.
    pub(super) fn container(&self, open: usize) -> &Container {
        &self.containers[self.tokens[open].link as usize]
    }
}
