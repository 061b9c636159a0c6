//! Recovery after a syntax error.

use super::{MAX_ERRORS, Parser};
use crate::lex::{Token, TokenKind};
use crate::tree::{Kind, NodeId};

impl Parser<'_> {
    /// Skips the rest of the statement that starts with `first`. It ends before the next line that
    /// is not indented deeper than its block and does not start with a closing bracket. Returns an
    /// error node.
    pub(super) fn recover(&mut self, first: Token) -> NodeId {
        let bytes = self.tree.text.as_bytes();
        let block = self.open.last().copied().unwrap_or(0) as usize;
        let token = self.token;
        let before = &bytes[..token.start as usize];
        let line_start = before
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let opens_line = before[line_start..]
            .iter()
            .all(|b| matches!(b, b' ' | b'\t'));
        // The line with the error may be a valid statement after an incomplete one.
        let (mut at, mut line) =
            if opens_line && token.line > first.line && token.kind != TokenKind::Error {
                (line_start, token.line)
            } else if token.kind == TokenKind::Newline && token.start >= first.end {
                next_line(bytes, token.start as usize, token.line)
            } else {
                next_line(
                    bytes,
                    token.end.max(first.end) as usize,
                    token.end_line.max(first.end_line),
                )
            };
        if self.lexer.errors.len() >= MAX_ERRORS {
            at = bytes.len();
        }
        while at < bytes.len() {
            let blanks = bytes[at..].iter().take_while(|b| **b == b' ').count();
            let content = bytes.get(at + blanks);
            let deeper = blanks > block;
            let skipped = matches!(content, None | Some(b'\n' | b'\r' | b')' | b']' | b'}'));
            if !deeper && !skipped {
                break;
            }
            (at, line) = next_line(bytes, at, line);
        }
        let at = at as u32;
        while self.tree.tokens.last().is_some_and(|token| token.end > at) {
            self.tree.tokens.pop();
        }
        self.lexer.restart(at, line, &self.open);
        let id = self.leaf(Kind::Error, first);
        let end = self.last_end.clamp(first.start, at.max(first.start));
        let node = self.tree.node_mut(id);
        (node.end, node.end_line) = (end, node.line.max(line.saturating_sub(1)));
        self.token = self.lexer.next();
        self.keep_token();
        id
    }
}

/// The start of the line after the one that contains `at`, and its line number.
fn next_line(bytes: &[u8], at: usize, line: u32) -> (usize, u32) {
    match bytes[at.min(bytes.len())..]
        .iter()
        .position(|b| *b == b'\n')
    {
        Some(found) => (at + found + 1, line + 1),
        None => (bytes.len(), line),
    }
}
