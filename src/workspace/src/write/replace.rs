//! The phases of a write under the lock, from the creation of temporaries to their removal.

use std::collections::BTreeSet;
use std::io::{self, Write};

use rustix::fs::Stat;

use super::change::Plan;
use super::checkout::Checkout;
use super::durability::{sync_parents, sync_temporaries};
use super::journal::{Entry, Journal};
use super::location::{FileSnapshot, is_gone, same_file};
use super::metadata::Metadata;
use super::outcome::{Refusal, RefusalReason};
use super::recover::{RestorePolicy, undo_group};
use super::state::{Phase, State};
use super::target::Target;
use super::{Observer, Step, WriteError};
use crate::read::{ReadError, read_error};

/// The outcomes of the groups of a journal.
#[derive(Default)]
pub(crate) struct Replaced {
    pub(crate) files: Vec<String>,
    pub(crate) refused: Vec<Refusal>,
    pub(crate) saved: Vec<String>,
}

/// The file that an entry's new bytes are to replace.
pub(crate) struct Original {
    stat: Stat,
    metadata: Metadata,
}

impl Original {
    pub(crate) fn of(seen: &FileSnapshot) -> Self {
        Self {
            stat: seen.stat(),
            metadata: seen.metadata(),
        }
    }

    /// Whether `seen` is the same file, with the same bytes, owner, mode and attributes.
    pub(crate) fn is(&self, entry: &Entry, seen: &FileSnapshot) -> bool {
        self.is_same_text(entry, seen) && self.metadata == seen.metadata()
    }

    fn is_same_text(&self, entry: &Entry, seen: &FileSnapshot) -> bool {
        let (before, now) = (&self.stat, seen.stat());
        // An overlay file system may copy a file on rename, but keeps its modification time.
        let same_time =
            (before.st_mtime, before.st_mtime_nsec) == (now.st_mtime, now.st_mtime_nsec);
        seen.digest() == entry.base && (same_file(before, &now) || same_time)
    }
}

/// A group whose temporaries are complete.
struct StagedGroup<'p> {
    entries: &'p [Entry],
    /// The original file of each entry.
    originals: Vec<Original>,
}

impl StagedGroup<'_> {
    fn files(&self) -> impl Iterator<Item = (&Entry, &Original)> {
        self.entries.iter().zip(&self.originals)
    }
}

pub(crate) fn run(
    checkout: &Checkout<'_>,
    state: &State,
    plan: &Plan,
    observe: &mut Observer<'_>,
) -> Result<Replaced, WriteError> {
    if state.load(checkout.seal())?.is_some() {
        return Err(WriteError::NotRecovered);
    }
    let journal = plan.journal();
    state.begin(checkout, journal, observe)?;
    let mut replaced = Replaced::default();
    let staged = stage(checkout, plan, &mut replaced.refused, observe).and_then(|staged| {
        commit(checkout, state, &staged)?;
        Ok(staged)
    });
    match staged {
        Ok(staged) => {
            observe(Step::Committed);
            replace(checkout, state, journal, &staged, &mut replaced, observe)?;
            Ok(replaced)
        }
        Err(error) => {
            // If this fails too, the journal is kept, and the next run cleans up.
            let _ = clean_up_staging(checkout, state, journal, observe);
            Err(error)
        }
    }
}

/// Creates the temporaries of all groups. Groups that cannot be replaced are added to `refused`.
fn stage<'p>(
    checkout: &Checkout<'_>,
    plan: &'p Plan,
    refused: &mut Vec<Refusal>,
    observe: &mut Observer<'_>,
) -> Result<Vec<StagedGroup<'p>>, WriteError> {
    let mut contents = plan.contents();
    let mut staged = Vec::new();
    for entries in plan.journal().groups() {
        let (of_group, others) = contents.split_at(entries.len());
        contents = others;
        match stage_group(checkout, entries, of_group, observe)? {
            Ok(originals) => staged.push(StagedGroup { entries, originals }),
            Err(cause) => {
                remove_temporaries(checkout, entries, observe)
                    .map_err(|source| WriteError::Commit { source })?;
                refused.extend(refusals(entries, &cause, &BTreeSet::new()));
            }
        }
    }
    Ok(staged)
}

