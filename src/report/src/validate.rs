//! Checks the constraints on a report that its types do not express, for both serialized forms.

use std::collections::BTreeSet;

use fixpoint_text::Digest;

use crate::collision::collision;
use crate::path::is_workspace_path;
use crate::read::ReportError;
use crate::wire::{
    Base, Canonical, Confidence, Diagnostic, Edit, Exit, Fix, FixReport, Kind, Op, PatchKind,
    PointerKind, Provenance, Rejection, RejectionReason, Safety, Severity, Span, Step,
};
use crate::words::{Words, word};

type Check = Result<(), ReportError>;

pub(crate) fn validate(report: &FixReport) -> Check {
    let tool = required(report.tool.as_ref(), "tool")?;
    filled(&tool.name, "tool.name")?;
    filled(&tool.version, "tool.version")?;
    let base = required(report.base.as_ref(), "base")?;
    workspace_path(&base.path, "base.path")?;
    digest(&base.sha256, "base.sha256")?;
    filled(&report.language, "language")?;
    for (index, left_out) in report.not_checked.iter().enumerate() {
        filled(&left_out.what, &format!("not_checked[{index}].what"))?;
        filled(&left_out.why, &format!("not_checked[{index}].why"))?;
    }

    let mut fix_ids = BTreeSet::new();
    for (index, fix) in report.fixes.iter().enumerate() {
        let field = format!("fixes[{index}]");
        check_fix(fix, &field, report)?;
        if !fix_ids.insert(fix.id.as_str()) {
            return invalid(format!("{field}.id"), "is the id of an earlier fix too");
        }
    }
    let mut diagnostic_ids = BTreeSet::new();
    for (index, diagnostic) in report.diagnostics.iter().enumerate() {
        let field = format!("diagnostics[{index}]");
        check_diagnostic(diagnostic, &field, base.length)?;
        if !diagnostic_ids.insert(diagnostic.id.as_str()) {
            let problem = "is the id of an earlier diagnostic too";
            return invalid(format!("{field}.id"), problem);
        }
        if let Some(unknown) = diagnostic
            .fix_ids
            .iter()
            .find(|id| !fix_ids.contains(id.as_str()))
        {
            return invalid(
                format!("{field}.fix_ids"),
                format!("names `{unknown}`, which is not a fix of the report"),
            );
        }
    }
    for (index, rejection) in report.rejected.iter().enumerate() {
        check_rejection(rejection, &format!("rejected[{index}]"))?;
    }

    let canonical = required(report.canonical.as_ref(), "canonical")?;
    check_canonical(canonical, base, report)?;
    check_steps(&canonical.steps, &fix_ids)?;
    let outcome = required(report.outcome.as_ref(), "outcome")?;
    known::<Exit>(outcome.exit, "outcome.exit")?;
    let ends_with_edits = matches!(outcome.exit(), Exit::Fixpoint | Exit::Rejected);
    if !canonical.edits.is_empty() && !ends_with_edits {
        return invalid(
            "canonical.edits".to_owned(),
            "must be empty for a run that ended in no result",
        );
    }
    if !canonical.edits.is_empty() && canonical.steps.is_empty() {
        return invalid(
            "canonical.steps".to_owned(),
            "must name what led to the edits",
        );
    }
    Ok(())
}

/// Checks that the edits are for the report's own file, in apply order, and lead to the stated
/// length.
fn check_canonical(canonical: &Canonical, base: &Base, report: &FixReport) -> Check {
    digest(&canonical.sha256, "canonical.sha256")?;
    let mut last_end = 0;
    let mut length = i128::from(base.length);
    for (index, edit) in canonical.edits.iter().enumerate() {
        let field = format!("canonical.edits[{index}]");
        check_edit(edit, &field, report)?;
        if edit.path != base.path {
            return invalid(format!("{field}.path"), "is not the report's own file");
        }
        if edit.start < last_end {
            return invalid(field, "starts before the end of the edit before it");
        }
        last_end = edit.end;
        length += edit.replacement.len() as i128 - i128::from(edit.end - edit.start);
    }
    if i128::from(canonical.length) != length {
        return invalid(
            "canonical.length".to_owned(),
            format!(
                "is {}, but the edits lead to {length} bytes",
                canonical.length
            ),
        );
    }
    if canonical.edits.is_empty() && canonical.sha256 != base.sha256 {
        return invalid(
            "canonical.sha256".to_owned(),
            "is not the one of the base, but no edit leads away from it",
        );
    }
    Ok(())
}

/// Checks that round numbers never decrease. The first round's fixes were found on the base bytes,
/// so they must be in `fixes`. Later rounds apply fixes that were found on the intermediate text.
fn check_steps(steps: &[Step], fix_ids: &BTreeSet<&str>) -> Check {
    let first_round = steps.first().map_or(0, |step| step.round);
    let mut last_round = first_round;
    for (index, step) in steps.iter().enumerate() {
        let field = |name: &str| format!("canonical.steps[{index}].{name}");
        filled(&step.fix_id, &field("fix_id"))?;
        filled(&step.rule, &field("rule"))?;
        if step.round == 0 || step.round < last_round {
            return invalid(field("round"), "must count up from 1");
        }
        if step.round == first_round && !fix_ids.contains(step.fix_id.as_str()) {
            let problem = format!("names `{}`, which is not a fix of the report", step.fix_id);
            return invalid(field("fix_id"), problem);
        }
        last_round = step.round;
    }
    Ok(())
}

