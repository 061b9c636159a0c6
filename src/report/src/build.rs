//! Constructors for what phases emit.

use fixpoint_text::{Digest, Snapshot, Span as TextSpan};

use crate::SCHEMA_VERSION;
use crate::wire::{Base, Edit, FixReport, Span, Tool};

impl FixReport {
    /// A report on `snapshot` that says nothing yet.
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

    /// The path of the file the report is on.
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
    /// The bytes of `span` become `replacement`. A span that does not fit the snapshot makes an
    /// edit that every applier refuses.
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
            additive: false,
        }
    }

    /// `text` goes in at `offset`.
    pub fn insert(snapshot: &Snapshot, offset: usize, text: impl Into<String>) -> Self {
        Self::replace(snapshot, TextSpan::at(offset), text)
    }

    /// The bytes of `span` go.
    pub fn delete(snapshot: &Snapshot, span: TextSpan) -> Self {
        Self::replace(snapshot, span, "")
    }

    /// The same edit, counted on its own: an identical one of another fix is a conflict.
    #[must_use]
    pub fn additive(self) -> Self {
        Self {
            additive: true,
            ..self
        }
    }
}
