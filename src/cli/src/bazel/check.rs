//! The action that fails a strict build.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fixpoint_text::Snapshot;
use fixpoint_workspace::write_outputs;

use super::analyze::{FileReport, read_text};
use super::args::{CheckOptions, CheckedFile};
use super::built::stored_report;
use super::verdict::Examined;
use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(options: &CheckOptions, output: &mut Output) -> Result<Verdict, Failure> {
    let mut examined = Examined::default();
    let mut skipped = BTreeSet::new();
    for CheckedFile { source, report } in &options.file {
        let report = report_with_text(source, report)?;
        // A source that several targets name is passed once for each of them.
        if report.is_some() || skipped.insert(source) {
            examined.add(report);
        }
    }
    if !examined.passes(&options.subject) {
        examined.print(&options.subject, output)?;
        output.flush()?;
        return Ok(Verdict::Findings);
    }
    let summary = examined.summary(&options.subject) + "\n";
    let inputs = options.file.iter();
    let inputs = inputs.flat_map(|file| [file.source.clone(), file.report.clone()]);
    let inputs: Vec<PathBuf> = inputs.collect();
    write_outputs(
        Path::new("."),
        &inputs,
        vec![(options.marker.clone(), summary.into_bytes())],
    )?;
    Ok(Verdict::Done)
}

/// A report with the text that it was made from; `None` if the report is empty.
pub(crate) fn report_with_text(source: &Path, report: &Path) -> Result<FileReport, Failure> {
    let Some(report) = stored_report(report)? else {
        return Ok(None);
    };
    let snapshot = Snapshot::new(report.path(), read_text(source)?);
    let base = report.base.clone().unwrap_or_default();
    if base.sha256 != snapshot.digest().to_string() {
        return Err(Failure::Run(format!(
            "the report for {} was made from a different version of the file; rebuild it",
            report.path()
        )));
    }
    Ok(Some((report, snapshot)))
}
