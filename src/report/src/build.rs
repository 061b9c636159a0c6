//! Constructors for report values.

use fixpoint_text::{Digest, Snapshot, Span as TextSpan};

use crate::SCHEMA_VERSION;
use crate::wire::{Base, Edit, FixReport, Span, Tool};

impl FixReport {
    /// A report on `snapshot` without diagnostics, fixes or a result.
    pub fn new(snapshot: &Snapshot, language: &str) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            tool: Some(Tool {
                name: "fixpoint".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            }),
            base: Some(Base {
                path: snapshot.path().to_owned(),
                sha256: snapshot.digest().to_string(),
                length: snapshot.text().len() as u64,
            }),
            language: language.to_owned(),
            ..Self::default()
        }
    }

    /// The path of the reported file.
    pub fn path(&self) -> &str {
        self.base.as_ref().map_or("", |base| &base.path)
    }
}

impl From<TextSpan> for Span {
    fn from(span: TextSpan) -> Self {
        Self {
            start: span.start() as u64,
            end: span.end() as u64,
        }
    }
}

impl Edit {
    /// Replaces the bytes of `span` with `replacement`. If the span does not fit the snapshot, the
    /// edit is invalid and cannot be applied.
    pub fn replace(snapshot: &Snapshot, span: TextSpan, replacement: impl Into<String>) -> Self {
        let replaced = snapshot
            .text()
            .as_bytes()
            .get(span.range())
            .unwrap_or_default();
        Self {
            path: snapshot.path().to_owned(),
            start: span.start() as u64,
            end: span.end() as u64,
            replacement: replacement.into(),
            expected_sha256: Digest::of(replaced).to_string(),
        }
    }

    /// Inserts `text` at `offset`.
    pub fn insert(snapshot: &Snapshot, offset: usize, text: impl Into<String>) -> Self {
        Self::replace(snapshot, TextSpan::at(offset), text)
    }

    /// Deletes the bytes of `span`.
    pub fn delete(snapshot: &Snapshot, span: TextSpan) -> Self {
        Self::replace(snapshot, span, "")
    }
}
