//! Renders new values as text.

use crate::emit::place::Lines;
use crate::format::Format;
use crate::overlay::toml_number;
use crate::parse::yaml_scalar::{Resolved, resolve_plain};
use crate::tree::{Content, Document};
use crate::value::{Layout, Value, write_json, write_json_string};

/// The style of the document, as far as it can be detected.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub newline: &'static str,
    /// One level of indentation.
    pub step: String,
    /// The indentation of a YAML sequence relative to its key.
    pub sequence_offset: usize,
    /// Whether containers are broken over several lines by default.
    pub is_broken: bool,
}

impl Style {
    pub(crate) fn of(document: &Document) -> Self {
        let text = document.text();
        let newline = match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        let lines = Lines::new(text);
        let mut style = Self {
            newline,
            step: "  ".to_owned(),
            sequence_offset: 2,
            is_broken: document.format() != Format::Toml
                && (document.root().span().len() < 3
                    || text[document.root().span().range()].contains('\n')),
        };
        // The first nodes are enough to detect the indentation.
        const ENOUGH: usize = 2000;
        let (mut step, mut offset) = (None, None);
        for data in document.nodes.iter().take(ENOUGH) {
            let Some(parent) = data.parent.map(|it| document.data(it)) else {
                continue;
            };
            let opener = match &parent.content {
                Content::Object(object) => object.members.first().map(|it| it.key_span.start()),
                _ => None,
            };
            if document.format() == Format::Yaml {
                let Some(opener) = opener else { continue };
                let start = data.span.start();
                if !lines.is_first(start) {
                    continue;
                }
                let deeper = lines.column(start).checked_sub(lines.column(opener));
                match (&data.content, deeper) {
                    (Content::Array(_), Some(deeper)) => offset = offset.or(Some(deeper)),
                    (Content::Object(_), Some(deeper)) if deeper > 0 => {
                        step = step.or(Some(" ".repeat(deeper)));
                    }
                    _ => {}
                }
            } else {
                let start = opener.unwrap_or(data.span.start());
                if !lines.is_first(start) {
                    continue;
                }
                let (outer, inner) = (lines.indent(parent.span.start()), lines.indent(start));
                let more = inner.strip_prefix(outer).filter(|it| !it.is_empty());
                step = step.or(more.map(str::to_owned));
            }
            if step.is_some() && offset.is_some() {
                break;
            }
        }
        if let Some(offset) = offset {
            style.sequence_offset = offset;
        }
        if let Some(step) = step {
            style.step = step;
        }
        style
    }
}

/// JSON on one line, or broken over lines that are indented by at least `broken_at`.
pub(crate) fn json(value: &Value, broken_at: Option<&str>, style: &Style) -> String {
    let mut text = String::new();
    let line = broken_at.map(|indent| format!("{}{indent}", style.newline));
    let layout = line.as_ref().map(|line| Layout {
        step: &style.step,
        line,
        depth: 0,
    });
    write_json(&mut text, value, layout);
    text
}

pub(crate) fn json_string(text: &str) -> String {
    let mut out = String::new();
    write_json_string(&mut out, text);
    out
}

/// A YAML value on one line.
pub(crate) fn yaml_flow(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(yaml_flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members = members.iter();
            let members: Vec<_> = members
                .map(|(key, value)| {
                    format!("{}: {}", yaml_string(key, None, true), yaml_flow(value))
                })
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        scalar => yaml_scalar(scalar, None, true),
    }
}

/// A YAML scalar or empty container. A string keeps the quotes of the one it replaces.
pub(crate) fn yaml_scalar(value: &Value, quote: Option<char>, in_flow: bool) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match resolve_plain(number.as_written()) {
            Resolved::Number => number.as_written().to_owned(),
            // A TOML number that YAML writes differently.
            _ => match number.to_json() {
                Some(json) => json,
                None if number.to_f64().is_nan() => ".nan".to_owned(),
                None if number.to_f64() < 0.0 => "-.inf".to_owned(),
                None => ".inf".to_owned(),
            },
        },
        Value::String(text) => yaml_string(text, quote, in_flow),
        Value::Array(_) | Value::Object(_) => yaml_flow(value),
    }
}

