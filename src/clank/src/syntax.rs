//! The syntax error type.

use fixpoint_text::Span;

use crate::diagnostic::{Code, Diagnostic, Payload};

/// An error at a position in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub span: Span,
    pub message: String,
    /// The expected tokens, and the token that was found.
    pub expected: Option<(String, String)>,
}

impl SyntaxError {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            expected: None,
        }
    }

    pub fn expected(span: Span, expected: &str, found: &str) -> Self {
        Self {
            span,
            message: format!("expected {expected}, found {found}"),
            expected: Some((expected.to_owned(), found.to_owned())),
        }
    }

    pub(crate) fn diagnostic(self) -> Diagnostic {
        let (expected, found) = self.expected.unzip();
        let payload = Payload::SyntaxError { expected, found };
        Diagnostic::of_text(Code::E0001, self.span, self.message, payload)
    }
}
