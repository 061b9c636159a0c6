//! Texts of random values, in random styles, with comments wherever they may stand.

use fixpoint_document::{Format, Value};

/// Chances, from a seed.
pub(crate) struct Chance {
    state: u64,
    comments: usize,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed,
            comments: 0,
        }
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    /// A comment unlike any other.
    fn remark(&mut self) -> String {
        self.comments += 1;
        format!("remark-{}.", self.comments)
    }
}

pub(crate) fn write(format: Format, value: &Value, chance: &mut Chance) -> String {
    let mut text = match format {
        Format::Json => json(value, 0, chance, false),
        Format::Jsonc => json(value, 0, chance, true),
        Format::Yaml => {
            let mut out = String::new();
            if chance.one_in(4) {
                out.push_str(&format!("# {}\n", chance.remark()));
            }
            if chance.one_in(5) {
                out.push_str("---\n");
            }
            yaml_block(&mut out, value, 0, chance);
            out
        }
        Format::Toml => {
            let mut out = String::new();
            toml_table(&mut out, value, "", chance);
            out
        }
    };
    if chance.one_in(3) {
        text = text.trim_end().to_owned();
    } else if !text.ends_with('\n') {
        text.push('\n');
    }
    if chance.one_in(5) {
        text = text.replace('\n', "\r\n");
    }
    if chance.one_in(8) {
        text.insert(0, '\u{feff}');
    }
    text
}

fn json(value: &Value, depth: usize, chance: &mut Chance, comments: bool) -> String {
    let parts: Vec<String> = match value {
        Value::Array(items) => {
            let items = items.iter();
            items
                .map(|item| json(item, depth + 1, chance, comments))
                .collect()
        }
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let value = json(value, depth + 1, chance, comments);
                let gap = ["", " ", "  "][chance.below(3)];
                let remark = block_remark(chance, comments);
                format!(
                    "{}:{gap}{remark}{value}",
                    Value::from(key.as_str()).to_json()
                )
            })
            .collect(),
        scalar => return scalar.to_json(),
    };
    let (open, close) = match value {
        Value::Array(_) => ('[', ']'),
        _ => ('{', '}'),
    };
    let broken = chance.one_in(2);
    let trailing = comments && !parts.is_empty() && chance.one_in(4);
    let mut out = String::from(open);
    let indent = "  ".repeat(depth + 1);
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

fn yaml_scalar(value: &Value, chance: &mut Chance) -> String {
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

/// What may stand between two tokens in brackets.
fn yaml_gap(chance: &mut Chance) -> String {
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

fn yaml_flow(value: &Value, chance: &mut Chance) -> String {
    let (open, close, parts) = match value {
        Value::Array(items) => {
            let items = items.iter();
            let parts: Vec<_> = items
                .map(|it| match it.as_object() {
                    Some([(key, value)]) if chance.one_in(3) && *value != Value::Null => {
                        let key = yaml_scalar(&Value::from(key.as_str()), chance);
                        format!("{key}: {}", yaml_flow(value, chance))
                    }
                    _ => yaml_flow(it, chance),
                })
                .collect();
            ("[", "]", parts)
        }
        Value::Object(members) => {
            let members = members.iter();
            let parts: Vec<_> = members
                .map(|(key, value)| {
                    let key = yaml_scalar(&Value::from(key.as_str()), chance);
                    let gap = yaml_gap(chance);
                    format!("{key}:{gap} {}", yaml_flow(value, chance))
                })
                .collect();
            ("{", "}", parts)
        }
        scalar => return yaml_scalar(scalar, chance),
    };
    let pad = if chance.one_in(2) { " " } else { "" };
    let mut out = format!("{open}{pad}");
    let count = parts.len();
    for (number, part) in parts.into_iter().enumerate() {
        let space = if number > 0 { " " } else { "" };
        let before = yaml_gap(chance);
        let after = yaml_gap(chance);
        let comma = if number + 1 < count || chance.one_in(6) {
            ","
        } else {
            ""
        };
        out.push_str(&format!("{before}{space}{part}{after}{comma}"));
    }
    let gap = yaml_gap(chance);
    format!("{out}{gap}{pad}{close}")
}

fn is_filled(value: &Value) -> bool {
    value.as_array().is_some_and(|it| !it.is_empty())
        || value.as_object().is_some_and(|it| !it.is_empty())
}

fn end_line(out: &mut String, column: usize, chance: &mut Chance) {
    if chance.one_in(5) {
        out.push_str(&format!(" # {}", chance.remark()));
    }
    out.push('\n');
    if chance.one_in(8) {
        out.push('\n');
    }
    if chance.one_in(8) {
        out.push_str(&format!("{}# {}\n", " ".repeat(column), chance.remark()));
    }
}

/// Writes a value whose first line goes on the current one, at `column`.
fn yaml_block(out: &mut String, value: &Value, column: usize, chance: &mut Chance) {
    if !is_filled(value) || chance.one_in(6) {
        let flow = yaml_flow(value, chance);
        out.push_str(&flow);
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
                    let flow = yaml_flow(item, chance);
                    out.push_str(&format!(" # {}\n{indent}  {flow}", chance.remark()));
                    end_line(out, column, chance);
                    continue;
                }
                out.push(' ');
                yaml_block(out, item, column + 2, chance);
            }
        }
        Value::Object(members) => {
            for (number, (key, value)) in members.iter().enumerate() {
                if number > 0 {
                    out.push_str(&indent);
                }
                out.push_str(&yaml_scalar(&Value::from(key.as_str()), chance));
                out.push(':');
                let inner = match value {
                    Value::Array(_) if chance.one_in(3) => column,
                    _ => column + 2,
                };
                if is_filled(value) && chance.one_in(2) {
                    end_line(out, inner, chance);
                    out.push_str(&" ".repeat(inner));
                    yaml_below(out, value, inner, chance);
                } else if *value == Value::Null && chance.one_in(2) {
                    end_line(out, column, chance);
                } else if let (Value::String(text), true) = (value, chance.one_in(3))
                    && !text.is_empty()
                    && text.chars().all(|it| it.is_ascii_alphanumeric())
                {
                    out.push_str(&format!(" |-\n{}{text}\n", " ".repeat(column + 3)));
                } else {
                    let flow = yaml_flow(value, chance);
                    if chance.one_in(6) {
                        out.push_str(&format!(" # {}\n{indent} ", chance.remark()));
                    }
                    out.push_str(&format!(" {flow}"));
                    end_line(out, column, chance);
                }
            }
        }
        _ => {}
    }
}

