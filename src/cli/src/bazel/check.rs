//! The action that fails a strict build.

use std::fs;

use fixpoint_report::FixReport;
use fixpoint_text::{Digest, Snapshot};
use fixpoint_workspace::write_outputs;

use super::analyze::{read_text, unread};
use super::args::CheckOptions;
use super::verdict::Examined;
use crate::Verdict;
use crate::commands::apply::read_report;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(options: &CheckOptions, output: &mut Output) -> Result<Verdict, Failure> {
    if options.source.len() != options.report.len() {
        return Err(Failure::Usage(
            "each --source needs one --report".to_owned(),
        ));
    }
    let mut examined = Examined::default();
    for (source, report) in options.source.iter().zip(&options.report) {
        examined.add(looked(source, report)?);
    }
    if !examined.passes(&options.subject) {
        examined.tell(&options.subject, output)?;
        output.flush()?;
        return Ok(Verdict::Findings);
    }
    let summary = examined.summary(&options.subject) + "\n";
    write_outputs(
        std::path::Path::new("."),
        vec![(options.marker.clone(), summary.into_bytes())],
    )
    .map_err(Failure::run)?;
    Ok(Verdict::Done)
}

/// A report with the text it is on; nothing when it says that there was nothing to report on.
pub(crate) fn looked(
    source: &std::path::Path,
    report: &std::path::Path,
) -> Result<Option<(FixReport, Snapshot)>, Failure> {
    let is_empty = fs::metadata(report)
        .map_err(|error| unread(report, error))?
        .len()
        == 0;
    if is_empty {
        return Ok(None);
    }
    let report = read_report(report)?;
    let snapshot = Snapshot::new(report.path(), read_text(source)?);
    let base = report.base.clone().unwrap_or_default();
    if base.sha256 != Digest::of(snapshot.text().as_bytes()).to_string() {
        return Err(Failure::Run(format!(
            "the report on {} is not on the text it was given with",
            report.path()
        )));
    }
    Ok(Some((report, snapshot)))
}
