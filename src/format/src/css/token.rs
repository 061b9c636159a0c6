//! The tokens of a stylesheet, as the CSS Syntax specification defines them.
//!
//! The tokenizer is independent of the printer's parser, because it is used to check the printer.

use std::ops::Range;

use super::dialect::Dialect;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Space,
    Comment,
    Ident,
    /// A name with its opening parenthesis.
    Function,
    AtKeyword,
    Hash,
    String,
    /// An unquoted URL, with `url(` and `)`.
    Url,
    /// A string or URL that is not closed or not valid.
    Bad,
    Number,
    Percentage,
    Dimension,
    /// `<!--` or `-->`.
    HtmlComment,
    Colon,
    Semicolon,
    Comma,
    /// `(`, `[`, `{`, or the start of an interpolation: `#{` or `@{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// Any other character, or an operator of two characters.
    Delimiter,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn is_trivia(self) -> bool {
        matches!(self.kind, Kind::Space | Kind::Comment)
    }
}

/// Operators whose characters may not be separated.
const OPERATORS: [&[u8]; 8] = [b"~=", b"|=", b"^=", b"$=", b"*=", b"||", b">=", b"<="];

pub(super) struct Tokens<'t> {
    bytes: &'t [u8],
    at: usize,
    dialect: Dialect,
}

pub(super) fn tokens(text: &str, dialect: Dialect) -> Tokens<'_> {
    Tokens {
        bytes: text.as_bytes(),
        at: 0,
        dialect,
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let first = *self.bytes.get(start)?;
        let kind = self.read(first);
        Some(Token {
            kind,
            start,
            end: self.at,
        })
    }
}

impl Tokens<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn starts_with(&self, prefix: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(prefix)
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = self.bytes[self.at..].iter();
        self.at += rest.take_while(|byte| is_skipped(**byte)).count();
    }

    fn read(&mut self, first: u8) -> Kind {
        match first {
            b'/' if self.peek(1) == Some(b'*') => {
                let end = memchr::memmem::find(&self.bytes[self.at + 2..], b"*/");
                self.at = end.map_or(self.bytes.len(), |end| self.at + end + 4);
                Kind::Comment
            }
            b'/' if self.dialect != Dialect::Css && self.peek(1) == Some(b'/') => {
                self.skip_while(|byte| !is_newline(byte));
                Kind::Comment
            }
            _ if is_space(first) => {
                self.skip_while(is_space);
                Kind::Space
            }
            b'"' | b'\'' => self.string(first),
            b'#' if self.dialect == Dialect::Scss && self.peek(1) == Some(b'{') => {
                self.take(2, Kind::Open)
            }
            b'@' if self.dialect == Dialect::Less && self.peek(1) == Some(b'{') => {
                self.take(2, Kind::Open)
            }
            b'#' if self.peek(1).is_some_and(is_name) || self.is_escape(1) => {
                self.at += 1;
                self.name();
                Kind::Hash
            }
            _ if self.is_number() => self.numeric(),
            b'<' if self.starts_with(b"<!--") => self.take(4, Kind::HtmlComment),
            b'-' if self.starts_with(b"-->") => self.take(3, Kind::HtmlComment),
            b'@' if self.is_ident(1) => {
                self.at += 1;
                self.name();
                Kind::AtKeyword
            }
            _ if self.is_ident(0) => self.ident_like(),
            b':' => self.take(1, Kind::Colon),
            b';' => self.take(1, Kind::Semicolon),
            b',' => self.take(1, Kind::Comma),
            b'(' | b'[' | b'{' => self.take(1, Kind::Open),
            b')' | b']' | b'}' => self.take(1, Kind::Close),
            _ if OPERATORS.iter().any(|operator| self.starts_with(operator)) => {
                self.take(2, Kind::Delimiter)
            }
            _ => self.take(1, Kind::Delimiter),
        }
    }

    fn take(&mut self, length: usize, kind: Kind) -> Kind {
        self.at += length;
        kind
    }

    fn string(&mut self, quote: u8) -> Kind {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' if self.peek(1) == Some(b'\r') && self.peek(2) == Some(b'\n') => self.at += 3,
                b'\\' => self.at = self.bytes.len().min(self.at + 2),
                _ if byte == quote => return self.take(1, Kind::String),
                _ if is_newline(byte) => return Kind::Bad,
                _ => self.at += 1,
            }
        }
        Kind::Bad
    }

    fn is_number(&self) -> bool {
        let is_digit = |ahead| self.peek(ahead).is_some_and(|it| it.is_ascii_digit());
        let sign = usize::from(matches!(self.peek(0), Some(b'+' | b'-')));
        is_digit(sign) || self.peek(sign) == Some(b'.') && is_digit(sign + 1)
    }

    fn numeric(&mut self) -> Kind {
        self.at = number_end(self.bytes, self.at);
        if self.is_ident(0) {
            self.name();
            return Kind::Dimension;
        }
        if self.peek(0) == Some(b'%') {
            return self.take(1, Kind::Percentage);
        }
        Kind::Number
    }

    fn is_escape(&self, ahead: usize) -> bool {
        self.peek(ahead) == Some(b'\\') && !self.peek(ahead + 1).is_some_and(is_newline)
    }

    /// Whether a name starts here.
    fn is_ident(&self, ahead: usize) -> bool {
        match self.peek(ahead) {
            Some(b'-') => {
                let next = self.peek(ahead + 1);
                next.is_some_and(|byte| byte == b'-' || is_name_start(byte))
                    || self.is_escape(ahead + 1)
            }
            Some(byte) if is_name_start(byte) => true,
            _ => self.is_escape(ahead),
        }
    }

    fn name(&mut self) {
        loop {
            self.skip_while(is_name);
            if !self.is_escape(0) {
                return;
            }
            self.escape();
        }
    }

    fn escape(&mut self) {
        self.at += 1;
        let digits = self.bytes[self.at..].iter().take(6);
        let digits = digits.take_while(|it| it.is_ascii_hexdigit()).count();
        self.at += digits;
        match self.peek(0) {
            _ if digits > 0 && self.starts_with(b"\r\n") => self.at += 2,
            Some(byte) if digits > 0 && is_space(byte) => self.at += 1,
            // The remaining bytes of a longer character are part of the name.
            Some(_) if digits == 0 => self.at += 1,
            _ => {}
        }
    }

    fn ident_like(&mut self) -> Kind {
        let start = self.at;
        self.name();
        if self.peek(0) != Some(b'(') {
            return Kind::Ident;
        }
        let is_url = self.bytes[start..self.at].eq_ignore_ascii_case(b"url");
        self.at += 1;
        let inside = &self.bytes[self.at..];
        let first = inside.iter().find(|byte| !is_space(**byte));
        if is_url && !matches!(first, Some(b'"' | b'\'')) {
            self.url()
        } else {
            Kind::Function
        }
    }

    fn url(&mut self) -> Kind {
        self.skip_while(is_space);
        let mut kind = Kind::Url;
        while let Some(byte) = self.peek(0) {
            match byte {
                b')' => return self.take(1, kind),
                b'\\' if self.is_escape(0) => self.escape(),
                b'"' | b'\'' | b'(' | b'\\' | 0..=8 | 0x0b | 0x0e..=0x1f | 0x7f => {
                    self.at += 1;
                    kind = Kind::Bad;
                }
                _ if is_space(byte) => {
                    self.skip_while(is_space);
                    if self.peek(0) != Some(b')') {
                        kind = Kind::Bad;
                    }
                }
                _ => self.at += 1,
            }
        }
        Kind::Bad
    }
}

