//! The program of `bazel run //:fix`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use annotate_snippets::Level;
use fixpoint_format::SourceLanguage;
use fixpoint_report::FixReport;
use fixpoint_workspace::Found;

use super::args::{FixOptions, Subject};
use super::workspace_verdict::{add_reports, print_verdict};
use super::{audit, built, learn};
use crate::Verdict;
use crate::args::{self, Arguments, ChangedOption, Command, PolicyOptions};
use crate::commands;
use crate::commands::stored::{Applied, Refusal, check_stored};
use crate::commands::write::{Mode, begin};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::session::Session;
use crate::survey::{Survey, find, survey};

/// Set by `bazel run`: the root of the workspace, and the directory where the user started it.
const WORKSPACE: &str = "BUILD_WORKSPACE_DIRECTORY";
const WORKING_DIRECTORY: &str = "BUILD_WORKING_DIRECTORY";

/// How the program was started.
struct Invocation {
    arguments: Arguments,
    /// The options of the equivalent `fixpoint fix`.
    fix: args::FixOptions,
    /// The path of this executable among the build's outputs. Links are not followed.
    program: PathBuf,
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &FixOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    // Read first, since their paths are relative to the current folder, which changes below.
    let reports = built::stored_reports(&options.report)?;
    if options.from_targets {
        refuse_beside_targets(options)?;
    }
    let packs = match options.learn {
        true => learn::read(&options.rule_pack)?,
        false => Vec::new(),
    };
    let invocation = enter(arguments, options)?;
    let session = Session::open_assigned(
        &invocation.arguments,
        &[],
        &options.assigned.assigned_schema,
    )?;
    if options.learn {
        return learn::merge(&session, packs, output);
    }
    if options.audit {
        let found = find(&session, &invocation.fix.paths, &options.changed)?;
        let built = built::reports(&invocation.program, session.workspace.root())?;
        return audit::run(&session, found, &built, output);
    }
    let reports = built::inside(&session, reports, output);
    if options.from_targets {
        let applied = Applied::Reported;
        return apply_reports(&session, &invocation, options, reports, applied, output);
    }
    if options.from_build {
        return from_build(&session, &invocation, options, reports, output);
    }
    if options.check {
        let found = find(&session, &invocation.fix.paths, &options.changed)?;
        let reports = reports_on(&found, reports);
        let policy = PolicyOptions::default();
        let mut survey = survey(&session, &invocation.arguments, found, &[], &policy);
        add_reports(&mut survey, &session, reports);
        return check(survey, options.changed.changed.is_some(), output);
    }
    if reports.is_empty() {
        return commands::fix::run_in(&session, &invocation.arguments, &invocation.fix, output);
    }
    let applied = Applied::Everything;
    apply_reports(&session, &invocation, options, reports, applied, output)
}

/// Applies the reports that builds have left among Bazel's outputs, and `reports`.
fn from_build(
    session: &Session,
    invocation: &Invocation,
    options: &FixOptions,
    reports: Vec<FixReport>,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut built = built::reports(&invocation.program, session.workspace.root())?;
    built.reports.extend(reports);
    let current = built::current(session, built.reports);
    report_unreported(session, &current, output)?;
    let applied = Applied::Reported;
    let ended = apply_reports(session, invocation, options, current, applied, output);
    match (built.missing, ended) {
        (0, ended) => ended,
        (missing, Ok(_)) => Err(built::not_downloaded(missing)),
        (missing, Err(failure)) => {
            let message = built::not_downloaded(missing).to_string();
            output.note(Level::ERROR, &message);
            Err(failure)
        }
    }
}

/// The reports for files among `found`.
fn reports_on(found: &Found, mut reports: Vec<FixReport>) -> Vec<FixReport> {
    let files = found.files();
    reports.retain(|report| {
        files
            .binary_search_by(|path| path.as_str().cmp(report.path()))
            .is_ok()
    });
    reports
}

/// Reports how many files of the workspace have no report: no target names them, or their reports
/// were not downloaded.
fn report_unreported(
    session: &Session,
    current: &[FixReport],
    output: &mut Output,
) -> Result<(), Failure> {
    let reported: BTreeSet<&str> = current.iter().map(FixReport::path).collect();
    let root = [session.workspace.root().to_path_buf()];
    let found = find(session, &root, &ChangedOption::default())?;
    let known = |path: &String| SourceLanguage::by_name(path, session.config()) == Some(true);
    let files = found.into_files().into_iter();
    let unreported = files.filter(|path| known(path) && !reported.contains(path.as_str()));
    let unreported = unreported.count();
    if unreported > 0 {
        let message = format!(
            "{} of the workspace {} no report and {} not examined; `bazel run //:fix -- --audit` lists them",
            count(unreported, "file"),
            if unreported == 1 { "has" } else { "have" },
            if unreported == 1 { "is" } else { "are" },
        );
        output.note(Level::NOTE, &message);
    }
    Ok(())
}

