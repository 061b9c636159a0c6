//! Fixes for schema errors. There is a fix only if exactly one edit is right and the schema accepts
//! its result.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use fixpoint_document::{Node, Pointer};
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use super::check::{object_of, pointer};
use super::compile::Schema;
use super::former_keys::{Became, Former, former_key};
use super::message::types;
use crate::convert::converted;
use crate::exact::is_same;
use crate::finding::{
    Repair, add_value, brief, remove_item, remove_key, rename_key, replace_value, shown,
    shown_exactly,
};
use crate::nearest::nearest;
use crate::subject::Subject;

/// The fix for an error about a value.
pub(super) fn of(
    schema: &Schema,
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
) -> Option<Repair> {
    let at = pointer(error);
    let in_file = subject.in_file(&at);
    match error.kind() {
        Kind::Type { kind } => {
            let node = subject.node_at(&at).filter(|it| !it.is_alias())?;
            let fitting: Vec<Value> = types(kind)
                .iter()
                .filter_map(|wanted| converted(node, subject.written(node), wanted))
                .filter(|value| takes_in_place(schema, error, value))
                .collect();
            let [value] = fitting.as_slice() else {
                return None;
            };
            Some(Repair::likely(
                format!("Write it as {}", brief(value)),
                replace_value(&in_file, value),
                "The text of the value stays the same; only its type becomes the one the schema asks for.",
            ))
        }
        Kind::Enum { options } => {
            let options: Vec<&str> = options
                .as_array()?
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let value = Value::from(nearest(error.instance().as_str()?, options)?);
            near_value(schema, subject, error, &at, &value)
        }
        Kind::Constant { expected_value } => {
            let expected = expected_value.as_str()?;
            nearest(error.instance().as_str()?, [expected])?;
            near_value(schema, subject, error, &at, expected_value)
        }
        Kind::Required { property } => missing_key(schema, error, &in_file, property.as_str()?),
        Kind::UniqueItems => duplicate_item(subject, error, &at),
        _ => None,
    }
}

fn near_value(
    schema: &Schema,
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
    at: &Pointer,
    value: &Value,
) -> Option<Repair> {
    subject.node_at(at).filter(|it| !it.is_alias())?;
    takes_in_place(schema, error, value).then(|| {
        Repair::likely(
            format!("Replace it by {}", brief(value)),
            replace_value(&subject.in_file(at), value),
            "It is a slip of one of the values the schema knows, and of no other.",
        )
    })
}

/// Whether the schema that rejected a value accepts `value` in its place.
fn takes_in_place(schema: &Schema, error: &ValidationError<'_>, value: &Value) -> bool {
    let part = keyword_parent(error);
    part.and_then(|part| schema.part_takes(&part, value)) == Some(true)
}

/// Adds a missing key, if the schema allows only one value for it or gives a default.
fn missing_key(
    schema: &Schema,
    error: &ValidationError<'_>,
    at: &Pointer,
    key: &str,
) -> Option<Repair> {
    let part = keyword_parent(error)?;
    let known = schema.part(&part)?.get("properties")?;
    let property = known.get(key)?;
    // The object has a misspelling of this key. Renaming that is the better fix.
    let present: Vec<&str> = keys_of(error)
        .filter(|it| known.get(it).is_none())
        .collect();
    if present.iter().any(|it| nearest(it, [key]).is_some()) {
        return None;
    }
    let (value, reason) = given_value(schema, &part, property)?;
    let exact = schema.exact(value)?;
    (schema.part_takes(&child(&part, &["properties", key]), value)?).then(|| {
        let shown = shown_exactly(&exact, value);
        Repair::likely(
            format!("Add `{key}` with the value {shown}"),
            add_value(at, key, exact),
            reason,
        )
    })
}

/// How many references are followed to find the value of a missing key.
const REFERENCES: usize = 8;

/// The value that a schema gives for a missing key, and the reason. References within the same file
/// are followed.
fn given_value<'s>(
    schema: &'s Schema,
    part: &str,
    mut property: &'s Value,
) -> Option<(&'s Value, &'static str)> {
    for _ in 0..REFERENCES {
        let only = property.get("enum").and_then(Value::as_array);
        let only = only.filter(|it| it.len() == 1).and_then(|it| it.first());
        if let Some(value) = property.get("const").or(only) {
            return Some((value, "The schema allows this value only."));
        }
        if let Some(value) = property.get("default") {
            let reason = "The schema says that this is what counts where the key is missing.";
            return Some((value, reason));
        }
        let reference = property.get("$ref")?.as_str()?;
        let file = part.split('#').next().unwrap_or_default();
        let inside = reference.strip_prefix('#')?;
        property = schema.part(&format!("{file}#{inside}"))?;
    }
    None
}

