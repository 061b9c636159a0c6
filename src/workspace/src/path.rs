//! Workspace paths: relative to the root, UTF-8, with `/` between the parts.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// The directory at the workspace's root that contains the lock and the journal of a running write.
pub(crate) const STATE_DIR: &str = ".fixpoint";

const TEMPORARY_PREFIX: &str = ".fixpoint-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Why a path does not name a file of the workspace.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PathError {
    #[error("{}: no such file or directory", .path.display())]
    Missing { path: PathBuf },
    #[error(
        "{} is outside the workspace {}; name a path inside it, or choose another root with --root",
        .path.display(), .root.display()
    )]
    Outside { path: PathBuf, root: PathBuf },
    #[error("{} is not UTF-8; rename it so that reports can name it", .path.display())]
    NotUtf8 { path: PathBuf },
    #[error(
        "{path:?} is not a workspace path; write it relative to the root, with `/` and without `.` or `..`"
    )]
    NotRelative { path: String },
    #[error(
        "{path:?} belongs to git or to fixpoint itself and is never read or written as a source"
    )]
    Reserved { path: String },
    #[error("{}: {source}", .path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// Accepts only the form that reports use: one or more parts, each a plain name.
pub(crate) fn check_relative(path: &str) -> Result<(), PathError> {
    let plain = path
        .split('/')
        .all(|part| !matches!(part, "" | "." | "..") && !part.contains('\0'));
    if !plain {
        return Err(PathError::NotRelative { path: path.into() });
    }
    if path.split('/').any(is_reserved_name) {
        return Err(PathError::Reserved { path: path.into() });
    }
    Ok(())
}

/// Whether a file of this name is never a source. Case is ignored, because some file systems ignore
/// it.
pub(crate) fn is_reserved_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(".git")
        || name.eq_ignore_ascii_case(STATE_DIR)
        || is_temporary_name(name)
}

/// The name of the temporary file beside a file. It is derived from `parts`, so that a journal need
/// not store it. Its length does not depend on the file's name.
pub(crate) fn temporary_name(parts: [&[u8]; 4]) -> String {
    let id = fixpoint_text::Digest::of_parts(parts);
    format!("{TEMPORARY_PREFIX}{}{TEMPORARY_SUFFIX}", id.short())
}

/// The name for an earlier save of a file that was saved again later. Unlike a temporary, such a
/// file is never removed.
pub(crate) fn saved_name(id: fixpoint_text::Digest) -> String {
    format!("{TEMPORARY_PREFIX}{}.saved", id.short())
}

fn is_temporary_name(name: &str) -> bool {
    name.strip_prefix(TEMPORARY_PREFIX)
        .and_then(|rest| rest.strip_suffix(TEMPORARY_SUFFIX))
        .is_some_and(|id| id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The directory part (empty at the root) and the name of a checked path.
pub(crate) fn split_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// A path below the root as text. The root itself is `.`. `below` must consist of plain names.
pub(crate) fn to_text(below: &Path) -> Result<String, PathError> {
    let mut text = String::new();
    for part in below.components() {
        let Component::Normal(name) = part else {
            continue;
        };
        let name = name.to_str().ok_or_else(|| PathError::NotUtf8 {
            path: below.to_owned(),
        })?;
        if !text.is_empty() {
            text.push('/');
        }
        text.push_str(name);
    }
    if text.is_empty() {
        text.push('.');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_are_accepted() {
        for path in ["a", "a/b.json", ".github/x.yml", "a b/ü\n.txt", "..a/b.."] {
            assert!(check_relative(path).is_ok(), "{path:?}");
        }
        for path in [
            "", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a\0b",
        ] {
            let refused = matches!(check_relative(path), Err(PathError::NotRelative { .. }));
            assert!(refused, "{path:?}");
        }
    }

    #[test]
    fn git_and_our_own_files_are_reserved() {
        let temporary = temporary_name([b"tag", b"a/b", b"digest", b"new"]);
        for path in [
            ".git/hooks/post-commit",
            "sub/.GIT/config",
            ".fixpoint/lock",
            &temporary,
        ] {
            let refused = matches!(check_relative(path), Err(PathError::Reserved { .. }));
            assert!(refused, "{path:?}");
        }
        assert!(check_relative(".gitignore").is_ok());
        assert!(check_relative(".fixpoint-notes.tmp").is_ok());
    }
}
