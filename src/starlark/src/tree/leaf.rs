//! The leaves of a tree, which cover every byte of the text exactly once, in order.

use fixpoint_text::Span;

use super::Tree;
use crate::lex::TokenKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafKind {
    Token(TokenKind),
    Comment,
    /// Blanks, continued lines, line breaks inside brackets, bytes skipped after an error.
    Gap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub kind: LeafKind,
    pub span: Span,
}

impl<'a> Tree<'a> {
    /// The leaves in source order. They are adjacent and cover the text.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves: Vec<Leaf> = Vec::with_capacity(self.tokens.len() * 2);
        let mut at = 0;
        let mut comments = self.comments().peekable();
        let mut push = |kind, start: usize, end: usize| {
            if start < end {
                let span = Span::from(start..end);
                leaves.push(Leaf { kind, span });
            }
        };
        let whole = self.text.len();
        let tokens = self
            .tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Comment);
        let tokens = tokens.map(|token| {
            (
                LeafKind::Token(token.kind),
                token.start as usize,
                token.end as usize,
            )
        });
        for (kind, start, end) in tokens.chain([(LeafKind::Gap, whole, whole)]) {
            while let Some(comment) = comments.next_if(|c| c.start() < start) {
                push(LeafKind::Gap, at, comment.start());
                push(LeafKind::Comment, comment.start(), comment.end());
                at = comment.end();
            }
            push(LeafKind::Gap, at, start);
            push(kind, start, end);
            at = end;
        }
        leaves
    }

    /// The text of the whole tree, concatenated from its leaves.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.text.len());
        for leaf in self.leaves() {
            text.push_str(self.slice(leaf.span.start() as u32, leaf.span.end() as u32));
        }
        text
    }
}
