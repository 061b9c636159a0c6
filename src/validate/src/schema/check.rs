//! Converts the errors of a schema to findings.

use std::borrow::Cow;

use fixpoint_document::Pointer;
use fixpoint_report::Severity;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use super::compile::Schema;
use super::message::ValueFormat;
use super::rules::{UNKNOWN_KEY, WORK};
use super::work::{MAX_LISTED, MAX_STEPS};
use super::{message, repair};
use crate::finding::{Marks, Repair, Tier, ValidationFinding, brief, shown, shown_exactly};
use crate::nearest::nearest;
use crate::subject::Subject;

/// The maximum number of findings of one document.
const MAX_FINDINGS: usize = 1000;

/// The key with which a document names its schema. It is allowed even if the schema does not list
/// it.
const NAMES_SCHEMA: &str = "$schema";

/// Adds the errors of a document to `found`. Returns whether there are more than the limit.
pub(crate) fn check(
    schema: &Schema,
    subject: &Subject<'_>,
    found: &mut Vec<ValidationFinding>,
) -> bool {
    let Ok(steps) = schema.steps(&subject.value) else {
        found.push(too_much_work(
            "the document is not checked against its schema",
        ));
        return false;
    };
    if schema.validator().is_valid(&subject.value) {
        return false;
    }
    if steps > MAX_LISTED {
        let message = format!(
            "the document does not match its schema; positions are not listed, because the check \
             takes more than {MAX_LISTED} steps"
        );
        found.push(at_root(message));
        return false;
    }
    let mut errors = schema.validator().iter_errors(&subject.value);
    for error in errors.by_ref().take(MAX_FINDINGS) {
        add_findings(schema, subject, &error, found);
    }
    errors.next().is_some()
}

/// The finding for a check that takes too many steps.
pub(crate) fn too_much_work(what: &str) -> ValidationFinding {
    at_root(format!(
        "{what}: the check takes more than {MAX_STEPS} steps"
    ))
}

fn at_root(message: String) -> ValidationFinding {
    ValidationFinding {
        rule: Cow::Borrowed(WORK),
        tier: Tier::Schema,
        severity: Severity::Error,
        message,
        pointer: Pointer::root(),
        marks: Marks::Value,
        hint: None,
        repair: None,
    }
}

fn add_findings(
    schema: &Schema,
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
    found: &mut Vec<ValidationFinding>,
) {
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            if let Some(meant) = meant_form(error, context) {
                for error in meant {
                    add_findings(schema, subject, error, found);
                }
                return;
            }
            push(schema, subject, error, None, found);
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            add_unknown_keys(schema, subject, error, unexpected, found);
        }
        // A schema that lists no keys at all reports its errors in this way.
        Kind::FalseSchema if is_about_keys(error) => {
            let keys = object_of(subject, error).map(|it| it.keys().cloned());
            let keys: Vec<String> = keys.into_iter().flatten().collect();
            add_unknown_keys(schema, subject, error, &keys, found);
        }
        _ => {
            let repair = repair::of(schema, subject, error);
            push(schema, subject, error, repair, found);
        }
    }
}

fn is_about_keys(error: &ValidationError<'_>) -> bool {
    let keyword = error.absolute_keyword_location();
    keyword.is_some_and(|it| it.as_str().ends_with("/additionalProperties"))
}

/// The object at the position of an error. The error's own instance may be a value inside it.
pub(super) fn object_of<'s>(
    subject: &'s Subject<'_>,
    error: &ValidationError<'_>,
) -> Option<&'s Map<String, Value>> {
    let value = subject.value.pointer(error.instance_path().as_str());
    value?.as_object()
}

fn add_unknown_keys(
    schema: &Schema,
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
    keys: &[String],
    found: &mut Vec<ValidationFinding>,
) {
    let object = subject.node_at(&pointer(error));
    let is_merged = object.is_some_and(|it| subject.is_merged(it));
    let is_root = pointer(error).tokens().is_empty();
    let is_ours = |key: &str| is_merged && key == "<<" || is_root && key == NAMES_SCHEMA;
    for key in keys.iter().filter(|it| !is_ours(it)) {
        found.push(unknown_key(schema, subject, error, key));
    }
}

fn push(
    schema: &Schema,
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
    repair: Option<Repair>,
    found: &mut Vec<ValidationFinding>,
) {
    let node = subject.node_at(&pointer(error));
    let words = ValueFormat {
        found: node.map_or_else(|| brief(error.instance()), shown),
        wanted: &|value| match schema.exact(value) {
            Some(exact) => shown_exactly(&exact, value),
            None => brief(value),
        },
    };
    found.push(ValidationFinding {
        rule: Cow::Borrowed(message::rule(error.kind())),
        tier: Tier::Schema,
        severity: Severity::Error,
        message: message::of(error, &words),
        pointer: pointer(error),
        marks: Marks::Value,
        hint: None,
        repair,
    });
}

/// The one form of several that the author must have meant, because every other one has another
/// type or another constant. Then the errors of this form are reported.
fn meant_form<'e>(
    error: &ValidationError<'_>,
    forms: &'e [Vec<ValidationError<'static>>],
) -> Option<&'e [ValidationError<'static>]> {
    let own = error.instance_path().as_str();
    let is_another = |form: &[ValidationError<'static>]| {
        form.iter().any(|it| match it.kind() {
            Kind::Type { .. } => it.instance_path().as_str() == own,
            Kind::Constant { .. } | Kind::Enum { .. } => true,
            _ => false,
        })
    };
    let mut meant = forms.iter().filter(|form| !is_another(form));
    match (meant.next(), meant.next()) {
        (Some(form), None) if !form.is_empty() => Some(form),
        _ => None,
    }
}

fn unknown_key(
    schema: &Schema,
    subject: &Subject<'_>,
    error: &ValidationError<'_>,
    key: &str,
) -> ValidationFinding {
    let at = pointer(error);
    let repair = repair::unknown_key(schema, subject, error, key);
    let known = repair::known_keys(schema, error);
    let hint = match (&repair, nearest(key, known.iter().map(String::as_str))) {
        (None, Some(near)) => Some(format!("`{near}` is the nearest key the schema knows")),
        _ => None,
    };
    ValidationFinding {
        rule: Cow::Borrowed(UNKNOWN_KEY),
        tier: Tier::Schema,
        severity: Severity::Error,
        message: format!("the schema knows no key `{key}` here"),
        pointer: at.join(key),
        marks: Marks::Key,
        hint,
        repair,
    }
}

/// The position of an error within its document.
pub(super) fn pointer(error: &ValidationError<'_>) -> Pointer {
    Pointer::parse(error.instance_path().as_str()).unwrap_or_default()
}
