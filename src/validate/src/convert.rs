//! Converts scalars to another type without losing a digit or a letter.

use fixpoint_document::Node;
use serde_json::Value;

/// The value of `node` converted to the type `wanted`. `None` unless there is exactly one
/// conversion, and it can be reverted to the same text. `written` is the source text of the node.
pub(crate) fn converted(node: Node<'_>, written: &str, wanted: &str) -> Option<Value> {
    if let Some(text) = node.as_str() {
        return match wanted {
            "integer" => whole(text),
            "number" => whole(text).or_else(|| decimal(text)),
            "boolean" => match text {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            _ => None,
        };
    }
    if wanted != "string" {
        return None;
    }
    // The source text decides: a version `1.10` is not the number 1.1, and `True` is not `true`.
    let number = node.as_number().map(|it| it.as_written().to_owned());
    let word = node.as_bool().and_then(|_| without_anchor(written));
    number.or(word.map(str::to_owned)).map(Value::String)
}

/// A YAML scalar without the anchor that may precede it.
fn without_anchor(written: &str) -> Option<&str> {
    written.split_ascii_whitespace().next_back()
}

fn whole(text: &str) -> Option<Value> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then(|| Value::from(number))
}

fn decimal(text: &str) -> Option<Value> {
    let number: f64 = text.parse().ok()?;
    (text.contains('.') && number.to_string() == text).then(|| Value::from(number))
}

#[cfg(test)]
mod tests {
    use fixpoint_document::{Document, Format};

    use super::*;

    fn of(json: &str, wanted: &str) -> Option<Value> {
        let document = Document::parse(Format::Yaml, json).expect("a value");
        converted(document.root(), json, wanted)
    }

    #[test]
    fn a_value_is_converted_only_if_it_reads_back_as_the_same_text() {
        for (text, wanted, value) in [
            ("\"80\"", "integer", Some(Value::from(80))),
            ("\"-1\"", "number", Some(Value::from(-1))),
            ("\"1.5\"", "number", Some(Value::from(1.5))),
            ("\"true\"", "boolean", Some(Value::Bool(true))),
            ("1.10", "string", Some(Value::from("1.10"))),
            ("0o17", "string", Some(Value::from("0o17"))),
            ("false", "string", Some(Value::from("false"))),
            ("True", "string", Some(Value::from("True"))),
            ("&a FALSE", "string", Some(Value::from("FALSE"))),
            ("1.0", "string", Some(Value::from("1.0"))),
            ("0x10", "string", Some(Value::from("0x10"))),
        ] {
            assert_eq!(of(text, wanted), value, "{text}");
        }
        // F-14
        for (text, wanted) in [
            ("\"080\"", "integer"),
            ("\"+1\"", "integer"),
            ("\"1.50\"", "number"),
            ("\"1e3\"", "number"),
            ("\"99999999999999999999\"", "integer"),
            ("\"yes\"", "boolean"),
            ("1", "boolean"),
            ("null", "string"),
            ("[1]", "string"),
            ("\"a\"", "array"),
        ] {
            assert_eq!(of(text, wanted), None, "{text}");
        }
    }
}
