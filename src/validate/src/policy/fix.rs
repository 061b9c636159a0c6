//! The fix of a rule: its safety and reason, and its operations if the condition does not determine
//! them.

use fixpoint_document::{Change, Entry, Node, Op, Pointer, Value};
use fixpoint_report::{Confidence, Safety, parse_word};

use super::condition::Condition;
use super::read::{RulesError, Table, fail, text};
use crate::finding::op;
use crate::subject::Subject;

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

/// An operation whose pointer is relative to the place that the rule matched.
#[derive(Debug)]
struct OpTemplate {
    below: Pointer,
    change: Change,
}

impl FixTemplate {
    pub fn read(entry: Entry<'_>, condition: &Condition) -> Result<Self, RulesError> {
        let table = Table::new(entry.value, "`fix`", &KEYS)?;
        let safeties = [
            "behavior_preserving",
            "likely_preserving",
            "behavior_changing",
        ];
        let safety = table.word("safety", &safeties)?;
        let confidence = table.word("confidence", &["high", "medium", "low"])?;
        let ops = match table.get("ops") {
            Some(ops) if condition.knows_its_edit() => {
                let message = "the condition says what to do; leave `ops` out";
                return fail(ops.key_span, message);
            }
            Some(ops) => ops
                .value
                .items()
                .map(OpTemplate::read)
                .collect::<Result<_, _>>()?,
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

    /// The operations at one place. Empty if one of their pointers does not exist there.
    pub fn ops_at(&self, subject: &Subject<'_>, at: &Pointer, value: &str) -> Vec<Op> {
        let ops = self.ops.iter().map(|template| {
            let tokens = at.tokens().iter().chain(template.below.tokens());
            let pointer: Pointer = tokens.map(String::as_str).collect();
            subject.node_at(&pointer)?;
            let change = filled(template.change.clone(), value);
            Some(op(&subject.in_file(&pointer), change))
        });
        ops.collect::<Option<Vec<_>>>().unwrap_or_default()
    }
}

/// Replaces `{value}` in the string that a change writes.
fn filled(mut change: Change, by: &str) -> Change {
    if let Change::ReplaceValue { value }
    | Change::AddValue { value, .. }
    | Change::InsertArrayItem { value, .. }
    | Change::ReplaceArrayItem { value, .. } = &mut change
        && let Value::String(text) = value
    {
        *text = text.replace("{value}", by);
    }
    change
}

impl OpTemplate {
    fn read(node: Node<'_>) -> Result<Self, RulesError> {
        let table = Table::new(node, "an operation", &OP_KEYS)?;
        table.required("op")?;
        let own = |key: &str| table.required(key).and_then(text).map(str::to_owned);
        let value = || table.required("value").map(|it| it.value.value());
        let index = || table.required("index").and_then(index);
        let change = match table.word("op", &OPS)?.unwrap_or_default() {
            "replace_value" => Change::ReplaceValue { value: value()? },
            "add_value" => Change::AddValue {
                key: own("key")?,
                value: value()?,
            },
            "remove_key" => Change::RemoveKey { key: own("key")? },
            "insert_array_item" => Change::InsertArrayItem {
                index: table.get("index").map(self::index).transpose()?,
                value: value()?,
            },
            "replace_array_item" => Change::ReplaceArrayItem {
                index: index()?,
                value: value()?,
            },
            "remove_array_item" => Change::RemoveArrayItem { index: index()? },
            _ => Change::RenameKey {
                from: own("from")?,
                to: own("to")?,
            },
        };
        let below = match table.get("json_pointer") {
            Some(entry) => Pointer::parse(text(entry)?).map_err(|error| RulesError {
                message: error.to_string(),
                span: entry.value.span(),
            })?,
            None => Pointer::root(),
        };
        Ok(Self { below, change })
    }
}

fn index(entry: Entry<'_>) -> Result<usize, RulesError> {
    let number = entry
        .value
        .as_number()
        .and_then(|it| it.as_written().parse().ok());
    number.map_or_else(
        || fail(entry.key_span, "`index` must be a whole number from 0"),
        Ok,
    )
}
