//! Turns fix actions into fix reports. Each action becomes one fix with byte edits on the snapshots
//! of its files, so that actions are handled like all other fixes.
//!
//! All actions refer to the same snapshots. Actions whose edits collide are combined if their
//! changes are independent, for example if they add different keys to one object. Otherwise the
//! first in emit order wins, and the loser is reported like an action that cannot be applied.

mod guard;
mod report;
mod sources;
mod unit;

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_edit::{Plan, Snapshots, merge};
use fixpoint_report::{Fix, FixReport, Rejection, RejectionReason, emit_order};
use fixpoint_text::Snapshot;

use crate::action::{ActionPack, FixAction, Op};
use crate::confirm::matches_overlays;
use crate::error::{ApplyError, Problem, Reason};
use crate::overlay::Overlay;
use crate::pointer::Pointer;
pub use guard::OpSet;
use report::{fix, is_key_of, planned, reports};
use sources::Source;
pub use sources::Sources;
use unit::{Outcome, are_independent, combine};

/// The result of lowering a pack of actions.
#[derive(Debug, Default)]
pub struct Lowered {
    /// A report for each file with an applicable action, and the file's snapshot, by path.
    pub files: Vec<(FixReport, Snapshot)>,
    /// The texts to write.
    pub plan: Plan,
    /// The ids of the applied actions in pack order, including those that change nothing.
    pub applied: Vec<String>,
    /// The errors of the actions that are not applied, in pack order.
    pub errors: Vec<ApplyError>,
}

/// By file path.
type Overlays<'s> = BTreeMap<&'s str, Overlay<'s>>;

/// An action whose ops were all applied to the overlays.
struct PreparedAction<'s> {
    /// Its index in the pack.
    place: usize,
    action: &'s FixAction,
    fix: Fix,
    overlays: Overlays<'s>,
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