/// A `fix` target with `targets` fixes only their files, so options that choose files are rejected.
fn refuse_beside_targets(options: &FixOptions) -> Result<(), Failure> {
    let given = [
        ("paths", !options.paths.is_empty()),
        ("--changed", options.changed.changed.is_some()),
        ("--from-build", options.from_build),
        ("--audit", options.audit),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((what, _)) => Err(Failure::Usage(format!(
            "this target fixes the files of its `targets` and does not accept {what}; use a `fix` without `targets`"
        ))),
        None => Ok(()),
    }
}

/// Changes to the directory of the user, since the paths they typed are relative to it.
fn enter(arguments: &Arguments, options: &FixOptions) -> Result<Invocation, Failure> {
    let Some(root) = std::env::var_os(WORKSPACE).map(PathBuf::from) else {
        return Err(Failure::Usage(
            "BUILD_WORKSPACE_DIRECTORY is not set, so the workspace is unknown; start it with `bazel run //:fix`"
                .to_owned(),
        ));
    };
    let program = std::env::args_os().next().unwrap_or_default();
    let program = std::path::absolute(program).map_err(Failure::CurrentFolder)?;
    let directory = std::env::var_os(WORKING_DIRECTORY).map_or_else(|| root.clone(), PathBuf::from);
    std::env::set_current_dir(&directory).map_err(|error| {
        Failure::Run(format!(
            "cannot change to the directory {}: {error}",
            directory.display()
        ))
    })?;
    let fix = args::FixOptions {
        paths: if options.paths.is_empty() {
            vec![root.clone()]
        } else {
            options.paths.clone()
        },
        policy: options.policy.clone(),
        dry_run: options.dry_run,
        diff: options.diff,
        changed: options.changed.clone(),
    };
    let arguments = Arguments {
        command: Command::Fix(fix.clone()),
        root: Some(root),
        color: arguments.color,
        jobs: arguments.jobs,
        time_limit: arguments.time_limit,
    };
    Ok(Invocation {
        arguments,
        fix,
        program,
    })
}

/// Checks `reports` and applies their fixes. With [`Applied::Everything`], the other files of the workspace are fixed as
/// by `fixpoint fix`, too. A file that has changed since its report was made gets no fix of that report.
fn apply_reports(
    session: &Session,
    invocation: &Invocation,
    options: &FixOptions,
    mut reports: Vec<FixReport>,
    applied: Applied,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let (arguments, policy) = (&invocation.arguments, &options.policy);
    let mode = if options.check {
        Mode::DryRun
    } else {
        Mode::of(options.dry_run, options.diff)
    };
    let access = begin(session, mode, output)?;
    let found = match applied {
        Applied::Everything => Some(find(session, &invocation.fix.paths, &options.changed)?),
        Applied::Reported => None,
    };
    if let Some(found) = &found {
        reports = reports_on(found, reports);
    }
    let reported: BTreeSet<String> = reports.iter().map(|it| it.path().to_owned()).collect();
    let mut stored = check_stored(session, arguments, policy, reports, applied)?;
    let refused = std::mem::take(&mut stored.refused);
    let verdict = if options.check {
        check(stored.into_fresh(), !refused.is_empty(), output)
    } else {
        let mut whole = stored.into_survey();
        if let Some(found) = found {
            // A file whose report is out of date still gets the fixes that are found in it now.
            let has_report = |path: &String| {
                reported.contains(path) && refused.iter().all(|(refused, _)| refused != path)
            };
            let others = found.files().iter().filter(|path| !has_report(path));
            let others = others.cloned().collect();
            let others = found.with_files(others);
            whole.extend(survey(session, arguments, others, &[], policy));
        }
        commands::fix::conclude(session, arguments, whole, policy, mode, access, output)
    }?;
    if refused.is_empty() {
        return Ok(verdict);
    }
    Err(report_refused(&refused, output))
}

fn report_refused(refused: &[(String, Refusal)], output: &mut Output) -> Failure {
    for (path, refusal) in refused {
        let message = match refusal {
            Refusal::Changed | Refusal::Differs => {
                format!("{path}: the report of the build is out of date")
            }
            Refusal::Other(why) => why.clone(),
        };
        output.note(Level::ERROR, &shown(&message));
    }
    Failure::Run(format!(
        "{} above: nothing was written to {}. Run `bazel build --config=fix //...` again, then this command. \
         If a target no longer exists, `bazel clean` removes its reports. If a report comes from a \
         `document_schema`, name that target in `schemas` of the `fix` target",
        count(refused.len(), "file"),
        if refused.len() == 1 { "it" } else { "them" },
    ))
}

/// Reports what strict mode fails on.
fn check(survey: Survey, allow_empty: bool, output: &mut Output) -> Result<Verdict, Failure> {
    let subject = Subject {
        label: "workspace".to_owned(),
        allow_empty,
        generated: 0,
        external: 0,
    };
    let failure = survey.failure();
    let passes = print_verdict(survey, &[], &subject, output)?;
    output.flush()?;
    match failure {
        Some(failure) => Err(failure),
        None if passes => Ok(Verdict::Done),
        None => Ok(Verdict::Findings),
    }
}
