//! Makes a patch as small as it can be.

use std::collections::BTreeMap;

use crate::evidence::{Minimal, MinimalHunk};
use crate::judge::{RunResult, Tests};
use crate::minimize::{Change, PatchEdit, Trial, compose, default_limit, edits, minimize};
use crate::record::Phase;
use crate::run::conclusion::Stop;
use crate::run::executor::Executor;
use crate::run::invocation::Task;
use crate::scratch::{Changes, FileState, Tree};

/// Larger patches are proved as they are.
const MAX_EDITS: usize = 60;

/// The smallest part of `fix` with which the repro passes, and the trials that show it. `None` if the
/// whole patch does not pass, or is too large.
pub(crate) fn minimal_patch(
    executor: &mut Executor<'_>,
    repro: &Task,
    base: &Tree,
    fix: &Changes,
    tests: &Changes,
) -> Result<Option<(Changes, Minimal)>, Stop> {
    let states = base.states(fix.paths().cloned())?;
    let before = contents(states.iter());
    let parts = edits(&before, &contents(fix.iter()));
    if parts.len() < 2 || parts.len() > MAX_EDITS {
        return Ok(None);
    }
    let changes_of = |chosen: &[usize]| states_of(compose(&before, &parts, chosen), &before, fix);
    let all: Vec<usize> = (0..parts.len()).collect();
    let mut try_edits = |chosen: &[usize], reason: String| -> Result<RunResult, Stop> {
        let changes = changes_of(chosen).then(tests);
        executor.try_changes(repro, base, &changes, Phase::Fix, reason)
    };
    if judged(&try_edits(&all, "the whole patch".to_owned())?) != Trial::Pass {
        return Ok(None);
    }
    let mut records: Vec<u32> = Vec::new();
    let mut stop = None;
    let found = minimize(&parts, default_limit(&parts), &mut |chosen| {
        if stop.is_some() {
            return Trial::Unresolved;
        }
        let left_out = all.iter().filter(|edit| !chosen.contains(edit));
        let left_out: Vec<String> = left_out.map(|edit| (edit + 1).to_string()).collect();
        let reason = format!("without the edits {}", left_out.join(", "));
        match try_edits(chosen, reason) {
            Ok(run) => {
                records.push(run.record);
                judged(&run)
            }
            Err(error) => {
                stop = Some(error);
                Trial::Unresolved
            }
        }
    });
    if let Some(stop) = stop {
        return Err(stop);
    }
    let hunks = found.kept.iter().map(|&edit| {
        let trial = found.needed.get(&edit);
        let record = trial.and_then(|trial| records.get(*trial));
        MinimalHunk {
            path: parts[edit].path.clone(),
            header: header(&parts[edit]),
            fails_without: record.into_iter().copied().collect(),
        }
    });
    let evidence = Minimal {
        hunks: hunks.collect(),
        trials: records.clone(),
    };
    Ok(Some((changes_of(&found.kept), evidence)))
}

fn judged(run: &RunResult) -> Trial {
    match &run.tests {
        _ if run.timed_out => Trial::Unresolved,
        Tests::ByName(_) if run.has_exit_zero => Trial::Pass,
        Tests::ByName(_) => Trial::Fail,
        Tests::NotReported | Tests::Unparsed(_) => Trial::Unresolved,
    }
}

/// The changed files among `files`, with the modes of `fix`.
pub(crate) fn states_of(
    files: BTreeMap<String, Option<Vec<u8>>>,
    before: &BTreeMap<String, Option<Vec<u8>>>,
    fix: &Changes,
) -> Changes {
    let changed = files
        .into_iter()
        .filter(|(path, bytes)| before.get(path) != Some(bytes));
    let changed = changed.map(|(path, bytes)| {
        let mode = fix.get(&path).and_then(Option::as_ref);
        let is_executable = mode.is_some_and(|state| state.is_executable);
        let state = bytes.map(|bytes| FileState {
            bytes,
            is_executable,
        });
        (path, state)
    });
    Changes::new(changed.collect())
}

pub(crate) fn contents<'a>(
    files: impl Iterator<Item = (&'a String, &'a Option<FileState>)>,
) -> BTreeMap<String, Option<Vec<u8>>> {
    let files = files.map(|(path, state)| {
        let bytes = state.as_ref().map(|state| state.bytes.clone());
        (path.clone(), bytes)
    });
    files.collect()
}

/// The place of an edit, for people.
fn header(edit: &PatchEdit) -> String {
    match &edit.change {
        Change::File(_) => "the whole file".to_owned(),
        Change::Line { at, removes, .. } => {
            let what = if *removes { "replaces" } else { "adds before" };
            format!("{what} line {}", at + 1)
        }
    }
}
