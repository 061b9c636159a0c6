//! The folders of a run: scratch trees, results and artifacts.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::ProveError;

/// Folders that are deleted after the run.
#[derive(Debug)]
pub(crate) struct Folders {
    /// Trees and the private files of runs. Commands do not see this folder.
    hidden: TempDir,
    /// Folders for results, which commands may write.
    results: TempDir,
    next: u32,
}

impl Folders {
    pub(crate) fn new() -> Result<Self, ProveError> {
        // An overlay over `/tmp` cannot have its changes below `/tmp`.
        let folder = Some(PathBuf::from("/var/tmp")).filter(|folder| folder.is_dir());
        let folder = folder.unwrap_or_else(std::env::temp_dir);
        let create = |prefix: &str| {
            let made = tempfile::Builder::new().prefix(prefix).tempdir_in(&folder);
            made.map_err(|source| ProveError::Write {
                path: folder.clone(),
                source,
            })
        };
        Ok(Self {
            hidden: create("fixpoint-prove-")?,
            results: create("fixpoint-results-")?,
            next: 0,
        })
    }

    pub(crate) fn hidden(&self) -> &Path {
        self.hidden.path()
    }

    /// The paths that differ in each run.
    pub(crate) fn paths(&self) -> [&Path; 2] {
        [self.hidden.path(), self.results.path()]
    }

    /// A path that is not used yet. Nothing is created there.
    pub(crate) fn fresh(&mut self, name: &str) -> PathBuf {
        self.next += 1;
        self.hidden.path().join(format!("{name}-{}", self.next))
    }

    /// A path for results of a run. Nothing is created there.
    pub(crate) fn fresh_results(&mut self) -> PathBuf {
        self.next += 1;
        self.results.path().join(self.next.to_string())
    }
}

/// A folder in the user's cache for the checkpoint of runs with these artifacts.
pub(crate) fn state_folder(root: &Path, artifacts: &Path) -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or(home).unwrap_or_else(std::env::temp_dir);
    let parts = [root, artifacts].map(|path| path.as_os_str().as_encoded_bytes());
    let id = fixpoint_text::Digest::of_parts(parts).short();
    cache.join("fixpoint").join("prove").join(id)
}
