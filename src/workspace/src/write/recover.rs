//! Recovers a killed write. Each of its groups is finished or undone as a whole.

use std::io;

use thiserror::Error;

use super::checkout::Checkout;
use super::journal::{Entry, Journal};
use super::location::is_gone;
use super::replace::{Original, clean_up, clean_up_staging, finish};
use super::state::{Phase, State, StateError};
use super::target::{ContentState, Target};
use super::{Observer, Step};
use crate::access::{AccessError, WriteAccess};

/// The outcome of a recovery. It is empty if the last write was not interrupted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    finished: Vec<String>,
    taken_back: Vec<String>,
    kept: Vec<String>,
    saved: Vec<String>,
    pub(crate) foreign: Vec<String>,
    pub(crate) key_problem: Option<String>,
}

impl Recovery {
    /// Files that have the new text of the interrupted write.
    pub fn finished(&self) -> &[String] {
        &self.finished
    }

    /// Files that have the text from before the interrupted write.
    pub fn taken_back(&self) -> &[String] {
        &self.taken_back
    }

    /// Files that somebody changed after the interruption. They keep that text.
    pub fn kept(&self) -> &[String] {
        &self.kept
    }

    /// Files that contain a save made during the write, because the file itself was saved again
    /// later.
    pub fn saved(&self) -> &[String] {
        &self.saved
    }

    /// Journals that were ignored, because this user did not write them for this checkout.
    pub fn foreign(&self) -> &[String] {
        &self.foreign
    }

    /// Why no journal could be accepted, if there is such a reason.
    pub fn key_problem(&self) -> Option<&str> {
        self.key_problem.as_deref()
    }

    /// Whether there was nothing to recover.
    pub fn is_empty(&self) -> bool {
        self.finished.is_empty() && self.taken_back.is_empty() && self.kept.is_empty()
    }
}

/// Why an interrupted write could not be recovered. The journal is kept, so that the next recovery
/// continues.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecoverError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("cannot recover {path} from an interrupted write: {source}; run the command again")]
    Replace { path: String, source: io::Error },
    #[error("cannot clean up after an interrupted write: {source}; run the command again")]
    CleanUp { source: io::Error },
    #[error(
        "{path} contains the new text of an interrupted fix, another file of the fix was changed since, \
         and the copy of the old text is missing. Review {path}, then remove .fixpoint/journal-*"
    )]
    BaseLost { path: String },
}

pub(crate) fn run(
    checkout: &Checkout<'_>,
    access: &WriteAccess,
    state: &State,
    observe: &mut Observer<'_>,
) -> Result<Recovery, RecoverError> {
    let mut recovery = Recovery {
        foreign: state.foreign_journals()?,
        ..Recovery::default()
    };
    let Some((phase, journal)) = state.load(checkout.seal())? else {
        return Ok(recovery);
    };
    let cleaned = match phase {
        Phase::Staging => {
            recovery.taken_back = names(journal.entries());
            clean_up_staging(checkout, state, &journal, observe).map(|()| Vec::new())
        }
        Phase::Committed => {
            recover_groups(checkout, access, &journal, &mut recovery, observe)?;
            finish(checkout, state, &journal, observe)
        }
        Phase::Done => {
            recovery.finished = names(journal.entries());
            clean_up(checkout, state, &journal, observe)
        }
    };
    recovery.saved = cleaned.map_err(|source| RecoverError::CleanUp { source })?;
    Ok(recovery)
}

/// Finishes or undoes every group.
fn recover_groups(
    checkout: &Checkout<'_>,
    access: &WriteAccess,
    journal: &Journal,
    recovery: &mut Recovery,
    observe: &mut Observer<'_>,
) -> Result<(), RecoverError> {
    for group in journal.groups() {
        if finish_group(checkout, access, group, observe)? {
            recovery.finished.extend(names(group));
            continue;
        }
        let taken = undo_group(checkout, group, RestorePolicy::BaseOnly, observe)?;
        recovery.taken_back.extend(taken.back);
        recovery.kept.extend(taken.kept);
    }
    Ok(())
}

fn names(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| entry.path.clone()).collect()
}

/// The entry's target, after an interrupted exchange is completed. Returns `None` if the directory
/// is gone.
fn settled_target<'a>(
    checkout: &Checkout<'_>,
    entry: &'a Entry,
    observe: &mut Observer<'_>,
) -> Result<Option<Target<'a>>, RecoverError> {
    let opened = Target::open(checkout, entry).and_then(|target| {
        target.complete_exchange(observe)?;
        Ok(target)
    });
    match opened {
        Ok(target) => Ok(Some(target)),
        Err(error) if is_gone(&error) => Ok(None),
        Err(source) => Err(failed(entry, source)),
    }
}

fn failed(entry: &Entry, source: io::Error) -> RecoverError {
    RecoverError::Replace {
        path: entry.path.clone(),
        source,
    }
}

