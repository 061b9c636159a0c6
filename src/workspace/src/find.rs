//! Finds the files of a workspace: every file that is named, and every file below a named directory
//! that git does not ignore.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use cap_std::fs::FileType;
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
    /// The files, relative to the root. The list is sorted and has no duplicates.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    pub fn into_files(self) -> Vec<String> {
        self.files
    }

    /// Entries that the search skipped, sorted. Ignored files are not listed.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Replaces the files. `files` must be sorted.
    pub fn with_files(self, files: Vec<String>) -> Self {
        Self { files, ..self }
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

/// An entry that the search skipped.
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

/// Why the search skipped an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SkipReason {
    /// An exclude glob matches the entry or a directory above it.
    Excluded,
    /// The entry belongs to git or to Fixpoint itself.
    Reserved,
    /// A pipe, socket or device. Opening one may block forever.
    NotRegular,
    /// A link that was named. It is neither read nor changed, because its target was not named.
    Link,
    /// A link to something outside the workspace.
    LeadsOutside,
    /// An ignore file that is a link, which neither git nor Fixpoint follows.
    LinkedIgnoreFile,
    /// The entry's name cannot be written in a report.
    NotUtf8,
    /// The entry could not be read. Contains the system's message.
    Unreadable(String),
}

impl SkipReason {
    /// Whether this reason means that files were not examined although they should have been.
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
            Self::Link => f.write_str("a link; name the file that it leads to"),
            Self::LeadsOutside => f.write_str("a link that leads out of the workspace"),
            Self::LinkedIgnoreFile => {
                f.write_str("a link, so its patterns are not used; git does not follow it either")
            }
            Self::NotUtf8 => f.write_str("its name is not UTF-8"),
            Self::Unreadable(message) => f.write_str(message),
        }
    }
}

/// Why a search failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("the pattern {glob:?} in `exclude` is not a valid glob: {message}")]
    Exclude { glob: String, message: String },
}

impl Workspace {
    /// The files that `paths` name. Without paths, the whole workspace is searched.
    ///
    /// A file that is named is included even if git ignores it. Below a named directory, git's
    /// ignore files apply. Links are not followed, because their targets are found or named
    /// separately. `excludes` use the syntax of a `.gitignore` at the root. They apply to files and
    /// directories that are named, too.
    pub fn find(&self, paths: &[PathBuf], excludes: &[String]) -> Result<Found, FindError> {
        let excludes = Excludes::new(excludes)?;
        Ok(self.search(paths, &excludes)?.0)
    }

    /// Like [`Self::find`], and also returns the directories that were searched.
    pub(crate) fn search(
        &self,
        paths: &[PathBuf],
        excludes: &Excludes,
    ) -> Result<(Found, Directories), FindError> {
        let mut found = Found::default();
        let mut directories = Directories::default();
        for path in paths {
            if let Some(link) = self.link_at(path) {
                found.skip(link, SkipReason::Link);
                continue;
            }
            let real = self.relative(path)?;
            let kind = match self.dir().symlink_metadata(&real) {
                Ok(metadata) => metadata.file_type(),
                // The path was replaced just now. The other paths are still examined.
                Err(error) => {
                    found.skip(real, SkipReason::Unreadable(error.to_string()));
                    continue;
                }
            };
            if let Some(reason) = excludes.reason(&real, kind.is_dir()) {
                found.skip(real, reason);
            } else if is_in_git_directory(self.root(), &real) {
                found.skip(real, SkipReason::Reserved);
            } else if kind.is_dir() {
                directories.add(&real);
            } else {
                self.take(&mut found, real, kind);
            }
        }
        if paths.is_empty() {
            directories.add(".");
        }
        if !directories.named.is_empty() {
            Walk::new(self, &directories, excludes, &mut found).run();
        }
        Ok((found.settled(), directories))
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

/// Bazel creates links such as `bazel-out` at the root. Reporting them each time would be noise.
fn is_convenience_link(path: &str) -> bool {
    path.starts_with("bazel-") && !path.contains('/')
}

/// The directories to search, relative to the root. The root itself is the empty path.
#[derive(Debug, Default)]
pub(crate) struct Directories {
    named: BTreeSet<PathBuf>,
    /// The directories above the named ones.
    above: BTreeSet<PathBuf>,
}

impl Directories {
    fn add(&mut self, directory: &str) {
        let directory = Path::new(if directory == "." { "" } else { directory });
        let above = directory.ancestors().skip(1);
        self.above.extend(above.map(Path::to_path_buf));
        self.named.insert(directory.to_owned());
    }

    pub(crate) fn named(&self) -> &BTreeSet<PathBuf> {
        &self.named
    }

    /// Whether a path is at or below a named directory.
    pub(crate) fn contain(&self, path: &Path) -> bool {
        let mut ancestors = path.ancestors();
        ancestors.any(|ancestor| self.named.contains(ancestor))
    }

    /// Whether a directory is at, below or above a named one.
    pub(crate) fn lead_through(&self, directory: &Path) -> bool {
        self.contain(directory) || self.above.contains(directory)
    }
}

/// The paths that a workspace excludes, in the syntax of a `.gitignore` at its root.
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

    /// Whether the file at a workspace path is excluded, or has a name that is never a source.
    pub fn cover(&self, path: &str) -> bool {
        self.reason(path, false).is_some()
    }

    /// Whether an exclude matches the path itself. A walk uses it after it has checked the
    /// directories above.
    pub(crate) fn matches(&self, below: &Path, is_dir: bool) -> bool {
        self.0.matched(below, is_dir).is_ignore()
    }

    /// Why a named path is skipped, if it is.
    pub(crate) fn reason(&self, path: &str, is_dir: bool) -> Option<SkipReason> {
        if path.split('/').any(path::is_reserved_name) {
            return Some(SkipReason::Reserved);
        }
        let excluded = path != "." && self.0.matched_path_or_any_parents(path, is_dir).is_ignore();
        excluded.then_some(SkipReason::Excluded)
    }
}
