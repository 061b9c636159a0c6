//! Writes TOML: tables with headers, with dotted keys, and inline.

use fixpoint_document::Value;

use super::{Chance, end_line};

fn key_of(key: &str, chance: &mut Chance) -> String {
    let is_bare = !key.is_empty() && key.bytes().all(|it| it.is_ascii_alphanumeric());
    match (is_bare, chance.one_in(4)) {
        (true, false) => key.to_owned(),
        _ => Value::from(key).to_json(),
    }
}

fn inline(value: &Value, chance: &mut Chance) -> String {
    match value {
        Value::Array(items) => {
            let broken = chance.one_in(3);
            let mut out = String::from("[");
            let count = items.len();
            for (number, item) in items.iter().enumerate() {
                if broken {
                    out.push_str("\n    ");
                } else if number > 0 {
                    out.push(' ');
                }
                out.push_str(&inline(item, chance));
                if number + 1 < count || (broken && chance.one_in(2)) {
                    out.push(',');
                }
                if broken && chance.one_in(3) {
                    out.push_str(&format!(" # {}", chance.remark()));
                }
            }
            if broken {
                out.push('\n');
            }
            out.push(']');
            out
        }
        Value::Object(members) => {
            let mut parts = Vec::new();
            for (key, value) in members {
                let key = key_of(key, chance);
                match value.as_object().filter(|it| !it.is_empty()) {
                    Some(inner) if chance.one_in(2) => {
                        for (name, value) in inner {
                            let name = key_of(name, chance);
                            let dot = dot(chance);
                            parts.push(format!("{key}{dot}{name} = {}", inline(value, chance)));
                        }
                    }
                    _ => parts.push(format!("{key} = {}", inline(value, chance))),
                }
            }
            if !chance.one_in(3) {
                return format!("{{ {} }}", parts.join(", "));
            }
            let count = parts.len();
            let mut out = String::from("{");
            for (number, part) in parts.into_iter().enumerate() {
                out.push_str(&format!("\n    {part}"));
                if number + 1 < count || chance.one_in(2) {
                    out.push(',');
                }
                if chance.one_in(3) {
                    out.push_str(&format!(" # {}", chance.remark()));
                }
            }
            format!("{out}\n}}")
        }
        Value::String(text)
            if chance.one_in(6) && text.chars().all(|it| it.is_ascii_lowercase()) =>
        {
            format!("\"\"\"\n{text}\"\"\"")
        }
        Value::String(text) if chance.one_in(3) && !text.contains(['\'', '\n']) => {
            format!("'{text}'")
        }
        scalar => scalar.to_json(),
    }
}

/// Writes a table: its values, then its subtables that have headers.
pub(super) fn table(out: &mut String, value: &Value, path: &str, chance: &mut Chance) {
    let mut later = Vec::new();
    for (key, value) in value.as_object().unwrap_or_default() {
        let key = key_of(key, chance);
        let full = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}{}{key}", dot(chance))
        };
        let tables = value.as_array().is_some_and(|items| {
            !items.is_empty() && items.iter().all(|item| item.as_object().is_some())
        });
        match value {
            Value::Object(members) if !members.is_empty() && chance.one_in(3) => {
                for (name, value) in members {
                    let name = key_of(name, chance);
                    let dot = dot(chance);
                    out.push_str(&format!("{key}{dot}{name} = {}", inline(value, chance)));
                    end_line(out, 0, chance);
                }
            }
            Value::Object(_) if chance.one_in(2) => later.push((full, value)),
            Value::Array(_) if tables && chance.one_in(2) => later.push((full, value)),
            _ => {
                out.push_str(&format!("{key} = {}", inline(value, chance)));
                end_line(out, 0, chance);
            }
        }
    }
    for (path, value) in later {
        match value {
            Value::Array(items) => {
                for item in items {
                    out.push_str(&format!("[[{path}]]"));
                    end_line(out, 0, chance);
                    table(out, item, &path, chance);
                }
            }
            _ => {
                // A table that contains only tables needs no header of its own.
                let members = value.as_object().unwrap_or_default();
                let is_implied = members.len() == 1
                    && members[0].1.as_object().is_some_and(|it| !it.is_empty())
                    && chance.one_in(2);
                if is_implied {
                    let (key, inner) = &members[0];
                    let path = format!("{path}.{}", key_of(key, chance));
                    out.push_str(&format!("[{path}]"));
                    end_line(out, 0, chance);
                    table(out, inner, &path, chance);
                } else {
                    out.push_str(&format!("[{path}]"));
                    end_line(out, 0, chance);
                    table(out, value, &path, chance);
                }
            }
        }
    }
}

fn dot(chance: &mut Chance) -> &'static str {
    if chance.one_in(6) { " . " } else { "." }
}
