//! Makes a patch as small as it can be, and measures how strong its tests are.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::evidence::{Minimal, MinimalHunk, Strength};
use crate::judge::{RunResult, Tests};
use crate::minimize::{Change, PatchEdit, Trial, compose, default_limit, edits, minimize};
use crate::mutate::mutants;
use crate::record::Phase;
use crate::run::conclusion::Stop;
use crate::run::executor::Executor;
use crate::run::invocation::Task;
use crate::run::split::Split;
use crate::scratch::{Changes, FileState, Tree};

/// At most this many mutants are run.
const MAX_MUTANTS: usize = 12;
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

/// How many mutants of the changed lines the tests reject.
pub(crate) fn test_strength(
    executor: &mut Executor<'_>,
    repro: &Task,
    both: &Tree,
    base: &Tree,
    patch: &Split,
) -> Result<Option<Strength>, Stop> {
    let fix = &patch.fix;
    let states = base.states(fix.paths().cloned())?;
    let parts = edits(&contents(states.iter()), &contents(fix.iter()));
    let mut strength = Strength {
        mutants: 0,
        killed: 0,
        unknown: 0,
        records: Vec::new(),
    };
    for path in fix.paths() {
        // The file as it is with the whole patch, in which only lines of the fix are changed.
        let Some(state) = both.read(path)? else {
            continue;
        };
        let Ok(text) = std::str::from_utf8(&state.bytes) else {
            continue;
        };
        let lines = changed_lines(&parts, path, text);
        for mutant in mutants(path, text, &lines, MAX_MUTANTS) {
            if strength.records.len() >= MAX_MUTANTS {
                break;
            }
            let changed = FileState {
                bytes: mutant.text.into_bytes(),
                is_executable: state.is_executable,
            };
            let changes = Changes::new(BTreeMap::from([(path.clone(), Some(changed))]));
            let reason = format!("mutant of {path}:{}: {}", mutant.line, mutant.description);
            let run = executor.try_changes(repro, both, &changes, Phase::Prevent, reason)?;
            strength.mutants += 1;
            strength.records.push(run.record);
            if run.timed_out {
                strength.unknown += 1;
            } else if !run.has_exit_zero {
                strength.killed += 1;
            }
        }
    }
    Ok((strength.mutants > 0).then_some(strength))
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

/// The lines of the new text that the patch adds, counted from 1.
fn changed_lines(parts: &[PatchEdit], path: &str, text: &str) -> Vec<Range<usize>> {
    let of_file: Vec<&PatchEdit> = parts.iter().filter(|edit| edit.path == path).collect();
    if of_file
        .iter()
        .any(|edit| matches!(edit.change, Change::File(_)))
    {
        let end = text.lines().count() + 1;
        return std::iter::once(1..end).collect();
    }
    let added: Vec<&[u8]> = of_file
        .iter()
        .filter_map(|edit| match &edit.change {
            Change::Line { text, .. } => Some(text.as_slice()),
            Change::File(_) => None,
        })
        .collect();
    let is_added = |line: &str| {
        let line = line.as_bytes();
        added
            .iter()
            .any(|text| !line.is_empty() && contains(text, line))
    };
    let numbered = text.lines().enumerate();
    numbered
        .filter(|(_, line)| is_added(line))
        .map(|(index, _)| index + 1..index + 2)
        .collect()
}

fn contains(text: &[u8], line: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|other| other == line)
}
