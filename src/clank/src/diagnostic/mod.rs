//! Diagnostics: codes, messages, and payloads for programs.

mod code;
mod payload;

pub use code::Code;
pub use payload::{MissingPattern, MissingPatternKind, Payload};

use std::borrow::Cow;

use fixpoint_report::{Confidence, Severity};
use fixpoint_text::Span;
use serde::Serialize;

use crate::ast::NodeId;
use crate::json::document;

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
    #[serde(serialize_with = "document::confidence")]
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

impl Hint {
    /// A sentence that helps to understand the problem.
    pub fn info(description: String) -> Self {
        Self {
            strategy: Strategy::Info,
            description,
            template: None,
            confidence: Confidence::Medium,
        }
    }
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
    let mut short = String::new();
    for part in message.split_inclusive(['`', '\'']) {
        let text = part.strip_suffix(['`', '\'']).unwrap_or(part);
        short.push_str(&cut(text, LONGEST_QUOTE));
        short.push_str(part.get(text.len()..).unwrap_or_default());
    }
    short
}

/// A text, or its start and an ellipsis if it is too long.
pub(crate) fn cut(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}