/// Lowers every applicable action, combines and merges the fixes, and checks that the merged texts
/// contain exactly the changes of all accepted actions.
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
    prepared.sort_by(|a, b| emit_order(&a.action.emit_key(), &b.action.emit_key()));
    let snapshots = snapshots(&prepared, sources);
    loop {
        let outcome = combine(&prepared, &snapshots, sources);
        let failures = failures(&prepared, &outcome, &snapshots, sources);
        if failures.is_empty() {
            let rejected = rejections(&prepared, &outcome, sources);
            let files = reports(&prepared, &outcome, &rejected, &snapshots, sources);
            report_conflicts(&prepared, &rejected, sources, &mut errors);
            let ids = pack.fix_actions.iter().enumerate();
            return Lowered {
                files,
                plan: planned(&outcome, &prepared, &snapshots),
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
    let mut overlays: Overlays<'s> = BTreeMap::new();
    apply_ops(action, sources, &mut overlays)?;
    // A failed precondition says more than a changed hash, so the hashes are compared last.
    for (number, op) in action.ops.iter().enumerate() {
        let source = sources.path(&op.file).ok().and_then(|it| sources.get(it));
        if let (Some(source), Some(base)) = (source, op.base_sha256) {
            let digest = source.snapshot.digest();
            if digest != base {
                let expected = format!(
                    "the file that the action was made for, with the SHA-256 {base}; run the \
                     validator again"
                );
                let problem = Problem::new(Reason::ChangedFile, expected, digest.to_string());
                return Err(op_error(action, number, problem));
            }
        }
    }
    let fix = fix(action, &overlays, sources);
    Ok(PreparedAction {
        place,
        action,
        fix,
        overlays,
    })
}

/// Applies the ops of `action` to `overlays`, each after those before it.
fn apply_ops<'s>(
    action: &FixAction,
    sources: &'s Sources,
    overlays: &mut Overlays<'s>,
) -> Result<(), Box<ApplyError>> {
    for (number, op) in action.ops.iter().enumerate() {
        let fail = |problem: Problem| op_error(action, number, problem);
        let (_, overlay) = overlay_of(op, sources, overlays).map_err(fail)?;
        overlay.apply(op).map_err(fail)?;
    }
    Ok(())
}

/// The file that an op changes, and its overlay.
fn overlay_of<'s, 'o>(
    op: &Op,
    sources: &'s Sources,
    overlays: &'o mut Overlays<'s>,
) -> Result<(&'s Source, &'o mut Overlay<'s>), Problem> {
    let path = sources.path(&op.file)?;
    let unread = || Problem::unreadable("a file that has not been read");
    let source = sources.get(path).ok_or_else(unread)?;
    let overlay = overlays.entry(path);
    Ok((
        source,
        overlay.or_insert_with(|| Overlay::new(&source.document)),
    ))
}

fn op_error(action: &FixAction, number: usize, problem: Problem) -> Box<ApplyError> {
    let op = &action.ops[number];
    Box::new(ApplyError {
        action: action.id.clone(),
        op: Some(number),
        file: op.file.clone(),
        pointer: op.json_pointer.clone(),
        problem,
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

/// Whether `text` is the new text of a file: it parses and has the changes of `overlays`.
fn is_right(source: &Source, text: String, overlays: &[&Overlay<'_>]) -> bool {
    source.still_parses(&text) && matches_overlays(text, overlays)
}

/// The actions that cause a merged text to differ from the expected one.
fn failures(
    prepared: &[PreparedAction<'_>],
    outcome: &Outcome,
    snapshots: &Snapshots,
    sources: &Sources,
) -> BTreeMap<usize, ApplyError> {
    let merged = merge(snapshots, outcome.fixes());
    let mut failures = BTreeMap::new();
    for path in paths(prepared) {
        let Some(source) = sources.get(path) else {
            continue;
        };
        let involved: Vec<&PreparedAction<'_>> = outcome
            .accepted()
            .flat_map(|unit| &unit.leads)
            .map(|index| &prepared[*index])
            .filter(|it| it.overlays.contains_key(path))
            .collect();
        if involved.is_empty() {
            continue;
        }
        let overlays: Vec<&Overlay<'_>> = involved.iter().map(|it| &it.overlays[path]).collect();
        let text = merged.apply(&source.snapshot).text;
        if is_right(source, text, &overlays) {
            continue;
        }
        let is_right_with = |actions: &[&PreparedAction<'_>]| {
            let own: Vec<Fix> = actions.iter().map(|it| on_file(&it.fix, path)).collect();
            let merged = merge(&Snapshots::of(&source.snapshot), &own);
            let overlays: Vec<&Overlay<'_>> = actions.iter().map(|it| &it.overlays[path]).collect();
            is_right(source, merged.apply(&source.snapshot).text, &overlays)
        };
        let alone: Vec<&&PreparedAction<'_>> =
            involved.iter().filter(|it| !is_right_with(&[it])).collect();
        // If each action is correct on its own, but not all of them together, the last one loses.
        if let (true, Some((last, others))) = (alone.is_empty(), involved.split_last()) {
            let winner = others.iter().find(|it| !is_right_with(&[it, last]));
            let found = match winner {
                Some(winner) => format!("action {}, which is incompatible", winner.fix.id),
                None => "actions that cannot be combined".to_owned(),
            };
            let expected = "a text that contains the changes of all actions";
            let problem = Problem::new(Reason::Conflict, expected, found);
            failures.insert(last.place, last.error(path, sources, problem));
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

/// A rejection for every action of a rejected unit.
fn rejections(
    prepared: &[PreparedAction<'_>],
    outcome: &Outcome,
    sources: &Sources,
) -> Vec<Rejection> {
    let mut rejections = Vec::new();
    for lost in &outcome.rejected {
        for loser in lost.unit.members.iter().map(|index| &prepared[*index]) {
            let winners = lost.winner.iter().flat_map(|unit| &unit.members);
            let winners: Vec<&PreparedAction<'_>> =
                winners.map(|index| &prepared[*index]).collect();
            // Of a combined unit, the winner is the action that changes the same place.
            let mut dependent = winners.iter().filter(|it| !are_independent(it, loser));
            let mut colliding = winners.iter().filter(|winner| {
                let mut paths = loser.overlays.keys();
                paths.any(|path| collide(winner, loser, path, sources))
            });
            let winner = dependent.next().or_else(|| colliding.next());
            let winner = winner.or(winners.first());
            rejections.push(Rejection {
                fix_id: loser.fix.id.clone(),
                rule: loser.fix.rule.clone(),
                reason: RejectionReason::Conflict.into(),
                detail: match winner {
                    Some(winner) => format!("changes the same place as fix {}", winner.fix.id),
                    None => lost.detail.clone(),
                },
                winner_id: winner.map(|it| it.fix.id.clone()),
            });
        }
    }
    rejections.sort_by(|a, b| a.fix_id.cmp(&b.fix_id));
    rejections
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
        let expected = "a place that no other action of the pack changes; validate again";
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
