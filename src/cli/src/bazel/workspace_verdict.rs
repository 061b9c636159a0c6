//! Prints what strict mode fails on in the files of a workspace.

use super::args::Subject;
use super::verdict::Examined;
use crate::commands::check::has_error;
use crate::failure::Failure;
use crate::output::Output;
use crate::survey::Survey;

/// Prints the findings of a survey, in addition to which `clean` files have none. Returns whether strict mode passes. As
/// in `fixpoint check`, every error fails it.
pub(crate) fn print_verdict(
    survey: Survey,
    clean: usize,
    subject: &Subject,
    output: &mut Output,
) -> Result<bool, Failure> {
    survey.report_problems(output);
    let has_errors = survey.files.iter().any(|file| has_error(&file.report));
    let mut examined = Examined::default();
    examined.add_clean(clean);
    for file in survey.files {
        match file.snapshot {
            Some(snapshot) => examined.add(Some((file.report, snapshot))),
            None => examined.add_clean(1),
        }
    }
    examined.print(subject, output)?;
    Ok(examined.passes(subject) && !has_errors)
}