/// The end of the number that starts at `at`, without its unit.
pub(super) fn number_end(bytes: &[u8], at: usize) -> usize {
    let digits = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default().iter();
        at + rest.take_while(|it| it.is_ascii_digit()).count()
    };
    let is_sign = |at: usize| matches!(bytes.get(at), Some(b'+' | b'-'));
    let mut end = digits(at + usize::from(is_sign(at)));
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = end + 1 + usize::from(is_sign(end + 1));
        if digits(exponent) > exponent {
            end = digits(exponent);
        }
    }
    end
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'\x0c')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t') || is_newline(byte)
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

fn is_name(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Kind, &str)> {
        let tokens = tokens(text, Dialect::Css).filter(|token| token.kind != Kind::Space);
        tokens
            .map(|token| (token.kind, &text[token.range()]))
            .collect()
    }

    #[test]
    fn tokens_follow_the_css_specification() {
        let same = [
            (
                "-a --b \\31 c",
                vec![
                    (Kind::Ident, "-a"),
                    (Kind::Ident, "--b"),
                    (Kind::Ident, "\\31 c"),
                ],
            ),
            (
                "1.5e3px +.5% 2.",
                vec![
                    (Kind::Dimension, "1.5e3px"),
                    (Kind::Percentage, "+.5%"),
                    (Kind::Number, "2"),
                    (Kind::Delimiter, "."),
                ],
            ),
            (
                "1e3-2 n-1",
                vec![
                    (Kind::Number, "1e3"),
                    (Kind::Number, "-2"),
                    (Kind::Ident, "n-1"),
                ],
            ),
            (
                "url( a/*b*/ )url('c')",
                vec![
                    (Kind::Url, "url( a/*b*/ )"),
                    (Kind::Function, "url("),
                    (Kind::String, "'c'"),
                    (Kind::Close, ")"),
                ],
            ),
            ("url(a b)", vec![(Kind::Bad, "url(a b)")]),
            (
                "'a\\\nb''c",
                vec![(Kind::String, "'a\\\nb'"), (Kind::Bad, "'c")],
            ),
            (
                "<!--a-->",
                vec![
                    (Kind::HtmlComment, "<!--"),
                    (Kind::Ident, "a--"),
                    (Kind::Delimiter, ">"),
                ],
            ),
            (
                "#a#é#/**/@b@1",
                vec![
                    (Kind::Hash, "#a"),
                    (Kind::Hash, "#é"),
                    (Kind::Delimiter, "#"),
                    (Kind::Comment, "/**/"),
                    (Kind::AtKeyword, "@b"),
                    (Kind::Delimiter, "@"),
                    (Kind::Number, "1"),
                ],
            ),
            (
                "a|=b",
                vec![
                    (Kind::Ident, "a"),
                    (Kind::Delimiter, "|="),
                    (Kind::Ident, "b"),
                ],
            ),
        ];
        for (text, expected) in same {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_cover_the_text() {
        for text in [
            "a{b:c}",
            "\\",
            "'\\",
            "-",
            "+.",
            "\\é\\",
            "url(\\",
            "#\\\n/*",
            "1e+",
            "🦀\u{7f}",
        ] {
            let mut end = 0;
            for token in tokens(text, Dialect::Css) {
                assert_eq!(token.start, end, "{text}");
                assert!(token.end > end, "{text}");
                assert!(text.is_char_boundary(token.end), "{text}");
                end = token.end;
            }
            assert_eq!(end, text.len(), "{text}");
        }
    }
}
