//! The outcome of a write, by file.

use thiserror::Error;

/// The outcome of a write. Paths are sorted.
#[must_use]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub(crate) files: Vec<String>,
    pub(crate) unchanged: Vec<String>,
    pub(crate) refused: Vec<Refusal>,
    pub(crate) saved: Vec<String>,
}

impl Written {
    /// The files that were replaced.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The files that already had their new text.
    pub fn unchanged(&self) -> &[String] {
        &self.unchanged
    }

    /// The changes that were not written.
    pub fn refused(&self) -> &[Refusal] {
        &self.refused
    }

    /// Files that contain a save made during the write, because the file itself was saved again
    /// later.
    pub fn saved(&self) -> &[String] {
        &self.saved
    }
}

/// A change that was not written. The file was not touched.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{path} was not written: {reason}")]
pub struct Refusal {
    path: String,
    reason: RefusalReason,
}

impl Refusal {
    pub(crate) fn new(path: impl Into<String>, reason: RefusalReason) -> Self {
        Self {
            path: path.into(),
            reason,
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn reason(&self) -> &RefusalReason {
        &self.reason
    }
}

/// Why a change was not written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    #[error("it has changed since its fixes were computed; run the command again")]
    Stale,
    #[error("it is read-only; make it writable, or exclude it")]
    ReadOnly,
    #[error(
        "it is a link or in a linked folder, and links are not replaced; fix the target of the link"
    )]
    Linked,
    #[error("it was changed just before it was to be replaced; run the command again")]
    Changed,
    #[error(
        "its fixed text has {size} bytes, more than the limit of {limit}; exclude the file, or fix \
         it by hand"
    )]
    TooLarge { size: u64, limit: u64 },
    #[error("{0}")]
    Failed(String),
    #[error("it is part of a fix that also changes {other}, which was not written")]
    Together { other: String },
}
