//! Reads and writes the two serialized forms of a report. Protobuf is the primary form, and JSON
//! has exactly the same content. Incomplete reports are rejected in both.

use fixpoint_text::escape_json;
use prost::Message as _;
use serde::Deserialize;
use thiserror::Error;

use crate::SCHEMA_VERSION;
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
        "the report holds {unknown} bytes of fields that schema version {SCHEMA_VERSION} does not \
         have; write it again with this version of fixpoint"
    )]
    UnknownFields { unknown: usize },
    #[error(
        "the report has schema version {found}, this fixpoint reads version {SCHEMA_VERSION}; \
         write it again with this version of fixpoint"
    )]
    SchemaVersion { found: u32 },
    #[error("the report lacks the required field `{field}`")]
    Missing { field: String },
    #[error("the report's field `{field}` {problem}")]
    Invalid { field: String, problem: String },
}

/// Reads a report in either form. JSON is recognised by its first characters, with which no
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
    let report = FixReport::decode(bytes)?;
    check_version(report.schema_version)?;
    // The decoder drops unknown fields, so a shorter encoding means that there were some.
    let unknown = bytes.len().saturating_sub(report.encoded_len());
    if unknown > 0 {
        return Err(ReportError::UnknownFields { unknown });
    }
    validate(&report)?;
    Ok(report)
}

pub fn from_json(bytes: &[u8]) -> Result<FixReport, ReportError> {
    /// Parsed separately, so that the error for a newer report names its version instead of its new
    /// fields.
    #[derive(Deserialize)]
    struct Version {
        schema_version: u32,
    }
    let Version { schema_version } = serde_json::from_slice(bytes)?;
    check_version(schema_version)?;
    let report = serde_json::from_slice(bytes)?;
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

fn check_version(found: u32) -> Result<(), ReportError> {
    match found {
        SCHEMA_VERSION => Ok(()),
        0 => Err(ReportError::Missing {
            field: "schema_version".to_owned(),
        }),
        _ => Err(ReportError::SchemaVersion { found }),
    }
}
