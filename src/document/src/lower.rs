//! From fix actions to fix reports: each action becomes one fix of byte edits on the snapshots of its
//! files, so that everything that takes fixes takes actions.
//!
//! All actions stand on the same snapshots. Those that collide are settled by the merge, like any other
//! fixes; the loser is told, as an action that could not be made is.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use fixpoint_edit::{Merge, Snapshots, merge};
use fixpoint_report::{
    Canonical, Compatibility, Confidence, Edit, Exit, Expects as ReportExpects, Fix, FixReport,
    Kind as FixKind, Op as ReportOp, Outcome, PointerKind, PointerOp, Precondition, Provenance,
    Rejection, Safety, Scope, Step, Targets, is_workspace_path,
};
use fixpoint_text::{Digest, Snapshot};

use crate::action::{ActionPack, Change, Expects, FixAction, Op};
use crate::confirm::is_faithful;
use crate::emit::emit;
use crate::error::{ApplyError, Problem, Reason};
use crate::format::Format;
use crate::overlay::Overlay;
use crate::pointer::Pointer;
use crate::tree::Document;

/// The phase that fixes from actions belong to.
const PHASE: &str = "document";

/// The documents that actions are made on, each read once.
#[derive(Debug, Default)]
pub struct Sources {
    root: Root,
    by_path: BTreeMap<String, Result<Source, Problem>>,
}

/// The folder that the files of a pack are relative to, without a `/` at its end; empty for the
/// workspace itself.
#[derive(Debug, Default)]
struct Root(String);

impl Root {
    /// The path of an op's file from the root of the workspace.
    fn path(&self, file: &str) -> String {
        let file = file.strip_prefix("./").unwrap_or(file);
        if self.0.is_empty() || file.starts_with('/') {
            file.to_owned()
        } else {
            format!("{}/{file}", self.0)
        }
    }
}

#[derive(Debug)]
struct Source {
    snapshot: Snapshot,
    document: Document,
}

impl Sources {
    /// Reads every file that an op of the pack names. `read` takes a path relative to the workspace,
    /// and tells why it cannot be read.
    pub fn read(pack: &ActionPack, read: &mut dyn FnMut(&str) -> Result<Snapshot, String>) -> Self {
        let root = match pack.workspace_root.trim_end_matches('/') {
            "." | "" if !pack.workspace_root.starts_with('/') => String::new(),
            other => other.strip_prefix("./").unwrap_or(other).to_owned(),
        };
        let mut sources = Self {
            root: Root(root),
            by_path: BTreeMap::new(),
        };
        let ops = pack.fix_actions.iter().flat_map(|action| &action.ops);
        for op in ops {
            if let Entry::Vacant(place) = sources.by_path.entry(sources.root.path(&op.file)) {
                let source = Source::read(place.key(), read);
                place.insert(source);
            }
        }
        sources
    }

    /// The path of an op's file from the root of the workspace.
    fn path(&self, file: &str) -> String {
        self.root.path(file)
    }

    fn get(&self, path: &str) -> Result<&Source, Problem> {
        match self.by_path.get(path) {
            Some(Ok(source)) => Ok(source),
            Some(Err(problem)) => Err(problem.clone()),
            None => Err(Problem::new(
                Reason::UnreadableFile,
                "a file that has been read",
                "none",
            )),
        }
    }
}

impl Source {
    fn read(
        path: &str,
        read: &mut dyn FnMut(&str) -> Result<Snapshot, String>,
    ) -> Result<Self, Problem> {
        if !is_workspace_path(path) {
            let expected = "a path inside the workspace, relative to its root";
            return Err(Problem::new(Reason::OutsideWorkspace, expected, path));
        }
        let Some(format) = Format::of_path(path) else {
            let expected = "a file named .json, .jsonc, .yaml, .yml or .toml";
            return Err(Problem::new(Reason::UnknownFormat, expected, path));
        };
        let snapshot = read(path)
            .map_err(|why| Problem::new(Reason::UnreadableFile, "a text file to read", why))?;
        let document = Document::parse(format, snapshot.text()).map_err(|error| {
            let lines = fixpoint_text::LineIndex::new(snapshot.text());
            let at = lines.position(snapshot.text(), error.span().start());
            let found = format!("at line {} column {}: {error}", at.line, at.column);
            Problem::new(
                Reason::UnparsableFile,
                format!("valid {}", format.name()),
                found,
            )
        })?;
        Ok(Self { snapshot, document })
    }
}

/// What a pack of actions comes to.
#[derive(Debug, Default)]
pub struct Lowered {
    /// A report for each file that an action can be made on, with the file's snapshot, by path.
    pub files: Vec<(FixReport, Snapshot)>,
    /// The actions that are applied, in the order of the pack; those that change nothing included.
    pub applied: Vec<String>,
    /// The actions that are not, in the order of the pack.
    pub errors: Vec<ApplyError>,
}

