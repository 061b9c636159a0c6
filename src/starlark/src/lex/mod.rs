//! Splits text into tokens on demand. Indentation becomes tokens, and comments are collected
//! separately.
//!
//! The parser requests one token at a time. After an error it can restart the lexer at a later
//! line, as if no bracket were open.

mod comment;
mod string;
mod token;

pub(crate) use comment::{Comment, Place};
pub(crate) use token::Token;
pub use token::TokenKind;

use fixpoint_text::Span;

use crate::error::SyntaxError;

/// The comments of any text, in order. Comments are recognized without the parser.
pub(crate) fn comments(text: &str) -> Vec<Span> {
    let mut lexer = Lexer::new(text);
    while lexer.next().kind != TokenKind::Eof {}
    let real = lexer
        .comments
        .iter()
        .filter(|comment| comment.start < comment.end);
    real.map(|comment| Span::from(comment.start as usize..comment.end as usize))
        .collect()
}

pub(crate) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    line: u32,
    line_start: usize,
    /// The number of open brackets.
    depth: u32,
    /// The open indentation levels. The first one is 0 and is never removed.
    indents: Vec<u32>,
    dedents_owed: u32,
    /// Whether no token has been read on this line yet, outside of brackets.
    at_line_start: bool,
    /// The number of spaces before the first token of this line, ignoring tabs.
    indent: u32,
    /// Line breaks inside brackets since the last token or comment.
    breaks: u32,
    /// Whether the last token was a line end, or there is no token yet.
    line_ended: bool,
    pub comments: Vec<Comment>,
    pub errors: Vec<SyntaxError>,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            line: 1,
            line_start: 0,
            depth: 0,
            indents: vec![0],
            dedents_owed: 0,
            at_line_start: true,
            indent: 0,
            breaks: 0,
            line_ended: true,
            comments: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The indentation of the innermost open block.
    pub fn innermost(&self) -> u32 {
        self.indents.last().copied().unwrap_or(0)
    }

    /// Restarts at `offset`, the start of line `line`, without open brackets. `open` has the
    /// indentation of the blocks that are still open. Comments after `offset` are dropped, because
    /// they will be read again.
    pub fn restart(&mut self, offset: u32, line: u32, open: &[u32]) {
        self.pos = offset as usize;
        self.line_start = self.pos;
        self.line = line;
        self.depth = 0;
        self.indents.truncate(1);
        self.indents.extend_from_slice(open);
        self.dedents_owed = 0;
        self.at_line_start = true;
        self.indent = 0;
        self.breaks = 0;
        self.line_ended = true;
        while self.comments.last().is_some_and(|c| c.start >= offset) {
            self.comments.pop();
        }
    }

    pub fn next(&mut self) -> Token {
        if self.dedents_owed > 0 {
            self.dedents_owed -= 1;
            return self.empty(TokenKind::Dedent);
        }
        loop {
            let Some(&byte) = self.bytes.get(self.pos) else {
                return self.end_of_text();
            };
            match byte {
                b' ' => {
                    let rest = &self.bytes[self.pos..];
                    let count = rest.iter().take_while(|b| **b == b' ').count();
                    self.pos += count;
                    self.indent += count as u32;
                }
                b'\t' | b'\r' => self.pos += 1,
                b'\n' => {
                    let token = self.token_here(TokenKind::Newline, 1);
                    self.pos += 1;
                    self.next_line();
                    if self.depth == 0 {
                        self.at_line_start = true;
                        self.line_ended = true;
                        self.indent = 0;
                        return token;
                    }
                    self.breaks += 1;
                }
                b'\\' if self.bytes.get(self.pos + 1) == Some(&b'\n') => {
                    self.pos += 2;
                    self.next_line();
                }
                b'#' => {
                    if let Some(token) = self.comment() {
                        return token;
                    }
                }
                _ => {
                    if self.at_line_start
                        && let Some(token) = self.indentation(self.indent)
                    {
                        return token;
                    }
                    self.line_ended = false;
                    self.breaks = 0;
                    return self.word(byte);
                }
            }
        }
    }

    fn next_line(&mut self) {
        self.line += 1;
        self.line_start = self.pos;
    }

    /// Opens or closes levels for the first token of a line. Returns `None` if the level does not
    /// change.
    fn indentation(&mut self, indent: u32) -> Option<Token> {
        self.at_line_start = false;
        let current = self.indents.last().copied().unwrap_or(0);
        if indent > current {
            self.indents.push(indent);
            return Some(self.empty(TokenKind::Indent));
        }
        let mut closed = 0;
        while self.indents.last().is_some_and(|level| *level > indent) {
            self.indents.pop();
            closed += 1;
        }
        if closed > 0 && self.indents.last() != Some(&indent) {
            let (start, end) = (self.line_start as u32, self.pos as u32);
            self.errors.push(SyntaxError::new(
                "this indentation matches no open block",
                start,
                end,
            ));
        }
        if closed == 0 {
            return None;
        }
        self.dedents_owed = closed - 1;
        Some(self.empty(TokenKind::Dedent))
    }

    fn end_of_text(&mut self) -> Token {
        if self.depth == 0 {
            if !self.line_ended {
                self.line_ended = true;
                self.at_line_start = true;
                return self.empty(TokenKind::Newline);
            }
            if self.at_line_start
                && let Some(token) = self.indentation(0)
            {
                return token;
            }
        }
        self.empty(TokenKind::Eof)
    }

    fn token_here(&self, kind: TokenKind, length: usize) -> Token {
        Token {
            kind,
            escapes: false,
            start: self.pos as u32,
            end: (self.pos + length) as u32,
            line: self.line,
            end_line: self.line,
        }
    }

    fn empty(&self, kind: TokenKind) -> Token {
        self.token_here(kind, 0)
    }

    fn take(&mut self, kind: TokenKind, length: usize) -> Token {
        let token = self.token_here(kind, length);
        self.pos += length;
        token
    }

    /// Reads a token that starts with `byte`, which is not a blank.
    fn word(&mut self, byte: u8) -> Token {
        match byte {
            b'"' | b'\'' => self.string(0),
            b'r' if matches!(self.bytes.get(self.pos + 1), Some(b'"' | b'\'')) => self.string(1),
            b'0'..=b'9' => self.number(),
            _ if is_word(byte) => {
                let rest = &self.bytes[self.pos..];
                let length = rest.iter().take_while(|b| is_word(**b)).count();
                self.take(TokenKind::of_word(&rest[..length]), length)
            }
            _ => self.operator(byte),
        }
    }

    /// Reads letters and digits, and a sign after an `e`.
    fn number(&mut self) -> Token {
        let rest = &self.bytes[self.pos..];
        let mut length = 1;
        while let Some(&b) = rest.get(length) {
            let signed_exponent =
                matches!(b, b'+' | b'-') && matches!(rest[length - 1], b'e' | b'E');
            if !is_word(b) && !signed_exponent {
                break;
            }
            length += 1;
        }
        self.take(TokenKind::Number, length)
    }

    fn operator(&mut self, byte: u8) -> Token {
        use TokenKind::*;
        let second = self.bytes.get(self.pos + 1).copied();
        let third = self.bytes.get(self.pos + 2).copied();
        let (kind, length) = match (byte, second, third) {
            (b'/', Some(b'/'), Some(b'='))
            | (b'<', Some(b'<'), Some(b'='))
            | (b'>', Some(b'>'), Some(b'=')) => (AugAssign, 3),
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^', Some(b'='), _) => {
                (AugAssign, 2)
            }
            (b'/', Some(b'/'), _) => (SlashSlash, 2),
            (b'<', Some(b'<'), _) => (Shl, 2),
            (b'>', Some(b'>'), _) => (Shr, 2),
            (b'<', Some(b'='), _) => (Le, 2),
            (b'>', Some(b'='), _) => (Ge, 2),
            (b'=', Some(b'='), _) => (EqEq, 2),
            (b'!', Some(b'='), _) => (Ne, 2),
            (b'*', Some(b'*'), _) => (StarStar, 2),
            (b'-', Some(b'>'), _) => (Arrow, 2),
            (b'(', ..) => (OpenParen, 1),
            (b')', ..) => (CloseParen, 1),
            (b'[', ..) => (OpenBracket, 1),
            (b']', ..) => (CloseBracket, 1),
            (b'{', ..) => (OpenBrace, 1),
            (b'}', ..) => (CloseBrace, 1),
            (b',', ..) => (Comma, 1),
            (b':', ..) => (Colon, 1),
            (b';', ..) => (Semicolon, 1),
            (b'.', ..) => (Dot, 1),
            (b'+', ..) => (Plus, 1),
            (b'-', ..) => (Minus, 1),
            (b'*', ..) => (Star, 1),
            (b'/', ..) => (Slash, 1),
            (b'%', ..) => (Percent, 1),
            (b'|', ..) => (Pipe, 1),
            (b'&', ..) => (Amp, 1),
            (b'^', ..) => (Caret, 1),
            (b'~', ..) => (Tilde, 1),
            (b'<', ..) => (Lt, 1),
            (b'>', ..) => (Gt, 1),
            (b'=', ..) => (Eq, 1),
            (b'!', ..) => (Bang, 1),
            _ => return self.unknown(),
        };
        match kind {
            OpenParen | OpenBracket | OpenBrace => self.depth += 1,
            CloseParen | CloseBracket | CloseBrace => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.take(kind, length)
    }

    fn unknown(&mut self) -> Token {
        let found = self.text[self.pos..].chars().next().unwrap_or(' ');
        let token = self.take(TokenKind::Error, found.len_utf8());
        let message = match found {
            '\\' => "a backslash outside a string must end its line".to_owned(),
            _ => format!("unexpected character {found:?}"),
        };
        self.errors
            .push(SyntaxError::new(message, token.start, token.end));
        token
    }
}

