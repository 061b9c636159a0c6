//! Which files there are: what git would not ignore below the named directories, and every file
//! named by itself.

use std::fmt;
use std::fs::FileType;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use thiserror::Error;

use crate::path::{self, PathError};
use crate::repository::is_in_git_directory;
use crate::root::Workspace;
use crate::walk::Walk;

/// The result of a search. Its order does not depend on the order of directories or arguments.
#[derive(Debug, Default)]
pub struct Found {
    files: Vec<String>,
    skipped: Vec<Skipped>,
}

impl Found {
    /// Sorted, each real file once, relative to the root.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    pub fn into_files(self) -> Vec<String> {
        self.files
    }

    /// What was seen and not taken, sorted. Ignored files are not listed.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Only those files that are among `others`, a sorted list.
    #[must_use]
    pub fn within(mut self, others: &[String]) -> Self {
        self.files.retain(|file| others.binary_search(file).is_ok());
        self
    }

    pub(crate) fn skip(&mut self, path: impl Into<String>, reason: SkipReason) {
        self.skipped.push(Skipped {
            path: path.into(),
            reason,
        });
    }

    fn settled(mut self) -> Self {
        self.files.sort_unstable();
        self.files.dedup();
        self.skipped.sort_unstable();
        self.skipped.dedup();
        self
    }
}

/// Something that was seen and not taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    path: String,
    reason: SkipReason,
}

impl Skipped {
    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn reason(&self) -> &SkipReason {
        &self.reason
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

/// Why something was not taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// An exclude glob matches it or a directory above it.
    Excluded,
    /// It belongs to git or to fixpoint itself.
    Reserved,
    /// A pipe, socket or device; opening one may never return.
    NotRegular,
    /// A link to something outside the workspace.
    LeadsOutside,
    /// An ignore file that is a link, which neither git nor Fixpoint follows.
    LinkedIgnoreFile,
    /// Its name cannot be written in a report.
    NotUtf8,
    /// The system's message.
    Unreadable(String),
}

impl SkipReason {
    /// Whether files that should have been looked at were not.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::NotUtf8 | Self::Unreadable(_))
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Excluded => f.write_str("excluded"),
            Self::Reserved => f.write_str("belongs to git or to fixpoint"),
            Self::NotRegular => f.write_str("not a regular file"),
            Self::LeadsOutside => f.write_str("a link that leads out of the workspace"),
            Self::LinkedIgnoreFile => {
                f.write_str("a link, so its patterns are not used; git does not follow it either")
            }
            Self::NotUtf8 => f.write_str("its name is not UTF-8"),
            Self::Unreadable(message) => f.write_str(message),
        }
    }
}

/// Why a search could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("the exclude {glob:?} is not a glob: {message}")]
    Exclude { glob: String, message: String },
}

impl Workspace {
    /// The files that `paths` name; no path means the whole workspace.
    ///
    /// A file named by itself is taken even if git ignores it. Below a named directory git's
    /// ignore files count and links are not followed, since what they lead to is found by
    /// itself. `excludes` are written as in a `.gitignore` at the root and count for both.
    pub fn find(&self, paths: &[PathBuf], excludes: &[String]) -> Result<Found, FindError> {
        let excludes = Excludes::new(excludes)?;
        let mut found = Found::default();
        let mut directories = Vec::new();
        for path in paths {
            let real = self.relative(path)?;
            let kind = self
                .root()
                .join(&real)
                .symlink_metadata()
                .map_err(|source| PathError::Io {
                    path: path.clone(),
                    source,
                })?
                .file_type();
            if let Some(reason) = excludes.reason(&real, kind.is_dir()) {
                found.skip(real, reason);
            } else if is_in_git_directory(self.root(), &real) {
                found.skip(real, SkipReason::Reserved);
            } else if kind.is_dir() {
                directories.push(real);
            } else {
                self.take(&mut found, real, kind);
            }
        }
        if paths.is_empty() {
            directories.push(".".to_owned());
        }
        if !directories.is_empty() {
            Walk::new(self, directories, excludes, &mut found).run();
        }
        Ok(found.settled())
    }

    /// Adds the regular files among `paths`, relative to the root, that are not excluded.
    pub(crate) fn add_files(
        &self,
        mut found: Found,
        paths: impl Iterator<Item = String>,
        excludes: &[String],
    ) -> Result<Found, FindError> {
        let excludes = Excludes::new(excludes)?;
        for path in paths {
            let kind = self.root().join(&path).symlink_metadata();
            // Links, directories (submodules) and deleted files have no text.
            if kind.is_ok_and(|kind| kind.is_file())
                && excludes.reason(&path, false).is_none()
                && !is_in_git_directory(self.root(), &path)
            {
                found.files.push(path);
            }
        }
        Ok(found.settled())
    }

    pub(crate) fn take(&self, found: &mut Found, path: String, kind: FileType) {
        if kind.is_file() {
            found.files.push(path);
        } else if kind.is_symlink() {
            let leads_outside = matches!(
                self.relative(&self.root().join(&path)),
                Err(PathError::Outside { .. })
            );
            if leads_outside && !is_convenience_link(&path) {
                found.skip(path, SkipReason::LeadsOutside);
            }
        } else {
            found.skip(path, SkipReason::NotRegular);
        }
    }
}

/// Bazel leaves links such as `bazel-out` at the root; naming them each time would be noise.
fn is_convenience_link(path: &str) -> bool {
    path.starts_with("bazel-") && !path.contains('/')
}

/// The paths that a workspace leaves out, written as in a `.gitignore` at its root.
#[derive(Debug)]
pub struct Excludes(Gitignore);

impl Excludes {
    pub fn new(globs: &[String]) -> Result<Self, FindError> {
        let mut builder = GitignoreBuilder::new("");
        for glob in globs {
            builder
                .add_line(None, glob)
                .map_err(|error| FindError::Exclude {
                    glob: glob.clone(),
                    message: error.to_string(),
                })?;
        }
        let built = builder.build().map_err(|error| FindError::Exclude {
            glob: globs.join(" "),
            message: error.to_string(),
        })?;
        Ok(Self(built))
    }

    /// Whether the file at a workspace path is excluded, or of a name that is nobody's source.
    pub fn cover(&self, path: &str) -> bool {
        self.reason(path, false).is_some()
    }

    /// For a walk, which has already asked about the directories above.
    pub(crate) fn matches(&self, below: &Path, is_dir: bool) -> bool {
        self.0.matched(below, is_dir).is_ignore()
    }

    /// Why a path that was named is not taken, if so.
    fn reason(&self, path: &str, is_dir: bool) -> Option<SkipReason> {
        if path.split('/').any(path::is_reserved_name) {
            return Some(SkipReason::Reserved);
        }
        let excluded = path != "." && self.0.matched_path_or_any_parents(path, is_dir).is_ignore();
        excluded.then_some(SkipReason::Excluded)
    }
}
