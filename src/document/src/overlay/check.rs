//! Checks that an op is valid before it is applied.

use std::collections::HashSet;

use super::{Overlay, Path};
use crate::action::Expects;
use crate::error::{Problem, Reason, place, quoted, shown};
use crate::format::Format;
use crate::number::Number;
use crate::parse;
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

    /// Rejects changes to the array of documents of a YAML stream.
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

    /// Checks that the format can represent a value inside of the containers on `path`.
    pub(super) fn check_value(&self, value: &Value, path: &[NodeId]) -> Result<(), Problem> {
        let deep = nesting(value);
        let limit = match self.document.format() {
            Format::Json | Format::Jsonc => MAX_DEPTH,
            Format::Yaml => parse::yaml::MAX_BRACKETS,
            Format::Toml => parse::toml::MAX_BRACKETS,
        };
        let brackets = path.iter().filter(|id| self.has_brackets(**id)).count();
        let is_too_deep = |around: usize, limit: usize| deep > 0 && around + deep > limit;
        if is_too_deep(path.len(), MAX_DEPTH) || is_too_deep(brackets, limit) {
            let limit = limit.min(MAX_DEPTH);
            let expected = format!("values that nest at most {limit} deep");
            let found = format!("one of {deep} inside of {}", path.len());
            return Err(Problem::new(Reason::TooDeep, expected, found));
        }
        self.check_parts(value)
    }

    /// Whether a container is written in brackets, or will be.
    fn has_brackets(&self, id: NodeId) -> bool {
        if self.is_fresh(id) || self.is_replaced(id) {
            return true;
        }
        let data = self.document.data(id);
        let start = match &self.document.details {
            Details::Yaml(details) => match details.properties.get(&id) {
                Some(properties) => {
                    parse::yaml_text::skip_trivia(self.document.text(), properties.end())
                }
                None => data.span.start(),
            },
            _ => data.span.start(),
        };
        let first = self.document.text().as_bytes().get(start);
        match &data.content {
            Content::Object(_) => first == Some(&b'{'),
            // For an array of tables, the first table and the array both start at the first header.
            Content::Array(items) => {
                let item = items.first().map(|it| self.document.data(*it).span.start());
                first == Some(&b'[') && item != Some(start)
            }
            _ => false,
        }
    }

    fn check_parts(&self, value: &Value) -> Result<(), Problem> {
        let cannot = |expected: &str, found: String| {
            Err(Problem::new(Reason::Unrepresentable, expected, found))
        };
        match (value, self.document.format()) {
            (Value::Null, Format::Toml) => cannot("a value that TOML has", "null".to_owned()),
            (Value::Number(number), Format::Toml) if toml_number(number).is_none() => {
                cannot("an integer or a float of 64 bits", number.to_string())
            }
            (Value::Number(number), Format::Json | Format::Jsonc) if number.to_json().is_none() => {
                cannot("a number that JSON has", number.to_string())
            }
            (Value::Array(items), _) => items.iter().try_for_each(|item| self.check_parts(item)),
            (Value::Object(members), _) => {
                let mut keys = HashSet::new();
                if let Some(twice) = members.iter().find(|it| !keys.insert(&it.0)) {
                    return Err(duplicate(&twice.0));
                }
                members.iter().try_for_each(|it| self.check_parts(&it.1))
            }
            _ => Ok(()),
        }
    }

    /// Checks that changing the last node of `path` and removing `lost` does not change any other
    /// value through aliases.
    pub(super) fn check_writable(
        &mut self,
        path: &Path,
        lost: Option<NodeId>,
    ) -> Result<(), Problem> {
        let fail = |found: String| {
            let expected = "a value that is used in one place only";
            Err(Problem::new(Reason::SharedByAlias, expected, found))
        };
        let document = self.document;
        for id in &path.0 {
            if self.is_fresh(*id) || self.is_replaced(*id) {
                continue;
            }
            if let Content::Alias(_) = document.data(*id).content {
                let alias = &document.text()[document.data(*id).span.range()];
                return fail(format!("the alias {alias}"));
            }
            if self.repeated.contains(id) {
                if self.is_repeated_outside(|target| target == *id, |_| false) {
                    return fail("one that aliases repeat".to_owned());
                }
                // A removed alias is never restored, so the check is not needed again.
                self.repeated.remove(id);
            }
        }
        let Some(lost) = lost.filter(|id| self.around_repeated.contains(id)) else {
            return Ok(());
        };
        let is_lost = |id: NodeId| self.ancestors(id).any(|it| it == lost);
        if self.is_repeated_outside(is_lost, is_lost) {
            return fail("an anchor that aliases elsewhere repeat".to_owned());
        }
        Ok(())
    }

    /// Whether an alias that has not been removed, and for which `is_inside` is false, refers to
    /// one of the `targets`.
    fn is_repeated_outside(
        &self,
        targets: impl Fn(NodeId) -> bool,
        is_inside: impl Fn(NodeId) -> bool,
    ) -> bool {
        let Details::Yaml(details) = &self.document.details else {
            return false;
        };
        let is_there = |alias: NodeId| !self.ancestors(alias).any(|it| self.gone.contains(&it));
        let mut aliases = details.aliases.iter();
        aliases.any(|(alias, target)| targets(*target) && !is_inside(*alias) && is_there(*alias))
    }

    /// Rejects non-tables in a TOML array of tables that has comments. The array would have to be
    /// rewritten, which would lose the comments.
    pub(super) fn check_item(&self, array: NodeId, value: &Value) -> Result<(), Problem> {
        let is_toml = self.document.format() == Format::Toml;
        if !is_toml || value.kind() == Kind::Object || self.is_fresh(array) {
            return Ok(());
        }
        let data = self.document.data(array);
        let Content::Array(items) = &data.content else {
            return Ok(());
        };
        // The first table and the array both start at the first header.
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

/// The nesting depth of a value; a container with only scalars has depth 1.
fn nesting(value: &Value) -> usize {
    let inner = |values: &mut dyn Iterator<Item = &Value>| values.map(nesting).max().unwrap_or(0);
    match value {
        Value::Array(items) => 1 + inner(&mut items.iter()),
        Value::Object(members) => 1 + inner(&mut members.iter().map(|it| &it.1)),
        _ => 0,
    }
}

pub(super) fn duplicate(key: &str) -> Problem {
    let expected = format!("one key {}", quoted(key));
    Problem::new(Reason::DuplicateKey, expected, "more than one")
}

/// A number in TOML notation: a 64-bit integer or a float.
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
    let is_held = if is_float {
        json.parse::<f64>().is_ok_and(f64::is_finite)
    } else {
        json.parse::<i64>().is_ok()
    };
    if !is_held {
        return None;
    }
    Some(if is_toml_integer {
        written.to_owned()
    } else {
        json
    })
}
