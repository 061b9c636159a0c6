//! Splits a JSON text into tokens. Besides JSON it accepts the literals of JavaScript that prettier
//! accepts: other quotes, other numbers, names as keys.

use fixpoint_text::Span;

use crate::error::SyntaxError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Open,
    Close,
    Comma,
    Colon,
    String,
    /// A string in backticks.
    Template,
    /// With its sign.
    Number,
    /// With its sign, if it is `Infinity` or `NaN`.
    Word,
    LineComment,
    BlockComment,
    /// A member or an element that is printed as it is.
    Verbatim,
}

impl Kind {
    pub(super) fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }
}

/// A token with its source text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) start: usize,
}

impl Token<'_> {
    pub(super) fn span(&self) -> Span {
        Span::from(self.start..self.start + self.text.len())
    }
}

/// The tokens of a text, up to the first one that is invalid.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self { text, at: mark }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Result<Token<'t>, SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        let rest = &bytes[self.at..];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let start = self.at + rest.iter().take_while(|byte| is_space(byte)).count();
        self.at = bytes.len();
        if start == bytes.len() {
            return None;
        }
        let Some((kind, length)) = token_at(&self.text[start..]) else {
            let end = self.text.ceil_char_boundary(start + 1);
            let message = match bytes[start] {
                b'"' | b'\'' | b'`' => "unterminated string",
                b'/' => "unterminated comment",
                _ => "unexpected token",
            };
            return Some(Err(SyntaxError::new(message, Span::from(start..end))));
        };
        self.at = start + length;
        Some(Ok(Token {
            kind,
            text: &self.text[start..self.at],
            start,
        }))
    }
}

fn token_at(rest: &str) -> Option<(Kind, usize)> {
    let bytes = rest.as_bytes();
    Some(match bytes[0] {
        b'{' | b'[' => (Kind::Open, 1),
        b'}' | b']' => (Kind::Close, 1),
        b',' => (Kind::Comma, 1),
        b':' => (Kind::Colon, 1),
        quote @ (b'"' | b'\'') => (Kind::String, string_length(bytes, quote)?),
        b'`' => (Kind::Template, string_length(bytes, b'`')?),
        b'/' if bytes.get(1) == Some(&b'/') => {
            let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
            (Kind::LineComment, rest[..end].trim_end_matches('\r').len())
        }
        b'/' if bytes.get(1) == Some(&b'*') => {
            let end = rest[2..].find("*/")?;
            (Kind::BlockComment, end + 4)
        }
        b'+' | b'-' => {
            let (kind, length) = number_or_word(&rest[1..])?;
            let is_named = matches!(&rest[1..1 + length], "Infinity" | "NaN");
            (kind == Kind::Number || is_named).then_some((kind, length + 1))?
        }
        _ => number_or_word(rest)?,
    })
}

fn string_length(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            byte if byte == quote => return Some(at + 1),
            b'\\' => at += 2,
            b'\n' if quote != b'`' => return None,
            b'$' if quote == b'`' && bytes.get(at + 1) == Some(&b'{') => return None,
            _ => at += 1,
        }
    }
}

fn number_or_word(rest: &str) -> Option<(Kind, usize)> {
    let first = rest.chars().next()?;
    if first.is_ascii_digit() || first == '.' {
        return number_length(rest.as_bytes()).map(|length| (Kind::Number, length));
    }
    let is_start = first.is_alphabetic() || matches!(first, '_' | '$');
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    is_start.then_some((Kind::Word, end))
}

fn number_length(bytes: &[u8]) -> Option<usize> {
    let run = |from: usize, is_digit: fn(&u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        let is_part = |byte: &&u8| is_digit(byte) || **byte == b'_';
        rest.iter().take_while(is_part).count()
    };
    let radix: Option<fn(&u8) -> bool> = match bytes.get(..2) {
        Some(b"0x" | b"0X") => Some(u8::is_ascii_hexdigit),
        Some(b"0o" | b"0O") => Some(|byte| matches!(byte, b'0'..=b'7')),
        Some(b"0b" | b"0B") => Some(|byte| matches!(byte, b'0' | b'1')),
        _ => None,
    };
    let at = if let Some(is_digit) = radix {
        let digits = run(2, is_digit);
        (digits > 0).then_some(2 + digits)?
    } else {
        let whole = run(0, u8::is_ascii_digit);
        let mut at = whole;
        let mut digits = whole;
        if bytes.get(at) == Some(&b'.') {
            let fraction = run(at + 1, u8::is_ascii_digit);
            digits += fraction;
            at += 1 + fraction;
        }
        if digits > 0 && matches!(bytes.get(at), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            let exponent = run(at + 1 + sign, u8::is_ascii_digit);
            at = (exponent > 0).then_some(at + 1 + sign + exponent)?;
        }
        (digits > 0).then_some(at)?
    };
    let goes_on = bytes
        .get(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'));
    (!goes_on).then_some(at)
}
