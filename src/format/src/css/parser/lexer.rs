//! The tokens by which statements are separated. The parts of a selector or a value are read later.

use crate::css::dialect::Dialect;
use crate::error::SyntaxError;
use fixpoint_text::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Space,
    /// A run of other characters, an escape, or an interpolation.
    Word,
    String,
    /// `@` and the name after it.
    At,
    Comment,
    /// A comment that begins with `//`.
    LineComment,
    /// The contents of `url()` without quotes, with their parentheses.
    Url,
    /// `(`, `)`, `[`, `]`, `{`, `}`, `:` or `;`.
    Sign(u8),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn is_trivia(self) -> bool {
        matches!(self.kind, Kind::Space | Kind::Comment)
    }

    pub(super) fn is(self, sign: u8) -> bool {
        self.kind == Kind::Sign(sign)
    }
}

pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    bytes: &'a [u8],
    at: usize,
    dialect: Dialect,
    /// The previous token is a word that ends in `url`.
    is_after_url: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, start: usize, dialect: Dialect) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: start,
            dialect,
            is_after_url: false,
        }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn back_to(&mut self, position: usize) {
        self.at = position;
        self.is_after_url = false;
    }

    pub(super) fn next(&mut self) -> Result<Option<Token>, SyntaxError> {
        let start = self.at;
        let Some(first) = self.peek(0) else {
            return Ok(None);
        };
        let was_after_url = std::mem::take(&mut self.is_after_url);
        let kind = self.read(first, was_after_url)?;
        let token = Token {
            kind,
            start,
            end: self.at,
        };
        if kind == Kind::Word {
            self.is_after_url = ends_in_url(&self.bytes[start..self.at]);
        }
        Ok(Some(token))
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn read(&mut self, first: u8, is_after_url: bool) -> Result<Kind, SyntaxError> {
        match first {
            _ if is_space(first) => {
                self.skip_while(is_space);
                return Ok(Kind::Space);
            }
            b'(' if is_after_url && self.is_raw_url() => return self.url(),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b':' | b';' => {
                self.at += 1;
                return Ok(Kind::Sign(first));
            }
            b'"' | b'\'' => return self.string(first),
            b'/' if self.peek(1) == Some(b'*') => {
                self.at = self.after("*/", self.at + 2, "a comment")?;
                return Ok(Kind::Comment);
            }
            b'/' if self.peek(1) == Some(b'/') && self.dialect != Dialect::Css => {
                self.skip_while(|byte| !matches!(byte, b'\n' | b'\r'));
                return Ok(Kind::LineComment);
            }
            b'#' if self.peek(1) == Some(b'{') && self.dialect == Dialect::Scss => {
                self.interpolation()?;
            }
            b'@' if self.peek(1) == Some(b'{') && self.dialect == Dialect::Less => {
                self.at = self.after("}", self.at, "an interpolation")?;
            }
            b'@' => {
                self.at += 1;
                self.skip_while(|byte| !is_space(byte) && !b"\"#'()/;[\\]{}".contains(&byte));
                return Ok(Kind::At);
            }
            b'\\' => self.escape(),
            b',' if self.dialect == Dialect::Scss => self.at += 1,
            _ => self.word(),
        }
        Ok(Kind::Word)
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = self.bytes[self.at..].iter();
        self.at += rest.take_while(|byte| is_skipped(**byte)).count();
    }

    fn after(&self, end: &str, from: usize, what: &str) -> Result<usize, SyntaxError> {
        memchr::memmem::find(&self.bytes[from..], end.as_bytes())
            .map(|found| from + found + end.len())
            .ok_or_else(|| self.unclosed(what))
    }

    fn unclosed(&self, what: &str) -> SyntaxError {
        let end = self.text[self.at..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        let span = Span::from(self.at..self.at + end);
        SyntaxError::new(format!("{what} is not closed"), span)
    }

    fn word(&mut self) {
        let is_scss = self.dialect == Dialect::Scss;
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            let is_end = match byte {
                b'!' | b'"' | b'#' | b'\'' | b'(' | b')' | b':' | b';' | b'@' | b'[' | b'\\'
                | b']' | b'{' | b'}' => true,
                b',' => is_scss,
                b'/' => self.peek(1) == Some(b'*'),
                _ => is_space(byte),
            };
            if is_end {
                return;
            }
            self.at += 1;
        }
    }

    fn escape(&mut self) {
        let slashes = self.bytes[self.at..]
            .iter()
            .take_while(|byte| **byte == b'\\');
        let count = slashes.count();
        self.at += count;
        let Some(next) = self.peek(0) else {
            return;
        };
        if count % 2 == 0 || next == b'/' || is_space(next) {
            return;
        }
        if !next.is_ascii_hexdigit() {
            let next = self.text[self.at..].chars().next();
            self.at += next.map_or(0, char::len_utf8);
            return;
        }
        self.skip_while(|byte| byte.is_ascii_hexdigit());
        self.at += usize::from(self.peek(0) == Some(b' '));
    }

    fn string(&mut self, quote: u8) -> Result<Kind, SyntaxError> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at = self.bytes.len().min(self.at + 2),
                b'#' if self.dialect == Dialect::Scss && self.peek(1) == Some(b'{') => {
                    self.interpolation()?;
                }
                _ if byte == quote => {
                    self.at += 1;
                    return Ok(Kind::String);
                }
                _ => self.at += 1,
            }
        }
        self.at = start;
        Err(self.unclosed("a string"))
    }

    /// Skips `#{`, its contents and `}`.
    fn interpolation(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let mut depth = 0_usize;
        let mut quote = None;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            match (byte, quote) {
                (b'\\', Some(_)) => self.at = self.bytes.len().min(self.at + 1),
                (_, Some(open)) => quote = (byte != open).then_some(open),
                (b'"' | b'\'', None) => quote = Some(byte),
                (b'#', None) if self.peek(0) == Some(b'{') => {
                    self.at += 1;
                    depth += 1;
                }
                (b'}', None) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        self.at = start;
        Err(self.unclosed("an interpolation"))
    }

    fn is_raw_url(&self) -> bool {
        match self.peek(1) {
            None | Some(b'"' | b'\'') => false,
            Some(byte) => self.dialect == Dialect::Scss || !is_space(byte),
        }
    }

    fn url(&mut self) -> Result<Kind, SyntaxError> {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 1,
                b'(' if depth == 0 || self.dialect == Dialect::Scss => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.at = self.bytes.len().min(self.at + 1);
            if depth == 0 {
                return Ok(Kind::Url);
            }
        }
        self.at = start;
        Err(self.unclosed("a bracket"))
    }
}

fn ends_in_url(word: &[u8]) -> bool {
    let Some(before) = word.len().checked_sub(3) else {
        return false;
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    word[before..].eq_ignore_ascii_case(b"url") && !word[..before].last().is_some_and(is_name)
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}
