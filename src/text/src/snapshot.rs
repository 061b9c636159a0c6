//! The immutable text that a set of edits refers to.

use std::sync::Arc;

use crate::Digest;

/// One file's text at one moment, with its workspace-relative path and its digest.
#[derive(Clone, Debug)]
pub struct Snapshot {
    path: Arc<str>,
    text: Arc<str>,
    digest: Digest,
}

impl Snapshot {
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        Self {
            path: path.into(),
            digest: Digest::of(text.as_bytes()),
            text,
        }
    }

    /// The same file with a different text.
    pub fn with_text(&self, text: impl Into<Arc<str>>) -> Self {
        Self::new(self.path.clone(), text)
    }

    /// The workspace-relative path, with `/` as the separator.
    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn digest(&self) -> Digest {
        self.digest
    }
}
