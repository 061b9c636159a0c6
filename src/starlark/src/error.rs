//! Syntax errors and their locations.

use fixpoint_text::Span;

/// A reason why a file has no canonical text, with the bytes that cause it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    message: String,
    span: Span,
}

impl SyntaxError {
    pub(crate) fn new(message: impl Into<String>, start: u32, end: u32) -> Self {
        Self {
            message: message.into(),
            span: Span::from(start as usize..end as usize),
        }
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    pub fn span(&self) -> Span {
        self.span
    }
}
