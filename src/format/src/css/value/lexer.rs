//! The tokens of a value.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Space,
    Word,
    /// `@` and the name after it.
    AtWord,
    String,
    Comment,
    UnicodeRange,
    /// `+`, `-`, `*` or `/`.
    Operator,
    Colon,
    Comma,
    Open,
    Close,
    /// `{`, `}`, or a `#` that does not begin a name.
    Mark,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of `text`; `None` if a string or a comment is not closed.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth: 0,
        is_url: false,
        tokens: Vec::new(),
    };
    while let Some(first) = lexer.peek(0) {
        let start = lexer.at;
        let kind = lexer.read(first)?;
        lexer.tokens.push(Token {
            kind,
            start,
            end: lexer.at,
        });
    }
    Some(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    /// Inside of a `url()` that is not nested, where `//` does not begin a comment.
    is_url: bool,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn read(&mut self, first: u8) -> Option<Kind> {
        let next = self.peek(1);
        match first {
            b' ' | b'\n' | b'\t' | b'\r' | b'\x0c' => {
                self.skip_while(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c'));
                return Some(Kind::Space);
            }
            b'"' | b'\'' => return self.string(first),
            b'@' => {
                self.at += 1;
                let is_end = |byte: u8| b" \n\t\r{()'\"\\;,/".contains(&byte);
                self.skip_while(|byte| !is_end(byte));
                return Some(Kind::AtWord);
            }
            b'-' if next == Some(b'-') => {
                self.at += 2;
                return Some(Kind::Word);
            }
            b'/' if next == Some(b'*') => {
                let end = memchr::memmem::find(&self.bytes[self.at + 2..], b"*/")?;
                self.at += end + 4;
                return Some(Kind::Comment);
            }
            b'/' if next == Some(b'/') && !self.is_url => {
                self.skip_while(|byte| byte != b'\n');
                return Some(Kind::Comment);
            }
            b'u' | b'U' if next == Some(b'+') => {
                self.at += 3;
                self.skip_while(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'?' | b'-'));
                self.at = self.at.min(self.bytes.len());
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                return Some(Kind::UnicodeRange);
            }
            b'#' if next.is_some_and(|byte| byte.is_ascii_alphanumeric()) => self.word(false),
            b'0'..=b'9' => self.word(true),
            _ => return Some(self.sign(first)),
        }
        Some(Kind::Word)
    }

    fn sign(&mut self, first: u8) -> Kind {
        let kind = match first {
            b':' => Kind::Colon,
            b',' => Kind::Comma,
            b'{' | b'}' | b'#' => Kind::Mark,
            b'+' | b'-' | b'*' | b'/' => Kind::Operator,
            b'\\' => Kind::Word,
            b'(' => {
                self.depth += 1;
                let is_url = self.tokens.last().is_some_and(|token| {
                    token.kind == Kind::Word && &self.text[token.start..token.end] == "url"
                });
                self.is_url = !self.is_url && self.depth == 1 && is_url;
                Kind::Open
            }
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                self.is_url &= self.depth > 0;
                Kind::Close
            }
            _ => {
                self.word(false);
                return Kind::Word;
            }
        };
        self.at += 1;
        kind
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = self.bytes.get(self.at..).unwrap_or_default().iter();
        self.at += rest.take_while(|byte| is_skipped(**byte)).count();
    }

    /// A word that begins with a digit also ends at a hyphen or a slash.
    fn word(&mut self, is_number: bool) {
        let starts_with_point = self.peek(0) == Some(b'.');
        self.word_part(is_number);
        if !is_number && !starts_with_point {
            return;
        }
        let ends_in_e = matches!(self.bytes[self.at - 1], b'e' | b'E');
        let has_sign = matches!(self.peek(0), Some(b'+' | b'-'));
        if ends_in_e && has_sign && self.peek(1).is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
            self.word_part(true);
        }
    }

    fn word_part(&mut self, is_number: bool) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            let is_end = match byte {
                b'/' => is_number || self.peek(1) == Some(b'*'),
                b'-' => is_number,
                _ => b" \n\t\r(){}*:;@!&'\"+|~>,[]\\".contains(&byte),
            };
            if is_end {
                return;
            }
            self.at += 1;
        }
    }

    fn string(&mut self, quote: u8) -> Option<Kind> {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            if byte == b'\\' {
                self.at += 1;
            } else if byte == quote {
                return Some(Kind::String);
            }
        }
        None
    }
}