/// All bytes of non-ASCII characters are part of names.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let mut lexer = Lexer::new(text);
        let mut kinds = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == TokenKind::Eof {
                return kinds;
            }
            kinds.push(token.kind);
        }
    }

    #[test]
    fn indentation_counts_spaces_only_and_closes_at_the_end() {
        use TokenKind::*;
        let want = vec![
            If, Ident, Colon, Newline, Indent, Ident, Newline, Dedent, Ident, Newline,
        ];
        assert_eq!(kinds("if a:\n  b\n\tc"), want);
        let want = vec![If, Ident, Colon, Newline, Indent, Ident, Newline, Dedent];
        assert_eq!(kinds("if a:\n  b"), want);
    }

    #[test]
    fn a_comment_line_does_not_change_indentation() {
        use TokenKind::*;
        let want = vec![
            If, Ident, Colon, Newline, Comment, Newline, Indent, Ident, Newline, Dedent,
        ];
        assert_eq!(kinds("if a:\n# c\n  b\n"), want);
    }

    #[test]
    fn a_number_includes_the_sign_of_its_exponent() {
        use TokenKind::*;
        assert_eq!(kinds("0xe-1"), vec![Number, Newline]);
        assert_eq!(kinds("1-1"), vec![Number, Minus, Number, Newline]);
    }

    #[test]
    fn line_breaks_in_brackets_are_not_tokens() {
        use TokenKind::*;
        let want = vec![OpenBracket, Number, CloseBracket, Newline];
        assert_eq!(kinds("[\n1\n\n]\n"), want);
    }
}