/// Replaces the remaining files of a group, if that makes the whole group new and the settings
/// exclude none of these files. Otherwise does nothing.
fn finish_group(
    checkout: &Checkout<'_>,
    access: &WriteAccess,
    group: &[Entry],
    observe: &mut Observer<'_>,
) -> Result<bool, RecoverError> {
    for entry in group {
        let target = settled_target(checkout, entry, observe)?;
        match target.map(|target| target.content_states()) {
            Some((ContentState::New, _)) => {}
            Some((ContentState::Base, ContentState::New)) if access.may_finish(&entry.path) => {}
            _ => return Ok(false),
        }
    }
    for entry in group {
        if !finish_file(checkout, entry, observe)? {
            // The file was changed just now. The group can still be undone.
            return Ok(false);
        }
        observe(Step::Replaced(&entry.path));
    }
    Ok(true)
}

fn finish_file(
    checkout: &Checkout<'_>,
    entry: &Entry,
    observe: &mut Observer<'_>,
) -> Result<bool, RecoverError> {
    let Some(target) = settled_target(checkout, entry, observe)? else {
        return Ok(false);
    };
    let (Ok(seen), temporary) = (target.look(), target.look_at_temporary()) else {
        return Ok(false);
    };
    if seen.digest() == entry.new {
        return Ok(true);
    }
    let Some(temporary) = temporary.ok().filter(|_| seen.digest() == entry.base) else {
        return Ok(false);
    };
    // The file's mode may have been changed since the kill.
    let original = Original::of(&seen);
    let exchanged = temporary.take_metadata(&seen).and_then(|()| {
        let is_original = |seen: &_| original.is(entry, seen) && target.is_in_place(checkout);
        target.exchange_if(Some(entry.new), is_original, observe)
    });
    exchanged.map_err(|source| failed(entry, source))
}

/// The state of the files of a group that was undone.
#[derive(Default)]
pub(crate) struct UndoneGroup {
    /// The files with their old text.
    pub(crate) back: Vec<String>,
    /// The files that somebody else has changed.
    pub(crate) kept: Vec<String>,
}

/// Which bytes may be restored in place of the new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RestorePolicy {
    /// Any bytes that the new text displaced, because this process made the exchange.
    Displaced,
    /// Only bytes that the journal names. After a kill, the origin of other bytes is unknown.
    BaseOnly,
}

/// Restores every file of the group that has the new text.
pub(crate) fn undo_group(
    checkout: &Checkout<'_>,
    group: &[Entry],
    policy: RestorePolicy,
    observe: &mut Observer<'_>,
) -> Result<UndoneGroup, RecoverError> {
    let mut taken = UndoneGroup::default();
    for entry in group {
        let is_back = match settled_target(checkout, entry, observe)? {
            Some(target) => {
                let is_alone = group.len() == 1;
                undo_file(&target, entry, is_alone, policy, observe)?
            }
            None => false,
        };
        let list = if is_back {
            &mut taken.back
        } else {
            &mut taken.kept
        };
        list.push(entry.path.clone());
    }
    Ok(taken)
}

/// Returns false for a file that somebody has changed.
fn undo_file(
    target: &Target<'_>,
    entry: &Entry,
    is_alone: bool,
    policy: RestorePolicy,
    observe: &mut Observer<'_>,
) -> Result<bool, RecoverError> {
    let displaced = match target.content_states() {
        (ContentState::New, ContentState::Other) if policy == RestorePolicy::BaseOnly => {
            return Ok(false);
        }
        (ContentState::New, displaced @ (ContentState::Base | ContentState::Other)) => displaced,
        // A group of one file is whole with its new text, too.
        (ContentState::New, _) if is_alone => return Ok(true),
        (ContentState::New, _) => {
            return Err(RecoverError::BaseLost {
                path: entry.path.clone(),
            });
        }
        (holds, _) => return Ok(holds == ContentState::Base),
    };
    let base = (displaced == ContentState::Base).then_some(entry.base);
    let is_back = target
        .exchange_if(base, |seen| seen.digest() == entry.new, observe)
        .map_err(|source| failed(entry, source))?;
    observe(Step::Restored(&entry.path));
    Ok(is_back && displaced == ContentState::Base)
}

#[cfg(test)]
mod tests {
    use fixpoint_text::Digest;

    use super::*;
    use crate::root::Workspace;

    /// With a linear search for each file, this would take a minute.
    #[test]
    fn a_journal_of_many_missing_files_is_recovered_quickly()
    -> Result<(), Box<dyn std::error::Error>> {
        const FILES: usize = 40_000;
        let scratch = tempfile::tempdir()?;
        let workspace = Workspace::open(scratch.path())?;
        let access = WriteAccess::from_user_command(&workspace, workspace.root(), |_| None)?;
        let entry = |number| Entry {
            group: 0,
            path: format!("gone/{number}"),
            base: Digest::of(b"old"),
            new: Digest::of(b"new"),
        };
        let journal = Journal::new((0..FILES).map(entry).collect());
        let (checkout, _) = Checkout::to_recover(&workspace, &access)?;
        let mut recovery = Recovery::default();
        recover_groups(&checkout, &access, &journal, &mut recovery, &mut |_| {})?;
        assert_eq!(recovery.kept().len(), FILES);
        Ok(())
    }
}
