//! Errors of documents that are not a program, and their result.

use fixpoint_report::Severity;
use serde::Serialize;

use super::document;
use crate::diagnostic::{Code, Payload};
use crate::result::{COMPILER_VERSION, Stats};
use crate::source::{Location, Position};

/// The status for a document that is not a program.
pub const INPUT_ERROR: &str = "input_error";

/// The path of the whole document.
pub(super) const ROOT: &str = "$";

/// An error in a document, with its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// A path such as `$.declarations[0].body`.
    pub path: String,
    pub message: String,
    /// The position of a JSON syntax error.
    position: Option<Position>,
}

impl InputError {
    pub(super) fn new(path: &str, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            message: message.into(),
            position: None,
        }
    }

    /// The error for a document that is not even text.
    pub fn of_bytes(message: impl Into<String>) -> Self {
        Self::new(ROOT, message)
    }

    pub(super) fn of_json(text: &str, error: &serde_json::Error) -> Self {
        Self {
            position: Some(position(text, error.line(), error.column())),
            ..Self::new(ROOT, format!("this is not JSON: {error}"))
        }
    }

    /// The path as a JSON pointer, such as `/declarations/0/body`. None of the members that are
    /// read needs escaping.
    pub fn pointer(&self) -> String {
        let steps = self.path.strip_prefix(ROOT).unwrap_or(&self.path);
        steps.replace(['.', '['], "/").replace(']', "")
    }

    fn location(&self) -> Location {
        let nowhere = Location::unknown();
        match self.position {
            Some(position) => Location {
                start: position,
                end: position,
                ..nowhere
            },
            None => nowhere,
        }
    }
}

/// The position of a line and a byte in it, both from 1.
fn position(text: &str, line: usize, column: usize) -> Position {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let at = text.floor_char_boundary(start + column.saturating_sub(1));
    let units = |range| {
        text.get(range)
            .map_or(0, |it: &str| it.encode_utf16().count())
    };
    Position {
        line,
        column: units(start..at) + 1,
        offset: units(0..at),
    }
}

/// A result with the members that all results have.
#[derive(Serialize)]
struct InputErrorResult<'a> {
    status: &'static str,
    #[serde(rename = "compilerVersion")]
    compiler_version: &'static str,
    canonical_ast: Nothing,
    diagnostics: Vec<InputDiagnostic<'a>>,
    obligations: [Nothing; 0],
    holes: [Nothing; 0],
    repairs: [Nothing; 0],
    stats: Stats,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_sha256: Option<&'a str>,
}

type Nothing = Option<()>;

#[derive(Serialize)]
struct InputDiagnostic<'a> {
    id: String,
    #[serde(serialize_with = "document::severity")]
    severity: Severity,
    code: Code,
    message: &'a str,
    location: Location,
    structured: Payload,
    hints: [Nothing; 0],
    related: [Nothing; 0],
    repair_refs: [Nothing; 0],
}

/// The result for a document that is not a program, with one diagnostic for each error.
pub fn input_error_json<'a>(
    errors: &'a [InputError],
    base_sha256: Option<&'a str>,
) -> impl Serialize + 'a {
    let diagnostic = |(at, error): (usize, &'a InputError)| InputDiagnostic {
        id: super::diagnostic_id(at),
        severity: Code::E0001.severity(),
        code: Code::E0001,
        message: &error.message,
        location: error.location(),
        structured: Payload::InputError {
            pointer: error.pointer(),
        },
        hints: [],
        related: [],
        repair_refs: [],
    };
    InputErrorResult {
        status: INPUT_ERROR,
        compiler_version: COMPILER_VERSION,
        canonical_ast: None,
        diagnostics: errors.iter().enumerate().map(diagnostic).collect(),
        obligations: [],
        holes: [],
        repairs: [],
        stats: Stats {
            source_files: 1,
            ..Stats::default()
        },
        base_sha256,
    }
}
