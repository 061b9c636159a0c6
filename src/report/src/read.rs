//! Reads and writes the two serialized forms of a report. Protobuf is the primary form, and JSON
//! has exactly the same content. In both, unknown fields are ignored and incomplete reports are
//! rejected.

use fixpoint_text::escape_json;
use prost::Message as _;
use serde::Deserialize;
use thiserror::Error;

use crate::SCHEMA_VERSION;
use crate::defaults::fill_defaults;
use crate::validate::validate;
use crate::wire::FixReport;

/// The reason why bytes are not a valid report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    #[error("not a fix report in protobuf form: {0}")]
    Protobuf(#[from] prost::DecodeError),
    #[error("not a fix report in JSON form: {0}; `fixpoint check --report-dir DIR` writes reports")]
    Json(#[from] serde_json::Error),
    #[error(
        "the report has schema version {found}, this fixpoint reads version {SCHEMA_VERSION}; \
         write it again with this version of fixpoint"
    )]
    SchemaVersion { found: u32 },
    #[error(
        "the report lacks required fields: {}; `fixpoint check --report-dir DIR` writes reports",
        fields.join(", ")
    )]
    Missing { fields: Vec<String> },
    #[error("the report's field `{field}` {problem}")]
    Invalid { field: String, problem: String },
}

/// Reads a report in either form. JSON is recognized by its first characters, with which no
/// protobuf report starts.
pub fn read(bytes: &[u8]) -> Result<FixReport, ReportError> {
    let start = bytes.trim_ascii_start();
    if start.starts_with(b"{") || start.starts_with(b"[") || start.starts_with(b"null") {
        from_json(bytes)
    } else {
        from_protobuf(bytes)
    }
}

pub fn from_protobuf(bytes: &[u8]) -> Result<FixReport, ReportError> {
    complete(FixReport::decode(bytes)?)
}

pub fn from_json(bytes: &[u8]) -> Result<FixReport, ReportError> {
    /// Parsed separately, so that the error for another version names the version instead of a field
    /// whose type has changed.
    #[derive(Deserialize)]
    struct Version {
        #[serde(default)]
        schema_version: u32,
    }
    let Version { schema_version } = serde_json::from_slice(bytes)?;
    check_version(schema_version)?;
    complete(serde_json::from_slice(bytes)?)
}

/// Fills in defaults and checks the result.
fn complete(mut report: FixReport) -> Result<FixReport, ReportError> {
    check_version(report.schema_version)?;
    fill_defaults(&mut report);
    validate(&report)?;
    Ok(report)
}

pub fn to_protobuf(report: &FixReport) -> Vec<u8> {
    report.encode_to_vec()
}

/// Indented JSON with one final newline, with all characters escaped that a terminal would
/// interpret. Never fails for a report that [`from_protobuf`] accepts.
pub fn to_json(report: &FixReport) -> Result<String, ReportError> {
    let json = serde_json::to_string_pretty(report)?;
    Ok(escape_json(&json).into_owned() + "\n")
}

/// Checks the version. A missing one is reported together with other missing fields.
fn check_version(found: u32) -> Result<(), ReportError> {
    match found {
        0 | SCHEMA_VERSION => Ok(()),
        _ => Err(ReportError::SchemaVersion { found }),
    }
}
