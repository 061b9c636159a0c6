//! The fields of an operation that contain JSON: text in protobuf, values in the JSON form.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The maximum nesting of a value. The JSON form of the whole report must stay within the limit of
/// JSON readers, which is 128 by default.
const MAX_DEPTH: usize = 64;

/// Parses the text of such a field.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let value = serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"))?;
    check_depth(&value)?;
    Ok(value)
}

pub(crate) fn serialize<S: Serializer>(text: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
    let value = text.as_deref().map(parse).transpose();
    value.map_err(S::Error::custom)?.serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let value = Value::deserialize(from)?;
    check_depth(&value).map_err(D::Error::custom)?;
    Ok(Some(value.to_string()))
}

fn check_depth(value: &Value) -> Result<(), String> {
    let mut level = vec![value];
    for _ in 0..MAX_DEPTH {
        let below = level.into_iter().flat_map(children);
        level = below.collect();
        if level.is_empty() {
            return Ok(());
        }
    }
    Err(format!("is nested more than {MAX_DEPTH} levels deep"))
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}
