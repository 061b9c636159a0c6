//! A strict parser for TOML 1.1 that produces a flat list of tokens.
//!
//! It does not look up keys, so it accepts duplicate keys. It also attaches each comment to the
//! token that it is printed with.

use fixpoint_text::Span;

use super::scalar::{self, Scanned};
use super::token::{Container, Document, Kind, Token};
use crate::FormatError;
use crate::error::SyntaxError;

/// The maximum nesting of arrays and inline tables, equal to the limit of the check parser.
const LIMIT: usize = 80;

pub(super) fn parse(text: &str) -> Result<Document<'_>, FormatError> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth: 0,
        parent: 0,
        document: Document {
            tokens: Vec::with_capacity(text.len() / 16),
            containers: Vec::new(),
            indented: false,
        },
    };
    parser.document()?;
    Ok(parser.document)
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    /// The current container, counted from 1.
    parent: u32,
    document: Document<'t>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(scalar::is_space) {
            self.at += 1;
        }
    }

    fn push(&mut self, kind: Kind, start: usize, blank: bool) {
        self.document.tokens.push(Token {
            text: &self.text[start..self.at],
            kind,
            blank,
            link: 0,
        });
    }

    /// A syntax error at the character at `at`.
    fn wrong_at<T>(&self, at: usize, message: &'static str) -> Result<T, FormatError> {
        let character = self.text[at..].chars().next();
        let end = at + character.map_or(0, char::len_utf8);
        Err(SyntaxError::new(message, Span::from(at..end)).into())
    }

    fn wrong<T>(&self, message: &'static str) -> Result<T, FormatError> {
        self.wrong_at(self.at, message)
    }

    fn advance_to(&mut self, end: Scanned) -> Result<(), FormatError> {
        match end {
            Ok(end) => {
                self.at = end;
                Ok(())
            }
            Err((at, message)) => self.wrong_at(at, message),
        }
    }

    fn document(&mut self) -> Result<(), FormatError> {
        let mut newlines = 0;
        let mut under_header = false;
        loop {
            let line = self.at;
            self.skip_space();
            let Some(byte) = self.peek() else {
                return Ok(());
            };
            if byte == b'\n' {
                self.at += 1;
                newlines += 1;
                continue;
            }
            let first = self.document.tokens.len();
            let indent = self.at - line;
            // No blank line at the top, nor after a header unless another header follows.
            let is_header = byte == b'[';
            let blank = newlines > 1 && first > 0 && (is_header || !under_header);
            newlines = 0;
            match byte {
                b'#' => self.comment(Kind::Comment, blank)?,
                b'[' => self.header(blank)?,
                _ => self.entry(blank)?,
            }
            under_header = is_header;
            if indent > 0 {
                self.document.indented = true;
                self.document.tokens[first].link = u32::try_from(indent).unwrap_or(u32::MAX);
            }
            if byte != b'#' {
                self.trailing_comment()?;
            }
            if self.peek().is_some_and(|byte| byte != b'\n') {
                return self.wrong("something else on a line that is complete");
            }
        }
    }

    fn header(&mut self, blank: bool) -> Result<(), FormatError> {
        let start = self.at;
        let is_array = self.bytes.get(start + 1) == Some(&b'[');
        self.at += if is_array { 2 } else { 1 };
        self.push(Kind::Header, start, blank);
        self.skip_space();
        self.key(false)?;
        let close: &[u8] = if is_array { b"]]" } else { b"]" };
        if !self.bytes[self.at..].starts_with(close) {
            return self.wrong("a table's name is not closed");
        }
        self.at += close.len();
        Ok(())
    }

    fn entry(&mut self, blank: bool) -> Result<(), FormatError> {
        self.key(blank)?;
        if self.peek() != Some(b'=') {
            return self.wrong("`=` is missing after the key");
        }
        self.at += 1;
        self.skip_space();
        self.value(false)
    }

    /// Parses a key and the space after it.
    fn key(&mut self, blank: bool) -> Result<(), FormatError> {
        self.key_part(Kind::Key, blank)?;
        while self.peek() == Some(b'.') {
            self.at += 1;
            self.skip_space();
            self.key_part(Kind::Part, false)?;
        }
        Ok(())
    }

    fn key_part(&mut self, kind: Kind, blank: bool) -> Result<(), FormatError> {
        let start = self.at;
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) if !self.is_tripled(quote) => {
                self.advance_to(scalar::string(self.bytes, start))?;
            }
            _ => {
                self.at = scalar::bare_key(self.bytes, start);
                if self.at == start {
                    return self.wrong("a key was expected");
                }
            }
        }
        self.push(kind, start, blank);
        self.skip_space();
        Ok(())
    }

    fn is_tripled(&self, quote: u8) -> bool {
        self.bytes[self.at..].starts_with(&[quote; 3])
    }

    fn comment(&mut self, kind: Kind, blank: bool) -> Result<(), FormatError> {
        let start = self.at;
        self.advance_to(scalar::comment(self.bytes, start))?;
        let end = self.at;
        while scalar::is_space(self.bytes[self.at - 1]) {
            self.at -= 1;
        }
        self.push(kind, start, blank);
        self.at = end;
        Ok(())
    }

    /// Skips space and a comment after it. Returns whether there was a comment.
    fn trailing_comment(&mut self) -> Result<bool, FormatError> {
        self.skip_space();
        let found = self.peek() == Some(b'#');
        if found {
            self.comment(Kind::Trailing, false)?;
        }
        Ok(found)
    }

    fn value(&mut self, blank: bool) -> Result<(), FormatError> {
        let start = self.at;
        match self.peek() {
            Some(b'[' | b'{') => return self.container(blank),
            Some(quote @ (b'"' | b'\'')) if self.is_tripled(quote) => {
                self.advance_to(scalar::long_string(self.bytes, start))?;
                if self.parent > 0 {
                    let lines = self.bytes[start..self.at].contains(&b'\n');
                    let around = &mut self.document.containers[self.parent as usize - 1];
                    around.holds_long_string = true;
                    around.holds_lines |= lines;
                }
            }
            Some(b'"' | b'\'') => self.advance_to(scalar::string(self.bytes, start))?,
            _ => {
                self.at = scalar::bare_value(self.bytes, start);
                if !scalar::is_bare_value(&self.bytes[start..self.at]) {
                    return self.wrong_at(start, "a value was expected");
                }
            }
        }
        self.push(Kind::Scalar, start, blank);
        Ok(())
    }

    fn container(&mut self, blank: bool) -> Result<(), FormatError> {
        self.depth += 1;
        if self.depth > LIMIT {
            return Err(FormatError::TooDeep {
                depth: self.depth,
                limit: LIMIT,
                span: Span::from(self.at..self.at + 1),
            });
        }
        let number = self.document.containers.len();
        let parent = self.parent;
        self.document.containers.push(Container {
            parent,
            is_table: self.bytes[self.at] == b'{',
            ..Container::default()
        });
        self.parent = number as u32 + 1;
        let open = self.document.tokens.len();
        let start = self.at;
        self.at += 1;
        self.push(Kind::Open, start, blank);
        self.document.tokens[open].link = number as u32;
        self.content(number, start)?;

        self.document.containers[number].close = self.document.tokens.len() as u32;
        self.at += 1;
        self.push(Kind::Close, self.at - 1, false);
        self.parent = parent;
        self.depth -= 1;
        let inner = self.document.containers[number];
        if parent > 0 {
            let around = &mut self.document.containers[parent as usize - 1];
            around.holds_long_string |= inner.holds_long_string;
            around.table_commented |= inner.table_commented;
        }
        Ok(())
    }

    /// Parses everything between the opening bracket at `open` and its closing bracket.
    fn content(&mut self, number: usize, open: usize) -> Result<(), FormatError> {
        let is_table = self.bytes[open] == b'{';
        let close = if is_table { b'}' } else { b']' };
        let opening_comment = self.trailing_comment()?;
        let split = opening_comment || self.peek() == Some(b'\n');
        let mut values = 0;
        let mut newlines = 0;
        // The first comment that is above the next value.
        let mut waiting = self.document.tokens.len();
        let mut last = Item::default();
        // Whether there is a comment directly inside, except after the last value.
        let mut commented = opening_comment;
        loop {
            self.skip_space();
            let byte = self.peek();
            let tokens = self.document.tokens.len();
            match byte {
                Some(b'\n') => {
                    self.at += 1;
                    newlines += 1;
                }
                Some(b'#') => {
                    let anything_before = values > 0 || opening_comment || tokens > waiting;
                    self.comment(Kind::Comment, newlines > 1 && anything_before)?;
                    newlines = 0;
                    commented = true;
                }
                // The comma is on a later line than its value.
                Some(b',') if values > 0 && !last.separated => {
                    self.at += 1;
                    last.separated = true;
                    newlines = 0;
                    if self.trailing_comment()? {
                        self.place_late_comment(&mut last);
                        waiting = waiting.max(last.end + usize::from(last.commented));
                        commented |= self.document.tokens.len() > waiting;
                    }
                }
                _ if byte == Some(close) => break,
                None => return self.wrong_at(open, "a bracket that is not closed"),
                Some(_) if values > 0 && !last.separated => {
                    return self.wrong("a comma was expected");
                }
                Some(_) => {
                    let blank = newlines > 1 && (values > 0 || tokens > waiting);
                    if values == 0 && tokens > waiting {
                        self.document.tokens[waiting].blank = false;
                    }
                    commented |= last.commented;
                    if is_table {
                        self.entry(blank)?;
                    } else {
                        self.value(blank)?;
                    }
                    last = self.behind_value()?;
                    values += 1;
                    newlines = 0;
                    waiting = self.document.tokens.len();
                }
            }
        }
        let has_last_comments = self.document.tokens.len() > waiting;
        let container = &mut self.document.containers[number];
        container.is_empty = values == 0 && !commented;
        container.several = values > 1;
        container.commented = commented || (is_table && last.commented);
        container.hangs = !commented && last.commented;
        container.table_commented |= is_table && container.commented;
        container.split = if is_table {
            split
        } else {
            has_last_comments || (split && !container.is_empty)
        };
        Ok(())
    }

    /// Parses the comma and the comment after a value.
    fn behind_value(&mut self) -> Result<Item, FormatError> {
        let end = self.document.tokens.len();
        let mut commented = self.trailing_comment()?;
        let separated = self.peek() == Some(b',');
        if separated {
            self.at += 1;
            commented = commented || self.trailing_comment()?;
        }
        Ok(Item {
            end,
            separated,
            commented,
        })
    }

    /// Places the last comment, which is after a comma on a later line than its value. It becomes
    /// the trailing comment of the value, or if there is one, a comment above the next value.
    fn place_late_comment(&mut self, item: &mut Item) {
        let tokens = &mut self.document.tokens;
        if item.commented {
            if let Some(comment) = tokens.last_mut() {
                comment.kind = Kind::Comment;
            }
        } else {
            item.commented = true;
            tokens[item.end..].rotate_right(1);
        }
    }
}

/// The last value of a container.
#[derive(Default)]
struct Item {
    /// The index of the token after it.
    end: usize,
    separated: bool,
    commented: bool,
}
