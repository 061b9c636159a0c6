//! Converts actions to the form of fix reports.

use std::collections::BTreeSet;

use fixpoint_edit::{Plan, PlannedFile, Snapshots, merge};
use fixpoint_report::{
    Canonical, Compatibility, Confidence, Edit, Exit, Expects as ReportExpects, Fix, FixReport,
    Kind as FixKind, Op as ReportOp, Outcome as ReportOutcome, PointerKind, PointerOp,
    Precondition, Provenance, Rejection, Safety, Scope, Step, Targets,
};
use fixpoint_text::{Digest, Snapshot};

use super::unit::{Outcome, Unit};
use super::{Overlays, PreparedAction, Sources};
use crate::action::{Change, Expects, FixAction, Op};
use crate::emit::emit;
use crate::overlay::Overlay;

/// The phase that fixes from actions belong to.
const PHASE: &str = "document";

/// The fix for an action, with the edits that its ops result in.
pub(super) fn fix(action: &FixAction, overlays: &Overlays<'_>, sources: &Sources) -> Fix {
    let (edits, compatibility) = edits(overlays, sources);
    let confidence = action.confidence.unwrap_or(Confidence::Medium);
    let ids = action.targets.iter();
    let diagnostics = ids.filter_map(|target| target.diagnostic_id.clone());
    Fix {
        id: action.id.clone(),
        title: action.title.clone(),
        phase: PHASE.to_owned(),
        rule: action
            .targets
            .first()
            .map_or(String::new(), |it| it.rule_id.clone()),
        // An action does not state whether it preserves behavior.
        safety: Safety::BehaviorChanging.into(),
        confidence: confidence.into(),
        kind: FixKind::LocalFix.into(),
        scope: Some(Scope {
            node_count: u32::try_from(action.ops.len()).unwrap_or(u32::MAX),
            crosses_function: false,
        }),
        targets: Some(Targets {
            diagnostic_ids: diagnostics.collect(),
            ..Targets::default()
        }),
        preconditions: action.ops.iter().filter_map(precondition).collect(),
        edits,
        ops: action.ops.iter().map(|op| report_op(op, sources)).collect(),
        compatibility,
        provenance: Provenance::Imported.into(),
        rationale: action.notes.clone().unwrap_or_default(),
        ..Fix::default()
    }
}

/// The edits that the overlays of one or several actions result in, and the keys that they add.
pub(super) fn edits(
    overlays: &Overlays<'_>,
    sources: &Sources,
) -> (Vec<Edit>, Option<Compatibility>) {
    let mut edits = Vec::new();
    let mut compatibility = Compatibility::default();
    for (path, overlay) in overlays {
        if let Some(source) = sources.get(path) {
            let patches = emit(overlay).into_iter();
            edits.extend(patches.map(|it| Edit::replace(&source.snapshot, it.span, it.text)));
        }
        note_keys(path, overlay, &mut compatibility);
    }
    let is_empty = compatibility == Compatibility::default();
    (edits, (!is_empty).then_some(compatibility))
}

/// Records added and renamed keys as names. One action may add a key that another gives to a
/// renamed member, far apart in the text, and the merge must detect that conflict. Two actions that
/// add the same key are compared by their bytes.
fn note_keys(path: &str, overlay: &Overlay<'_>, compatibility: &mut Compatibility) {
    for id in overlay.changed_nodes() {
        let Some(changes) = overlay.changes(id) else {
            continue;
        };
        let start = overlay.document().data(id).span.start();
        let name = |key: &str| format!("{path}@{start}/{}", crate::pointer::escape(key));
        let added = changes.fresh.iter().filter_map(|it| it.1.as_deref());
        compatibility.reads.extend(added.map(name));
        let renamed = changes.renamed.iter().map(|it| it.1.as_str());
        compatibility.writes.extend(renamed.map(name));
    }
}

/// Whether a recorded key name belongs to the file at `path`.
pub(super) fn is_key_of(name: &str, path: &str) -> bool {
    name.strip_prefix(path)
        .is_some_and(|rest| rest.starts_with('@'))
}

fn report_expects(expects: &Expects) -> ReportExpects {
    ReportExpects {
        r#type: expects.kind.map(|it| it.name().to_owned()),
        equals_json: expects.equals.as_ref().map(crate::Value::to_json),
        exists: expects.exists,
    }
}

fn precondition(op: &Op) -> Option<Precondition> {
    let expects = op.expects.as_ref()?;
    let pointer = op.subject().to_string();
    Some(Precondition {
        description: format!("what {} expects of {}#{pointer}", op.change.name(), op.file),
        node_id: None,
        json_pointer: Some(pointer),
        expects: Some(report_expects(expects)),
    })
}

