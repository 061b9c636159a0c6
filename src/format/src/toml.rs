//! TOML: printed by dprint, checked by toml_edit.

use std::path::Path;

use dprint_plugin_toml::configuration::ConfigurationBuilder;
use fixpoint_text::Span;
use toml_edit::{Array, Document, InlineTable, Item, Table, Value};

use crate::FormatError;
use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, refused};

pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    let config = ConfigurationBuilder::new()
        .line_width(job.style.line_width().into())
        .indent_width(job.style.indent_width(2))
        .use_tabs(job.style.tabs())
        .comment_force_leading_space(false)
        // It would sort the dependencies.
        .cargo_apply_conventions(false)
        .build();
    dprint_plugin_toml::format_text(Path::new("file.toml"), text, &config)
        .map(|printed| printed.unwrap_or_else(|| text.to_owned()))
        .map_err(|error| refused(job, text, &error.to_string()))
}

pub(crate) fn parses(text: &str) -> Result<(), SyntaxError> {
    parse(text).map(drop)
}

fn parse(text: &str) -> Result<Document<&str>, SyntaxError> {
    Document::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..text.len());
        SyntaxError::new(error.message(), Span::from(span))
    })
}

/// Everything from `#` to the end of its line that is not inside a string.
pub(crate) fn comments(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr3(b'#', b'"', b'\'', rest))
    {
        at += found;
        at = match bytes[at] {
            b'#' => {
                let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
                let comment = text[at..end].trim_end_matches('\r');
                comments.push(Span::from(at..at + comment.len()));
                end
            }
            quote => after_string(bytes, at, quote),
        };
    }
    comments
}

fn after_string(bytes: &[u8], open: usize, quote: u8) -> usize {
    let triple = [quote; 3];
    if !bytes[open..].starts_with(&triple) {
        let mut at = open + 1;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\n' => return at,
                b'\\' if quote == b'"' => at += 1,
                _ if byte == quote => return at + 1,
                _ => {}
            }
            at += 1;
        }
        return bytes.len();
    }
    let mut at = open + 3;
    while at < bytes.len() {
        if bytes[at] == b'\\' && quote == b'"' {
            at += 2;
        } else if bytes[at..].starts_with(&triple) {
            // Up to two quotes may stand directly before the closing three.
            let quotes = bytes[at..]
                .iter()
                .take_while(|&&byte| byte == quote)
                .count();
            return at + quotes.min(5);
        } else {
            at += 1;
        }
    }
    bytes.len()
}

pub(crate) fn outline(text: &str) -> Result<Outline, SyntaxError> {
    let document = parse(text)?;
    let mut meaning = String::with_capacity(text.len());
    write_table(&mut meaning, document.as_table());
    Ok(Outline {
        comments: comments(text),
        meaning: Meaning::Exact(meaning.into_bytes()),
    })
}

fn write_table(out: &mut String, table: &Table) {
    out.push('{');
    for (key, item) in table {
        write_text(out, key);
        match item {
            Item::None => {}
            Item::Value(value) => write_value(out, value),
            Item::Table(table) => write_table(out, table),
            Item::ArrayOfTables(tables) => {
                out.push('[');
                tables.iter().for_each(|table| write_table(out, table));
                out.push(']');
            }
        }
    }
    out.push('}');
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::String(string) => write_text(out, string.value()),
        Value::Integer(integer) => write_word(out, 'i', &integer.value().to_string()),
        Value::Float(float) => write_word(out, 'f', &format!("{:?}", float.value())),
        Value::Boolean(boolean) => write_word(out, 'b', &boolean.value().to_string()),
        Value::Datetime(datetime) => write_word(out, 'd', &datetime.value().to_string()),
        Value::Array(array) => write_array(out, array),
        Value::InlineTable(table) => write_inline_table(out, table),
    }
}

fn write_array(out: &mut String, array: &Array) {
    out.push('[');
    array.iter().for_each(|value| write_value(out, value));
    out.push(']');
}

fn write_inline_table(out: &mut String, table: &InlineTable) {
    out.push('{');
    for (key, value) in table {
        write_text(out, key);
        write_value(out, value);
    }
    out.push('}');
}

fn write_word(out: &mut String, kind: char, word: &str) {
    out.push(kind);
    out.push_str(word);
    out.push(';');
}

/// With its length in front, so that no text can be taken for what follows it.
fn write_text(out: &mut String, text: &str) {
    write_word(out, 's', &text.len().to_string());
    out.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_in_a_string_is_no_comment() {
        let text = "a = \"# \\\" #\" # one\nb = '''\n# '' #'''''# two\nc = '\\'# three\r\n";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["# one", "# two", "# three"]);
    }
}
