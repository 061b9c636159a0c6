//! What is to be written, and the check that it may be.

use std::collections::BTreeMap;

use fixpoint_text::Digest;

use super::WriteError;
use super::journal::{Entry, Journal};
use super::place::Place;
use crate::path::PathError;
use crate::read::{ReadError, read_error};
use crate::root::Workspace;

/// New contents for one file, with the digest of those they were computed from.
#[derive(Clone, Debug)]
pub struct FileChange {
    path: String,
    base: Digest,
    contents: Vec<u8>,
}

impl FileChange {
    /// `path` is relative to the root. It may be a link inside the workspace; then the file it
    /// leads to is replaced and the link stays.
    pub fn new(path: impl Into<String>, base: Digest, contents: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            base,
            contents: contents.into(),
        }
    }
}

/// What a write did. Real paths, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    files: Vec<String>,
    unchanged: Vec<String>,
}

impl Written {
    /// The files that were replaced.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The files that already held their new text.
    pub fn unchanged(&self) -> &[String] {
        &self.unchanged
    }
}

/// Changes that passed the check: real paths, each once, none without effect.
pub(crate) struct Plan {
    journal: Journal,
    /// In the order of the journal's entries.
    contents: Vec<Vec<u8>>,
    unchanged: Vec<String>,
}

impl Plan {
    /// Reads every file and refuses all when one is not what its change was computed from.
    pub(crate) fn check(
        workspace: &Workspace,
        groups: Vec<Vec<FileChange>>,
    ) -> Result<Self, WriteError> {
        let mut stale = Vec::new();
        let mut read_only = Vec::new();
        let mut unchanged = Vec::new();
        let mut changes = Vec::new();
        for (group, change) in merged(workspace, groups, &mut stale)? {
            match look_at(workspace, &change)? {
                Verdict::Ready => changes.push((group, change)),
                Verdict::Unchanged => unchanged.push(change.path),
                Verdict::Stale => stale.push(change.path),
                Verdict::ReadOnly => read_only.push(change.path),
            }
        }
        if !stale.is_empty() {
            stale.sort_unstable();
            return Err(WriteError::Stale { paths: stale });
        }
        if !read_only.is_empty() {
            read_only.sort_unstable();
            return Err(WriteError::ReadOnly { paths: read_only });
        }
        unchanged.sort_unstable();
        Ok(Self::new(changes, unchanged))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// In the order of the journal's entries.
    pub(crate) fn contents(&self) -> &[Vec<u8>] {
        &self.contents
    }

    /// What the write did, once it is done.
    pub(crate) fn written(self) -> Written {
        let mut files: Vec<String> = self
            .journal
            .entries()
            .iter()
            .map(|entry| entry.path.clone())
            .collect();
        files.sort_unstable();
        Written {
            files,
            unchanged: self.unchanged,
        }
    }
}

impl Plan {
    fn new(changes: Vec<(usize, FileChange)>, unchanged: Vec<String>) -> Self {
        let (entries, contents) = changes
            .into_iter()
            .map(|(group, change)| {
                let entry = Entry {
                    group,
                    new: Digest::of(&change.contents),
                    path: change.path,
                    base: change.base,
                };
                (entry, change.contents)
            })
            .unzip();
        Self {
            journal: Journal::new(entries),
            contents,
            unchanged,
        }
    }
}

/// The changes by real path, each file once, those of a group together.
///
/// Two equal changes of one file, say through a link, are one change; the groups they stand in
/// become one, because they now share a file. Paths that are gone are added to `stale`.
fn merged(
    workspace: &Workspace,
    groups: Vec<Vec<FileChange>>,
    stale: &mut Vec<String>,
) -> Result<Vec<(usize, FileChange)>, WriteError> {
    let mut by_path: BTreeMap<String, (usize, FileChange)> = BTreeMap::new();
    for (number, changes) in groups.into_iter().enumerate() {
        let mut group = number;
        for mut change in changes {
            let real = match workspace.real_path(&change.path) {
                Err(PathError::Missing { .. }) => {
                    stale.push(change.path);
                    continue;
                }
                real => real?,
            };
            let Some((earlier, twin)) = by_path.get(&real) else {
                change.path.clone_from(&real);
                by_path.insert(real, (group, change));
                continue;
            };
            if twin.base != change.base || twin.contents != change.contents {
                return Err(WriteError::Twice { path: real });
            }
            let earlier = *earlier;
            for (other, _) in by_path.values_mut() {
                if *other == group {
                    *other = earlier;
                }
            }
            group = earlier;
        }
    }
    let mut changes: Vec<_> = by_path.into_values().collect();
    // Stable, so that a group's files stay in the order of their paths.
    changes.sort_by_key(|(group, _)| *group);
    Ok(changes)
}

enum Verdict {
    Ready,
    Unchanged,
    Stale,
    ReadOnly,
}

fn look_at(workspace: &Workspace, change: &FileChange) -> Result<Verdict, ReadError> {
    let place =
        Place::open(workspace.dir(), &change.path).map_err(|error| read_error(&change.path, error));
    let (place, seen) = match place.and_then(|place| place.look().map(|seen| (place, seen))) {
        Err(ReadError::Vanished { .. }) => return Ok(Verdict::Stale),
        looked => looked?,
    };
    Ok(if seen.bytes() == change.contents {
        Verdict::Unchanged
    } else if seen.digest() != change.base {
        Verdict::Stale
    } else if !place.is_writable(&seen) {
        Verdict::ReadOnly
    } else {
        Verdict::Ready
    })
}
