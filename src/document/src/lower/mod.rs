//! Turns fix actions into fix reports. Each action becomes one fix with byte edits on the snapshots
//! of its files, so that actions are handled like all other fixes.
//!
//! All actions refer to the same snapshots. The merge resolves conflicts between them, as for other
//! fixes. An action that loses a conflict is reported like one that cannot be applied.

mod report;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_edit::{Merge, Snapshots, merge};
use fixpoint_report::{Fix, FixReport, Rejection};
use fixpoint_text::Snapshot;

use crate::action::{ActionPack, FixAction};
use crate::confirm::matches_overlays;
use crate::error::{ApplyError, Problem, Reason};
use crate::overlay::Overlay;
use crate::pointer::Pointer;
use report::{fix, is_key_of, reports};
pub use sources::Sources;

/// The result of lowering a pack of actions.
#[derive(Debug, Default)]
pub struct Lowered {
    /// A report for each file with an applicable action, and the file's snapshot, by path.
    pub files: Vec<(FixReport, Snapshot)>,
    /// The ids of the applied actions in pack order, including those that change nothing.
    pub applied: Vec<String>,
    /// The errors of the actions that are not applied, in pack order.
    pub errors: Vec<ApplyError>,
}

/// An action whose ops were all applied to the overlays.
struct PreparedAction<'s> {
    /// Its index in the pack.
    place: usize,
    action: &'s FixAction,
    fix: Fix,
    /// By file path.
    overlays: BTreeMap<&'s str, Overlay<'s>>,
}

impl PreparedAction<'_> {
    /// An error of the whole action, on the file at `path`.
    fn error(&self, path: &str, sources: &Sources, problem: Problem) -> ApplyError {
        let mut files = self.action.ops.iter().map(|op| op.file.as_str());
        let file = files.find(|file| sources.path(file) == Ok(path));
        ApplyError {
            action: self.fix.id.clone(),
            op: None,
            file: file.unwrap_or(path).to_owned(),
            pointer: Pointer::root(),
            problem,
        }
    }
}

/// Lowers every applicable action, merges the fixes, and checks that the merged texts contain
/// exactly the changes of all accepted actions.
pub fn lower(pack: &ActionPack, sources: &Sources) -> Lowered {
    let mut errors: BTreeMap<usize, ApplyError> = BTreeMap::new();
    let mut prepared: Vec<PreparedAction<'_>> = Vec::new();
    for (place, action) in pack.fix_actions.iter().enumerate() {
        match prepare(place, action, sources) {
            Ok(action) => prepared.push(action),
            Err(error) => {
                errors.insert(place, *error);
            }
        }
    }
    let snapshots = snapshots(&prepared, sources);
    loop {
        let fixes = prepared.iter().filter(|it| !it.fix.edits.is_empty());
        let merged = merge(&snapshots, fixes.map(|it| &it.fix));
        let failures = failures(&prepared, &merged, sources);
        if failures.is_empty() {
            let files = reports(&prepared, &merged, &snapshots, sources);
            report_conflicts(&prepared, merged.rejected(), sources, &mut errors);
            let ids = pack.fix_actions.iter().enumerate();
            return Lowered {
                files,
                applied: ids
                    .filter(|(place, _)| !errors.contains_key(place))
                    .map(|(_, action)| action.id.clone())
                    .collect(),
                errors: errors.into_values().collect(),
            };
        }
        for (place, error) in failures {
            prepared.retain(|it| it.place != place);
            errors.insert(place, error);
        }
    }
}

/// Applies the ops of one action to its files, in order.
fn prepare<'s>(
    place: usize,
    action: &'s FixAction,
    sources: &'s Sources,
) -> Result<PreparedAction<'s>, Box<ApplyError>> {
    let mut overlays: BTreeMap<&'s str, Overlay<'s>> = BTreeMap::new();
    for (number, op) in action.ops.iter().enumerate() {
        let fail = |problem: Problem| {
            Box::new(ApplyError {
                action: action.id.clone(),
                op: Some(number),
                file: op.file.clone(),
                pointer: op.json_pointer.clone(),
                problem,
            })
        };
        let path = sources.path(&op.file).map_err(fail)?;
        let Some(source) = sources.get(path) else {
            continue;
        };
        let overlay = overlays
            .entry(path)
            .or_insert_with(|| Overlay::new(&source.document));
        overlay.apply(op).map_err(fail)?;
    }
    let fix = fix(action, &overlays, sources);
    Ok(PreparedAction {
        place,
        action,
        fix,
        overlays,
    })
}

