//! `fixpoint show`: prints a stored report for people.

use fixpoint_engine::Pending;
use fixpoint_report::{
    Confidence, Exit, FixReport, Kind, RejectionReason, Safety, Severity, to_json, word,
};
use fixpoint_text::Snapshot;
use fixpoint_view::unified_diff;

use crate::Verdict;
use crate::args::{Arguments, Form, ShowOptions};
use crate::commands::apply::read_report;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::findings::first_fix;
use crate::render::snippet::Source;
use crate::render::words::{count, shown};
use crate::session::Session;
use crate::survey::canonical_text;

pub(crate) fn run(
    arguments: &Arguments,
    options: &ShowOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let report = read_report(&options.report)?;
    match options.format {
        Form::Json => output.print_json(&to_json(&report)?)?,
        Form::Human => {
            let source = base_text(arguments, &report);
            show(&report, source.as_ref().ok(), output)?;
        }
        Form::Diff => {
            let snapshot = base_text(arguments, &report)?;
            let canonical = canonical_text(&report, &snapshot)?;
            output.print(&unified_diff(snapshot.path(), snapshot.text(), &canonical))?;
        }
    }
    output.flush()?;
    Ok(Verdict::Done)
}

/// The text that the report was made from, if the workspace still has it.
fn base_text(arguments: &Arguments, report: &FixReport) -> Result<Snapshot, Failure> {
    let snapshot = Session::open(arguments, &[])?
        .workspace
        .read(report.path())?;
    let is_base = report
        .base
        .as_ref()
        .is_some_and(|base| base.sha256 == snapshot.digest().to_string());
    is_base.then_some(snapshot).ok_or_else(|| {
        Failure::Run(format!(
            "{} has changed since the report was written, so the diff cannot be shown; check the file again",
            report.path()
        ))
    })
}

fn show(
    report: &FixReport,
    snapshot: Option<&Snapshot>,
    output: &mut Output,
) -> Result<(), Failure> {
    let base = report.base.clone().unwrap_or_default();
    let tool = report.tool.clone().unwrap_or_default();
    print_line(
        output,
        &format!(
            "{} ({}, {} bytes, sha256 {})",
            base.path, report.language, base.length, base.sha256
        ),
    )?;
    print_line(output, &format!("by {} {}", tool.name, tool.version))?;
    output.line("")?;
    let source = snapshot.map(|snapshot| Source::new(snapshot.path(), snapshot.text()));
    for diagnostic in &report.diagnostics {
        match &source {
            Some(source) => {
                output.line(&source.finding(diagnostic, first_fix(report, diagnostic)))?
            }
            None => {
                let span = diagnostic.span.unwrap_or_default();
                let severity = word::<Severity>(diagnostic.severity).unwrap_or_default();
                print_line(
                    output,
                    &format!(
                        "{severity}[{}]: {} (bytes {}..{})",
                        diagnostic.rule, diagnostic.message, span.start, span.end
                    ),
                )?;
            }
        }
        output.line("")?;
    }
    if let Some(snapshot) = snapshot {
        // The findings show what was proposed; this is what `apply` writes.
        let canonical = canonical_text(report, snapshot)?;
        let diff = unified_diff(snapshot.path(), snapshot.text(), &canonical);
        for line in diff.lines() {
            print_line(output, line)?;
        }
        output.line("")?;
    }
    for fix in &report.fixes {
        print_line(
            output,
            &format!(
                "fix {}: {} [{}; {}, {} confidence, {}; {}]",
                fix.id,
                fix.title,
                fix.rule,
                word::<Safety>(fix.safety).unwrap_or_default(),
                word::<Confidence>(fix.confidence).unwrap_or_default(),
                word::<Kind>(fix.kind).unwrap_or_default(),
                count(fix.edits.len(), "edit")
            ),
        )?;
    }
    for rejection in &report.rejected {
        let reason = word::<RejectionReason>(rejection.reason).unwrap_or_default();
        print_line(
            output,
            &format!(
                "rejected {} [{}]: {reason}: {}",
                rejection.fix_id, rejection.rule, rejection.detail
            ),
        )?;
    }
    for left_out in &report.not_checked {
        print_line(
            output,
            &format!("not checked: {}: {}", left_out.what, left_out.why),
        )?;
    }
    let outcome = report.outcome.clone().unwrap_or_default();
    let cycle = if outcome.cycle_rules.is_empty() {
        String::new()
    } else {
        format!(" between {}", outcome.cycle_rules.join(", "))
    };
    let pending = Pending::in_report(report);
    print_line(
        output,
        &format!(
            "ended as {}{cycle} after {}; {} pending, {} without a safe fix, {}",
            word::<Exit>(outcome.exit).unwrap_or_default(),
            count(outcome.rounds as usize, "round"),
            count(pending.fixes, "safe fix"),
            count(pending.style, "style finding"),
            count(pending.errors, "error")
        ),
    )
}

/// Prints one line. Parts of it come from the report, which is untrusted.
fn print_line(output: &mut Output, line: &str) -> Result<(), Failure> {
    output.line(&shown(line))
}
