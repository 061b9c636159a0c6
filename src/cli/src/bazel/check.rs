//! The action that fails a strict build.

use std::collections::BTreeSet;
use std::path::Path;

use fixpoint_report::FixReport;
use fixpoint_text::Snapshot;
use fixpoint_workspace::write_outputs;

use super::analyze::read_text;
use super::args::CheckOptions;
use super::built::stored_report;
use super::verdict::Examined;
use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(options: &CheckOptions, output: &mut Output) -> Result<Verdict, Failure> {
    if options.source.len() != options.report.len() {
        return Err(Failure::Usage(
            "each --source needs one --report".to_owned(),
        ));
    }
    let mut examined = Examined::default();
    let mut skipped = BTreeSet::new();
    for (source, report) in options.source.iter().zip(&options.report) {
        let looked = looked(source, report)?;
        // A source that several targets name is passed once for each of them.
        if looked.is_some() || skipped.insert(source) {
            examined.add(looked);
        }
    }
    if !examined.passes(&options.subject) {
        examined.tell(&options.subject, output)?;
        output.flush()?;
        return Ok(Verdict::Findings);
    }
    let summary = examined.summary(&options.subject) + "\n";
    write_outputs(
        Path::new("."),
        vec![(options.marker.clone(), summary.into_bytes())],
    )
    .map_err(Failure::run)?;
    Ok(Verdict::Done)
}

/// A report with the text it is on; nothing when it says that there was nothing to report on.
pub(crate) fn looked(
    source: &Path,
    report: &Path,
) -> Result<Option<(FixReport, Snapshot)>, Failure> {
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
