//! Converts reports to fix actions, the output of the validator.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_document::{
    ActionPack, ApplyError, Change, Document, FixAction, Format, Number, Op, OpSet, Pointer,
    Sources, Target, Value, lower,
};
use fixpoint_edit::apply;
use fixpoint_report::{
    Diagnostic, Fix, FixReport, PointerKind, PointerOp, RejectionReason, Safety, Severity, word,
};
use fixpoint_text::Snapshot;

use crate::merge::{ActionMerger, title};

/// Diagnostics and fix actions of several files, in emit order.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatorOutput {
    diagnostics: Vec<Value>,
    pub actions: ActionPack,
    /// The actions that cannot be written in the requested operations, with the reason.
    pub left_out: Vec<ApplyError>,
}

impl ValidatorOutput {
    /// Converts the reports of one workspace, which are sorted by path. The snapshot of a file is
    /// needed if its report has findings. The actions use only the operations in `ops`.
    pub fn of<'r>(
        files: impl IntoIterator<Item = (&'r FixReport, Option<&'r Snapshot>)>,
        ops: OpSet,
    ) -> Self {
        let mut diagnostics: Vec<(Severity, Value)> = Vec::new();
        let mut fix_actions = Vec::new();
        let mut left_out = Vec::new();
        for (report, snapshot) in files {
            let path = report.path();
            let reported = report.diagnostics.iter();
            diagnostics.extend(reported.map(|it| (it.severity(), diagnostic_value(path, it))));
            if let Some(snapshot) = snapshot {
                let (guarded, failed) = guarded(actions(report, snapshot), snapshot, ops);
                fix_actions.extend(guarded);
                left_out.extend(failed);
            }
        }
        // The reports are in the order of their paths, and each is in emit order.
        diagnostics.sort_by_key(|(severity, _)| i32::from(*severity));
        let mut actions = pack(fix_actions);
        actions.sort();
        Self {
            diagnostics: diagnostics.into_iter().map(|it| it.1).collect(),
            actions,
            left_out,
        }
    }

    /// `{pack_version, workspace_root, diagnostics, fix_actions}`.
    pub fn to_value(&self) -> Value {
        let mut value = self.actions.to_value();
        if let Value::Object(members) = &mut value {
            let diagnostics = Value::Array(self.diagnostics.clone());
            let at = members.len().saturating_sub(1);
            members.insert(at, ("diagnostics".to_owned(), diagnostics));
        }
        value
    }
}

fn pack(fix_actions: Vec<FixAction>) -> ActionPack {
    ActionPack {
        pack_version: env!("CARGO_PKG_VERSION").to_owned(),
        workspace_root: ".".to_owned(),
        fix_actions,
    }
}

/// The actions with preconditions, and the errors of those that cannot be written in `ops`.
fn guarded(
    actions: Vec<FixAction>,
    snapshot: &Snapshot,
    ops: OpSet,
) -> (Vec<FixAction>, Vec<ApplyError>) {
    let mut all = pack(actions);
    let sources = Sources::read(&all, &mut |_| Ok(snapshot.clone()));
    let mut failed = Vec::new();
    let mut guarded = Vec::new();
    for action in std::mem::take(&mut all.fix_actions) {
        match action.guarded(&sources, ops) {
            Ok(action) => guarded.push(action),
            Err(error) => failed.push(*error),
        }
    }
    if ops == OpSet::Six {
        // Two actions that remove items of one array now both replace the array.
        all.fix_actions = guarded.clone();
        let errors = lower(&all, &sources).errors;
        guarded.retain(|action| errors.iter().all(|error| error.action != action.id));
        failed.extend(errors);
    }
    (guarded, failed)
}

fn diagnostic_value(path: &str, diagnostic: &Diagnostic) -> Value {
    let text = |it: &str| Value::String(it.to_owned());
    let number = |it: u64| Value::Number(Number::from(it));
    let span = diagnostic.span.unwrap_or_default();
    let members = [
        ("id", text(&diagnostic.id)),
        ("tier", text(diagnostic.tier.as_deref().unwrap_or_default())),
        ("rule_id", text(&diagnostic.rule)),
        (
            "severity",
            text(&word::<Severity>(diagnostic.severity).unwrap_or_default()),
        ),
        ("file", text(path)),
        (
            "json_pointer",
            text(diagnostic.json_pointer.as_deref().unwrap_or_default()),
        ),
        (
            "span",
            Value::Object(vec![
                ("start".to_owned(), number(span.start)),
                ("end".to_owned(), number(span.end)),
            ]),
        ),
        ("message", text(&diagnostic.message)),
    ];
    let members = members.map(|(key, value)| (key.to_owned(), value));
    Value::Object(members.into())
}

