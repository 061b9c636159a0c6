//! What a rule hands out, and the edits that rules share.

use fixpoint_text::Span;

use crate::lex::TokenKind;
use crate::tree::{NodeId, Tree};

/// The bytes of `span` become `replacement`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub replacement: String,
}

impl Edit {
    pub(super) fn replace(span: Span, replacement: impl Into<String>) -> Self {
        Self {
            span,
            replacement: replacement.into(),
        }
    }

    pub(super) fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }

    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(Span::at(at), text)
    }
}

/// One thing a rule has found. All its edits together, or none of them, are its fix; without any it
/// is only told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static str,
    pub message: String,
    pub span: Span,
    /// In source order; none overlaps another.
    pub edits: Vec<Edit>,
}

/// Edits that take an element out of a list in brackets: the element, and the comma after it. Where
/// there is none, the comma before it becomes the final one. Comments stay where they are.
pub(super) fn remove_element(tree: &Tree<'_>, span: Span) -> Vec<Edit> {
    let after = tree
        .words
        .partition_point(|word| (word.start as usize) < span.end());
    let comma = tree
        .words
        .get(after)
        .filter(|word| word.kind == TokenKind::Comma);
    let mut edits = vec![Edit::delete(span)];
    edits
        .extend(comma.map(|word| Edit::delete(Span::from(word.start as usize..word.end as usize))));
    edits
}

/// Whether a statement shares its line with no other.
pub(super) fn is_alone_on_its_lines(tree: &Tree<'_>, id: NodeId) -> bool {
    let span = tree.span(id);
    let first = tree
        .words
        .partition_point(|word| (word.start as usize) < span.start());
    let after = tree
        .words
        .partition_point(|word| (word.start as usize) < span.end());
    let before = first.checked_sub(1).and_then(|at| tree.words.get(at));
    let layout = |kind| {
        matches!(
            kind,
            TokenKind::Newline
                | TokenKind::Dedent
                | TokenKind::Indent
                | TokenKind::Comment
                | TokenKind::Eof
        )
    };
    before.is_none_or(|word| layout(word.kind))
        && tree.words.get(after).is_none_or(|word| layout(word.kind))
}
