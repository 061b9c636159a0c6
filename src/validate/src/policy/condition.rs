//! The conditions of rules.

use std::cmp::Ordering;
use std::collections::btree_map::Entry as MapEntry;
use std::collections::{BTreeMap, BTreeSet};

use fixpoint_document::{Change, Entry, Kind, Node, Op, Pointer, Value as Written};
use serde_json::Value;

use super::file::{pattern, schema};
use super::pattern::Pattern;
use super::read::{RulesError, Table, fail, start, text};
use crate::convert::converted;
use crate::exact::{exact, is_same};
use crate::finding::{
    Marks, brief, op, remove_item, remove_key, rename_key, replace_value, shown, shown_exactly,
};
use crate::nearest::nearest;
use crate::schema::Schema;
use crate::subject::{Subject, plain};

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];
const CONDITIONS: [&str; 10] = [
    "absent",
    "known_keys",
    "known_words",
    "names_in",
    "one_of",
    "same_as",
    "schema",
    "sorted",
    "type",
    "unique",
];

#[derive(Debug)]
pub(super) enum Condition {
    /// The value is valid by a JSON Schema.
    Schema(Box<Schema>),
    /// The member does not exist. Optionally names the key that replaced it.
    Absent { renamed_to: Option<String> },
    /// No key is a misspelling of one of these. Other keys are allowed.
    KnownKeys(Vec<String>),
    /// The string is not a misspelling of one of these. Other strings are allowed.
    KnownWords(Vec<String>),
    /// The string is one of these.
    OneOf(Vec<String>),
    /// The value has this JSON type.
    Type(String),
    /// The items are sorted, by their value or by the value of a key.
    Sorted { by: Option<String> },
    /// No two items have the same value, or the same value of a key.
    Unique { by: Option<String> },
    /// The value equals the value at another pointer, if that exists.
    SameAs(Pointer),
    /// The string, or each string in the array, is a key or a string at one of these places.
    NamesIn(Pattern),
}

/// A place that violates a condition.
#[derive(Debug)]
pub(super) struct Violation {
    /// The pointer within the document.
    pub pointer: Pointer,
    pub marks: Marks,
    /// The expected value, for messages.
    pub wanted: String,
    /// The one edit that satisfies the condition.
    pub edit: Option<Edit>,
}

#[derive(Debug)]
pub(super) struct Edit {
    pub title: String,
    pub ops: Vec<Op>,
}

impl Condition {
    pub fn read(entry: Entry<'_>) -> Result<Self, RulesError> {
        let table = Table::new(entry.value, "`require`", &CONDITIONS)?;
        let mut conditions = table.node.members();
        let (Some(condition), None) = (conditions.next(), conditions.next()) else {
            return fail(entry.key_span, "`require` must hold exactly one condition");
        };
        let words = || {
            let words = table.texts(condition.key)?;
            if words.is_empty() {
                return fail(condition.key_span, format!("`{}` is empty", condition.key));
            }
            Ok(words)
        };
        Ok(match condition.key {
            "schema" => Self::Schema(Box::new(schema(condition)?)),
            "absent" => Self::Absent {
                renamed_to: option(condition, "renamed_to")?,
            },
            "known_keys" => Self::KnownKeys(words()?),
            "known_words" => Self::KnownWords(words()?),
            "one_of" => Self::OneOf(words()?),
            "type" => Self::Type(table.word("type", &TYPES)?.unwrap_or_default().to_owned()),
            "sorted" => Self::Sorted {
                by: option(condition, "by")?,
            },
            "unique" => Self::Unique {
                by: option(condition, "by")?,
            },
            "same_as" => {
                let pointer = Pointer::parse(text(condition)?);
                Self::SameAs(pointer.map_err(|error| RulesError {
                    message: error.to_string(),
                    span: condition.value.span(),
                })?)
            }
            _ => Self::NamesIn(pattern(condition)?),
        })
    }

    /// The schema, if the condition has one.
    pub fn schema(&self) -> Option<&Schema> {
        match self {
            Self::Schema(schema) => Some(schema),
            _ => None,
        }
    }

    /// Whether the condition itself determines the right edit.
    pub fn knows_its_edit(&self) -> bool {
        !matches!(self, Self::Schema(_))
    }

    /// Every place at or below `at` that violates the condition.
    pub fn violations(
        &self,
        subject: &Subject<'_>,
        at: &Pointer,
        node: Node<'_>,
    ) -> Vec<Violation> {
        match self {
            Self::Schema(validator) => {
                let violated = validator.is_valid(&plain(node)) == Some(false);
                violated
                    .then(|| violation_at(at, Marks::Value))
                    .into_iter()
                    .collect()
            }
            Self::Absent { renamed_to } => absent(subject, at, renamed_to.as_deref())
                .into_iter()
                .collect(),
            Self::KnownKeys(known) => misspelt_keys(subject, at, node, known),
            Self::KnownWords(known) => {
                let near = node
                    .as_str()
                    .filter(|it| !known.iter().any(|known| known == it));
                let near = near.and_then(|it| nearest(it, known.iter().map(String::as_str)));
                near.map(|near| respelt(subject, at, node, near))
                    .into_iter()
                    .collect()
            }
            Self::OneOf(known) => not_listed(subject, at, node, known).into_iter().collect(),
            Self::Type(wanted) => wrong_type(subject, at, node, wanted).into_iter().collect(),
            Self::Sorted { by } => unsorted(subject, at, node, by.as_deref())
                .into_iter()
                .collect(),
            Self::Unique { by } => repeated(subject, at, node, by.as_deref()),
            Self::SameAs(other) => differs(subject, at, node, other).into_iter().collect(),
            Self::NamesIn(places) => unknown_names(subject, at, node, places),
        }
    }
}

