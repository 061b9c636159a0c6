//! Diagnostics: codes, messages, and payloads for programs.

mod code;
mod payload;

pub use code::{Code, Severity};
pub use payload::{MissingPattern, MissingPatternKind, Payload};

use std::borrow::Cow;

use fixpoint_text::Span;
use serde::Serialize;

use crate::ast::NodeId;

/// One diagnostic. Its id (`d1`, `d2`, ...) is its position in the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    pub code: Code,
    pub message: String,
    /// Its span; empty for nodes without a position in the author's text.
    pub span: Span,
    /// Its node; `None` for syntax errors.
    pub node: Option<NodeId>,
    pub payload: Payload,
    pub hints: Vec<Hint>,
    pub related: Vec<Related>,
    /// Ids of the repairs that resolve it, best first.
    pub repair_refs: Vec<String>,
}

/// A suggestion to resolve a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    pub strategy: Strategy,
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    pub confidence: Confidence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    AddMut,
    Guard,
    RefineParam,
    Assert,
    Info,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    High,
    Medium,
    Low,
}

/// Another location that explains the diagnostic.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    pub message: String,
    pub node: Option<NodeId>,
    pub span: Span,
}

impl Diagnostic {
    pub fn new(code: Code, node: NodeId, span: Span, message: String, payload: Payload) -> Self {
        Self {
            node: Some(node),
            ..Self::of_text(code, span, message, payload)
        }
    }

    /// A diagnostic about text without a node.
    pub fn of_text(code: Code, span: Span, message: String, payload: Payload) -> Self {
        Self {
            code,
            message: with_short_quotes(message),
            span,
            node: None,
            payload,
            hints: Vec::new(),
            related: Vec::new(),
            repair_refs: Vec::new(),
        }
    }

    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// The maximum length of a quotation in a message. Payloads contain the full text.
const LONGEST_QUOTE: usize = 120;

/// Shortens quotations in a message that are too long to read.
fn with_short_quotes(message: String) -> String {
    if message.len() <= LONGEST_QUOTE {
        return message;
    }
    let parts = message.split('`').map(|it| cut(it, LONGEST_QUOTE));
    parts.collect::<Vec<_>>().join("`")
}

/// A text, or its start and an ellipsis if it is too long.
pub(crate) fn cut(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}