/// The snapshots of the files that the actions change.
fn snapshots(prepared: &[PreparedAction<'_>], sources: &Sources) -> Snapshots {
    let mut snapshots = Snapshots::default();
    for path in paths(prepared) {
        if let Some(source) = sources.get(path) {
            let report = FixReport::new(&source.snapshot, source.document.format().name());
            let base = report.base.unwrap_or_default();
            // The base was made from the same snapshot, so this cannot fail.
            let _ = snapshots.bind(&base, source.snapshot.clone());
        }
    }
    snapshots
}

fn paths<'s>(prepared: &[PreparedAction<'s>]) -> BTreeSet<&'s str> {
    prepared
        .iter()
        .flat_map(|it| it.overlays.keys().copied())
        .collect()
}

/// The actions that cause a merged text to differ from the expected one.
fn failures(
    prepared: &[PreparedAction<'_>],
    merged: &Merge<'_>,
    sources: &Sources,
) -> BTreeMap<usize, ApplyError> {
    let accepted: BTreeSet<&str> = merged
        .accepted()
        .iter()
        .map(|fix| fix.id.as_str())
        .collect();
    let mut failures = BTreeMap::new();
    for path in paths(prepared) {
        let Some(source) = sources.get(path) else {
            continue;
        };
        let involved: Vec<&PreparedAction<'_>> = prepared
            .iter()
            .filter(|it| it.overlays.contains_key(path) && accepted.contains(it.fix.id.as_str()))
            .collect();
        if involved.is_empty() {
            continue;
        }
        let overlays: Vec<&Overlay<'_>> = involved.iter().map(|it| &it.overlays[path]).collect();
        let is_right = |text: String, overlays: &[&Overlay<'_>]| {
            source.still_parses(&text) && matches_overlays(text, overlays)
        };
        let text = merged.apply(&source.snapshot).text;
        if is_right(text, &overlays) {
            continue;
        }
        let alone: Vec<&&PreparedAction<'_>> = involved
            .iter()
            .filter(|it| {
                let single = Snapshots::of(&source.snapshot);
                let own = on_file(&it.fix, path);
                let text = merge(&single, [&own]).apply(&source.snapshot).text;
                !is_right(text, &[&it.overlays[path]])
            })
            .collect();
        if alone.is_empty() {
            // Each action is correct on its own, but not all of them together, so the last one is
            // dropped.
            if let Some(last) = involved.last() {
                let problem = Problem::new(
                    Reason::Conflict,
                    "a text that contains the changes of all actions",
                    "actions that cannot be combined",
                );
                failures.insert(last.place, last.error(path, sources, problem));
            }
        }
        for it in alone {
            let problem = Problem::new(
                Reason::Damaged,
                "a text that contains exactly the changes of the action",
                "a different text; change the file by hand",
            );
            failures.insert(it.place, it.error(path, sources, problem));
        }
    }
    failures
}

/// Reports the actions that lost a conflict.
fn report_conflicts(
    prepared: &[PreparedAction<'_>],
    rejected: &[Rejection],
    sources: &Sources,
    errors: &mut BTreeMap<usize, ApplyError>,
) {
    let by_id: BTreeMap<&str, &PreparedAction<'_>> =
        prepared.iter().map(|it| (it.fix.id.as_str(), it)).collect();
    for rejection in rejected {
        let Some(loser) = by_id.get(rejection.fix_id.as_str()) else {
            continue;
        };
        let winner = rejection.winner_id.as_deref();
        let found = match winner {
            Some(winner) => format!("action {winner}, which changes the same place"),
            None => rejection.detail.clone(),
        };
        let winner = winner.and_then(|it| by_id.get(it));
        let mut paths = loser.overlays.keys().copied();
        let contested =
            paths.find(|path| winner.is_some_and(|it| collide(it, loser, path, sources)));
        let first = loser.overlays.keys().copied().next().unwrap_or_default();
        let expected =
            "a place that no other action of the pack changes; apply it again afterwards";
        let problem = Problem::new(Reason::Conflict, expected, found);
        let error = loser.error(contested.unwrap_or(first), sources, problem);
        errors.insert(loser.place, error);
    }
}

/// Whether two actions conflict in this file.
fn collide(
    one: &PreparedAction<'_>,
    other: &PreparedAction<'_>,
    path: &str,
    sources: &Sources,
) -> bool {
    let Some(source) = sources
        .get(path)
        .filter(|_| one.overlays.contains_key(path))
    else {
        return false;
    };
    let [one, other] = [one, other].map(|it| on_file(&it.fix, path));
    let merged = merge(&Snapshots::of(&source.snapshot), [&one, &other]);
    !merged.rejected().is_empty()
}

/// The part of a fix that changes one file.
fn on_file(fix: &Fix, path: &str) -> Fix {
    let mut own = fix.clone();
    own.edits.retain(|edit| edit.path == path);
    if let Some(names) = &mut own.compatibility {
        let is_own = |name: &String| is_key_of(name, path);
        names.reads.retain(is_own);
        names.writes.retain(is_own);
    }
    own
}