/// Reads `true` or an object with one option.
fn option(entry: Entry<'_>, key: &str) -> Result<Option<String>, RulesError> {
    if entry.value.as_bool() == Some(true) {
        return Ok(None);
    }
    if entry.value.kind() != Kind::Object {
        let message = format!("`{}` must be true, or an object with `{key}`", entry.key);
        return fail(start(entry.value), message);
    }
    let table = Table::new(entry.value, entry.key, &[key])?;
    table
        .required(key)
        .and_then(text)
        .map(|it| Some(it.to_owned()))
}

fn violation_at(at: &Pointer, marks: Marks) -> Violation {
    Violation {
        pointer: at.clone(),
        marks,
        wanted: String::new(),
        edit: None,
    }
}

fn absent(subject: &Subject<'_>, at: &Pointer, renamed_to: Option<&str>) -> Option<Violation> {
    let (parent, key) = at.split_last()?;
    let object = subject.node_at(&parent)?;
    let edit = match renamed_to {
        _ if object.kind() != Kind::Object || object.is_alias() => None,
        Some(name) if object.get(name).is_some() => None,
        Some(name) => Some(Edit {
            title: format!("Rename `{key}` to `{name}`"),
            ops: vec![rename_key(&subject.in_file(&parent), key, name)],
        }),
        None => Some(Edit {
            title: format!("Remove `{key}`"),
            ops: vec![remove_key(&subject.in_file(&parent), key)],
        }),
    };
    Some(Violation {
        wanted: renamed_to.unwrap_or_default().to_owned(),
        edit,
        ..violation_at(at, Marks::Key)
    })
}

fn misspelt_keys(
    subject: &Subject<'_>,
    at: &Pointer,
    node: Node<'_>,
    known: &[String],
) -> Vec<Violation> {
    let mut slips: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in node.members() {
        if known.iter().any(|it| it == entry.key) {
            continue;
        }
        if let Some(near) = nearest(entry.key, known.iter().map(String::as_str))
            && node.get(near).is_none()
        {
            slips.entry(near).or_default().push(entry.key);
        }
    }
    let mut violations = Vec::new();
    for (near, keys) in slips {
        for key in &keys {
            let edit = (keys.len() == 1 && !node.is_alias()).then(|| Edit {
                title: format!("Rename `{key}` to `{near}`"),
                ops: vec![rename_key(&subject.in_file(at), key, near)],
            });
            violations.push(Violation {
                wanted: near.to_owned(),
                edit,
                ..violation_at(&at.join(*key), Marks::Key)
            });
        }
    }
    violations
}

fn not_listed(
    subject: &Subject<'_>,
    at: &Pointer,
    node: Node<'_>,
    known: &[String],
) -> Option<Violation> {
    let written = node.as_str();
    if written.is_some_and(|it| known.iter().any(|known| known == it)) {
        return None;
    }
    let near = written.and_then(|it| nearest(it, known.iter().map(String::as_str)));
    Some(match near {
        Some(near) => respelt(subject, at, node, near),
        None => Violation {
            wanted: known.join(", "),
            ..violation_at(at, Marks::Value)
        },
    })
}

fn wrong_type(
    subject: &Subject<'_>,
    at: &Pointer,
    node: Node<'_>,
    wanted: &str,
) -> Option<Violation> {
    let is_met = match wanted {
        "integer" => node.as_number().is_some_and(|it| it.is_integer()),
        _ => node.kind().name() == wanted,
    };
    if is_met {
        return None;
    }
    let value = converted(node, subject.written(node), wanted).filter(|_| !node.is_alias());
    Some(Violation {
        wanted: wanted.to_owned(),
        edit: value.map(|value| Edit {
            title: format!("Write it as {}", brief(&value)),
            ops: vec![replace_value(&subject.in_file(at), &value)],
        }),
        ..violation_at(at, Marks::Value)
    })
}

/// The violation for a misspelling of `wanted`.
fn respelt(subject: &Subject<'_>, at: &Pointer, node: Node<'_>, wanted: &str) -> Violation {
    let edit = (!node.is_alias()).then(|| Edit {
        title: format!("Replace it by `{wanted}`"),
        ops: vec![replace_value(&subject.in_file(at), &Value::from(wanted))],
    });
    Violation {
        wanted: wanted.to_owned(),
        edit,
        ..violation_at(at, Marks::Value)
    }
}

