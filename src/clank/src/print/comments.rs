//! Collects the comments of a text and their positions.

use fixpoint_text::Span;

use crate::lex::{TokenKind, Tokens};

#[derive(Clone, Copy, Debug)]
pub(super) struct Comment {
    pub span: Span,
    /// Whether the comment is the last thing on its line.
    pub ends_line: bool,
    /// Whether something precedes it on its line.
    pub trailing: bool,
    /// Whether an empty line precedes it.
    pub blank_before: bool,
}

pub(super) fn comments(text: &str, tokens: &Tokens) -> Vec<Comment> {
    let mut comments = Vec::new();
    let (mut trailing, mut newlines) = (false, 0);
    for (at, token) in tokens.all.iter().enumerate() {
        let piece = text.get(token.span.range()).unwrap_or_default();
        match token.kind {
            TokenKind::Whitespace => {
                newlines += piece.matches('\n').count();
                trailing &= newlines == 0;
            }
            TokenKind::LineComment | TokenKind::BlockComment => {
                comments.push(Comment {
                    span: token.span,
                    ends_line: token.kind == TokenKind::LineComment || ends_line(text, tokens, at),
                    trailing,
                    blank_before: newlines > 1,
                });
                newlines = 0;
                trailing = true;
            }
            _ => {
                newlines = 0;
                trailing = true;
            }
        }
    }
    comments
}

/// Whether a newline or the end of the text follows a token.
fn ends_line(text: &str, tokens: &Tokens, at: usize) -> bool {
    match tokens.all.get(at + 1) {
        Some(next) if next.kind == TokenKind::Whitespace => {
            let gap = text.get(next.span.range()).unwrap_or_default();
            gap.contains('\n') || next.span.end() == text.len()
        }
        Some(next) => next.kind == TokenKind::End,
        None => true,
    }
}
