//! Finds git directories by their layout alone, without running git or reading configuration.

use std::path::{Path, PathBuf};

use crate::read::read_text_file;

/// The limit for a `.git` file or a `commondir` file, which contains one path.
const MAX_POINTER_SIZE: u64 = 16 * 1024;

/// A work tree and its git directories.
#[derive(Debug)]
pub(crate) struct Repository {
    pub(crate) work_tree: PathBuf,
    /// The directory for files of this work tree alone, such as its index.
    pub(crate) git_dir: PathBuf,
    /// The directory for files that all work trees of the repository share, such as objects.
    pub(crate) common_dir: PathBuf,
}

impl Repository {
    /// The repository whose work tree contains `directory`.
    ///
    /// Only a `.git` counts. Git also accepts a directory that looks like a bare repository, but
    /// any clone can contain one.
    pub(crate) fn around(directory: &Path) -> Option<Self> {
        directory.ancestors().find_map(Self::at)
    }

    /// The repository whose work tree has its top at `work_tree`.
    pub(crate) fn at(work_tree: &Path) -> Option<Self> {
        let entry = work_tree.join(".git");
        let git_dir = if entry.is_dir() {
            entry
        } else {
            work_tree.join(pointer(&entry, "gitdir:")?)
        };
        let common_dir = match pointer(&git_dir.join("commondir"), "") {
            Some(common) => git_dir.join(common),
            None => git_dir.clone(),
        };
        let is_repository = has_head(&git_dir) && has_objects_and_refs(&common_dir);
        is_repository.then(|| Self {
            work_tree: work_tree.to_owned(),
            git_dir,
            common_dir,
        })
    }
}

/// Whether git would accept a directory as a git directory, whatever its name.
pub(crate) fn is_git_directory(directory: &Path) -> bool {
    has_head(directory) && has_objects_and_refs(directory)
}

/// Whether `path` or a directory above it is a git directory. `path` is relative to `root`.
pub(crate) fn is_in_git_directory(root: &Path, path: &str) -> bool {
    let ancestors = Path::new(path).ancestors();
    ancestors
        .filter(|ancestor| !ancestor.as_os_str().is_empty())
        .any(|ancestor| is_git_directory(&root.join(ancestor)))
}

fn has_head(directory: &Path) -> bool {
    let head = directory.join("HEAD").symlink_metadata();
    head.is_ok_and(|head| !head.is_dir())
}

fn has_objects_and_refs(directory: &Path) -> bool {
    directory.join("objects").is_dir() && directory.join("refs").is_dir()
}

/// The path in a file, after `prefix`.
fn pointer(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = read_text_file(file, MAX_POINTER_SIZE).ok()?;
    let path = text.strip_prefix(prefix)?.trim();
    (!path.is_empty()).then(|| PathBuf::from(path))
}
