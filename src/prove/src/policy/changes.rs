//! The files that a patch changes, as git reports them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Git's mode of a regular file.
pub const MODE_FILE: u32 = 0o100_644;
pub const MODE_EXECUTABLE: u32 = 0o100_755;
pub const MODE_SYMLINK: u32 = 0o120_000;
pub const MODE_SUBMODULE: u32 = 0o160_000;

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Added,
    Modified,
    Deleted,
    Renamed,
    Copied,
    /// The file becomes another kind of file, for example a link.
    TypeChanged,
}

/// A file that a patch changes. Paths are relative to the repository, with `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    pub path: String,
    /// The path before a rename or a copy.
    pub old_path: Option<String>,
    pub kind: ChangeKind,
    /// Git's file modes; None where the file does not exist, or the patch does not name the mode.
    pub old_mode: Option<u32>,
    pub new_mode: Option<u32>,
}

impl ChangedFile {
    /// A change of a regular file's content.
    pub fn modified(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            old_path: None,
            kind: ChangeKind::Modified,
            old_mode: Some(MODE_FILE),
            new_mode: Some(MODE_FILE),
        }
    }

    /// A new regular file.
    pub fn added(path: impl Into<String>) -> Self {
        Self {
            kind: ChangeKind::Added,
            old_mode: None,
            ..Self::modified(path)
        }
    }

    /// A regular file that is removed.
    pub fn deleted(path: impl Into<String>) -> Self {
        Self {
            kind: ChangeKind::Deleted,
            new_mode: None,
            ..Self::modified(path)
        }
    }
}

/// The output of git has an unexpected form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the output of `git diff {option} -z` cannot be read: {reason}")]
pub struct MalformedGitOutput {
    pub option: &'static str,
    pub reason: String,
}

/// Splits the output of git with `-z` into its fields.
pub(super) fn fields<'a>(
    option: &'static str,
    output: &'a [u8],
) -> Result<impl Iterator<Item = &'a str>, MalformedGitOutput> {
    let text = std::str::from_utf8(output).map_err(|_| MalformedGitOutput {
        option,
        reason: "a path is not UTF-8".to_owned(),
    })?;
    let text = text.strip_suffix('\0').unwrap_or(text);
    Ok(text.split('\0').filter(move |_| !text.is_empty()))
}

/// Reads the output of `git diff --raw -z`.
pub fn parse_raw(output: &[u8]) -> Result<Vec<ChangedFile>, MalformedGitOutput> {
    let malformed = |reason: &str| MalformedGitOutput {
        option: "--raw",
        reason: reason.to_owned(),
    };
    let mut fields = fields("--raw", output)?;
    let mut files = Vec::new();
    while let Some(header) = fields.next() {
        let header = header
            .strip_prefix(':')
            .ok_or_else(|| malformed("a record does not start with `:`"))?;
        let words: Vec<&str> = header.split(' ').collect();
        let [old_mode, new_mode, _, _, status] = words[..] else {
            return Err(malformed("a record does not have five fields"));
        };
        let mode = |text: &str| match u32::from_str_radix(text, 8) {
            Ok(0) => Ok(None),
            Ok(mode) => Ok(Some(mode)),
            Err(_) => Err(malformed("a mode is not a number")),
        };
        let kind = match status.chars().next() {
            Some('A') => ChangeKind::Added,
            Some('M') => ChangeKind::Modified,
            Some('D') => ChangeKind::Deleted,
            Some('R') => ChangeKind::Renamed,
            Some('C') => ChangeKind::Copied,
            Some('T') => ChangeKind::TypeChanged,
            _ => return Err(malformed("a status is unknown, or a file is unmerged")),
        };
        let mut path = || fields.next().ok_or_else(|| malformed("a path is missing"));
        let first = path()?.to_owned();
        let (path, old_path) = match kind {
            ChangeKind::Renamed | ChangeKind::Copied => (path()?.to_owned(), Some(first)),
            _ => (first, None),
        };
        files.push(ChangedFile {
            path,
            old_path,
            kind,
            old_mode: mode(old_mode)?,
            new_mode: mode(new_mode)?,
        });
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    // E-48
    #[test]
    fn raw_records_are_read() {
        let output = b":100644 100755 aa bb M\0a b.py\0:000000 120000 00 bb A\0link\0\
            :100644 100644 aa bb R090\0old\0new\0:100644 000000 aa 00 D\0gone\0";
        let files = parse_raw(output).unwrap();
        assert_eq!(files.len(), 4);
        assert_eq!(files[0].path, "a b.py");
        assert_eq!(files[0].new_mode, Some(MODE_EXECUTABLE));
        assert_eq!(files[1].new_mode, Some(MODE_SYMLINK));
        assert_eq!(files[1].old_mode, None);
        assert_eq!(files[2].old_path.as_deref(), Some("old"));
        assert_eq!(files[3], ChangedFile::deleted("gone"));
        assert_eq!(parse_raw(b"").unwrap(), []);
    }

    #[test]
    fn malformed_records_are_errors() {
        for output in [
            &b"x"[..],
            b":100644",
            b":1 1 a b M",
            b":1 1 a b U\0p\0",
            b":1 1 a b R\0p\0",
            b":9 1 a b M\0p\0",
            b":1 1 a b M\0\xff\0",
        ] {
            assert!(parse_raw(output).is_err(), "{output:?}");
        }
    }
}
