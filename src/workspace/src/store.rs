//! Checks the files of a repository before git reads them.
//!
//! Git waits for the other end of a pipe, and may read a device without end. So every file that git
//! may open must be a regular file.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::git::GitError;
use crate::read::{ReadError, read_error, read_text_file};

const MAX_DEPTH: usize = 32;
/// Git keeps fewer separate files than that: it packs them when there are some thousands.
const MAX_ENTRIES: usize = 4_000_000;
/// The limit for a list of other object stores.
const MAX_ALTERNATES_SIZE: u64 = 1024 * 1024;

/// One check of a repository. The number of files that it examines is limited.
#[derive(Debug, Default)]
pub(crate) struct StoreCheck {
    entries: usize,
    /// The object stores that were already checked.
    stores: BTreeSet<PathBuf>,
}

impl StoreCheck {
    /// Checks an object store, and those that it borrows objects from.
    pub(crate) fn objects(&mut self, store: &Path) -> Result<(), GitError> {
        let mut open = vec![store.to_owned()];
        while let Some(store) = open.pop() {
            // Git ignores stores that do not exist.
            let Ok(real) = store.canonicalize() else {
                continue;
            };
            if self.stores.insert(real.clone()) {
                self.files_below(&real, u64::MAX)?;
                open.extend(alternates(&real)?);
            }
        }
        Ok(())
    }

    /// Checks that below `folder` are only folders and regular files of at most `max_size` bytes.
    pub(crate) fn files_below(&mut self, folder: &Path, max_size: u64) -> Result<(), GitError> {
        let mut open = vec![(folder.to_owned(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let Some(entries) = unless_gone(&folder, fs::read_dir(&folder))? else {
                continue;
            };
            for entry in entries {
                let entry = entry.map_err(|error| read_error(&folder.to_string_lossy(), error))?;
                let path = entry.path();
                self.count(&path)?;
                let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
                if is_file && max_size == u64::MAX {
                    continue;
                }
                // If the entry is a link, the type of its target decides.
                let Some(found) = unless_gone(&path, fs::metadata(&path))? else {
                    continue;
                };
                if found.is_dir() && depth < MAX_DEPTH {
                    open.push((path, depth + 1));
                } else {
                    check_file(&path, &found, max_size)?;
                }
            }
        }
        Ok(())
    }

    /// Whether there is a file at `path`. It must be a regular file of at most `max_size` bytes.
    pub(crate) fn file(path: &Path, max_size: u64) -> Result<bool, ReadError> {
        match unless_gone(path, fs::metadata(path))? {
            Some(found) => check_file(path, &found, max_size).map(|()| true),
            None => Ok(false),
        }
    }

    fn count(&mut self, path: &Path) -> Result<(), GitError> {
        self.entries += 1;
        if self.entries <= MAX_ENTRIES {
            return Ok(());
        }
        Err(GitError::Unsupported {
            path: path.display().to_string(),
            problem: "is in a git directory with too many files",
        })
    }
}

/// The object stores that `store` borrows objects from.
fn alternates(store: &Path) -> Result<Vec<PathBuf>, GitError> {
    let list = store.join("info/alternates");
    let text = match read_text_file(&list, MAX_ALTERNATES_SIZE) {
        Err(ReadError::Vanished { .. }) => return Ok(Vec::new()),
        text => text?,
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| match line.starts_with('"') {
        true => Err(GitError::Unsupported {
            path: list.display().to_string(),
            problem: "contains a quoted path",
        }),
        false => Ok(store.join(line)),
    });
    lines.collect()
}

fn check_file(path: &Path, found: &Metadata, max_size: u64) -> Result<(), ReadError> {
    let path = path.display().to_string();
    match (found.is_file(), found.len()) {
        (false, _) => Err(ReadError::NotAFile { path }),
        (true, size) if size > max_size => Err(ReadError::TooLarge {
            path,
            size,
            limit: max_size,
        }),
        (true, _) => Ok(()),
    }
}

/// `None` if there is nothing at `path`, or a link to nothing.
fn unless_gone<T>(path: &Path, result: io::Result<T>) -> Result<Option<T>, ReadError> {
    let result = result.map_err(|error| read_error(&path.to_string_lossy(), error));
    match result {
        Ok(found) => Ok(Some(found)),
        Err(ReadError::Vanished { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