/// The actions of a report, such that all of them can be applied at once. If possible, they lead to
/// the same document as the fixes of the report. Otherwise the rest is found again after they are
/// applied.
fn actions(report: &FixReport, snapshot: &Snapshot) -> Vec<FixAction> {
    let canonical = report.canonical.as_ref();
    let steps = canonical.map_or(&[][..], |it| &it.steps);
    let step = |action: &FixAction| steps.iter().position(|it| it.fix_id == action.id);
    let mut all = own_actions(report);
    all.sort_by_key(|it| step(it).unwrap_or(usize::MAX));
    if all.len() < 2 {
        return all;
    }
    let edits = canonical.map_or(&[][..], |it| &it.edits);
    let wanted = apply(snapshot, edits).map(|it| read_value(snapshot, &it.text));
    let merger = ActionMerger::new(snapshot, &all);
    let applied = all.iter().filter(|it| step(it).is_some()).cloned();
    for actions in [all.clone(), applied.collect()] {
        let merged = merger.merged(actions);
        let value = read_value(snapshot, merged.text.text());
        if merged.left_out.is_empty() && wanted.as_ref().is_ok_and(|it| *it == value) {
            return merged.actions;
        }
    }
    merger.compatible(all)
}

/// The value of a text that replaces the text of `snapshot`.
fn read_value(snapshot: &Snapshot, text: &str) -> Option<Value> {
    let document = Document::parse(Format::of(snapshot.path(), snapshot.text())?, text).ok()?;
    Some(document.root().value())
}

/// An action for every fix that preserves behavior, or most likely does, and that the gate did not
/// reject. An action does not state its safety, so other fixes do not become actions.
fn own_actions(report: &FixReport) -> Vec<FixAction> {
    let refused: BTreeSet<&str> = report
        .rejected
        .iter()
        .filter(|it| it.reason() != RejectionReason::Conflict)
        .map(|it| it.fix_id.as_str())
        .collect();
    let diagnostics: BTreeMap<&str, &Diagnostic> = report
        .diagnostics
        .iter()
        .map(|it| (it.id.as_str(), it))
        .collect();
    let fixes = report.fixes.iter().filter(|fix| {
        let is_safe = fix.safety <= i32::from(Safety::LikelyPreserving);
        is_safe && !refused.contains(fix.id.as_str())
    });
    fixes
        .filter_map(|fix| action(report.path(), fix, &diagnostics))
        .collect()
}

fn action(path: &str, fix: &Fix, diagnostics: &BTreeMap<&str, &Diagnostic>) -> Option<FixAction> {
    let ids = fix.targets.iter().flat_map(|it| &it.diagnostic_ids);
    let found: Vec<&Diagnostic> = ids
        .filter_map(|id| diagnostics.get(id.as_str()).copied())
        .collect();
    let targets = found.iter().map(|it| Target {
        file: path.to_owned(),
        json_pointer: pointer(it.json_pointer.as_deref().unwrap_or_default()),
        rule_id: it.rule.clone(),
        diagnostic_id: Some(it.id.clone()),
    });
    let ops = fix.ops.iter().map(|op| op.pointer.as_ref().and_then(read));
    Some(FixAction {
        id: fix.id.clone(),
        title: title(&fix.title),
        severity: found.first()?.severity(),
        targets: targets.collect(),
        ops: ops
            .collect::<Option<Vec<_>>>()
            .filter(|it| !it.is_empty())?,
        notes: (!fix.rationale.is_empty()).then(|| fix.rationale.clone()),
        confidence: Some(fix.confidence()),
    })
}

fn pointer(text: &str) -> Pointer {
    Pointer::parse(text).unwrap_or_default()
}

/// Converts an operation from the form that reports use.
fn read(op: &PointerOp) -> Option<Op> {
    let value = || {
        let json = Document::parse(Format::Json, op.value_json.as_deref()?).ok()?;
        Some(json.root().value())
    };
    let index = op.index.and_then(|it| usize::try_from(it).ok());
    let change = match op.op() {
        PointerKind::ReplaceValue => Change::ReplaceValue { value: value()? },
        PointerKind::AddValue => Change::AddValue {
            key: op.key.clone()?,
            value: value()?,
        },
        PointerKind::RemoveKey => Change::RemoveKey {
            key: op.key.clone()?,
        },
        PointerKind::InsertArrayItem => Change::InsertArrayItem {
            index,
            value: value()?,
        },
        PointerKind::ReplaceArrayItem => Change::ReplaceArrayItem {
            index: index?,
            value: value()?,
        },
        PointerKind::RemoveArrayItem => Change::RemoveArrayItem { index: index? },
        PointerKind::RenameKey => Change::RenameKey {
            from: op.from.clone()?,
            to: op.to.clone()?,
        },
        PointerKind::Unspecified => return None,
    };
    Some(Op {
        file: op.file.clone(),
        json_pointer: pointer(&op.json_pointer),
        change,
        expects: None,
        base_sha256: None,
    })
}
