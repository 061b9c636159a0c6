//! The rules and messages of schema errors.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::rules;
use crate::finding::brief;

/// The rule of an error.
pub(super) fn rule(kind: &Kind) -> &'static str {
    match kind {
        Kind::Type { .. } => rules::TYPE,
        Kind::Required { .. } => rules::REQUIRED,
        Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } => {
            rules::UNKNOWN_KEY
        }
        Kind::Enum { .. } | Kind::Constant { .. } => rules::VALUE,
        Kind::UniqueItems => rules::DUPLICATE_ITEMS,
        Kind::Pattern { .. }
        | Kind::PropertyNames { .. }
        | Kind::MinLength { .. }
        | Kind::MaxLength { .. } => rules::TEXT,
        Kind::Format { .. } | Kind::ContentEncoding { .. } | Kind::ContentMediaType { .. } => {
            rules::FORMAT
        }
        Kind::Minimum { .. }
        | Kind::Maximum { .. }
        | Kind::ExclusiveMinimum { .. }
        | Kind::ExclusiveMaximum { .. }
        | Kind::MultipleOf { .. } => rules::RANGE,
        Kind::MinItems { .. }
        | Kind::MaxItems { .. }
        | Kind::MinProperties { .. }
        | Kind::MaxProperties { .. }
        | Kind::AdditionalItems { .. }
        | Kind::UnevaluatedItems { .. }
        | Kind::Contains => rules::SIZE,
        _ => rules::COMBINATION,
    }
}

/// How messages format values.
pub(crate) struct ValueFormat<'a> {
    /// The value that the error is about.
    pub found: String,
    /// Formats a value of the schema.
    pub wanted: &'a dyn Fn(&Value) -> String,
}

/// The message for an error in a schema itself.
pub(crate) fn schema_error_text(error: &ValidationError<'_>) -> String {
    let found = brief(error.instance());
    let wanted = &brief;
    of(error, &ValueFormat { found, wanted })
}

/// The message for an error. It does not contain the position, which is reported separately.
pub(crate) fn of(error: &ValidationError<'_>, words: &ValueFormat<'_>) -> String {
    let value = || words.found.as_str();
    let wanted = words.wanted;
    match error.kind() {
        Kind::Type { kind } => {
            let found = match error.instance().as_ref() {
                Value::Array(_) | Value::Object(_) | Value::Null => words.found.clone(),
                other => format!("the {} {}", JsonType::from(other), words.found),
            };
            format!("expected {}, found {found}", listed(&types(kind), "or"))
        }
        Kind::Required { property } => format!("the key {} is missing", quoted(property)),
        Kind::Enum { options } => {
            let options: Vec<String> = options
                .as_array()
                .into_iter()
                .flatten()
                .map(wanted)
                .collect();
            format!("{} is none of {}", value(), listed(&options, "and"))
        }
        Kind::Constant { expected_value } => {
            format!("expected {}, found {}", wanted(expected_value), value())
        }
        Kind::UniqueItems => "the array holds an item twice".to_owned(),
        Kind::Pattern { pattern } => format!("{} does not match the pattern `{pattern}`", value()),
        Kind::PropertyNames { error } => {
            format!("a key is not allowed: {}", schema_error_text(error))
        }
        Kind::Format { format } => format!("{} is not of the format `{format}`", value()),
        Kind::MinLength { limit } => format!("{} has fewer than {limit} characters", value()),
        Kind::MaxLength { limit } => format!("{} has more than {limit} characters", value()),
        Kind::Minimum { limit } => format!("{} is less than {}", value(), wanted(limit)),
        Kind::Maximum { limit } => format!("{} is more than {}", value(), wanted(limit)),
        Kind::ExclusiveMinimum { limit } => {
            format!("{} is not more than {}", value(), wanted(limit))
        }
        Kind::ExclusiveMaximum { limit } => {
            format!("{} is not less than {}", value(), wanted(limit))
        }
        Kind::MultipleOf { multiple_of } => {
            format!("{} is not a multiple of {multiple_of}", value())
        }
        Kind::MinItems { limit } => format!("the array has fewer than {limit} items"),
        Kind::MaxItems { limit } => format!("the array has more than {limit} items"),
        Kind::AdditionalItems { limit } => format!("the array has more than {limit} items"),
        Kind::UnevaluatedItems { .. } => "the array has items the schema does not know".to_owned(),
        Kind::Contains => "the array lacks an item the schema asks for".to_owned(),
        Kind::MinProperties { limit } => format!("the object has fewer than {limit} keys"),
        Kind::MaxProperties { limit } => format!("the object has more than {limit} keys"),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            format!("{} fits none of the forms the schema allows", value())
        }
        Kind::OneOfMultipleValid { .. } => {
            format!(
                "{} fits more than one of the forms the schema keeps apart",
                value()
            )
        }
        Kind::Not { .. } | Kind::FalseSchema => {
            format!("the schema does not allow {} here", value())
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "a pattern of the schema takes too long on it; make the pattern simpler".to_owned()
        }
        _ => {
            let mut message = error.to_string();
            message.truncate(
                message
                    .char_indices()
                    .nth(200)
                    .map_or(message.len(), |it| it.0),
            );
            message
        }
    }
}

/// The types that an error expects.
pub(super) fn types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(kind) => vec![kind.to_string()],
        TypeKind::Multiple(kinds) => kinds.into_iter().map(|it| it.to_string()).collect(),
    }
}

fn quoted(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| brief(value), |text| format!("`{text}`"))
}

/// Formats a list as `a, b or c`. A long list is shortened.
fn listed(list: &[String], last: &str) -> String {
    const MAX_LISTED: usize = 8;
    match list {
        [] => String::new(),
        [one] => one.clone(),
        many if many.len() > MAX_LISTED => {
            format!(
                "{} ... ({} in all)",
                many[..MAX_LISTED].join(", "),
                many.len()
            )
        }
        [most @ .., one] => format!("{} {last} {one}", most.join(", ")),
    }
}
