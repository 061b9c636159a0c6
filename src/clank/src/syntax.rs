//! An error of syntax.

use fixpoint_text::Span;

use crate::diagnostic::{Code, Diagnostic, Payload};

/// A place where the text stops being Clank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub span: Span,
    pub message: String,
    /// What would have been read on, and what stands there instead.
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
