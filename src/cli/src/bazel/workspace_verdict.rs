//! Prints what strict mode fails on in the files of a workspace.

use fixpoint_report::FixReport;

use super::args::Subject;
use super::verdict::Examined;
use crate::commands::check::has_error;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::survey::{Survey, surveyed};

/// Adds reports of other rule sets, unchanged. A report that was made from a different version of its file is a
/// failure.
pub(crate) fn add_reports(survey: &mut Survey, session: &Session, reports: Vec<FixReport>) {
    for report in reports {
        let path = report.path().to_owned();
        let why = match session.workspace.read(&path) {
            Err(error) => error.to_string(),
            Ok(snapshot) => {
                let base = report.base.as_ref();
                if base.is_some_and(|base| base.sha256 == snapshot.digest().to_string()) {
                    survey.files.push(surveyed(report, snapshot));
                    continue;
                }
                format!(
                    "{path}: a report was made from a different version of the file; rebuild it"
                )
            }
        };
        survey.failed.push((path, why));
    }
}

/// Prints the findings of a survey. The files in `clean` were examined, too, and have no findings. Returns whether
/// strict mode passes. As in `fixpoint check`, every error fails it.
pub(crate) fn print_verdict(
    survey: Survey,
    clean: &[String],
    subject: &Subject,
    output: &mut Output,
) -> Result<bool, Failure> {
    survey.report_problems(output);
    let has_errors = survey.files.iter().any(|file| has_error(&file.report));
    let mut examined = Examined::default();
    clean.iter().for_each(|path| examined.add_clean(path));
    for file in survey.files {
        match file.snapshot {
            Some(snapshot) => examined.add(Some((file.report, snapshot))),
            None => examined.add_clean(file.report.path()),
        }
    }
    examined.print(subject, output)?;
    Ok(examined.passes(subject) && !has_errors)
}
