//! Writes YAML in block and flow style.

use fixpoint_document::Value;

use super::{Chance, end_line};

fn scalar(value: &Value, chance: &mut Chance) -> String {
    match value {
        Value::String(text) => match chance.below(3) {
            0 if is_word(text) => text.clone(),
            1 if !text.contains('\n') => format!("'{}'", text.replace('\'', "''")),
            _ => value.to_json(),
        },
        other => other.to_json(),
    }
}

fn is_word(text: &str) -> bool {
    let reserved = ["true", "false", "null", "no", "yes"];
    text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.chars().all(|it| it.is_ascii_alphanumeric())
        && !reserved.contains(&text)
}

/// Random whitespace or comments between two tokens in brackets.
fn gap(chance: &mut Chance) -> String {
    const INDENT: &str = "\n            ";
    match chance.below(24) {
        0 | 1 => INDENT.to_owned(),
        2 | 3 => format!(" # {}{INDENT}", chance.remark()),
        4 => format!(
            " # {}{INDENT}# {}{INDENT}",
            chance.remark(),
            chance.remark()
        ),
        _ => String::new(),
    }
}

/// Writes a value, possibly with an anchor or as an alias.
fn flow(value: &Value, chance: &mut Chance) -> String {
    let known = chance.anchored.iter().find(|it| it.0 == *value);
    if let Some(name) = known.map(|it| it.1.clone())
        && chance.one_in(2)
    {
        return format!("*{name}");
    }
    let text = plain_flow(value, chance);
    if !chance.one_in(9) {
        return text;
    }
    let name = anchor(value, chance);
    format!("&{name} {text}")
}

/// A new anchor name for a value that is in the text from now on.
fn anchor(value: &Value, chance: &mut Chance) -> String {
    let name = format!("a{}", chance.anchored.len());
    chance.anchored.push((value.clone(), name.clone()));
    name
}

fn plain_flow(value: &Value, chance: &mut Chance) -> String {
    let (open, close, parts) = match value {
        Value::Array(items) => {
            let items = items.iter();
            let parts: Vec<_> = items
                .map(|it| match it.as_object() {
                    Some([(key, value)]) if chance.one_in(3) && *value != Value::Null => {
                        let key = scalar(&Value::from(key.as_str()), chance);
                        format!("{key}: {}", flow(value, chance))
                    }
                    _ => flow(it, chance),
                })
                .collect();
            ("[", "]", parts)
        }
        Value::Object(members) => {
            let members = members.iter();
            let parts: Vec<_> = members
                .map(|(key, value)| {
                    let key = scalar(&Value::from(key.as_str()), chance);
                    let between = gap(chance);
                    format!("{key}:{between} {}", flow(value, chance))
                })
                .collect();
            ("{", "}", parts)
        }
        other => return scalar(other, chance),
    };
    let pad = if chance.one_in(2) { " " } else { "" };
    let mut out = format!("{open}{pad}");
    let count = parts.len();
    for (number, part) in parts.into_iter().enumerate() {
        let space = if number > 0 { " " } else { "" };
        let before = gap(chance);
        let after = gap(chance);
        let comma = if number + 1 < count || chance.one_in(6) {
            ","
        } else {
            ""
        };
        out.push_str(&format!("{before}{space}{part}{after}{comma}"));
    }
    let between = gap(chance);
    format!("{out}{between}{pad}{close}")
}

fn is_filled(value: &Value) -> bool {
    value.as_array().is_some_and(|it| !it.is_empty())
        || value.as_object().is_some_and(|it| !it.is_empty())
}

/// Writes a value whose first line continues the current one, at `column`.
pub(super) fn block(out: &mut String, value: &Value, column: usize, chance: &mut Chance) {
    if !is_filled(value) || chance.one_in(6) {
        let text = flow(value, chance);
        out.push_str(&text);
        end_line(out, column, chance);
        return;
    }
    let indent = " ".repeat(column);
    match value {
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                if number > 0 {
                    out.push_str(&indent);
                }
                out.push('-');
                if !is_filled(item) && chance.one_in(8) {
                    let text = flow(item, chance);
                    out.push_str(&format!(" # {}\n{indent}  {text}", chance.remark()));
                    end_line(out, column, chance);
                    continue;
                }
                out.push(' ');
                block(out, item, column + 2, chance);
            }
        }
        Value::Object(members) => {
            for (number, (key, value)) in members.iter().enumerate() {
                if number > 0 {
                    out.push_str(&indent);
                }
                let name = scalar(&Value::from(key.as_str()), chance);
                if chance.one_in(12) {
                    out.push_str(&format!("? {name}"));
                    end_line(out, column, chance);
                    out.push_str(&format!("{indent}:"));
                } else {
                    out.push_str(&format!("{name}:"));
                }
                let inner = match value {
                    Value::Array(_) if chance.one_in(3) => column,
                    _ => column + 2,
                };
                if is_filled(value) && chance.one_in(2) {
                    // Registered only after it is written, since a value cannot contain itself.
                    let name = chance.one_in(9).then(|| format!("b{}", chance.below(1000)));
                    if let Some(name) = &name {
                        out.push_str(&format!(" &{name}"));
                    }
                    end_line(out, inner, chance);
                    out.push_str(&" ".repeat(inner));
                    below(out, value, inner, chance);
                    let is_new = |name: &String| chance.anchored.iter().all(|it| it.1 != *name);
                    if let Some(name) = name.filter(is_new) {
                        chance.anchored.push((value.clone(), name));
                    }
                } else if *value == Value::Null && chance.one_in(2) {
                    end_line(out, column, chance);
                } else if let Some(lines) = literal(value, column + 3, chance) {
                    out.push_str(&lines);
                } else {
                    let text = flow(value, chance);
                    if chance.one_in(6) {
                        out.push_str(&format!(" # {}\n{indent} ", chance.remark()));
                    }
                    out.push_str(&format!(" {text}"));
                    end_line(out, column, chance);
                }
            }
        }
        _ => {}
    }
}

/// Like [`block`], for a value that needs block style and starts on its own line.
fn below(out: &mut String, value: &Value, column: usize, chance: &mut Chance) {
    let before = out.len();
    let anchored = chance.anchored.clone();
    loop {
        out.truncate(before);
        chance.anchored.clone_from(&anchored);
        block(out, value, column, chance);
        let is_flow = out[before..].starts_with(['[', '{', '&', '*']);
        // A flow sequence must not start at the column of its key.
        if !is_flow {
            return;
        }
    }
}

/// A string as a block scalar, if it can be one.
fn literal(value: &Value, column: usize, chance: &mut Chance) -> Option<String> {
    let text = value.as_str()?;
    let body = text.trim_end_matches('\n');
    let is_plain = |line: &str| {
        let is_inner = |it: char| it == ' ' || it.is_ascii_graphic();
        line == line.trim() && line.chars().all(is_inner)
    };
    if body.is_empty() || body.starts_with('\n') || !body.split('\n').all(is_plain) {
        return None;
    }
    if chance.one_in(2) {
        return None;
    }
    let ends = text.len() - body.len();
    let keeps = ["-", "", "+"][ends.min(2)];
    let remark = if chance.one_in(4) {
        format!(" # {}", chance.remark())
    } else {
        String::new()
    };
    let mut out = format!(" |{keeps}{remark}\n");
    for line in body.split('\n') {
        let indent = if line.is_empty() { 0 } else { column };
        out.push_str(&format!("{}{line}\n", " ".repeat(indent)));
    }
    out.push_str(&"\n".repeat(ends.saturating_sub(1)));
    Some(out)
}
