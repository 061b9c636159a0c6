//! `fixpoint validate`: checks documents against schemas and rules. Writes nothing.

use annotate_snippets::Level;
use fixpoint_document::OpSet;
use fixpoint_report::Severity;
use fixpoint_validate::{ValidatorOutput, to_yaml};

use crate::Verdict;
use crate::args::{Arguments, Operations, ValidateForm, ValidateOptions};
use crate::commands::check::print_findings;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::session::Session;
use crate::survey::{Survey, find, survey_documents};

pub(crate) fn run(
    arguments: &Arguments,
    options: &ValidateOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let session = Session::open_for_repair(arguments, &options.paths)?;
    let found = find(&session, &options.paths, &options.changed)?;
    let survey = survey_documents(&session, arguments, found, &options.paths);
    let files = survey.files.iter();
    let ops = match options.ops {
        Operations::Seven => OpSet::All,
        Operations::Six => OpSet::Six,
    };
    let files = files.map(|file| (&file.report, file.snapshot.as_ref()));
    let validation = ValidatorOutput::of(files, ops);
    match options.format {
        ValidateForm::Human => print_findings(&survey, output)?,
        ValidateForm::Json => output.print_json(&validation.to_value().to_json_pretty())?,
        ValidateForm::Yaml => output.print(&to_yaml(&validation.to_value()))?,
    }
    survey.report_problems(output);
    output.flush()?;
    if options.format != ValidateForm::Human {
        for error in &validation.left_out {
            let message =
                format!("an action is left out, because --ops=six cannot express it: {error}");
            output.note(Level::WARNING, &shown(&message));
        }
    }
    let actions = validation.actions.fix_actions.iter();
    let summary = summary(&survey, actions.map(|it| it.targets.len()).sum());
    match options.format {
        ValidateForm::Human => output.line(&summary)?,
        ValidateForm::Json | ValidateForm::Yaml => output.notice(&summary),
    }
    output.flush()?;
    if let Some(failure) = survey.failure() {
        return Err(failure);
    }
    session.check_settings()?;
    Ok(match with_severity(&survey, Severity::Error) {
        0 => Verdict::Done,
        _ => Verdict::Findings,
    })
}

fn with_severity(survey: &Survey, severity: Severity) -> usize {
    let reports = survey.files.iter().map(|it| &it.report);
    let diagnostics = reports.flat_map(|it| &it.diagnostics);
    diagnostics
        .filter(|diagnostic| diagnostic.severity() == severity)
        .count()
}

fn summary(survey: &Survey, fixable: usize) -> String {
    if survey.files.is_empty() {
        return "Validated 0 documents: no schema and no rule applies to any of the files; \
                see `[validate]` in fixpoint.toml"
            .to_owned();
    }
    let mut summary = format!("Validated {}", count(survey.files.len(), "document"));
    let errors = with_severity(survey, Severity::Error);
    let warnings = with_severity(survey, Severity::Warning);
    for (number, noun) in [(errors, "error"), (warnings, "warning")] {
        if number > 0 {
            summary += &format!(", {}", count(number, noun));
        }
    }
    if errors + warnings == 0 {
        return format!("{summary}: all valid");
    }
    match fixable {
        0 => summary,
        1 => format!("{summary}; `fixpoint fix --safety=likely` fixes 1 of them"),
        _ => format!("{summary}; `fixpoint fix --safety=likely` fixes {fixable} of them"),
    }
}
