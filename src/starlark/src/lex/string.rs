//! Reads string literals and checks their escapes.

use super::{Lexer, Token, TokenKind};
use crate::error::SyntaxError;
use crate::literal;

impl Lexer<'_> {
    /// Reads the string whose opening quote comes after `prefix` bytes.
    pub(super) fn string(&mut self, prefix: usize) -> Token {
        let start = self.pos;
        let bytes = self.bytes;
        let quote = bytes[start + prefix];
        let open = start + prefix;
        let triple = bytes.get(open + 1) == Some(&quote) && bytes.get(open + 2) == Some(&quote);
        let mut token = self.token_here(TokenKind::String, 0);
        let mut at = open + if triple { 3 } else { 1 };
        let mut last_break = None;
        loop {
            let Some(&byte) = bytes.get(at) else {
                return self.unterminated(token, bytes.len(), "this string does not end");
            };
            if byte == quote {
                if !triple {
                    at += 1;
                    break;
                }
                if bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote) {
                    at += 3;
                    break;
                }
            } else if byte == b'\n' {
                if !triple {
                    return self.unterminated(token, at, "this string does not end on its line");
                }
                token.end_line += 1;
                last_break = Some(at);
            } else if byte == b'\\' {
                token.escapes = true;
                at += 1;
                if bytes.get(at) == Some(&b'\n') {
                    token.end_line += 1;
                    last_break = Some(at);
                }
            }
            at += 1;
        }
        token.end = at as u32;
        self.pos = at;
        self.line = token.end_line;
        if let Some(at) = last_break {
            self.line_start = at + 1;
        }
        if token.escapes
            && prefix == 0
            && let Err(bad) = literal::check_escapes(&self.text[start..token.end as usize])
        {
            let at = token.start + bad.offset as u32;
            self.errors
                .push(SyntaxError::new(bad.message, at, at + bad.length as u32));
        }
        token
    }

    fn unterminated(&mut self, mut token: Token, end: usize, message: &str) -> Token {
        token.kind = TokenKind::Error;
        token.end = end as u32;
        self.pos = end;
        self.line = token.end_line;
        if token.end_line > token.line {
            self.line_start = self.bytes[..end]
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |at| at + 1);
        }
        self.errors
            .push(SyntaxError::new(message, token.start, token.end));
        token
    }
}
