//! The output of the parser: a flat list of tokens, in print order.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A comment on a line of its own.
    Comment,
    /// A comment after other tokens on its line. After a value, it is also after the comma.
    Trailing,
    /// The `[` or `[[` of a table header. Its key follows.
    Header,
    /// The first part of a key.
    Key,
    /// A further part of a dotted key.
    Part,
    Scalar,
    Open,
    Close,
}

/// One token with its source text.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) kind: Kind,
    /// Whether a blank line is printed before it, if it begins a line.
    pub(super) blank: bool,
    /// For the first token of a line outside of all brackets: its indentation, first in characters,
    /// later in levels. For an opening bracket: the index of its container.
    pub(super) link: u32,
}

/// An array or an inline table. Containers are in the order in which they open.
#[derive(Clone, Copy, Default)]
pub(super) struct Container {
    /// The enclosing container, counted from 1. 0 means none.
    pub(super) parent: u32,
    /// The index of its closing bracket among the tokens.
    pub(super) close: u32,
    pub(super) is_table: bool,
    pub(super) is_empty: bool,
    /// Whether it has two or more values.
    pub(super) several: bool,
    /// Whether the author broke it over lines.
    pub(super) split: bool,
    /// Whether it has a comment directly inside, except after the last value of an array.
    pub(super) commented: bool,
    /// Whether it is an array whose only comment is after its last value.
    pub(super) hangs: bool,
    /// Whether it is a table with a comment directly inside, or contains such a table.
    pub(super) table_commented: bool,
    /// Whether it contains a string in triple quotes.
    pub(super) holds_long_string: bool,
    /// Whether something inside takes more than one line in any layout.
    pub(super) holds_lines: bool,
    /// Whether it is, or is inside of, a table that is printed on one line.
    pub(super) in_line: bool,
    /// Like `in_line`, and the table contains a string in triple quotes. Such arrays are never
    /// broken to fit.
    pub(super) collapsed: bool,
    /// Whether it is broken over lines regardless of the width.
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
