//! After a write was killed: each of its groups ends as all new or all old.

use std::io;

use cap_std::fs::Dir;
use thiserror::Error;

use super::journal::{Entry, Journal};
use super::place::{Place, is_gone};
use super::replace::{clean_up, finish};
use super::state::{Phase, State, StateError};
use super::{Observer, Step};
use crate::access::AccessError;
use crate::read::ReadError;

/// What a recovery did. Empty when the last write had not been interrupted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    finished: Vec<String>,
    taken_back: Vec<String>,
    kept: Vec<String>,
}

impl Recovery {
    /// Files that hold the new text of the interrupted write.
    pub fn finished(&self) -> &[String] {
        &self.finished
    }

    /// Files that hold the text from before the interrupted write.
    pub fn taken_back(&self) -> &[String] {
        &self.taken_back
    }

    /// Files that somebody has changed since, and that were left alone.
    pub fn kept(&self) -> &[String] {
        &self.kept
    }

    pub fn is_empty(&self) -> bool {
        self.finished.is_empty() && self.taken_back.is_empty() && self.kept.is_empty()
    }
}

/// Why an interrupted write could not be recovered. What is left to do stays in the journal.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecoverError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("cannot recover an interrupted write: {0}")]
    Target(#[from] ReadError),
    #[error("cannot recover {path} from an interrupted write: {source}; run the command again")]
    Replace { path: String, source: io::Error },
    #[error("cannot clean up after an interrupted write: {source}; run the command again")]
    CleanUp { source: io::Error },
    #[error(
        "{path} holds the new text of an interrupted fix, another of its files was changed since, \
         and the copy of the old text is gone. Look at {path}, then remove the directory .fixpoint"
    )]
    BaseLost { path: String },
}

pub(crate) fn run(
    root: &Dir,
    state: &State,
    observe: &mut Observer<'_>,
) -> Result<Recovery, RecoverError> {
    let mut recovery = Recovery::default();
    let Some((phase, journal)) = state.load()? else {
        return Ok(recovery);
    };
    let names = |entries: &[Entry]| -> Vec<String> {
        entries.iter().map(|entry| entry.path.clone()).collect()
    };
    let cleaned = match phase {
        Phase::Staging => {
            recovery.taken_back = names(journal.entries());
            clean_up(root, state, &journal, observe)
        }
        Phase::Committed => {
            for group in journal.groups() {
                if finish_group(root, group, observe)? {
                    recovery.finished.extend(names(group));
                    continue;
                }
                let kept = take_back(root, group, observe)?;
                let back = names(group).into_iter().filter(|path| !kept.contains(path));
                recovery.taken_back.extend(back);
                recovery.kept.extend(kept);
            }
            finish(root, state, &journal, observe)
        }
        Phase::Done => {
            recovery.finished = names(journal.entries());
            clean_up(root, state, &journal, observe)
        }
    };
    cleaned.map_err(|source| RecoverError::CleanUp { source })?;
    Ok(recovery)
}

/// What an entry's path holds.
enum Holds {
    Base,
    New,
    /// Other bytes, something that is no file, or nothing.
    Other,
}

fn look_at<'a>(root: &Dir, entry: &'a Entry) -> Result<(Option<Place<'a>>, Holds), RecoverError> {
    let place = match Place::open(root, &entry.path) {
        Ok(place) => place,
        Err(error) if is_gone(&error) => return Ok((None, Holds::Other)),
        Err(source) => {
            return Err(RecoverError::Replace {
                path: entry.path.clone(),
                source,
            });
        }
    };
    let holds = match place.look() {
        Ok(seen) if seen.digest() == entry.new => Holds::New,
        Ok(seen) if seen.digest() == entry.base => Holds::Base,
        Ok(_)
        | Err(
            ReadError::Vanished { .. } | ReadError::NotAFile { .. } | ReadError::TooLarge { .. },
        ) => Holds::Other,
        Err(error) => return Err(error.into()),
    };
    Ok((Some(place), holds))
}

/// Replaces what is left to replace, if that makes the whole group new; else does nothing.
fn finish_group(
    root: &Dir,
    group: &[Entry],
    observe: &mut Observer<'_>,
) -> Result<bool, RecoverError> {
    for entry in group {
        let possible = match look_at(root, entry)? {
            (_, Holds::New) => true,
            (Some(place), Holds::Base) => place.has_temporary(entry.new),
            _ => false,
        };
        if !possible {
            return Ok(false);
        }
    }
    for entry in group {
        match look_at(root, entry)? {
            (_, Holds::New) => {}
            (Some(place), Holds::Base) => install(&place, entry, entry.new)?,
            // Changed just now; the way back is still open.
            _ => return Ok(false),
        }
        observe(Step::Replaced(&entry.path));
    }
    Ok(true)
}

/// Gives every file of the group that holds the new text its old text again. Returns those that
/// somebody else has changed, which keep what they hold.
pub(crate) fn take_back(
    root: &Dir,
    group: &[Entry],
    observe: &mut Observer<'_>,
) -> Result<Vec<String>, RecoverError> {
    let mut kept = Vec::new();
    for entry in group {
        match look_at(root, entry)? {
            // Alone it is whole either way, and there is no copy of its old text.
            (_, Holds::New) if !Journal::keeps_base(group) => {}
            (Some(place), Holds::New) => {
                if !place.has_temporary(entry.base) {
                    return Err(RecoverError::BaseLost {
                        path: entry.path.clone(),
                    });
                }
                install(&place, entry, entry.base)?;
                observe(Step::Restored(&entry.path));
            }
            (_, Holds::Base) => {}
            _ => kept.push(entry.path.clone()),
        }
    }
    Ok(kept)
}

fn install(
    place: &Place<'_>,
    entry: &Entry,
    digest: fixpoint_text::Digest,
) -> Result<(), RecoverError> {
    place
        .install_temporary(digest)
        .map_err(|source| RecoverError::Replace {
            path: entry.path.clone(),
            source,
        })
}