/// An action that can be made.
struct Made<'s> {
    /// Its place in the pack.
    place: usize,
    fix: Fix,
    overlays: BTreeMap<String, Overlay<'s>>,
}

/// Lowers every action that can be made, merges them, and checks that the merged texts say what all of
/// them ask for.
pub fn lower(pack: &ActionPack, sources: &Sources) -> Lowered {
    let mut errors: BTreeMap<usize, ApplyError> = BTreeMap::new();
    let mut made: Vec<Made<'_>> = Vec::new();
    for (place, action) in pack.fix_actions.iter().enumerate() {
        match make(place, action, sources) {
            Ok(action) => made.push(action),
            Err(error) => {
                errors.insert(place, *error);
            }
        }
    }
    let snapshots = snapshots(&made, sources);
    loop {
        let fixes = made.iter().filter(|it| !it.fix.edits.is_empty());
        let merged = merge(&snapshots, fixes.map(|it| &it.fix));
        let faults = faults(&made, &merged, sources);
        if faults.is_empty() {
            let files = reports(&made, &merged, &snapshots, sources);
            settle(&made, merged.rejected(), &mut errors);
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
        for (place, error) in faults {
            made.retain(|it| it.place != place);
            errors.insert(place, error);
        }
    }
}

/// Makes the ops of one action on its files, one after the other.
fn make<'s>(
    place: usize,
    action: &FixAction,
    sources: &'s Sources,
) -> Result<Made<'s>, Box<ApplyError>> {
    let mut overlays: BTreeMap<String, Overlay<'s>> = BTreeMap::new();
    for (number, op) in action.ops.iter().enumerate() {
        let path = sources.path(&op.file);
        let fail = |problem: Problem| {
            Box::new(ApplyError {
                action: action.id.clone(),
                op: Some(number),
                file: op.file.clone(),
                pointer: op.json_pointer.clone(),
                problem,
            })
        };
        let source = sources.get(&path).map_err(fail)?;
        let overlay = overlays
            .entry(path)
            .or_insert_with(|| Overlay::new(&source.document));
        overlay.make(op).map_err(fail)?;
    }
    let fix = fix(action, &overlays, sources);
    Ok(Made {
        place,
        fix,
        overlays,
    })
}

fn fix(action: &FixAction, overlays: &BTreeMap<String, Overlay<'_>>, sources: &Sources) -> Fix {
    let mut edits = Vec::new();
    let mut compatibility = Compatibility::default();
    for (path, overlay) in overlays {
        if let Ok(source) = sources.get(path) {
            let patches = emit(overlay).into_iter();
            edits.extend(patches.map(|it| Edit::replace(&source.snapshot, it.span, it.text)));
        }
        note_keys(path, overlay, &mut compatibility);
    }
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
        // Nothing in an action says what it does to behaviour.
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
        compatibility: (compatibility != Compatibility::default()).then_some(compatibility),
        provenance: Provenance::Imported.into(),
        rationale: action.notes.clone().unwrap_or_default(),
        ..Fix::default()
    }
}

/// A key that one action adds and another gives to what it renames stands far apart in the text, so the
/// merge is told of it. Two that add the same are told apart, or joined, by their bytes.
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

