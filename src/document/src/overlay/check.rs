//! What holds an op back.

use std::collections::HashSet;

use super::{Overlay, Path};
use crate::action::Expects;
use crate::error::{Problem, Reason, place, quoted, shown};
use crate::format::Format;
use crate::number::Number;
use crate::pointer::Pointer;
use crate::tree::{Content, Details, LookupError, MAX_DEPTH, NodeId};
use crate::value::{Kind, Value};

impl Overlay<'_> {
    pub(super) fn check_expectation(
        &self,
        expects: &Expects,
        subject: &Pointer,
    ) -> Result<(), Problem> {
        let fail = |expected: String, found: String| {
            Err(Problem::new(Reason::ExpectationFailed, expected, found))
        };
        let found = match self.find(subject) {
            Ok(path) => path.last(),
            Err(error @ LookupError::DuplicateKey { .. }) => return Err(error.into()),
            Err(_) if expects.exists == Some(false) => {
                let wants_value = expects.kind.is_some() || expects.equals.is_some();
                return if wants_value {
                    fail("a value".to_owned(), "nothing".to_owned())
                } else {
                    Ok(())
                };
            }
            Err(_) => {
                return fail(
                    format!("a value at {}", place(subject)),
                    "nothing".to_owned(),
                );
            }
        };
        if expects.exists == Some(false) {
            return fail("nothing".to_owned(), shown(&self.value(found)));
        }
        if let Some(kind) = expects.kind.filter(|kind| *kind != self.kind(found)) {
            return fail(kind.name().to_owned(), shown(&self.value(found)));
        }
        match &expects.equals {
            Some(equals) => {
                let value = self.value(found);
                if *equals == value {
                    Ok(())
                } else {
                    fail(shown(equals), shown(&value))
                }
            }
            None => Ok(()),
        }
    }

    pub(super) fn check_kind(&self, id: NodeId, wanted: Kind) -> Result<(), Problem> {
        let kind = self.kind(id);
        if kind == wanted {
            return Ok(());
        }
        Err(Problem::new(Reason::WrongType, wanted.name(), kind.name()))
    }

    /// The documents of a file are no array that could be changed.
    pub(super) fn check_no_stream(&self, id: NodeId) -> Result<(), Problem> {
        if id == self.document.root && self.document.is_stream() {
            return Err(Problem::new(
                Reason::Unsupported,
                "a pointer into one of the file's documents, as in /0",
                "all of them",
            ));
        }
        Ok(())
    }

    /// Whether the format can hold a value, at this depth.
    pub(super) fn check_value(&self, value: &Value, depth: usize) -> Result<(), Problem> {
        let cannot = |expected: &str, found: String| {
            Err(Problem::new(Reason::Unrepresentable, expected, found))
        };
        if depth >= MAX_DEPTH {
            let expected = format!("values nested at most {MAX_DEPTH} deep");
            return Err(Problem::new(Reason::TooDeep, expected, "a deeper one"));
        }
        match (value, self.document.format()) {
            (Value::Null, Format::Toml) => cannot("a value that TOML has", "null".to_owned()),
            (Value::Number(number), Format::Toml) if toml_number(number).is_none() => {
                cannot("an integer of 64 bits or a float", number.to_string())
            }
            (Value::Number(number), Format::Json | Format::Jsonc) if number.to_json().is_none() => {
                cannot("a number that JSON has", number.to_string())
            }
            (Value::Array(items), _) => items
                .iter()
                .try_for_each(|item| self.check_value(item, depth + 1)),
            (Value::Object(members), _) => {
                let mut keys = HashSet::new();
                if let Some(twice) = members.iter().find(|it| !keys.insert(&it.0)) {
                    return Err(duplicate(&twice.0));
                }
                members
                    .iter()
                    .try_for_each(|member| self.check_value(&member.1, depth + 1))
            }
            _ => Ok(()),
        }
    }

    /// Whether nothing else changes when the last node of `path` does, and `lost` goes.
    pub(super) fn check_writable(&self, path: &Path, lost: Option<NodeId>) -> Result<(), Problem> {
        let fail = |found: String| {
            let expected = "a value that stands in one place only";
            Err(Problem::new(Reason::SharedByAlias, expected, found))
        };
        for id in path.0.iter().filter(|id| !self.is_fresh(**id)) {
            if self.changed.contains_key(id) {
                continue;
            }
            if let Content::Alias(_) = self.document.data(*id).content {
                let alias = &self.document.text()[self.document.data(*id).span.range()];
                return fail(format!("the alias {alias}"));
            }
            if self.repeated.contains(id) {
                return fail("one that aliases repeat".to_owned());
            }
        }
        let Some(lost) = lost.filter(|id| self.around_repeated.contains(id)) else {
            return Ok(());
        };
        let Details::Yaml(details) = &self.document.details else {
            return Ok(());
        };
        let is_lost = |mut id: NodeId| loop {
            if id == lost {
                return true;
            }
            match self.document.data(id).parent {
                Some(parent) => id = parent,
                None => return false,
            }
        };
        let mut aliases = details.aliases.iter();
        if aliases.any(|(alias, target)| is_lost(*target) && !is_lost(*alias)) {
            return fail("an anchor that aliases elsewhere repeat".to_owned());
        }
        Ok(())
    }

    /// An inline table of TOML in which keys have dots is written anew when its keys change, and the
    /// comments in it would go.
    pub(super) fn check_keys(&self, object: NodeId) -> Result<(), Problem> {
        if self.document.format() != Format::Toml || self.is_fresh(object) {
            return Ok(());
        }
        let text = |id: NodeId| &self.document.text()[self.document.data(id).span.range()];
        let mut table = object;
        while !text(table).starts_with('{') {
            match self.document.data(table).parent {
                Some(parent) => table = parent,
                None => return Ok(()),
            }
        }
        let Content::Object(members) = &self.document.data(table).content else {
            return Ok(());
        };
        let mut members = members.members.iter();
        let has_dots = members.any(|it| self.is_named_by_dots(it.node));
        if has_dots && text(table).contains('#') {
            return Err(Problem::new(
                Reason::Unsupported,
                "an inline table without comments, or without dots in its keys; or replace the table",
                "both",
            ));
        }
        Ok(())
    }

    /// Whether a node is a table that has no braces.
    pub(super) fn is_named_by_dots(&self, id: NodeId) -> bool {
        if self.document.format() != Format::Toml || self.is_fresh(id) {
            return false;
        }
        let data = self.document.data(id);
        matches!(data.content, Content::Object(_))
            && !self.document.text()[data.span.range()].starts_with('{')
    }

    /// An array of tables of TOML takes tables. With anything else in it, it would have to be written
    /// anew, and the comments in it would go.
    pub(super) fn check_item(&self, array: NodeId, value: &Value) -> Result<(), Problem> {
        let is_toml = self.document.format() == Format::Toml;
        if !is_toml || value.kind() == Kind::Object || self.is_fresh(array) {
            return Ok(());
        }
        let data = self.document.data(array);
        let Content::Array(items) = &data.content else {
            return Ok(());
        };
        // A header is where the first table starts, and the array too.
        let first = items.first().map(|it| self.document.data(*it).span.start());
        let has_headers = first == Some(data.span.start());
        if has_headers && self.document.text()[data.span.range()].contains('#') {
            return Err(Problem::new(
                Reason::Unsupported,
                "an object for an array of tables with comments; or replace the array",
                value.kind().name(),
            ));
        }
        Ok(())
    }
}

pub(super) fn duplicate(key: &str) -> Problem {
    let expected = format!("one key {}", quoted(key));
    Problem::new(Reason::DuplicateKey, expected, "more than one")
}

/// A number as TOML writes it: an integer of 64 bits, or a float.
pub(crate) fn toml_number(number: &Number) -> Option<String> {
    let written = number.as_written();
    match written
        .trim_start_matches(['+', '-', '.'])
        .to_ascii_lowercase()
        .as_str()
    {
        "inf" | "infinity" if written.starts_with('-') => return Some("-inf".to_owned()),
        "inf" | "infinity" => return Some("inf".to_owned()),
        "nan" => return Some("nan".to_owned()),
        _ => {}
    }
    let json = number.to_json()?;
    let is_float = json.contains(['.', 'e', 'E']);
    let is_toml_integer = ["0x", "0o", "0b"].iter().any(|it| written.starts_with(it))
        && !written.contains(|it: char| it.is_ascii_uppercase() && !it.is_ascii_hexdigit());
    if !is_float && json.parse::<i64>().is_err() {
        return None;
    }
    Some(if is_toml_integer {
        written.to_owned()
    } else {
        json
    })
}
