//! A finding of a check in a document, and the one edit that resolves it.

use std::borrow::Cow;

use fixpoint_document::{Change, Document, Format, Node, Op, Pointer};
use fixpoint_report::{Confidence, Safety, Severity};
use fixpoint_text::Span;
use serde_json::Value;

use crate::subject::plain;

/// The kind of check that a finding comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// A JSON Schema.
    Schema,
    /// A rule about how parts of the document relate to each other or to the tool that reads it.
    Semantic,
    /// A rule that is a decision of the workspace.
    Policy,
}

impl Tier {
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Semantic => "semantic",
            Self::Policy => "policy",
        }
    }
}

/// One finding. Its message must not mention positions or layout: otherwise another fix could
/// change the message, and the finding would count as new.
#[derive(Debug)]
pub(crate) struct ValidationFinding {
    pub rule: Cow<'static, str>,
    pub tier: Tier,
    pub severity: Severity,
    pub message: String,
    /// The pointer within the document: to the value, or with [`Marks::Key`] to the member.
    pub pointer: Pointer,
    pub marks: Marks,
    pub hint: Option<String>,
    pub repair: Option<Repair>,
}

/// The bytes that a finding marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    Key,
    /// The whole scalar, or the start of an object or array.
    Value,
    /// The second key of two equal ones, which no pointer leads to.
    Exactly(Span),
}

/// A fix as operations on the document.
#[derive(Clone, Debug)]
pub(crate) struct Repair {
    pub title: String,
    pub safety: Safety,
    pub confidence: Confidence,
    pub ops: Vec<Op>,
    pub reason: Cow<'static, str>,
}

impl Repair {
    /// A repair that most likely preserves behavior.
    pub fn likely(title: String, op: Op, reason: &'static str) -> Self {
        Self {
            title,
            safety: Safety::LikelyPreserving,
            confidence: Confidence::High,
            ops: vec![op],
            reason: Cow::Borrowed(reason),
        }
    }
}

pub(crate) fn replace_value(at: &Pointer, value: &Value) -> Op {
    let value = written(value);
    op(at, Change::ReplaceValue { value })
}

pub(crate) fn add_value(at: &Pointer, key: &str, value: fixpoint_document::Value) -> Op {
    let key = key.to_owned();
    op(at, Change::AddValue { key, value })
}

pub(crate) fn remove_key(at: &Pointer, key: &str) -> Op {
    let key = key.to_owned();
    op(at, Change::RemoveKey { key })
}

pub(crate) fn rename_key(at: &Pointer, from: &str, to: &str) -> Op {
    let (from, to) = (from.to_owned(), to.to_owned());
    op(at, Change::RenameKey { from, to })
}

pub(crate) fn remove_item(at: &Pointer, index: usize) -> Op {
    op(at, Change::RemoveArrayItem { index })
}

/// Creates an operation. The caller fills in the file later.
pub(crate) fn op(at: &Pointer, change: Change) -> Op {
    Op {
        file: String::new(),
        json_pointer: at.clone(),
        change,
        expects: None,
        base_sha256: None,
    }
}

/// Converts a value to the type that documents use.
pub(crate) fn written(value: &Value) -> fixpoint_document::Value {
    Document::parse(Format::Json, &value.to_string())
        .map_or(fixpoint_document::Value::Null, |it| it.root().value())
}

/// Formats a value for a message: as JSON, and shortened if it is long.
pub(crate) fn brief(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        scalar => cut(scalar.to_string()),
    }
}

fn cut(text: String) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// Formats a value of a document for a message. A number keeps its source text.
pub(crate) fn shown(node: Node<'_>) -> String {
    match node.as_number() {
        Some(number) => cut(number.as_written().to_owned()),
        None => brief(&plain(node)),
    }
}

/// Formats a value that is not part of a document, like [`shown`]. `value` is the value as checks
/// read it.
pub(crate) fn shown_exactly(exact: &fixpoint_document::Value, value: &Value) -> String {
    match exact {
        fixpoint_document::Value::Number(number) => cut(number.as_written().to_owned()),
        _ => brief(value),
    }
}
