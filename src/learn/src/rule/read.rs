//! Reads a rule file, in full or in the short form that a person writes.

use serde::Deserialize;
use serde_json::Value;

use super::{Constraint, Example, Imports, Matching, NodeKind, Outcomes, Provenance, Rule, id};
use crate::pattern::{Pattern, PatternError};
use crate::tree::Language;

/// Why a text is not a rule file.
#[derive(Debug, thiserror::Error)]
pub enum RuleFileError {
    #[error("it is not a rule: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{field} {value:?} is not allowed: use up to 128 of a-z, 0-9, `_` and `-`")]
    UnsafeName { field: &'static str, value: String },
    #[error("there are no rules for the language {0:?}")]
    UnknownLanguage(String),
    #[error("{0:?} is not a kind of node that rules can name")]
    UnknownKind(String),
    #[error("confidence {0} is not a number from 0 to 1")]
    Confidence(f64),
    #[error("created {0:?} is not a time in UTC such as 2026-01-31T12:00:00Z")]
    Created(String),
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// The short form. Everything else is filled in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShortForm {
    language: String,
    pattern: String,
    template: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    pinned: bool,
    #[serde(default)]
    priority: i32,
    #[serde(default)]
    constraints: Vec<Constraint>,
    #[serde(default)]
    imports: Imports,
    #[serde(default)]
    examples: Vec<Example>,
    #[serde(default)]
    counter_examples: Vec<String>,
}

impl Rule {
    /// Reads a rule file. A rule in the short form has a `language` instead of an id; it was created at `now`, a time in
    /// RFC 3339 in UTC. Unknown fields are errors, because one of a later version may be a guard.
    pub fn from_json(text: &str, now: &str) -> Result<Self, RuleFileError> {
        let value: Value = serde_json::from_str(text)?;
        let is_short = id::object(&value).is_some_and(|object| object.contains_key("language"));
        let rule = if is_short {
            Self::of_short(serde_json::from_value(value)?, now)?
        } else {
            serde_json::from_value(value)?
        };
        rule.check()?;
        Ok(rule)
    }

    /// The file of the rule: JSON with one field per line, and a line break at its end.
    pub fn to_json(&self) -> Result<String, RuleFileError> {
        self.check()?;
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    fn of_short(short: ShortForm, now: &str) -> Result<Self, RuleFileError> {
        let Some(language) = Language::with_name(&short.language) else {
            return Err(RuleFileError::UnknownLanguage(short.language));
        };
        let pattern = Pattern::parse(language, &short.pattern)?;
        Ok(Self {
            id: String::new(),
            target_id: language.name().to_owned(),
            node_kind: pattern.node_kind_name().to_owned(),
            pattern: short.pattern,
            template: short.template,
            provenance: Provenance::Manual,
            pinned: short.pinned,
            confidence: 1.0,
            priority: short.priority,
            created: now.to_owned(),
            matching: Matching::Structure,
            constraints: short.constraints,
            imports: short.imports,
            message: short.message,
            examples: short.examples,
            counter_examples: short.counter_examples,
            outcomes: Outcomes::default(),
        }
        .with_computed_id())
    }

    /// Checks the fields that have a form.
    pub fn check(&self) -> Result<(), RuleFileError> {
        for (field, value) in [("id", &self.id), ("target_id", &self.target_id)] {
            if !id::is_safe_name(value) {
                return Err(RuleFileError::UnsafeName {
                    field,
                    value: value.clone(),
                });
            }
        }
        // A rule that matches by structure may be for a node that no kind names.
        let is_named = NodeKind::with_name(&self.node_kind).is_some();
        if !is_named && (self.matching == Matching::Kind || self.node_kind != "Other") {
            return Err(RuleFileError::UnknownKind(self.node_kind.clone()));
        }
        if !(0.0..=1.0).contains(&self.confidence) {
            return Err(RuleFileError::Confidence(self.confidence));
        }
        if !is_utc(&self.created) {
            return Err(RuleFileError::Created(self.created.clone()));
        }
        Ok(())
    }
}

/// Whether a text is a time such as `2026-01-31T12:00:00Z`, with or without a fraction of a second.
fn is_utc(text: &str) -> bool {
    const FORM: &[u8] = b"0000-00-00T00:00:00";
    let bytes = text.as_bytes();
    let Some((time, rest)) = bytes.split_at_checked(FORM.len()) else {
        return false;
    };
    let fits = time.iter().zip(FORM).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte == form,
    });
    let fraction = rest.strip_suffix(b"Z").map(|rest| rest.strip_prefix(b"."));
    let ends = match fraction {
        Some(Some(digits)) => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        Some(None) => rest == b"Z",
        None => false,
    };
    fits && ends
}
