//! Reads comments and decides how each one is attached to the tree.

use super::{Lexer, Token, TokenKind};

/// How a comment is attached to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Alone on its line, outside of brackets and continued lines: belongs to the surrounding
    /// statements.
    Statement,
    /// Belongs to the node after it.
    Line,
    /// Belongs to the node before it.
    Suffix,
}

/// A comment, or an empty one that represents the blank line above the next comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub place: Place,
}

impl Lexer<'_> {
    /// Reads the comment at the current position. Returns a token only if the comment is part of
    /// the grammar.
    pub(super) fn comment(&mut self) -> Option<Token> {
        let start = self.pos;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let before = self.text[self.line_start..start].trim();
        let place = if self.at_line_start && self.depth == 0 {
            Place::Statement
        } else if before.is_empty() || before.ends_with(['(', '[', '{']) || ends_parameters(before)
        {
            Place::Line
        } else {
            Place::Suffix
        };
        if self.depth > 0 && self.breaks >= 2 {
            self.push(start, start, Place::Line);
        }
        self.breaks = 0;
        self.push(start, start + length, place);
        let token = self.take(TokenKind::Comment, length);
        self.line_ended = false;
        (place == Place::Statement).then_some(token)
    }

    fn push(&mut self, start: usize, end: usize, place: Place) {
        self.comments.push(Comment {
            start: start as u32,
            end: end as u32,
            line: self.line,
            place,
        });
    }
}

/// Whether a line contains only `):`.
fn ends_parameters(line: &str) -> bool {
    line.starts_with(')') && line[1..].trim_start() == ":"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(String, Place)> {
        let mut lexer = Lexer::new(text);
        while lexer.next().kind != TokenKind::Eof {}
        let text_of = |c: &Comment| text[c.start as usize..c.end as usize].to_owned();
        lexer
            .comments
            .iter()
            .map(|c| (text_of(c), c.place))
            .collect()
    }

    #[test]
    fn the_text_before_a_comment_decides_its_place() {
        let text = "# a\nx = [ # b\n  1, # c\n  # d\n]\ndef f(\n  y\n): # e\n  pass # f\n";
        let want = [
            ("# a", Place::Statement),
            ("# b", Place::Line),
            ("# c", Place::Suffix),
            ("# d", Place::Line),
            ("# e", Place::Line),
            ("# f", Place::Suffix),
        ];
        let want: Vec<_> = want.map(|(t, p)| (t.to_owned(), p)).into();
        assert_eq!(places(text), want);
    }

    #[test]
    fn a_blank_line_above_a_comment_in_brackets_is_recorded() {
        let found = places("[\n  1,\n\n  # a\n  # b\n]\n");
        let texts: Vec<_> = found.iter().map(|(t, _)| t.as_str()).collect();
        assert_eq!(texts, ["", "# a", "# b"]);
    }
}