fn unsorted(
    subject: &Subject<'_>,
    at: &Pointer,
    node: Node<'_>,
    by: Option<&str>,
) -> Option<Violation> {
    let keys: Vec<Value> = node
        .items()
        .map(|item| match by {
            Some(key) => item.get(key).map_or(Value::Null, |it| plain(it.value)),
            None => plain(item),
        })
        .collect();
    let is_comparable = keys.iter().all(Value::is_string) || keys.iter().all(Value::is_number);
    if !is_comparable || keys.is_sorted_by(|a, b| order(a, b).is_le()) {
        return None;
    }
    // A comment belongs to the position of its item, so only arrays without comments are sorted.
    let is_bare = by.is_none() && !node.is_alias() && !subject.may_hold_comments(node);
    let ops = is_bare.then(|| moves(subject, at, node, &keys)).flatten();
    Some(Violation {
        edit: ops.map(|ops| Edit {
            title: "Sort the items".to_owned(),
            ops,
        }),
        ..violation_at(at, Marks::Value)
    })
}

/// The operations that sort the items. `None` if one of them cannot be written exactly as it is.
fn moves(subject: &Subject<'_>, at: &Pointer, node: Node<'_>, keys: &[Value]) -> Option<Vec<Op>> {
    let items: Vec<Node<'_>> = node.items().collect();
    let values: Vec<Written> = items
        .iter()
        .map(|it| exact(subject, *it))
        .collect::<Option<_>>()?;
    let mut sorted: Vec<usize> = (0..items.len()).collect();
    sorted.sort_by(|a, b| order(&keys[*a], &keys[*b]));
    let at = subject.in_file(at);
    let mut ops = Vec::new();
    for (index, from) in sorted.into_iter().enumerate() {
        if !is_same(subject, items[index], items[from]) {
            // Values that count as equal but are written differently are not exchanged.
            if values[index] == values[from] {
                return None;
            }
            let value = values[from].clone();
            ops.push(op(&at, Change::ReplaceArrayItem { index, value }));
        }
    }
    Some(ops)
}

fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        _ => {
            let number = |it: &Value| it.as_f64().unwrap_or_default();
            number(a).total_cmp(&number(b))
        }
    }
}

fn repeated(
    subject: &Subject<'_>,
    at: &Pointer,
    node: Node<'_>,
    by: Option<&str>,
) -> Vec<Violation> {
    let mut seen: BTreeMap<String, Node<'_>> = BTreeMap::new();
    let mut violations = Vec::new();
    for (index, item) in node.items().enumerate() {
        let value = match by {
            Some(key) => item.get(key).map(|it| plain(it.value)),
            None => Some(plain(item)),
        };
        let Some(value) = value else {
            continue;
        };
        let first = match seen.entry(value.to_string()) {
            MapEntry::Occupied(first) => *first.get(),
            MapEntry::Vacant(place) => {
                place.insert(item);
                continue;
            }
        };
        let is_noise = by.is_none() && !node.is_alias() && is_same(subject, first, item);
        let edit = is_noise.then(|| Edit {
            title: format!("Remove the second {}", shown(item)),
            ops: vec![remove_item(&subject.in_file(at), index)],
        });
        violations.push(Violation {
            wanted: match by {
                Some(_) => brief(&value),
                None => shown(item),
            },
            edit,
            ..violation_at(&at.join(index.to_string()), Marks::Value)
        });
    }
    violations
}

fn differs(
    subject: &Subject<'_>,
    at: &Pointer,
    node: Node<'_>,
    other: &Pointer,
) -> Option<Violation> {
    let source = subject.node_at(other)?;
    let other = plain(source);
    if plain(node) == other {
        return None;
    }
    let value = exact(subject, source).filter(|_| !node.is_alias());
    let edit = value.map(|value| Edit {
        title: format!("Replace it by {}", shown_exactly(&value, &other)),
        ops: vec![op(&subject.in_file(at), Change::ReplaceValue { value })],
    });
    Some(Violation {
        wanted: shown(source),
        edit,
        ..violation_at(at, Marks::Value)
    })
}

fn unknown_names(
    subject: &Subject<'_>,
    at: &Pointer,
    node: Node<'_>,
    places: &Pattern,
) -> Vec<Violation> {
    let mut names = BTreeSet::new();
    for (_, place) in places.places(subject.node) {
        names.extend(place.members().map(|it| it.key));
        names.extend(place.items().filter_map(Node::as_str));
        names.extend(place.as_str());
    }
    let mut texts: Vec<(Pointer, Node<'_>)> = vec![(at.clone(), node)];
    let items = node.items().enumerate();
    texts.extend(items.map(|(index, item)| (at.join(index.to_string()), item)));
    let mut violations = Vec::new();
    for (at, node) in texts {
        let Some(name) = node.as_str().filter(|it| !names.contains(it)) else {
            continue;
        };
        violations.push(match nearest(name, names.iter().copied()) {
            Some(near) => respelt(subject, &at, node, near),
            None => violation_at(&at, Marks::Value),
        });
    }
    violations
}
