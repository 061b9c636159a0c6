//! Parses YAML 1.2 into a tree.

mod block;
mod document;
mod flow;
mod properties;
mod scalar;

use fixpoint_text::Span;

use super::tree::{Comment, CommentId, Kind, NodeId, Point, Tree};
use crate::error::SyntaxError;

/// The maximum nesting of nodes. The parser and the printer are recursive.
const DEPTH_LIMIT: usize = 256;

type Parsed<T> = Result<T, SyntaxError>;

/// The tree of `text`. Its comments are not attached yet.
pub(super) fn parse(text: &str) -> Parsed<Tree> {
    let (tree, parsed) = parse_partly(text);
    parsed.map(|()| tree)
}

/// The comments of `text`, up to the first error.
pub(super) fn comments(text: &str) -> Vec<Comment> {
    parse_partly(text).0.comments
}

/// The tree of `text`, which is incomplete if there is an error.
fn parse_partly(text: &str) -> (Tree, Parsed<()>) {
    if u32::try_from(text.len()).is_err() {
        let error = SyntaxError::new("the text is too long", Span::at(0));
        return (Tree::new(), Err(error));
    }
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: start,
        line: 0,
        line_start: start,
        depth: 0,
        tree: Tree::new(),
    };
    let parsed = parser.stream();
    (parser.tree, parsed)
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    line: usize,
    line_start: usize,
    depth: usize,
    tree: Tree,
}

impl Parser<'_> {
    fn error<T>(&self, message: &str) -> Parsed<T> {
        Err(SyntaxError::new(message, Span::at(self.at)))
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn byte_at(&self, offset: usize) -> Option<u8> {
        self.bytes.get(offset).copied()
    }

    fn column(&self) -> usize {
        self.at - self.line_start
    }

    fn point(&self) -> Point {
        Point {
            offset: self.at,
            line: self.line,
            column: self.column(),
        }
    }

    /// Begins a new line at `start`.
    fn new_line(&mut self, start: usize) {
        self.at = start;
        self.line_start = start;
        self.line += 1;
    }

    /// Whether the byte at `offset` is white space, or the text ends there.
    fn is_blank_at(&self, offset: usize) -> bool {
        matches!(
            self.byte_at(offset),
            None | Some(b' ' | b'\t' | b'\n' | b'\r')
        )
    }

    /// Whether `indicator` is here, before white space.
    fn is_indicator(&self, indicator: u8) -> bool {
        self.byte() == Some(indicator) && self.is_blank_at(self.at + 1)
    }

    fn is_marker(&self, marker: &[u8]) -> bool {
        self.at == self.line_start
            && self.bytes[self.at..].starts_with(marker)
            && self.is_blank_at(self.at + marker.len())
    }

    /// Whether the document ends here.
    fn ends_document(&self) -> bool {
        self.byte().is_none() || self.is_marker(b"---") || self.is_marker(b"...")
    }

    /// Whether only blanks precede this position on its line.
    fn is_first_on_line(&self) -> bool {
        let before = &self.bytes[self.line_start..self.at];
        before.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    fn skip_blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        if self.byte() == Some(b'\r') && self.byte_at(self.at + 1) == Some(b'\n') {
            self.at += 1;
        }
    }

    /// Skips white space and comments. Returns whether a line ended.
    fn skip_trivia(&mut self) -> bool {
        let line = self.line;
        loop {
            self.skip_blanks();
            match self.byte() {
                Some(b'\n') => self.new_line(self.at + 1),
                Some(b'#') if self.begins_comment() => {
                    self.comment();
                }
                _ => return self.line > line,
            }
        }
    }

    /// Whether a number sign here begins a comment.
    fn begins_comment(&self) -> bool {
        self.byte() == Some(b'#') && (self.at == self.line_start || self.is_blank_at(self.at - 1))
    }

    /// Reads a comment, up to the end of its line.
    fn comment(&mut self) -> CommentId {
        let start = self.point();
        let rest = &self.text[self.at..];
        let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let text = rest[..length].trim_end();
        self.at += length;
        self.tree.comments.push(Comment {
            start,
            end: start.plus(text.len()),
            owner: None,
        });
        self.tree.comments.len() - 1
    }

    /// Rejects anything except a comment on the rest of the line, after a value.
    fn expect_line_end(&mut self) -> Parsed<()> {
        if self.is_first_on_line() {
            return Ok(());
        }
        self.skip_blanks();
        match self.byte() {
            None | Some(b'\n') => Ok(()),
            Some(b'#') if self.begins_comment() => Ok(()),
            _ => self.error("unexpected text after a value"),
        }
    }

    fn add(&mut self, kind: Kind, start: Point) -> NodeId {
        self.tree.add(kind, start, self.point())
    }

    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return self.error("too many levels of nesting");
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
