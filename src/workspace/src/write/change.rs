//! Checks which changes can be written.

use std::collections::BTreeMap;

use fixpoint_text::Digest;

use super::WriteError;
use super::journal::{Entry, Journal};
use super::location::FileLocation;
use super::merge::{Merged, merged};
use super::outcome::{Refusal, RefusalReason, Written};
use super::replace::Replaced;
use crate::read::{MAX_FILE_SIZE, ReadError, read_error};
use crate::root::Workspace;

/// New contents for one file, and the digest of the contents that they were computed from.
#[derive(Clone, Debug)]
pub struct FileChange {
    pub(super) path: String,
    pub(super) base: Digest,
    pub(super) contents: Vec<u8>,
}

impl FileChange {
    /// `path` is relative to the root, and no part of it is a link.
    pub fn new(path: impl Into<String>, base: Digest, contents: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            base,
            contents: contents.into(),
        }
    }
}

/// Changes that passed the check: real paths, each once, none without effect.
pub(crate) struct Plan {
    journal: Journal,
    /// In the order of the journal's entries.
    contents: Vec<Vec<u8>>,
    unchanged: Vec<String>,
    refused: Vec<Refusal>,
}

impl Plan {
    /// Reads every file, and rejects the groups with a file that cannot be replaced.
    pub(crate) fn check(
        workspace: &Workspace,
        groups: Vec<Vec<FileChange>>,
    ) -> Result<Self, WriteError> {
        let Merged {
            changes,
            refused: by_path,
        } = merged(workspace, groups)?;
        let mut unchanged = Vec::new();
        let mut ready = Vec::new();
        let mut refused: BTreeMap<usize, Vec<Refusal>> = BTreeMap::new();
        for (group, refusal) in by_path {
            refused.entry(group).or_default().push(refusal);
        }
        for (group, change) in changes {
            match check_change(workspace, &change) {
                Verdict::Ready => ready.push((group, change)),
                Verdict::Unchanged => unchanged.push(change.path),
                Verdict::Refused(reason) => {
                    let refusal = Refusal::new(change.path, reason);
                    refused.entry(group).or_default().push(refusal);
                }
            }
        }
        let mut accepted = Vec::new();
        for (group, change) in ready {
            match refused.get_mut(&group) {
                Some(refusals) => {
                    let other = refusals[0].path().to_owned();
                    let reason = RefusalReason::Together { other };
                    refusals.push(Refusal::new(change.path, reason));
                }
                None => accepted.push((group, change)),
            }
        }
        unchanged.sort_unstable();
        let refused = refused.into_values().flatten().collect();
        Ok(Self::new(accepted, unchanged, refused))
    }

    fn new(
        changes: Vec<(usize, FileChange)>,
        unchanged: Vec<String>,
        refused: Vec<Refusal>,
    ) -> Self {
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
            refused,
        }
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

    /// The outcome of the write, from the outcomes of the journal's groups.
    pub(crate) fn written(self, replaced: Replaced) -> Written {
        let mut files = replaced.files;
        files.sort_unstable();
        let mut refused = self.refused;
        refused.extend(replaced.refused);
        refused.sort_by(|one, other| one.path().cmp(other.path()));
        Written {
            files,
            unchanged: self.unchanged,
            refused,
            saved: replaced.saved,
        }
    }
}

enum Verdict {
    Ready,
    Unchanged,
    Refused(RefusalReason),
}

fn check_change(workspace: &Workspace, change: &FileChange) -> Verdict {
    // A larger file could not be read again, so the writer could not verify its own temporary.
    let size = change.contents.len() as u64;
    if size > MAX_FILE_SIZE {
        let limit = MAX_FILE_SIZE;
        return Verdict::Refused(RefusalReason::TooLarge { size, limit });
    }
    let place = FileLocation::open(workspace.dir(), &change.path)
        .map_err(|error| read_error(&change.path, error));
    match place.and_then(|place| place.look().map(|seen| (place, seen))) {
        Err(ReadError::Vanished { .. }) => Verdict::Refused(RefusalReason::Stale),
        Err(error) => Verdict::Refused(RefusalReason::Failed(error.to_string())),
        Ok((_, seen)) if seen.bytes() == change.contents => Verdict::Unchanged,
        Ok((_, seen)) if seen.digest() != change.base => Verdict::Refused(RefusalReason::Stale),
        Ok((place, seen)) if !place.is_writable(&seen) => Verdict::Refused(RefusalReason::ReadOnly),
        Ok(_) => Verdict::Ready,
    }
}