/// An op in report form.
fn report_op(op: &Op, sources: &Sources) -> ReportOp {
    let mut pointer = PointerOp {
        file: sources.path(&op.file).unwrap_or(&op.file).to_owned(),
        json_pointer: op.json_pointer.to_string(),
        expects: op.expects.as_ref().map(report_expects),
        ..PointerOp::default()
    };
    let kind = match &op.change {
        Change::ReplaceValue { value } => {
            pointer.value_json = Some(value.to_json());
            PointerKind::ReplaceValue
        }
        Change::AddValue { key, value } => {
            pointer.key = Some(key.clone());
            pointer.value_json = Some(value.to_json());
            PointerKind::AddValue
        }
        Change::RemoveKey { key } => {
            pointer.key = Some(key.clone());
            PointerKind::RemoveKey
        }
        Change::InsertArrayItem { index, value } => {
            pointer.index = index.map(|it| it as u64);
            pointer.value_json = Some(value.to_json());
            PointerKind::InsertArrayItem
        }
        Change::ReplaceArrayItem { index, value } => {
            pointer.index = Some(*index as u64);
            pointer.value_json = Some(value.to_json());
            PointerKind::ReplaceArrayItem
        }
        Change::RemoveArrayItem { index } => {
            pointer.index = Some(*index as u64);
            PointerKind::RemoveArrayItem
        }
        Change::RenameKey { from, to } => {
            pointer.from = Some(from.clone());
            pointer.to = Some(to.clone());
            PointerKind::RenameKey
        }
    };
    pointer.op = kind.into();
    ReportOp {
        patch: None,
        pointer: Some(pointer),
    }
}

/// A report for each file. A fix that changes several files is in the report of each of them, and
/// is not part of any canonical text.
pub(super) fn reports(
    prepared: &[PreparedAction<'_>],
    outcome: &Outcome,
    rejected: &[Rejection],
    snapshots: &Snapshots,
    sources: &Sources,
) -> Vec<(FixReport, Snapshot)> {
    let mut files = Vec::new();
    for snapshot in snapshots.iter() {
        let path = snapshot.path();
        let Some(source) = sources.get(path) else {
            continue;
        };
        let mut report = FixReport::new(snapshot, source.document.format().name());
        let on_file = prepared.iter().map(|it| &it.fix);
        let on_file = on_file.filter(|fix| fix.edits.iter().any(|edit| edit.path == path));
        report.fixes = on_file.cloned().collect();
        let is_own = |fix: &Fix| fix.edits.iter().all(|edit| edit.path == path);
        let own = outcome.accepted().filter(|unit| {
            let is_here = unit.fix.edits.iter().any(|edit| edit.path == path);
            is_here && is_own(&unit.fix)
        });
        let own: Vec<&Unit> = own.collect();
        let alone = merge(&Snapshots::of(snapshot), own.iter().map(|unit| &unit.fix));
        let text = alone.apply(snapshot).text;
        let is_rejected = |it: &&Rejection| report.fixes.iter().any(|fix| fix.id == it.fix_id);
        let rejected: Vec<Rejection> = rejected.iter().filter(is_rejected).cloned().collect();
        let steps = own.iter().flat_map(|unit| &unit.members);
        report.canonical = Some(Canonical {
            sha256: Digest::of(text.as_bytes()).to_string(),
            length: text.len() as u64,
            edits: alone.edits(path).cloned().collect(),
            steps: steps
                .map(|index| Step {
                    round: 1,
                    fix_id: prepared[*index].fix.id.clone(),
                    rule: prepared[*index].fix.rule.clone(),
                })
                .collect(),
        });
        report.outcome = Some(ReportOutcome {
            exit: if rejected.is_empty() {
                Exit::Fixpoint
            } else {
                Exit::Rejected
            }
            .into(),
            rounds: 1,
            cycle_rules: Vec::new(),
        });
        report.rejected = rejected;
        files.push((report, snapshot.clone()));
    }
    files
}

/// The texts to write. Files that one unit changes are written together or not at all.
pub(super) fn planned(
    outcome: &Outcome,
    prepared: &[PreparedAction<'_>],
    snapshots: &Snapshots,
) -> Plan {
    let mut plan = Plan::default();
    let mut groups: Vec<BTreeSet<&str>> = Vec::new();
    for unit in outcome.accepted() {
        let mut paths: BTreeSet<&str> = unit.fix.edits.iter().map(|it| it.path.as_str()).collect();
        if paths.len() > 1 {
            let ids = unit.members.iter().map(|index| &prepared[*index].fix);
            let is_across = |fix: &&Fix| fix.edits.iter().any(|it| it.path != fix.edits[0].path);
            plan.across_files
                .extend(ids.filter(is_across).map(|fix| fix.id.clone()));
        }
        groups.retain(|group| {
            let is_shared = !group.is_disjoint(&paths);
            if is_shared {
                paths.extend(group);
            }
            !is_shared
        });
        groups.push(paths);
    }
    groups.sort();
    let merged = merge(snapshots, outcome.fixes());
    let changed = |path: &&str| {
        let snapshot = snapshots.get(path)?;
        let text = merged.apply(snapshot).text;
        (text != snapshot.text()).then(|| PlannedFile {
            path: (*path).to_owned(),
            base: snapshot.digest(),
            text,
        })
    };
    let groups = groups
        .iter()
        .map(|paths| paths.iter().filter_map(changed).collect());
    plan.groups = groups
        .filter(|group: &Vec<PlannedFile>| !group.is_empty())
        .collect();
    plan
}
