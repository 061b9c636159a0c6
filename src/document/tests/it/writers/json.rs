//! Writes JSON, with and without comments.

use fixpoint_document::Value;

use super::Chance;

pub(super) fn write(value: &Value, depth: usize, chance: &mut Chance, comments: bool) -> String {
    let parts: Vec<String> = match value {
        Value::Array(items) => {
            let items = items.iter();
            items
                .map(|item| write(item, depth + 1, chance, comments))
                .collect()
        }
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let value = write(value, depth + 1, chance, comments);
                let gap = ["", " ", "  "][chance.below(3)];
                let remark = block_remark(chance, comments);
                let before = if chance.one_in(8) { " " } else { "" };
                let before_colon = block_remark(chance, comments);
                let key = string(key, chance);
                format!("{key}{before}{before_colon}:{gap}{remark}{value}")
            })
            .collect(),
        Value::String(text) => return string(text, chance),
        scalar => return scalar.to_json(),
    };
    let (open, close) = match value {
        Value::Array(_) => ('[', ']'),
        _ => ('{', '}'),
    };
    let broken = chance.one_in(2);
    let trailing = comments && !parts.is_empty() && chance.one_in(4);
    let mut out = String::from(open);
    let step = if chance.one_in(6) { "\t" } else { "  " };
    let indent = step.repeat(depth + 1);
    let count = parts.len();
    let pad = !broken && chance.one_in(3);
    if pad && count > 0 {
        out.push(' ');
    }
    for (number, part) in parts.into_iter().enumerate() {
        if broken {
            if comments && chance.one_in(5) {
                out.push_str(&format!("\n{indent}// {}", chance.remark()));
            }
            out.push_str(&format!("\n{indent}"));
        } else if number > 0 && chance.one_in(2) {
            out.push(' ');
        }
        out.push_str(&block_remark(chance, comments));
        out.push_str(&part);
        out.push_str(&block_remark(chance, comments));
        if number + 1 < count || trailing {
            out.push(',');
        }
        if broken && comments && chance.one_in(4) {
            out.push_str(&format!(" // {}", chance.remark()));
        }
    }
    if broken {
        if comments && chance.one_in(6) {
            out.push_str(&format!("\n{indent}// {}", chance.remark()));
        }
        out.push_str(&format!("\n{}", "  ".repeat(depth)));
    } else if pad && count > 0 {
        out.push(' ');
    }
    out.push(close);
    out
}

fn block_remark(chance: &mut Chance, comments: bool) -> String {
    if comments && chance.one_in(12) {
        format!(" /* {} */ ", chance.remark())
    } else {
        String::new()
    }
}

/// A string with some characters escaped.
fn string(text: &str, chance: &mut Chance) -> String {
    let json = Value::from(text).to_json();
    match text.chars().next() {
        Some(first) if first.is_ascii_lowercase() && chance.one_in(8) => {
            json.replacen(first, &format!("\\u{:04x}", u32::from(first)), 1)
        }
        _ => json,
    }
}