/// An op as a report keeps it.
fn report_op(op: &Op, sources: &Sources) -> ReportOp {
    let mut pointer = PointerOp {
        file: sources.path(&op.file),
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

/// The snapshots of the files that the actions are on.
fn snapshots(made: &[Made<'_>], sources: &Sources) -> Snapshots {
    let mut snapshots = Snapshots::default();
    for path in paths(made) {
        if let Ok(source) = sources.get(path) {
            let report = FixReport::new(&source.snapshot, source.document.format().name());
            let base = report.base.unwrap_or_default();
            // The base was made from this very snapshot.
            let _ = snapshots.bind(&base, source.snapshot.clone());
        }
    }
    snapshots
}

fn paths<'m>(made: &'m [Made<'_>]) -> BTreeSet<&'m str> {
    let paths = made.iter().flat_map(|it| it.overlays.keys());
    paths.map(String::as_str).collect()
}

/// The actions at fault where a merged text does not say what it should.
fn faults(made: &[Made<'_>], merged: &Merge<'_>, sources: &Sources) -> BTreeMap<usize, ApplyError> {
    let accepted: BTreeSet<&str> = merged
        .accepted()
        .iter()
        .map(|fix| fix.id.as_str())
        .collect();
    let mut faults = BTreeMap::new();
    for path in paths(made) {
        let Ok(source) = sources.get(path) else {
            continue;
        };
        let on_file: Vec<&Made<'_>> = made
            .iter()
            .filter(|it| it.overlays.contains_key(path) && accepted.contains(it.fix.id.as_str()))
            .collect();
        if on_file.is_empty() {
            continue;
        }
        let overlays: Vec<&Overlay<'_>> = on_file.iter().map(|it| &it.overlays[path]).collect();
        let text = merged.apply(&source.snapshot).text;
        if is_faithful(text, &overlays) {
            continue;
        }
        let alone: Vec<&&Made<'_>> = on_file
            .iter()
            .filter(|it| {
                let single = Snapshots::of(&source.snapshot);
                let own = Fix {
                    edits: own_edits(&it.fix, path),
                    ..it.fix.clone()
                };
                let text = merge(&single, [&own]).apply(&source.snapshot).text;
                !is_faithful(text, &[&it.overlays[path]])
            })
            .collect();
        let damaged = |it: &Made<'_>, reason, expected: &str, found: &str| ApplyError {
            action: it.fix.id.clone(),
            op: None,
            file: path.to_owned(),
            pointer: Pointer::root(),
            problem: Problem::new(reason, expected, found),
        };
        if alone.is_empty() {
            // Each is right and all together are not: the last gives way.
            if let Some(last) = on_file.last() {
                let found = "actions that cannot go together";
                let expected = "a text that says what all actions ask for";
                faults.insert(last.place, damaged(last, Reason::Conflict, expected, found));
            }
        }
        for it in alone {
            let expected = "a text that says what the action asks for, and no more";
            let found = "another; change the file by hand";
            faults.insert(it.place, damaged(it, Reason::Damaged, expected, found));
        }
    }
    faults
}

fn own_edits(fix: &Fix, path: &str) -> Vec<Edit> {
    let edits = fix.edits.iter();
    edits.filter(|edit| edit.path == path).cloned().collect()
}

/// Tells of the actions that lost against others.
fn settle(made: &[Made<'_>], rejected: &[Rejection], errors: &mut BTreeMap<usize, ApplyError>) {
    for rejection in rejected {
        let Some(loser) = made.iter().find(|it| it.fix.id == rejection.fix_id) else {
            continue;
        };
        let found = match &rejection.winner_id {
            Some(winner) => format!("action {winner}, which changes the same place"),
            None => rejection.detail.clone(),
        };
        let expected =
            "a place that no other action of the pack changes; apply it again afterwards";
        let file = loser.overlays.keys().next().cloned().unwrap_or_default();
        errors.insert(
            loser.place,
            ApplyError {
                action: loser.fix.id.clone(),
                op: None,
                file,
                pointer: Pointer::root(),
                problem: Problem::new(Reason::Conflict, expected, found),
            },
        );
    }
}

/// A report for each file. What an action does to several files stands in the report of each, and is no
/// part of the canonical text of any.
fn reports(
    made: &[Made<'_>],
    merged: &Merge<'_>,
    snapshots: &Snapshots,
    sources: &Sources,
) -> Vec<(FixReport, Snapshot)> {
    let accepted: BTreeSet<&str> = merged
        .accepted()
        .iter()
        .map(|fix| fix.id.as_str())
        .collect();
    let mut files = Vec::new();
    for snapshot in snapshots.iter() {
        let path = snapshot.path();
        let Ok(source) = sources.get(path) else {
            continue;
        };
        let mut report = FixReport::new(snapshot, source.document.format().name());
        let on_file = made.iter().map(|it| &it.fix);
        let on_file = on_file.filter(|fix| fix.edits.iter().any(|edit| edit.path == path));
        report.fixes = on_file.cloned().collect();
        let is_own = |fix: &&Fix| fix.edits.iter().all(|edit| edit.path == path);
        let own: Vec<&Fix> = report
            .fixes
            .iter()
            .filter(is_own)
            .filter(|fix| accepted.contains(fix.id.as_str()))
            .collect();
        let alone = merge(&Snapshots::of(snapshot), own.iter().copied());
        let text = alone.apply(snapshot).text;
        let is_rejected = |it: &&Rejection| report.fixes.iter().any(|fix| fix.id == it.fix_id);
        let rejected: Vec<Rejection> = merged
            .rejected()
            .iter()
            .filter(is_rejected)
            .cloned()
            .collect();
        report.canonical = Some(Canonical {
            sha256: Digest::of(text.as_bytes()).to_string(),
            length: text.len() as u64,
            edits: alone.edits(path).cloned().collect(),
            steps: own
                .iter()
                .map(|fix| Step {
                    round: 1,
                    fix_id: fix.id.clone(),
                    rule: fix.rule.clone(),
                })
                .collect(),
        });
        report.outcome = Some(Outcome {
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