/// Removes items that occur more than once. The first one is kept. There is no fix if equal items
/// are written differently.
fn duplicate_item(
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
    at: &Pointer,
) -> Option<Repair> {
    let items = error.instance().as_array()?.clone();
    let nodes = subject.node_at(at)?.items();
    let mut seen: BTreeMap<String, Node<'_>> = BTreeMap::new();
    let mut doubles: Vec<usize> = Vec::new();
    for (index, (item, node)) in items.iter().zip(nodes).enumerate() {
        match seen.entry(item.to_string()) {
            Entry::Vacant(place) => {
                place.insert(node);
            }
            Entry::Occupied(first) if is_same(subject, *first.get(), node) => doubles.push(index),
            Entry::Occupied(_) => return None,
        }
    }
    let first = *doubles.first()?;
    let second = shown(subject.node_at(at)?.items().nth(first)?);
    let at = &subject.in_file(at);
    Some(Repair {
        // In reverse order, so that the indices of earlier items stay valid.
        ops: doubles
            .iter()
            .rev()
            .map(|&index| remove_item(at, index))
            .collect(),
        ..Repair::likely(
            format!("Remove the second {second}"),
            remove_item(at, first),
            "The schema calls the array a set, so an item counts once however often it occurs.",
        )
    })
}

/// The fix for an unknown key: the change that the schema gives for a former key, or renaming a
/// misspelt key. The new key must be missing and must accept the value.
pub(super) fn unknown_key(
    schema: &Schema,
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
    key: &str,
) -> Option<Repair> {
    let at = pointer(error);
    let in_file = subject.in_file(&at);
    let part = keyword_parent(error)?;
    let object = object_of(subject, error)?;
    let said = schema.part(&part)?;
    if let Some(former) = former_key(said, key) {
        // If two keys were renamed to the same key, it is unclear which one is meant.
        let is_rival = |other: &&String| {
            let other = former_key(said, other).map(|it| it.became);
            matches!(other, Some(Became::Renamed(_))) && other.as_ref() == Some(&former.became)
        };
        if object.keys().filter(is_rival).count() > 1 {
            return None;
        }
        return former_repair(&former, object, &in_file, key);
    }
    let known = known_keys(schema, error);
    let near = nearest(key, known.iter().map(String::as_str))?;
    // Two misspellings of one key cannot both be renamed.
    let rivals = object.keys().filter(|it| !known.contains(it));
    let rivals = rivals.filter(|it| nearest(it, known.iter().map(String::as_str)) == Some(near));
    if object.contains_key(near) || rivals.count() != 1 {
        return None;
    }
    let place = child(&part, &["properties", near]);
    (schema.part_takes(&place, object.get(key)?)?).then(|| {
        Repair::likely(
            format!("Rename `{key}` to `{near}`"),
            rename_key(&in_file, key, near),
            "It is a slip of one key the schema knows, which is not there yet and takes this value; a \
             reader that ignored the misspelt key will now see it.",
        )
    })
}

fn former_repair(
    former: &Former<'_>,
    object: &Map<String, Value>,
    at: &Pointer,
    key: &str,
) -> Option<Repair> {
    let (title, op) = match former.became {
        Became::Renamed(name) if object.contains_key(name) => return None,
        Became::Renamed(name) => {
            let title = format!("Rename `{key}` to `{name}`");
            (title, rename_key(at, key, name))
        }
        Became::Removed => (format!("Remove `{key}`"), remove_key(at, key)),
    };
    Some(Repair {
        safety: former.safety,
        ..Repair::likely(title, op, "The schema itself says what became of this key.")
    })
}

/// The keys that the object schema of an error lists.
pub(super) fn known_keys(schema: &Schema, error: &ValidationError<'_>) -> Vec<String> {
    let part = keyword_parent(error).and_then(|part| schema.part(&part)?.get("properties"));
    let properties = part.and_then(Value::as_object);
    properties.map_or_else(Vec::new, |it| it.keys().cloned().collect())
}

fn keys_of<'e>(error: &'e ValidationError<'_>) -> impl Iterator<Item = &'e str> {
    let object = error.instance().as_object();
    object
        .into_iter()
        .flat_map(|it| it.keys())
        .map(String::as_str)
}

/// The location of the schema that contains the error's keyword.
fn keyword_parent(error: &ValidationError<'_>) -> Option<String> {
    let keyword = error.absolute_keyword_location()?.as_str();
    // Keywords such as `enum` are direct members of their schema. No keyword used here is deeper.
    keyword
        .rsplit_once('/')
        .map(|(parent, _)| parent.to_owned())
}

fn child(place: &str, tokens: &[&str]) -> String {
    let pointer: Pointer = tokens.iter().copied().collect();
    let start = if place.contains('#') { "" } else { "#" };
    format!("{place}{start}{}", percent_encoded(&pointer.to_string()))
}

/// Encodes a pointer as the fragment of a URI.
fn percent_encoded(pointer: &str) -> String {
    let mut fragment = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'$' => {
                fragment.push(char::from(byte));
            }
            other => fragment.push_str(&format!("%{other:02X}")),
        }
    }
    fragment
}