fn stage_group(
    checkout: &Checkout<'_>,
    entries: &[Entry],
    contents: &[Vec<u8>],
    observe: &mut Observer<'_>,
) -> Result<Result<Vec<Original>, Refusal>, WriteError> {
    let mut originals = Vec::new();
    for (entry, bytes) in entries.iter().zip(contents) {
        let path = &entry.path;
        let target = Target::open(checkout, entry).map_err(|error| read_error(path, error));
        let looked = target.and_then(|target| target.look().map(|seen| (target, seen)));
        let reason = match looked {
            Ok((target, seen)) if seen.digest() == entry.base => {
                let original = Original::of(&seen);
                match fill_temporary(&target, path, &original, bytes, observe) {
                    Ok(()) => {
                        originals.push(original);
                        continue;
                    }
                    Err(source) if is_about_one_file(&source) => {
                        RefusalReason::Failed(format!("cannot write a copy beside it: {source}"))
                    }
                    Err(source) => {
                        let path = path.clone();
                        return Err(WriteError::Stage { path, source });
                    }
                }
            }
            Ok(_) | Err(ReadError::Vanished { .. }) => RefusalReason::Stale,
            Err(error) => RefusalReason::Failed(error.to_string()),
        };
        return Ok(Err(Refusal::new(path, reason)));
    }
    Ok(Ok(originals))
}

fn fill_temporary(
    target: &Target<'_>,
    path: &str,
    original: &Original,
    bytes: &[u8],
    observe: &mut Observer<'_>,
) -> io::Result<()> {
    let mut file = target.create_temporary()?;
    observe(Step::Created(path));
    file.write_all(bytes)?;
    original.metadata.copy_to(&file)?;
    observe(Step::Staged(path));
    Ok(())
}

