//! `fixpoint format`: prints canonical text to standard output.

use std::collections::BTreeMap;
use std::io::Read as _;

use fixpoint_analysis::Phases;
use fixpoint_report::{Exit, FixReport};
use fixpoint_text::Snapshot;
use fixpoint_workspace::{Excludes, MAX_FILE_SIZE};

use crate::Verdict;
use crate::args::{Arguments, FormatOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::snippet::Source;
use crate::session::Session;
use crate::survey::{canonical_text, survey_texts};

/// The rule for a text that formatting would damage.
const PRINTER_FAULT: &str = "printer-fault";
/// The rule for templates, which is not a failure.
const TEMPLATE: &str = "template";

pub(crate) fn run(
    arguments: &Arguments,
    options: &FormatOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let session = Session::open(arguments, &options.files)?;
    let texts = match &options.path {
        Some(path) => {
            let text = standard_input(path)?;
            let excludes = Excludes::new(session.config().exclude())?;
            if excludes.cover(path) {
                output.print(text.text())?;
                output.flush()?;
                return Ok(Verdict::Done);
            }
            vec![text]
        }
        None => read_files(&session, options)?,
    };
    let mut survey = survey_texts(&session, arguments, texts.clone(), Phases::Layout);
    survey.count_left_to_formatters(&session);
    survey.failed.append(&mut survey.skipped);
    survey.report_problems(output);
    let reports: BTreeMap<&str, &FixReport> = survey
        .files
        .iter()
        .map(|file| (file.report.path(), &file.report))
        .collect();
    let mut verdict = Verdict::Done;
    for snapshot in &texts {
        let Some(report) = reports.get(snapshot.path()) else {
            continue;
        };
        if report
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.rule == TEMPLATE)
        {
            report_diagnostics(report, snapshot, output);
            output.print(snapshot.text())?;
        } else if is_left_alone(report) {
            report_diagnostics(report, snapshot, output);
            verdict = Verdict::Findings;
        } else {
            output.print(&canonical_text(report, snapshot)?)?;
        }
    }
    output.flush()?;
    survey.failure().map_or(Ok(verdict), Err)
}

/// A text that does not parse, or that formatting would damage, has no canonical form to print.
fn is_left_alone(report: &FixReport) -> bool {
    let outcome = report.outcome.as_ref();
    outcome.is_some_and(|outcome| outcome.exit() == Exit::Unparsable)
        || report
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.rule == PRINTER_FAULT)
}

fn report_diagnostics(report: &FixReport, snapshot: &Snapshot, output: &mut Output) {
    let source = Source::new(snapshot.path(), snapshot.text());
    for diagnostic in &report.diagnostics {
        output.notice(&source.finding(diagnostic, None));
    }
}

fn standard_input(path: &str) -> Result<Snapshot, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .take(MAX_FILE_SIZE + 1)
        .read_to_string(&mut text)
        .map_err(Failure::StandardInput)?;
    if text.len() as u64 > MAX_FILE_SIZE {
        return Err(Failure::Run(format!(
            "standard input has more than {MAX_FILE_SIZE} bytes, which is the limit"
        )));
    }
    Ok(Snapshot::new(path, text))
}

/// Each file once, in the order they are given.
fn read_files(session: &Session, options: &FormatOptions) -> Result<Vec<Snapshot>, Failure> {
    let mut texts: Vec<Snapshot> = Vec::new();
    for file in &options.files {
        let path = session.workspace.relative(file)?;
        if texts.iter().all(|known| known.path() != path) {
            texts.push(session.workspace.read(&path)?);
        }
    }
    Ok(texts)
}
