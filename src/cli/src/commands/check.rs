//! `fixpoint check`: computes findings and fixes. Writes nothing except reports.

use std::path::Path;

use fixpoint_engine::Pending;
use fixpoint_report::{FixReport, Severity, to_json, to_protobuf};
use fixpoint_view::unified_diff;
use fixpoint_workspace::{MAX_REPORT_SIZE, ReadError, read_file, write_outputs};

use crate::Verdict;
use crate::args::{Arguments, CheckOptions, Form, PolicyOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::findings::Findings;
use crate::render::words::count;
use crate::session::Session;
use crate::survey::{Survey, canonical_text, find, survey};

/// The numbers of a check.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) files: usize,
    pub(crate) not_canonical: usize,
    pub(crate) pending: Pending,
    pub(crate) errors: usize,
    /// Warnings that are not about style.
    pub(crate) warnings: usize,
}

impl Tally {
    pub(crate) fn of(survey: &Survey) -> Self {
        let mut tally = Self {
            files: survey.files.len(),
            ..Self::default()
        };
        for file in &survey.files {
            let pending = Pending::in_report(&file.report);
            tally.not_canonical += usize::from(!pending.is_canonical());
            tally.pending += pending;
            for diagnostic in &file.report.diagnostics {
                match (diagnostic.severity(), diagnostic.style) {
                    (Severity::Error, _) => tally.errors += 1,
                    (Severity::Warning, false) => tally.warnings += 1,
                    (Severity::Warning, true) | (Severity::Info | Severity::Unspecified, _) => {}
                }
            }
        }
        tally
    }
}

/// Whether a report has an error, such as a syntax error. An error fails every check, strict or
/// not.
pub(crate) fn has_error(report: &FixReport) -> bool {
    let mut severities = report.diagnostics.iter().map(|it| it.severity());
    severities.any(|severity| severity == Severity::Error)
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &CheckOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let session = Session::open_for_repair(arguments, &options.paths)?;
    if let Some(directory) = &options.report_dir {
        let checked = session.workspace.check_output_directory(directory);
        checked?;
    }
    let found = find(&session, &options.paths, &options.changed)?;
    let survey = survey(
        &session,
        arguments,
        found,
        &options.paths,
        &PolicyOptions::default(),
    );
    let tally = Tally::of(&survey);
    match options.format {
        Form::Human => print_findings(&survey, output)?,
        Form::Json => output.print_json(&json(&survey, tally)?)?,
        Form::Diff => print_diff(&survey, output)?,
    }
    if let Some(directory) = &options.report_dir {
        let files = report_files(&survey)?;
        refuse_to_overwrite(directory, &files)?;
        write_outputs(directory, &[], files)?;
    }
    survey.report_problems(output);
    output.flush()?;
    let summary = summary(tally, &survey, options);
    match options.format {
        Form::Human => output.line(&summary)?,
        Form::Json | Form::Diff => output.notice(&summary),
    }
    output.flush()?;
    if let Some(failure) = survey.failure() {
        return Err(failure);
    }
    session.check_settings()?;
    let found_none = tally.files + survey.generated == 0 && options.changed.changed.is_none();
    let strict_failure = options.strict && (!tally.pending.is_clean() || found_none);
    Ok(if tally.errors > 0 || strict_failure {
        Verdict::Findings
    } else {
        Verdict::Done
    })
}

pub(crate) fn print_findings(survey: &Survey, output: &mut Output) -> Result<(), Failure> {
    let mut findings = Findings::new();
    for file in &survey.files {
        if let Some(snapshot) = &file.snapshot {
            findings.print(&file.report, snapshot, output)?;
        }
    }
    Ok(())
}

fn print_diff(survey: &Survey, output: &mut Output) -> Result<(), Failure> {
    for file in &survey.files {
        if let Some(snapshot) = &file.snapshot {
            let canonical = canonical_text(&file.report, snapshot)?;
            output.print(&unified_diff(snapshot.path(), snapshot.text(), &canonical))?;
        }
    }
    Ok(())
}

