//! Functions that read the tables of `fixpoint.toml`, with errors at the place of the mistake.

use std::collections::BTreeMap;

use fixpoint_text::Span;
pub use toml_edit::Item;
use toml_edit::{Document, TableLike};

use crate::config::ConfigError;

/// A key, its value, and the place of the key in the file.
pub type Entry<'a> = (&'a str, &'a Item, Span);

/// Reads the table with this key from the text of a `fixpoint.toml`, if it is there.
pub fn read_table<T: Default>(
    text: &str,
    key: &str,
    read: impl FnOnce(&Item, Span) -> Result<T, ConfigError>,
) -> Result<T, ConfigError> {
    let document = parse_document(text)?;
    let found = entries(document.as_table()).find(|(found, _, _)| *found == key);
    found.map_or_else(|| Ok(T::default()), |(_, item, at)| read(item, at))
}

pub(crate) fn parse_document(text: &str) -> Result<Document<&str>, ConfigError> {
    Document::parse(text).map_err(|error| ConfigError {
        message: error.message().to_owned(),
        span: error.span().map_or(Span::at(0), Span::from),
    })
}

/// Reads a list of names under the key `enable` or `disable`, and notes for each name which of them it is.
pub fn switch(
    switches: &mut BTreeMap<String, bool>,
    (key, item, at): Entry<'_>,
    known: &[&str],
) -> Result<(), ConfigError> {
    let Some(names) = item.as_array() else {
        return fail(at, format!("`{key}` must be an array of rule names"));
    };
    for name in names {
        let at = name.span().map_or(at, Span::from);
        let Some(name) = name.as_str() else {
            return fail(at, format!("`{key}` must be an array of rule names"));
        };
        known_key(name, known, at)?;
        if switches.insert(name.to_owned(), key == "enable").is_some() {
            return fail(at, format!("`{name}` is named twice"));
        }
    }
    Ok(())
}

/// The entries of a table in the order of the file.
pub fn entries(table: &dyn TableLike) -> impl Iterator<Item = Entry<'_>> {
    table.iter().map(|(key, item)| {
        let span = table
            .key(key)
            .and_then(toml_edit::Key::span)
            .or_else(|| item.span());
        (key, item, span.map_or(Span::at(0), Span::from))
    })
}

/// The key itself if it is known, else an error that suggests the nearest known one.
pub fn known_key<'k>(key: &'k str, known: &[&str], at: Span) -> Result<&'k str, ConfigError> {
    if known.contains(&key) {
        return Ok(key);
    }
    let nearest = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(key, candidate), *candidate))
        .min();
    let advice = match nearest {
        Some((distance, nearest)) if distance <= 3 => format!("did you mean `{nearest}`?"),
        _ => format!("expected one of {}", known.join(", ")),
    };
    fail(at, format!("unknown key `{key}`; {advice}"))
}

/// The values of an array of strings.
pub fn strings(item: &Item, key: &str, at: Span) -> Result<Vec<String>, ConfigError> {
    let strings = item
        .as_array()
        .map(|array| array.iter().map(|value| value.as_str().map(str::to_owned)));
    strings.and_then(Iterator::collect).map_or_else(
        || fail(at, format!("`{key}` must be an array of strings")),
        Ok,
    )
}

/// An error at a place of the file.
pub fn fail<T>(span: Span, message: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError {
        message: message.into(),
        span,
    })
}