fn check_diagnostic(diagnostic: &Diagnostic, field: &str, length: u64) -> Check {
    filled(&diagnostic.id, &format!("{field}.id"))?;
    filled(&diagnostic.code, &format!("{field}.code"))?;
    filled(&diagnostic.rule, &format!("{field}.rule"))?;
    filled(&diagnostic.phase, &format!("{field}.phase"))?;
    known::<Severity>(diagnostic.severity, &format!("{field}.severity"))?;
    filled(&diagnostic.message, &format!("{field}.message"))?;
    if let Some(tier) = &diagnostic.tier
        && !["schema", "semantic", "policy"].contains(&tier.as_str())
    {
        return invalid(
            format!("{field}.tier"),
            "must be one of schema, semantic, policy",
        );
    }
    let span = *required(diagnostic.span.as_ref(), &format!("{field}.span"))?;
    inside(span, length, &format!("{field}.span"))?;
    for (index, related) in diagnostic.related.iter().enumerate() {
        let field = format!("{field}.related[{index}]");
        workspace_path(&related.path, &format!("{field}.path"))?;
        let span = *required(related.span.as_ref(), &format!("{field}.span"))?;
        inside(span, u64::MAX, &format!("{field}.span"))?;
        filled(&related.message, &format!("{field}.message"))?;
    }
    Ok(())
}

fn check_fix(fix: &Fix, field: &str, report: &FixReport) -> Check {
    filled(&fix.id, &format!("{field}.id"))?;
    filled(&fix.title, &format!("{field}.title"))?;
    filled(&fix.phase, &format!("{field}.phase"))?;
    filled(&fix.rule, &format!("{field}.rule"))?;
    known::<Safety>(fix.safety, &format!("{field}.safety"))?;
    known::<Confidence>(fix.confidence, &format!("{field}.confidence"))?;
    known::<Kind>(fix.kind, &format!("{field}.kind"))?;
    known::<Provenance>(fix.provenance, &format!("{field}.provenance"))?;
    if fix.edits.is_empty() {
        return missing(format!("{field}.edits"));
    }
    for (index, edit) in fix.edits.iter().enumerate() {
        check_edit(edit, &format!("{field}.edits[{index}]"), report)?;
    }
    if let Some(edit) = collision(&fix.edits) {
        let problem = format!("has two edits that collide at byte {}", edit.start);
        return invalid(format!("{field}.edits"), problem);
    }
    for (index, op) in fix.ops.iter().enumerate() {
        check_op(op, &format!("{field}.ops[{index}]"))?;
    }
    Ok(())
}

fn check_edit(edit: &Edit, field: &str, report: &FixReport) -> Check {
    workspace_path(&edit.path, &format!("{field}.path"))?;
    digest(&edit.expected_sha256, &format!("{field}.expected_sha256"))?;
    let span = Span {
        start: edit.start,
        end: edit.end,
    };
    // The length of another file is unknown here. It is checked when the edit is applied.
    let length = report
        .base
        .as_ref()
        .filter(|base| base.path == edit.path)
        .map_or(u64::MAX, |base| base.length);
    inside(span, length, field)
}

fn check_op(op: &Op, field: &str) -> Check {
    match (&op.patch, &op.pointer) {
        (Some(patch), None) => {
            known::<PatchKind>(patch.op, &format!("{field}.patch.op"))?;
            filled(&patch.target_id, &format!("{field}.patch.target_id"))
        }
        (None, Some(pointer)) => {
            known::<PointerKind>(pointer.op, &format!("{field}.pointer.op"))?;
            workspace_path(&pointer.file, &format!("{field}.pointer.file"))
        }
        _ => invalid(
            field.to_owned(),
            "must hold exactly one of `patch` and `pointer`",
        ),
    }
}

fn check_rejection(rejection: &Rejection, field: &str) -> Check {
    filled(&rejection.fix_id, &format!("{field}.fix_id"))?;
    filled(&rejection.rule, &format!("{field}.rule"))?;
    known::<RejectionReason>(rejection.reason, &format!("{field}.reason"))
}

fn required<'a, T>(value: Option<&'a T>, field: &str) -> Result<&'a T, ReportError> {
    value.ok_or_else(|| ReportError::Missing {
        field: field.to_owned(),
    })
}

fn filled(text: &str, field: &str) -> Check {
    if text.is_empty() {
        missing(field.to_owned())
    } else {
        Ok(())
    }
}

fn known<E: Words>(value: i32, field: &str) -> Check {
    match (value, word::<E>(value)) {
        (_, Some(_)) => Ok(()),
        (0, None) => missing(field.to_owned()),
        (_, None) => invalid(field.to_owned(), format!("has the unknown value {value}")),
    }
}

fn digest(text: &str, field: &str) -> Check {
    match Digest::parse(text) {
        Some(_) => Ok(()),
        None if text.is_empty() => missing(field.to_owned()),
        None => invalid(
            field.to_owned(),
            "is not a sha256 of 64 lower-case hexadecimal digits",
        ),
    }
}

fn workspace_path(path: &str, field: &str) -> Check {
    if path.is_empty() {
        missing(field.to_owned())
    } else if is_workspace_path(path) {
        Ok(())
    } else {
        invalid(
            field.to_owned(),
            format!("is `{path}`, which is not a path inside the workspace"),
        )
    }
}

fn inside(span: Span, length: u64, field: &str) -> Check {
    let Span { start, end } = span;
    if start > end {
        invalid(
            field.to_owned(),
            format!("ends at byte {end}, before it starts at {start}"),
        )
    } else if end > length {
        invalid(
            field.to_owned(),
            format!("ends at byte {end} of a file of {length} bytes"),
        )
    } else {
        Ok(())
    }
}

fn missing(field: String) -> Check {
    Err(ReportError::Missing { field })
}

fn invalid(field: String, problem: impl Into<String>) -> Check {
    Err(ReportError::Invalid {
        field,
        problem: problem.into(),
    })
}