/// One document: the reports of all files with findings, and what was left out.
fn json(survey: &Survey, tally: Tally) -> Result<String, Failure> {
    let reports: Vec<_> = survey
        .files
        .iter()
        .filter(|it| it.snapshot.is_some())
        .map(|it| &it.report)
        .collect();
    let left_out = |list: &[(String, String)]| -> Vec<serde_json::Value> {
        list.iter()
            .map(|(path, reason)| serde_json::json!({ "path": path, "reason": reason }))
            .collect()
    };
    let document = serde_json::json!({
        "reports": reports,
        "skipped": left_out(&survey.skipped),
        "failed": left_out(&survey.failed),
        "left_to_formatters": survey.left_to_formatters.to_json(),
        "summary": {
            "files": tally.files,
            "not_canonical": tally.not_canonical,
            "pending_safe_fixes": tally.pending.fixes,
            "style_diagnostics": tally.pending.style,
            "errors": tally.errors,
            "warnings": tally.warnings,
        },
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn report_files(survey: &Survey) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut files = Vec::with_capacity(2 * survey.files.len());
    for file in &survey.files {
        let path = file.report.path();
        files.push((format!("{path}.fix.pb"), to_protobuf(&file.report)));
        files.push((
            format!("{path}.fix.json"),
            to_json(&file.report)?.into_bytes(),
        ));
    }
    Ok(files)
}

/// A report may replace an earlier report, but no other file.
fn refuse_to_overwrite(directory: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    for (path, _) in files {
        let target = directory.join(path);
        let is_in_the_way = match read_file(&target, MAX_REPORT_SIZE) {
            Ok(bytes) => fixpoint_report::read(&bytes).is_err(),
            Err(error) => !matches!(error, ReadError::Vanished { .. }),
        };
        if is_in_the_way {
            return Err(Failure::Run(format!(
                "{} exists and is not a report; choose another folder for --report-dir",
                target.display()
            )));
        }
    }
    Ok(())
}

fn summary(tally: Tally, survey: &Survey, options: &CheckOptions) -> String {
    let mut checked = format!("Checked {}", count(tally.files, "file"));
    for (number, noun) in [(tally.errors, "error"), (tally.warnings, "warning")] {
        if number > 0 {
            checked += &format!(", {}", count(number, noun));
        }
    }
    if tally.files == 0 {
        let skipped = survey.failed.len() + survey.skipped.len();
        let why = match options.changed.changed {
            _ if skipped > 0 => format!("{} skipped, see the messages", count(skipped, "file")),
            _ if survey.generated > 0 => {
                format!(
                    "{} generated, and not checked",
                    count(survey.generated, "file")
                )
            }
            Some(_) => "no file of a known type has changed".to_owned(),
            None => "none of a known type was found".to_owned(),
        };
        return format!("{checked}: {why}");
    }
    let mut parts = Vec::new();
    if !tally.pending.is_canonical() {
        let files = match tally.not_canonical {
            1 => "1 is".to_owned(),
            several => format!("{several} are"),
        };
        let fixes = match tally.pending.fixes {
            0 => String::new(),
            fixes => format!(
                ", {} pending; `fixpoint fix` applies {}",
                count(fixes, "safe fix"),
                if fixes == 1 { "it" } else { "them" }
            ),
        };
        parts.push(format!("{files} not canonical{fixes}"));
    }
    if tally.pending.unproved > 0 {
        parts.push(count(tally.pending.unproved, "unproved obligation"));
    }
    if parts.is_empty() {
        return if tally.errors + tally.warnings == 0 {
            format!("{checked}: all canonical")
        } else {
            checked
        };
    }
    let mode = if options.strict {
        " (strict: this fails)"
    } else if tally.errors > 0 {
        ""
    } else {
        " (permissive: this does not fail)"
    };
    format!("{checked}: {}{mode}", parts.join("; "))
}
