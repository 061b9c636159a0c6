//! The fix of a rule: how safe it is and why, and for conditions that leave it open what to do.

use fixpoint_document::{Entry, Pointer};
use fixpoint_report::{Confidence, PointerKind, PointerOp, Safety, parse_word};
use serde_json::Value;

use super::condition::Condition;
use super::read::{RulesError, Table, fail, start, text};
use crate::subject::{Subject, plain};

const KEYS: [&str; 5] = ["confidence", "ops", "reason", "safety", "title"];
const OP_KEYS: [&str; 7] = ["from", "index", "json_pointer", "key", "op", "to", "value"];
const OPS: [&str; 7] = [
    "add_value",
    "insert_array_item",
    "remove_array_item",
    "remove_key",
    "rename_key",
    "replace_array_item",
    "replace_value",
];

#[derive(Debug)]
pub(super) struct FixTemplate {
    pub title: Option<String>,
    pub safety: Safety,
    pub confidence: Confidence,
    pub reason: String,
    ops: Vec<OpTemplate>,
}

/// An operation whose pointer starts where the rule has matched.
#[derive(Debug)]
struct OpTemplate {
    below: Pointer,
    op: PointerOp,
    value: Option<Value>,
}

impl FixTemplate {
    pub fn read(entry: Entry<'_>, condition: &Condition) -> Result<Self, RulesError> {
        let table = Table::new(entry.value, "`fix`", &KEYS)?;
        let safeties = ["behavior_preserving", "likely_preserving", "behavior_changing"];
        let safety = table.word("safety", &safeties)?;
        let confidence = table.word("confidence", &["high", "medium", "low"])?;
        let ops = match table.get("ops") {
            Some(ops) if condition.knows_its_edit() => {
                let message = "the condition says what to do; leave `ops` out";
                return fail(ops.key_span, message);
            }
            Some(ops) => ops.value.items().map(OpTemplate::read).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        if ops.is_empty() && !condition.knows_its_edit() {
            return fail(entry.key_span, "`ops` is missing: say what the fix does");
        }
        Ok(Self {
            title: table.text("title")?.map(str::to_owned),
            safety: safety
                .and_then(|word| parse_word(word).ok())
                .unwrap_or(Safety::LikelyPreserving),
            confidence: confidence
                .and_then(|word| parse_word(word).ok())
                .unwrap_or(Confidence::High),
            reason: text(table.required("reason")?)?.to_owned(),
            ops,
        })
    }

    /// The operations for one place; none if the place is not what they are for.
    pub fn ops_at(&self, subject: &Subject<'_>, at: &Pointer, value: &str) -> Vec<PointerOp> {
        let ops = self.ops.iter().map(|template| {
            let tokens = at.tokens().iter().chain(template.below.tokens());
            let pointer: Pointer = tokens.map(String::as_str).collect();
            subject.node_at(&pointer)?;
            Some(PointerOp {
                json_pointer: subject.in_file(&pointer).to_string(),
                value_json: template.value.as_ref().map(|it| filled(it, value)),
                ..template.op.clone()
            })
        });
        ops.collect::<Option<Vec<_>>>().unwrap_or_default()
    }
}

/// A value with `{value}` in its texts replaced, as JSON.
fn filled(template: &Value, value: &str) -> String {
    match template {
        Value::String(text) => Value::String(text.replace("{value}", value)).to_string(),
        other => other.to_string(),
    }
}

impl OpTemplate {
    fn read(node: fixpoint_document::Node<'_>) -> Result<Self, RulesError> {
        let table = Table::new(node, "an operation", &OP_KEYS)?;
        table.required("op")?;
        let word = table.word("op", &OPS)?.unwrap_or_default();
        let kind: PointerKind = parse_word(word).map_err(|error| RulesError {
            message: error.to_string(),
            span: start(node),
        })?;
        let needed: &[&str] = match kind {
            PointerKind::ReplaceValue | PointerKind::InsertArrayItem => &["value"],
            PointerKind::AddValue => &["key", "value"],
            PointerKind::RemoveKey => &["key"],
            PointerKind::ReplaceArrayItem => &["index", "value"],
            PointerKind::RemoveArrayItem => &["index"],
            _ => &["from", "to"],
        };
        for key in needed {
            table.required(key)?;
        }
        let owned = |key: &str| table.text(key).map(|it| it.map(str::to_owned));
        let below = match table.get("json_pointer") {
            Some(entry) => Pointer::parse(text(entry)?).map_err(|error| RulesError {
                message: error.to_string(),
                span: entry.value.span(),
            })?,
            None => Pointer::root(),
        };
        let index = match table.get("index") {
            Some(entry) => match plain(entry.value).as_u64() {
                Some(index) => Some(index),
                None => return fail(entry.key_span, "`index` must be a whole number from 0"),
            },
            None => None,
        };
        Ok(Self {
            below,
            op: PointerOp {
                op: kind.into(),
                key: owned("key")?,
                from: owned("from")?,
                to: owned("to")?,
                index,
                ..PointerOp::default()
            },
            value: table.get("value").map(|it| plain(it.value)),
        })
    }
}
