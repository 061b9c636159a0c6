//! The action that fails a strict build.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fixpoint_text::Snapshot;
use fixpoint_workspace::write_outputs;

use super::analyze::{FileReport, read_text};
use super::args::{CheckOptions, CheckedFile};
use super::built::stored_report;
use super::verdict::Examined;
use crate::failure::Failure;

/// Runs the action. Its paths are relative to `base`. Returns the lines to print if the check fails.
pub(super) fn run(options: &CheckOptions, base: &Path) -> Result<Option<Vec<String>>, Failure> {
    let mut examined = Examined::default();
    let mut skipped = BTreeSet::new();
    for CheckedFile { source, report } in &options.file {
        let report = report_with_text(&base.join(source), &base.join(report))?;
        // A source that several targets name is passed once for each of them.
        if report.is_some() || skipped.insert(source) {
            examined.add(report);
        }
    }
    if !examined.passes(&options.subject) {
        return examined.lines(&options.subject).map(Some);
    }
    let summary = examined.summary(&options.subject) + "\n";
    let inputs = options.file.iter();
    let inputs = inputs.flat_map(|file| [base.join(&file.source), base.join(&file.report)]);
    let inputs: Vec<PathBuf> = inputs.collect();
    let marker = (options.marker.clone(), summary.into_bytes());
    write_outputs(base, &inputs, vec![marker])?;
    Ok(None)
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
