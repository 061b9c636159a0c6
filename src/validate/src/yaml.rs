//! Writes a value as YAML in one fixed form: block style, and every string in double quotes, so
//! that every YAML version reads it the same. Characters that control a terminal are escaped.

use fixpoint_document::Value;
use fixpoint_text::escape_yaml;

/// The value as a YAML document, with a final newline.
pub fn to_yaml(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, 0);
    let text = text.trim_start_matches(['\n', ' ']);
    escape_yaml(text).into_owned() + "\n"
}

/// Writes the value after a `:` or a `-`. `depth` is the indentation of its members.
fn write(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                line(text, depth);
                text.push_str(&Value::from(key.as_str()).to_json());
                text.push(':');
                write(text, value, depth + 1);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                line(text, depth);
                text.push('-');
                write(text, item, depth + 1);
            }
        }
        scalar => {
            text.push(' ');
            text.push_str(&scalar.to_json());
        }
    }
}

fn line(text: &mut String, depth: usize) {
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
}

#[cfg(test)]
mod tests {
    use fixpoint_document::{Document, Format};
    use fixpoint_text::needs_escape;

    use super::*;

    #[test]
    fn yaml_output_has_the_same_value_as_json() {
        // F-21
        for json in [
            r#"{"a": [], "b": {}, "c": [1, "no", null, [true, [2.5]], {"d": "x\ny: #z", "e": []}]}"#,
            "[]",
            r#""yes""#,
            r#"{"~/a": {"b": [{"c": {"d": "e"}}]}}"#,
            r#"{"\u202e": ["\u001b\u007f\u0085\u009b\u2066\ufeff\udb40\udc41"]}"#,
        ] {
            let value = |format, text: &str| {
                let document = Document::parse(format, text).expect("a document");
                document.root().value()
            };
            let wanted = value(Format::Json, json);
            let yaml = to_yaml(&wanted);
            assert_eq!(value(Format::Yaml, &yaml), wanted, "{json}");
            assert!(!yaml.contains(needs_escape), "{yaml:?}");
        }
    }
}