pub(crate) fn yaml_string(text: &str, quote: Option<char>, in_flow: bool) -> String {
    let is_one_line =
        !text.contains(|it: char| it.is_control() || "\u{2028}\u{2029}\u{feff}".contains(it));
    match quote {
        Some('\'') if is_one_line => format!("'{}'", text.replace('\'', "''")),
        None if is_one_line && is_plain(text, in_flow) => text.to_owned(),
        _ => json_string(text),
    }
}

/// Whether a text is certainly a string without quotes, in YAML 1.1 and 1.2. Some safe texts are
/// quoted anyway, so that a reader does not need to know the exact rules.
fn is_plain(text: &str, in_flow: bool) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let is_word = |it: char| it.is_alphanumeric() || "_/".contains(it);
    let Some(first) = text.chars().next() else {
        return false;
    };
    let starts_well = is_word(first) && !first.is_numeric();
    let is_inner = |it: char| is_word(it) || " .-+@$()=;*!?^~%<>".contains(it);
    let is_quiet = |(at, it): (usize, char)| match it {
        ':' => !in_flow && text[at + 1..].starts_with(|it: char| it != ' '),
        ',' | '\'' | '"' | '&' | '|' => !in_flow,
        other => is_inner(other),
    };
    starts_well
        && !text.ends_with(' ')
        && text.char_indices().all(is_quiet)
        && !WORDS.contains(&text.to_lowercase().as_str())
        && resolve_plain(text) == Resolved::String
}

/// The lines of a YAML container in block style, the first one without indentation.
pub(crate) fn yaml_block(value: &Value, column: usize, style: &Style) -> String {
    let mut lines = Vec::new();
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                lines.push(yaml_entry(
                    &yaml_string(key, None, false),
                    value,
                    column,
                    style,
                ));
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                lines.push(yaml_item(item, column, style));
            }
        }
        scalar => lines.push(yaml_scalar(scalar, None, false)),
    }
    lines.join(&format!("{}{}", style.newline, " ".repeat(column)))
}

/// `key: value` in block style, with the key at `column`.
pub(crate) fn yaml_entry(key: &str, value: &Value, column: usize, style: &Style) -> String {
    match yaml_block_column(value, column, style) {
        Some(inner) => {
            let block = yaml_block(value, inner, style);
            format!("{key}:{}{}{block}", style.newline, " ".repeat(inner))
        }
        None => format!("{key}: {}", yaml_scalar(value, None, false)),
    }
}

/// `- value` in block style, with the dash at `column`.
pub(crate) fn yaml_item(value: &Value, column: usize, style: &Style) -> String {
    format!("- {}", yaml_block(value, column + 2, style))
}

/// The column of a value's block if its key is at `column`; `None` for scalars and empty
/// containers.
pub(crate) fn yaml_block_column(value: &Value, column: usize, style: &Style) -> Option<usize> {
    match value {
        Value::Object(members) if !members.is_empty() => Some(column + style.step.len()),
        Value::Array(items) if !items.is_empty() => Some(column + style.sequence_offset),
        _ => None,
    }
}

/// A TOML value on one line. A string keeps the quotes of the one it replaces.
pub(crate) fn toml_inline(value: &Value, quote: Option<char>) -> String {
    match value {
        // Rejected before anything is rendered.
        Value::Null => "\"\"".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => toml_number(number).unwrap_or_else(|| number.to_string()),
        Value::String(text) => {
            let is_literal = quote == Some('\'')
                && !text.contains(|it: char| it == '\'' || (it.is_control() && it != '\t'));
            if is_literal {
                format!("'{text}'")
            } else {
                json_string(text)
            }
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|it| toml_inline(it, None)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|(key, value)| format!("{} = {}", toml_key(key), toml_inline(value, None)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

pub(crate) fn toml_key(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if !key.is_empty() && key.bytes().all(is_bare) {
        key.to_owned()
    } else {
        json_string(key)
    }
}
