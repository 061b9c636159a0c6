//! Which files there are: what git would not ignore below the named directories, and every file
//! named by itself.

use std::fmt;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder};
use thiserror::Error;

use crate::global::may_have_global_ignores;
use crate::path::{self, PathError};
use crate::root::Workspace;

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

    fn skip(&mut self, path: impl Into<String>, reason: SkipReason) {
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
            self.walk(&mut found, directories, excludes);
        }
        Ok(found.settled())
    }

    /// The files among `paths`, relative to the root, that no exclude matches.
    pub(crate) fn select(
        &self,
        paths: Vec<Result<String, Skipped>>,
        excludes: &[String],
    ) -> Result<Found, FindError> {
        let excludes = Excludes::new(excludes)?;
        let mut found = Found::default();
        for path in paths {
            match path {
                Err(skipped) => found.skipped.push(skipped),
                Ok(path) => match self.root().join(&path).symlink_metadata() {
                    Ok(metadata) if metadata.is_file() => match excludes.reason(&path, false) {
                        Some(reason) => found.skip(path, reason),
                        None => found.files.push(path),
                    },
                    // Links and directories (submodules) hold no text of their own, and what
                    // is gone has none any more.
                    _ => {}
                },
            }
        }
        Ok(found.settled())
    }

    fn take(&self, found: &mut Found, path: String, kind: FileType) {
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

    /// Walks from the root, so that every ignore file on the way to a directory counts.
    fn walk(&self, found: &mut Found, directories: Vec<String>, excludes: Excludes) {
        let filter = Arc::new(Filter {
            root: self.root().to_owned(),
            directories,
            excludes,
        });
        let in_git = self.root().ancestors().any(|dir| dir.join(".git").exists());
        let mut builder = WalkBuilder::new(self.root());
        // Above the root only the rest of the same repository counts.
        builder.parents(in_git).require_git(in_git);
        let mut reached = self.walk_with(found, builder, &filter);
        reached.sort_unstable();

        for directory in &filter.directories {
            // A directory that git ignores and a person names is walked all the same.
            if directory != "." && reached.binary_search(directory).is_err() {
                let mut builder = WalkBuilder::new(self.root().join(directory));
                builder.parents(false).require_git(false);
                self.walk_with(found, builder, &filter);
            }
        }
    }

    /// Collects what the walk yields; returns the named directories that it came to.
    fn walk_with(
        &self,
        found: &mut Found,
        mut builder: WalkBuilder,
        filter: &Arc<Filter>,
    ) -> Vec<String> {
        let filter = Arc::clone(filter);
        let keep = Arc::clone(&filter);
        builder
            .hidden(false)
            .ignore(false)
            .git_global(may_have_global_ignores())
            .follow_links(false)
            .filter_entry(move |entry| keep.keeps(entry));
        let mut reached = Vec::new();
        for entry in builder.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let (path, message) = self.describe(&error);
                    found.skip(path, SkipReason::Unreadable(message));
                    continue;
                }
            };
            let Some(kind) = entry.file_type() else {
                continue;
            };
            let Ok(below) = entry.path().strip_prefix(self.root()) else {
                continue;
            };
            match path::to_text(below) {
                Ok(path) if kind.is_dir() => {
                    if filter.directories.contains(&path) {
                        reached.push(path);
                    }
                }
                Ok(path) => self.take(found, path, kind),
                Err(_) => found.skip(below.to_string_lossy(), SkipReason::NotUtf8),
            }
        }
        reached
    }

    fn describe(&self, error: &ignore::Error) -> (String, String) {
        let message = error
            .io_error()
            .map_or_else(|| error.to_string(), ToString::to_string);
        let path = path_of(error).map_or_else(
            || ".".to_owned(),
            |path| {
                let below = path.strip_prefix(self.root()).unwrap_or(path);
                below.to_string_lossy().into_owned()
            },
        );
        (path, message)
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

/// Bazel leaves links such as `bazel-out` at the root; naming them each time would be noise.
fn is_convenience_link(path: &str) -> bool {
    path.starts_with("bazel-") && !path.contains('/')
}

/// What a walk descends into and takes.
struct Filter {
    root: PathBuf,
    directories: Vec<String>,
    excludes: Excludes,
}

impl Filter {
    fn keeps(&self, entry: &DirEntry) -> bool {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let Ok(below) = entry.path().strip_prefix(&self.root) else {
            return false;
        };
        let named = self.directories.iter().map(Path::new).any(|directory| {
            directory == Path::new(".")
                || below.starts_with(directory)
                || is_dir && directory.starts_with(below)
        });
        let reserved = entry
            .file_name()
            .to_str()
            .is_some_and(path::is_reserved_name);
        named && !reserved && !self.excludes.matches(below, is_dir)
    }
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
    fn matches(&self, below: &Path, is_dir: bool) -> bool {
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

impl Skipped {
    pub(crate) fn not_utf8(path: &[u8]) -> Self {
        Self {
            path: String::from_utf8_lossy(path).into_owned(),
            reason: SkipReason::NotUtf8,
        }
    }
}