/// Whether a failure concerns this file alone, and not the whole disk.
fn is_about_one_file(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Commits the write: afterwards, everything that is needed to finish it is on the disk.
fn commit(
    checkout: &Checkout<'_>,
    state: &State,
    staged: &[StagedGroup<'_>],
) -> Result<(), WriteError> {
    let entries: Vec<&Entry> = staged.iter().flat_map(|group| group.entries).collect();
    sync_temporaries(checkout, &entries)
        .and_then(|()| state.advance(Phase::Staging, Phase::Committed))
        .map_err(|source| WriteError::Commit { source })
}

fn replace(
    checkout: &Checkout<'_>,
    state: &State,
    journal: &Journal,
    staged: &[StagedGroup<'_>],
    replaced: &mut Replaced,
    observe: &mut Observer<'_>,
) -> Result<(), WriteError> {
    let mut undo = |group: &StagedGroup<'_>, cause: Refusal, observe: &mut Observer<'_>| {
        // If this fails, the journal is kept, and the next run continues.
        match undo_group(checkout, group.entries, RestorePolicy::Displaced, observe) {
            Ok(taken) => {
                let kept = taken.kept.into_iter().collect();
                replaced
                    .refused
                    .extend(refusals(group.entries, &cause, &kept));
                Ok(())
            }
            Err(_) => Err(WriteError::Unfinished { cause }),
        }
    };
    let mut done = Vec::new();
    for group in staged {
        match replace_group(checkout, group, observe) {
            Ok(()) => done.push(group),
            Err(cause) => undo(group, cause, observe)?,
        }
    }
    let leftover = |source| WriteError::Leftover { source };
    let entries = done.iter().flat_map(|group| group.entries);
    sync_parents(checkout, entries).map_err(leftover)?;
    observe(Step::Synced);
    // Programs that had a file open may have written to it after it was replaced.
    let mut files = Vec::new();
    for group in done {
        match still_original(checkout, group) {
            Ok(()) => files.extend(group.entries.iter().map(|entry| entry.path.clone())),
            Err(cause) => undo(group, cause, observe)?,
        }
    }
    replaced.files = files;
    replaced.saved = finish(checkout, state, journal, observe).map_err(leftover)?;
    Ok(())
}

fn replace_group(
    checkout: &Checkout<'_>,
    group: &StagedGroup<'_>,
    observe: &mut Observer<'_>,
) -> Result<(), Refusal> {
    // All files are compared first, so that usually none is replaced if one has changed.
    if group.entries.len() > 1 {
        for (entry, original) in group.files() {
            target_with_original(checkout, entry, original)?;
        }
    }
    for (entry, original) in group.files() {
        let path = &entry.path;
        observe(Step::Replacing(path));
        let target = target_with_original(checkout, entry, original)?;
        observe(Step::Compared(path));
        let is_original =
            |seen: &FileSnapshot| original.is(entry, seen) && target.is_in_place(checkout);
        match target.exchange_if(Some(entry.new), is_original, observe) {
            Ok(true) => observe(Step::Replaced(path)),
            Ok(false) => return Err(Refusal::new(path, RefusalReason::Changed)),
            Err(error) => {
                let reason = RefusalReason::Failed(format!("cannot replace it: {error}"));
                return Err(Refusal::new(path, reason));
            }
        }
    }
    Ok(())
}

/// The entry's target, if the file is unchanged since it was staged.
fn target_with_original<'a>(
    checkout: &Checkout<'_>,
    entry: &'a Entry,
    original: &Original,
) -> Result<Target<'a>, Refusal> {
    let path = &entry.path;
    let target = Target::open(checkout, entry).map_err(|error| read_error(path, error));
    match target.and_then(|target| target.look().map(|seen| (target, seen))) {
        Ok((target, seen)) if original.is(entry, &seen) && target.is_in_place(checkout) => {
            Ok(target)
        }
        Err(ReadError::Io { source, .. }) => {
            let reason = RefusalReason::Failed(format!("cannot read it: {source}"));
            Err(Refusal::new(path, reason))
        }
        Ok(_) | Err(_) => Err(Refusal::new(path, RefusalReason::Changed)),
    }
}

/// Whether the files that a group displaced are unchanged, and their directories in place.
fn still_original(checkout: &Checkout<'_>, group: &StagedGroup<'_>) -> Result<(), Refusal> {
    for (entry, original) in group.files() {
        let holds_base = Target::open(checkout, entry).is_ok_and(|target| {
            let seen = target.look_at_temporary();
            seen.is_ok_and(|seen| original.is_same_text(entry, &seen))
                && target.is_in_place(checkout)
        });
        if !holds_base {
            return Err(Refusal::new(&entry.path, RefusalReason::Changed));
        }
    }
    Ok(())
}

/// A refusal for every file of a group that failed because of `cause`. The files in `kept` were
/// changed by somebody else.
fn refusals(entries: &[Entry], cause: &Refusal, kept: &BTreeSet<String>) -> Vec<Refusal> {
    let refusal = |entry: &Entry| {
        let path = &entry.path;
        if path == cause.path() {
            return cause.clone();
        }
        let reason = if kept.contains(path) {
            RefusalReason::Changed
        } else {
            let other = cause.path().to_owned();
            RefusalReason::Together { other }
        };
        Refusal::new(path, reason)
    };
    entries.iter().map(refusal).collect()
}

/// Ends a write after all groups are written or undone. Returns the files that contain saves made
/// during the write.
pub(crate) fn finish(
    checkout: &Checkout<'_>,
    state: &State,
    journal: &Journal,
    observe: &mut Observer<'_>,
) -> io::Result<Vec<String>> {
    sync_parents(checkout, journal.entries())?;
    state.advance(Phase::Committed, Phase::Done)?;
    observe(Step::Done);
    clean_up(checkout, state, journal, observe)
}

/// Removes the temporaries of a committed write, and the journal last, because only the journal
/// names them.
pub(crate) fn clean_up(
    checkout: &Checkout<'_>,
    state: &State,
    journal: &Journal,
    observe: &mut Observer<'_>,
) -> io::Result<Vec<String>> {
    let mut saved = Vec::new();
    let discard = |target: &Target<'_>| {
        saved.extend(target.discard()?);
        Ok(())
    };
    for_each_target(checkout, journal.entries(), discard, observe)?;
    clear(state, observe)?;
    Ok(saved)
}

/// Like [`clean_up`], for a write that was not committed.
pub(crate) fn clean_up_staging(
    checkout: &Checkout<'_>,
    state: &State,
    journal: &Journal,
    observe: &mut Observer<'_>,
) -> io::Result<()> {
    remove_temporaries(checkout, journal.entries(), observe)?;
    clear(state, observe)
}

fn remove_temporaries(
    checkout: &Checkout<'_>,
    entries: &[Entry],
    observe: &mut Observer<'_>,
) -> io::Result<()> {
    for_each_target(
        checkout,
        entries,
        |target| target.remove_temporary(),
        observe,
    )
}

fn for_each_target(
    checkout: &Checkout<'_>,
    entries: &[Entry],
    mut action: impl FnMut(&Target<'_>) -> io::Result<()>,
    observe: &mut Observer<'_>,
) -> io::Result<()> {
    for entry in entries {
        match Target::open(checkout, entry) {
            Ok(target) => {
                action(&target)?;
                observe(Step::Removed(&entry.path));
            }
            // The temporaries were removed with their directory.
            Err(error) if is_gone(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn clear(state: &State, observe: &mut Observer<'_>) -> io::Result<()> {
    state.clear()?;
    observe(Step::Cleared);
    Ok(())
}