/// The same for what must be in block style, having got a line of its own.
fn yaml_below(out: &mut String, value: &Value, column: usize, chance: &mut Chance) {
    let before = out.len();
    loop {
        out.truncate(before);
        yaml_block(out, value, column, chance);
        let is_flow = out[before..].starts_with(['[', '{']);
        // A flow sequence may not stand at the column of its key.
        if !is_flow {
            return;
        }
    }
}

fn toml_key(key: &str, chance: &mut Chance) -> String {
    let is_bare = !key.is_empty() && key.bytes().all(|it| it.is_ascii_alphanumeric());
    match (is_bare, chance.one_in(4)) {
        (true, false) => key.to_owned(),
        _ => Value::from(key).to_json(),
    }
}

fn toml_inline(value: &Value, chance: &mut Chance) -> String {
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
                out.push_str(&toml_inline(item, chance));
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
                let key = toml_key(key, chance);
                match value.as_object().filter(|it| !it.is_empty()) {
                    Some(inner) if chance.one_in(2) => {
                        for (name, value) in inner {
                            let name = toml_key(name, chance);
                            parts.push(format!("{key}.{name} = {}", toml_inline(value, chance)));
                        }
                    }
                    _ => parts.push(format!("{key} = {}", toml_inline(value, chance))),
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
        Value::String(text) if chance.one_in(3) && !text.contains(['\'', '\n']) => {
            format!("'{text}'")
        }
        scalar => scalar.to_json(),
    }
}

/// Writes a table: its values, then the tables in it that get headers.
fn toml_table(out: &mut String, value: &Value, path: &str, chance: &mut Chance) {
    let mut later = Vec::new();
    for (key, value) in value.as_object().unwrap_or_default() {
        let key = toml_key(key, chance);
        let full = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let tables = value.as_array().is_some_and(|items| {
            !items.is_empty() && items.iter().all(|item| item.as_object().is_some())
        });
        match value {
            Value::Object(members) if !members.is_empty() && chance.one_in(3) => {
                for (name, value) in members {
                    let name = toml_key(name, chance);
                    out.push_str(&format!("{key}.{name} = {}", toml_inline(value, chance)));
                    end_line(out, 0, chance);
                }
            }
            Value::Object(_) if chance.one_in(2) => later.push((full, value)),
            Value::Array(_) if tables && chance.one_in(2) => later.push((full, value)),
            _ => {
                out.push_str(&format!("{key} = {}", toml_inline(value, chance)));
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
                    toml_table(out, item, &path, chance);
                }
            }
            _ => {
                // A table of nothing but tables need not be named itself.
                let members = value.as_object().unwrap_or_default();
                let is_implied = members.len() == 1
                    && members[0].1.as_object().is_some_and(|it| !it.is_empty())
                    && chance.one_in(2);
                if is_implied {
                    let (key, inner) = &members[0];
                    let path = format!("{path}.{}", toml_key(key, chance));
                    out.push_str(&format!("[{path}]"));
                    end_line(out, 0, chance);
                    toml_table(out, inner, &path, chance);
                } else {
                    out.push_str(&format!("[{path}]"));
                    end_line(out, 0, chance);
                    toml_table(out, value, &path, chance);
                }
            }
        }
    }
}

/// The remarks in a text, in order, with where they start.
pub(crate) fn remarks(text: &str) -> Vec<(usize, &str)> {
    let starts = text.match_indices("remark-").map(|it| it.0);
    starts
        .filter_map(|start| {
            let length = text[start..].find('.')?;
            Some((start, &text[start..start + length]))
        })
        .collect()
}
