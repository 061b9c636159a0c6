//! Fills in the fields that a report may leave out because they have an obvious value.

use crate::wire::{Confidence, Exit, FixReport, Kind, Outcome, Provenance};

pub(crate) fn fill_defaults(report: &mut FixReport) {
    let tool = report.tool.as_ref().map_or("", |tool| &tool.name);
    let path = report.base.as_ref().map_or("", |base| &base.path);
    for diagnostic in &mut report.diagnostics {
        fill(&mut diagnostic.phase, tool);
    }
    for fix in &mut report.fixes {
        fill(&mut fix.phase, tool);
        fill_enum(&mut fix.confidence, Confidence::Medium);
        fill_enum(&mut fix.kind, Kind::LocalFix);
        fill_enum(&mut fix.provenance, Provenance::Imported);
        for edit in &mut fix.edits {
            fill(&mut edit.path, path);
        }
    }
    for edit in report.canonical.iter_mut().flat_map(|it| &mut it.edits) {
        fill(&mut edit.path, path);
    }
    report.outcome.get_or_insert_with(|| Outcome {
        exit: Exit::Fixpoint.into(),
        ..Outcome::default()
    });
}

fn fill(field: &mut String, default: &str) {
    if field.is_empty() {
        default.clone_into(field);
    }
}

fn fill_enum(field: &mut i32, default: impl Into<i32>) {
    if *field == 0 {
        *field = default.into();
    }
}
