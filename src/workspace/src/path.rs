//! Paths as the rest of Fixpoint writes them: relative to the workspace, UTF-8, `/` between parts.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// The directory at the workspace's root that holds the lock and the journal of a running write.
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
        "{} is outside the workspace {}; name a path inside it, or choose another root",
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

/// Accepts exactly the spelling that reports use: at least one part, each a plain name.
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

/// Names that are never sources. Compared without case, because some file systems do so.
pub(crate) fn is_reserved_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(".git")
        || name.eq_ignore_ascii_case(STATE_DIR)
        || is_temporary_name(name)
}

/// The name of the temporary neighbour that holds content `digest` for the file at `path`.
///
/// It follows from both, so that a journal need not store it, and the old and the new copy of one
/// file have different names. Its length does not grow with the file's own name.
pub(crate) fn temporary_name(path: &str, digest: fixpoint_text::Digest) -> String {
    let digest = digest.to_string();
    let id = fixpoint_text::Digest::of_parts([path.as_bytes(), digest.as_bytes()]);
    format!("{TEMPORARY_PREFIX}{}{TEMPORARY_SUFFIX}", id.short())
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

/// A path below the root as text; `.` for the root itself. `below` has plain parts only.
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
    use fixpoint_text::Digest;

    use super::*;

    #[test]
    fn only_plain_relative_paths_pass() {
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
        let temporary = temporary_name("a/b", Digest::of(b""));
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

    #[test]
    fn temporaries_of_one_file_do_not_collide() {
        let old = temporary_name("a", Digest::of(b"old"));
        assert_ne!(old, temporary_name("a", Digest::of(b"new")));
        assert_ne!(old, temporary_name("b", Digest::of(b"old")));
    }
}
