//! Canonical JSON: sorted keys and no spaces, so that equal values have equal digests.

use fixpoint_text::Digest;
use serde_json::Value;

/// The SHA-256 of the canonical form, in hexadecimal digits.
pub fn canonical_sha256(value: &Value) -> String {
    Digest::of(canonical_json(value).as_bytes()).to_string()
}

/// Writes `value` with the keys of each object sorted by their bytes, and without spaces.
pub fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                write_value(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.as_str());
            text.push('{');
            for (position, (key, member)) in members.into_iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write_value(member, text);
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_spaces_are_removed() -> Result<(), serde_json::Error> {
        let value: Value = serde_json::from_str(
            "{ \"b\": [1, -2.5, null, true],\n \"a\": {\"z\": \"\\u00e9\\n\", \"\\\"\": {}} }",
        )?;
        let canonical = "{\"a\":{\"\\\"\":{},\"z\":\"\u{e9}\\n\"},\"b\":[1,-2.5,null,true]}";
        assert_eq!(canonical_json(&value), canonical);
        assert_eq!(serde_json::from_str::<Value>(canonical)?, value);
        Ok(())
    }
}
