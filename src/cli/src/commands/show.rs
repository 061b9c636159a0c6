//! `fixpoint show`: prints a stored report for people.

use annotate_snippets::Level;
use fixpoint_edit::{Snapshots, merge};
use fixpoint_engine::{Pending, Policy};
use fixpoint_report::{
    Confidence, Exit, Fix, FixReport, Kind, RejectionReason, Safety, Severity, to_json, word,
};
use fixpoint_text::Snapshot;
use fixpoint_view::unified_diff;

use crate::Verdict;
use crate::args::{Arguments, ShowForm, ShowOptions};
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
    let source = base_text(arguments, &report);
    let result = source.as_ref().ok();
    let result = result.map(|source| resulting_text(&report, source));
    let result = result.transpose()?;
    match options.format {
        ShowForm::Json => output.print_json(&to_json(&report)?)?,
        ShowForm::Human => {
            let changed = source.as_ref().ok().zip(result.as_deref());
            show(&report, changed, output)?;
        }
        ShowForm::Diff => {
            let snapshot = source?;
            let result = result.unwrap_or_default();
            output.print(&unified_diff(snapshot.path(), snapshot.text(), &result))?;
            if result == snapshot.text() {
                output.note(Level::NOTE, &shown(&reason_for_no_diff(&report)));
            }
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

/// The canonical text of the report. A report without one leads to the result of its safe fixes.
fn resulting_text(report: &FixReport, snapshot: &Snapshot) -> Result<String, Failure> {
    if report.canonical.is_some() {
        return canonical_text(report, snapshot);
    }
    let merged = merge(&Snapshots::of(snapshot), safe_fixes(report));
    Ok(merged.apply(snapshot).text)
}

/// The listed fixes that `apply` tries.
fn safe_fixes(report: &FixReport) -> Vec<&Fix> {
    let policy = Policy::default();
    let is_here = |fix: &&Fix| fix.edits.iter().all(|edit| edit.path == report.path());
    let fixes = report.fixes.iter().filter(is_here);
    fixes.filter(|fix| policy.admits(fix)).collect()
}

fn reason_for_no_diff(report: &FixReport) -> String {
    let path = report.path();
    if report.canonical.is_some() {
        return format!("no diff: the report says that {path} is already canonical");
    }
    if safe_fixes(report).is_empty() {
        return format!("no diff: the report lists no safe fix for {path} alone");
    }
    format!("no diff: the safe fixes of the report do not fit the text of {path}")
}

fn show(
    report: &FixReport,
    changed: Option<(&Snapshot, &str)>,
    output: &mut Output,
) -> Result<(), Failure> {
    let base = report.base.clone().unwrap_or_default();
    let tool = report.tool.clone().unwrap_or_default();
    // A report of another tool may leave out the language and the version.
    let language = match report.language.as_str() {
        "" => String::new(),
        language => format!("{language}, "),
    };
    let about = format!("{language}{} bytes, sha256 {}", base.length, base.sha256);
    print_line(output, &format!("{} ({about})", base.path))?;
    let by = format!("by {} {}", tool.name, tool.version);
    print_line(output, by.trim_end())?;
    output.line("")?;
    let snapshot = changed.map(|(snapshot, _)| snapshot);
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
    if let Some((snapshot, result)) = changed {
        // The findings show what was proposed; this is the result.
        let diff = unified_diff(snapshot.path(), snapshot.text(), result);
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
