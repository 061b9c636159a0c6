//! The files that an analysis needs in addition to the analyzed one.

use std::collections::BTreeMap;

use fixpoint_validate::{Schema, SchemaError, SchemaTexts};
use serde::{Deserialize, Serialize};

/// Files by workspace path. A path that is missing here is not visible: the file may exist, and
/// checks that need it are left out.
pub type Files = BTreeMap<String, FileText>;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileText {
    Text(String),
    Absent,
    /// The file exists, but cannot be read. The message says why.
    Unreadable(String),
}

impl FileText {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Unreadable(_) => None,
        }
    }
}

/// The schema at `path` and all files that it refers to, directly or not. `read` returns `None` for a
/// file that is not visible.
pub fn schema_files(path: &str, mut read: impl FnMut(&str) -> Option<FileText>) -> Files {
    let mut files = Files::new();
    let mut texts = SchemaTexts::default();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let Some(file) = read(&path) else {
            break;
        };
        // An invalid schema is reported when it is compiled.
        let added = texts.add(&path, file.text());
        files.insert(path, file);
        if added.is_err() {
            break;
        }
        next = texts.wanted();
    }
    files
}

/// Compiles the schema at `path`; `None` if it, or a file that it refers to, is not visible.
pub(crate) fn compile_schema(path: &str, files: &Files) -> Result<Option<Schema>, SchemaError> {
    let mut texts = SchemaTexts::default();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let Some(file) = files.get(&path) else {
            return Ok(None);
        };
        if let FileText::Unreadable(message) = file {
            let message = message.clone();
            return Err(SchemaError::Unreadable { message });
        }
        texts.add(&path, file.text())?;
        next = texts.wanted();
    }
    Schema::compile(path, &texts).map(Some)
}
