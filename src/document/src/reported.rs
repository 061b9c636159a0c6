//! Checks the pointer operations and preconditions of a fix in a stored report against the
//! documents.

use std::collections::BTreeMap;

use fixpoint_edit::{Snapshots, merge};
use fixpoint_report::{Fix, Op as ReportOp, PointerKind, PointerOp, Precondition, Severity};
use fixpoint_text::Snapshot;

use crate::action::{ActionPack, Change, Expects, FixAction, Op};
use crate::error::Problem;
use crate::format::Format;
use crate::lower::{Sources, lower};
use crate::pointer::Pointer;
use crate::tree::Document;
use crate::value::{Kind, Value};

/// Checks that the operations of `fix` lower to its edits, and that its preconditions hold in
/// `base`, the file of its report. `texts` has every file that the fix changes. The error says what
/// is wrong.
pub fn check_reported(
    fix: &Fix,
    base: &Snapshot,
    texts: &BTreeMap<&str, &Snapshot>,
) -> Result<(), String> {
    for precondition in &fix.preconditions {
        check_precondition(precondition, base).map_err(|problem| {
            format!("its precondition `{}` {problem}", precondition.description)
        })?;
    }
    if fix.ops.is_empty() {
        return Ok(());
    }
    let lowered = lowered(fix, texts)?;
    for snapshot in texts.values() {
        if result(fix, snapshot) != result(&lowered, snapshot) {
            return Err("its edits differ from its operations".to_owned());
        }
    }
    Ok(())
}

/// The text of `snapshot` with the edits of `fix` applied.
fn result(fix: &Fix, snapshot: &Snapshot) -> String {
    let mut own = Fix {
        id: fix.id.clone(),
        edits: fix.edits.clone(),
        ..Fix::default()
    };
    own.edits.retain(|edit| edit.path == snapshot.path());
    merge(&Snapshots::of(snapshot), [&own]).apply(snapshot).text
}

/// Lowers the operations of `fix` to a fix.
fn lowered(fix: &Fix, texts: &BTreeMap<&str, &Snapshot>) -> Result<Fix, String> {
    let ops = fix.ops.iter().map(op).collect::<Result<_, _>>()?;
    let pack = ActionPack {
        pack_version: String::new(),
        workspace_root: ".".to_owned(),
        fix_actions: vec![FixAction {
            id: fix.id.clone(),
            title: fix.title.clone(),
            severity: Severity::Error,
            targets: Vec::new(),
            ops,
            notes: None,
            confidence: None,
        }],
    };
    let sources = Sources::read(&pack, &mut |path| match texts.get(path) {
        Some(snapshot) => Ok((*snapshot).clone()),
        None => Err(Problem::unreadable(format!("{path} has no edit"))),
    });
    let lowered = lower(&pack, &sources);
    if let Some(error) = lowered.errors.first() {
        return Err(format!("its operations cannot be applied: {error}"));
    }
    let fixes = lowered
        .files
        .into_iter()
        .flat_map(|(report, _)| report.fixes);
    Ok(fixes.last().unwrap_or_default())
}

fn op(op: &ReportOp) -> Result<Op, String> {
    let Some(pointer) = &op.pointer else {
        return Err("its operations are on a syntax tree, which is not checked here".to_owned());
    };
    Ok(Op {
        file: pointer.file.clone(),
        json_pointer: parse_pointer(&pointer.json_pointer)?,
        change: change(pointer)?,
        expects: pointer.expects.as_ref().map(expects).transpose()?,
        base_sha256: None,
    })
}

fn change(op: &PointerOp) -> Result<Change, String> {
    let value = || match &op.value_json {
        Some(json) => parse_value(json),
        None => Err("one of its operations lacks a value".to_owned()),
    };
    let name = |name: &Option<String>| {
        let missing = || "one of its operations lacks a key".to_owned();
        name.clone().ok_or_else(missing)
    };
    let index = || {
        let index = op.index.and_then(|it| usize::try_from(it).ok());
        index.ok_or_else(|| "one of its operations lacks an index".to_owned())
    };
    Ok(match op.op() {
        PointerKind::ReplaceValue => Change::ReplaceValue { value: value()? },
        PointerKind::AddValue => Change::AddValue {
            key: name(&op.key)?,
            value: value()?,
        },
        PointerKind::RemoveKey => Change::RemoveKey {
            key: name(&op.key)?,
        },
        PointerKind::InsertArrayItem => Change::InsertArrayItem {
            index: op.index.map(|_| index()).transpose()?,
            value: value()?,
        },
        PointerKind::ReplaceArrayItem => Change::ReplaceArrayItem {
            index: index()?,
            value: value()?,
        },
        PointerKind::RemoveArrayItem => Change::RemoveArrayItem { index: index()? },
        PointerKind::RenameKey => Change::RenameKey {
            from: name(&op.from)?,
            to: name(&op.to)?,
        },
        PointerKind::Unspecified => return Err("one of its operations is unknown".to_owned()),
    })
}

fn expects(expects: &fixpoint_report::Expects) -> Result<Expects, String> {
    let kind = expects.r#type.as_deref().map(|name| {
        Kind::of_name(name).ok_or_else(|| format!("expects the unknown type `{name}`"))
    });
    let equals = expects.equals_json.as_deref().map(parse_value);
    Ok(Expects {
        kind: kind.transpose()?,
        equals: equals.transpose()?,
        exists: expects.exists,
    })
}

fn parse_pointer(text: &str) -> Result<Pointer, String> {
    Pointer::parse(text).map_err(|error| format!("`{text}` is not a pointer: {error}"))
}

fn parse_value(json: &str) -> Result<Value, String> {
    let parsed = Document::parse(Format::Json, json);
    let parsed = parsed.map_err(|error| format!("`{json}` is not a value: {error}"))?;
    Ok(parsed.root().value())
}

fn check_precondition(precondition: &Precondition, base: &Snapshot) -> Result<(), String> {
    let cannot = || "cannot be checked".to_owned();
    let format = Format::of(base.path(), base.text());
    let (Some(pointer), Some(wanted), Some(format), None) = (
        &precondition.json_pointer,
        &precondition.expects,
        format,
        &precondition.node_id,
    ) else {
        return Err(cannot());
    };
    let (pointer, wanted) = (parse_pointer(pointer)?, expects(wanted)?);
    let document = Document::parse(format, base.text()).map_err(|_| cannot())?;
    let found = document.find(&pointer).ok();
    let exists = wanted.exists.is_none_or(|exists| exists == found.is_some());
    let kind = wanted
        .kind
        .is_none_or(|kind| found.is_some_and(|it| it.kind() == kind));
    let equals = wanted
        .equals
        .is_none_or(|value| found.is_some_and(|it| it.value() == value));
    if exists && kind && equals {
        Ok(())
    } else {
        Err("does not hold".to_owned())
    }
}
