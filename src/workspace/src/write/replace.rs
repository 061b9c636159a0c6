//! The phases of a write, under the lock, from the first temporary to the last one removed.

use std::io;

use cap_std::fs::Dir;
use rustix::fs::Stat;

use super::change::Plan;
use super::durability::{sync_parents, sync_temporaries};
use super::journal::{Entry, Journal};
use super::place::{Place, Seen, is_gone, same_file};
use super::recover::take_back;
use super::state::{Phase, State};
use super::{Observer, Step, WriteError};
use crate::read::{ReadError, read_error};

pub(crate) fn run(
    root: &Dir,
    state: &State,
    plan: &Plan,
    observe: &mut Observer<'_>,
) -> Result<(), WriteError> {
    if state.load()?.is_some() {
        return Err(WriteError::NotRecovered);
    }
    let journal = plan.journal();
    state.begin(root, journal, observe)?;
    match stage(root, plan, observe).and_then(|originals| {
        commit(root, state, journal)?;
        Ok(originals)
    }) {
        Ok(originals) => {
            observe(Step::Committed);
            replace(root, state, journal, &originals, observe)
        }
        Err(error) => {
            // If this fails as well, the journal stays and the next run does it.
            let _ = clean_up(root, state, journal, observe);
            Err(error)
        }
    }
}

/// Makes all temporaries; returns which file each entry's path named meanwhile.
fn stage(root: &Dir, plan: &Plan, observe: &mut Observer<'_>) -> Result<Vec<Stat>, WriteError> {
    let mut contents = plan.contents().iter();
    let mut originals = Vec::new();
    for group in plan.journal().groups() {
        for (entry, bytes) in group.iter().zip(contents.by_ref()) {
            let place =
                Place::open(root, &entry.path).map_err(|error| read_error(&entry.path, error))?;
            let seen = match place.look() {
                Ok(seen) if seen.digest() == entry.base => seen,
                Ok(_) | Err(ReadError::Vanished { .. }) => {
                    let paths = vec![entry.path.clone()];
                    return Err(WriteError::Stale { paths });
                }
                Err(error) => return Err(error.into()),
            };
            let mut keep = |digest, bytes| {
                let file = place.create_temporary(digest)?;
                observe(Step::Created(&entry.path));
                place.fill_temporary(file, &seen, bytes)?;
                observe(Step::Staged(&entry.path));
                Ok(())
            };
            let kept = keep(entry.new, bytes.as_slice()).and_then(|()| {
                if Journal::keeps_base(group) {
                    keep(entry.base, seen.bytes())?;
                }
                Ok(())
            });
            kept.map_err(|source| WriteError::Stage {
                path: entry.path.clone(),
                source,
            })?;
            originals.push(seen.stat());
        }
    }
    Ok(originals)
}

/// The point of no return: everything needed to finish, or to go back, is on the disk.
fn commit(root: &Dir, state: &State, journal: &Journal) -> Result<(), WriteError> {
    sync_temporaries(root, journal)
        .and_then(|()| state.advance(Phase::Staging, Phase::Committed))
        .map_err(|source| WriteError::Commit { source })
}

fn replace(
    root: &Dir,
    state: &State,
    journal: &Journal,
    mut originals: &[Stat],
    observe: &mut Observer<'_>,
) -> Result<(), WriteError> {
    let mut written = Vec::new();
    for group in journal.groups() {
        let (of_group, others) = originals.split_at(group.len());
        originals = others;
        if let Err(cause) = replace_group(root, group, of_group, observe) {
            let cause = Box::new(cause);
            // While this fails the journal stays, and the next run goes on from there.
            let settled = take_back(root, group, observe)
                .ok()
                .and_then(|kept| finish(root, state, journal, observe).ok().map(|()| kept));
            return Err(match settled {
                Some(mut kept) => {
                    // The cause says this of its own file.
                    kept.retain(
                        |path| !matches!(&*cause, WriteError::Changed { path: own } if own == path),
                    );
                    WriteError::TakenBack {
                        cause,
                        kept,
                        written,
                    }
                }
                None => WriteError::Unfinished { cause, written },
            });
        }
        written.extend(group.iter().map(|entry| entry.path.clone()));
    }
    finish(root, state, journal, observe).map_err(|source| WriteError::Leftover { source })
}

fn replace_group(
    root: &Dir,
    group: &[Entry],
    originals: &[Stat],
    observe: &mut Observer<'_>,
) -> Result<(), WriteError> {
    // Looked at together first, so that as a rule none is replaced when one has changed.
    for (entry, original) in group.iter().zip(originals) {
        place_of_original(root, entry, original)?;
    }
    for (entry, original) in group.iter().zip(originals) {
        observe(Step::Replacing(&entry.path));
        let place = place_of_original(root, entry, original)?;
        place
            .install_temporary(entry.new)
            .map_err(|source| WriteError::Replace {
                path: entry.path.clone(),
                source,
            })?;
        observe(Step::Replaced(&entry.path));
    }
    Ok(())
}

/// The entry's place, if the very file that was staged from is still there with its base bytes.
fn place_of_original<'a>(
    root: &Dir,
    entry: &'a Entry,
    original: &Stat,
) -> Result<Place<'a>, WriteError> {
    let path = &entry.path;
    let place = Place::open(root, path).map_err(|error| read_error(path, error));
    let is_original =
        |seen: &Seen| seen.digest() == entry.base && same_file(&seen.stat(), original);
    match place.and_then(|place| place.look().map(|seen| (place, seen))) {
        Ok((place, seen)) if is_original(&seen) => Ok(place),
        Ok(_) | Err(ReadError::Vanished { .. } | ReadError::NotAFile { .. }) => {
            Err(WriteError::Changed { path: path.clone() })
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends a write whose groups are all settled, one way or the other.
pub(crate) fn finish(
    root: &Dir,
    state: &State,
    journal: &Journal,
    observe: &mut Observer<'_>,
) -> io::Result<()> {
    sync_parents(root, journal)?;
    state.advance(Phase::Committed, Phase::Done)?;
    observe(Step::Done);
    clean_up(root, state, journal, observe)
}

/// Removes the temporaries, and the journal only after them, since nothing else names them.
pub(crate) fn clean_up(
    root: &Dir,
    state: &State,
    journal: &Journal,
    observe: &mut Observer<'_>,
) -> io::Result<()> {
    for entry in journal.entries() {
        match Place::open(root, &entry.path) {
            Ok(place) => {
                place.remove_temporary(entry.new)?;
                place.remove_temporary(entry.base)?;
                observe(Step::Removed(&entry.path));
            }
            // With its directory they are gone too.
            Err(error) if is_gone(&error) => {}
            Err(error) => return Err(error),
        }
    }
    state.clear()?;
    observe(Step::Cleared);
    Ok(())
}
