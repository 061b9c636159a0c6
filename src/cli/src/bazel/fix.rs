//! What `bazel run //:fix` runs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use annotate_snippets::Level;
use fixpoint_clank::ClankPhase;
use fixpoint_edit::Based;
use fixpoint_report::FixReport;

use super::args::{FixOptions, Subject};
use super::verdict::Examined;
use super::{audit, built};
use crate::Verdict;
use crate::args::{self, Arguments, ChangedOption, Command, PolicyOptions};
use crate::commands;
use crate::commands::apply::{bases, by_path, guarded_plan};
use crate::commands::write::{Mode, begin};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::survey::{Survey, find, survey, surveyed};

/// Set by `bazel run`: the root of the workspace, and where the person stood.
const WORKSPACE: &str = "BUILD_WORKSPACE_DIRECTORY";
const WORKING_DIRECTORY: &str = "BUILD_WORKING_DIRECTORY";

/// Where and how it was started.
struct Invocation {
    arguments: Arguments,
    /// What `fixpoint fix` would be told to do the same.
    fix: args::FixOptions,
    /// The path of this executable, links not followed: it lies among the build's outputs.
    program: PathBuf,
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &FixOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    // Read before the folder is left that their paths start from.
    let stored = match options.from_targets {
        true => {
            refuse_beside_targets(options)?;
            Some(built::stored_reports(&options.report)?)
        }
        false => None,
    };
    let invocation = enter(arguments, options)?;
    let session = Session::open(&invocation.arguments, &[])?;
    if options.audit {
        let found = find(&session, &invocation.fix.paths, &options.changed)?;
        let built = built::reports(&invocation.program, session.workspace.root())?;
        return audit::run(&session, found, &built, output);
    }
    match stored {
        Some(reports) => {
            let reports = by_path(built::inside(&session, reports, output))?;
            from_reports(&session, &invocation, options, reports, output)
        }
        None if options.from_build => {
            let reports = built::reports(&invocation.program, session.workspace.root())?;
            from_reports(
                &session,
                &invocation,
                options,
                built::current(&session, reports),
                output,
            )
        }
        None if options.check => {
            let found = find(&session, &invocation.fix.paths, &options.changed)?;
            let policy = PolicyOptions::default();
            let survey = survey(&session, &invocation.arguments, found, &[], &policy);
            check(survey, options.changed.changed.is_some(), output)
        }
        None => commands::fix::run(&invocation.arguments, &invocation.fix, output),
    }
}

/// A rule with targets is about their files, and no others.
fn refuse_beside_targets(options: &FixOptions) -> Result<(), Failure> {
    let given = [
        ("path", !options.paths.is_empty()),
        ("--changed", options.changed.changed.is_some()),
        ("--from-build", options.from_build),
        ("--audit", options.audit),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((what, _)) => Err(Failure::Usage(format!(
            "this target fixes the files of its `targets`, and takes no {what}; a `fix` without `targets` does"
        ))),
        None => Ok(()),
    }
}

/// Goes to where the person stands, so that the paths they typed mean what they meant.
fn enter(arguments: &Arguments, options: &FixOptions) -> Result<Invocation, Failure> {
    let Some(root) = std::env::var_os(WORKSPACE).map(PathBuf::from) else {
        return Err(Failure::Usage(
            "this writes the workspace that `bazel run` names; start it with `bazel run //:fix`"
                .to_owned(),
        ));
    };
    let program = std::env::args_os().next().unwrap_or_default();
    let program = std::path::absolute(program).map_err(Failure::run)?;
    let stands = std::env::var_os(WORKING_DIRECTORY).map_or_else(|| root.clone(), PathBuf::from);
    std::env::set_current_dir(&stands)
        .map_err(|error| Failure::Run(format!("cannot go to {}: {error}", stands.display())))?;
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

/// Applies reports that a build made. They are on the texts they name or nothing is written.
fn from_reports(
    session: &Session,
    invocation: &Invocation,
    options: &FixOptions,
    reports: BTreeMap<String, FixReport>,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mode = if options.check {
        Mode::DryRun
    } else {
        Mode::of(options.dry_run, options.diff)
    };
    let access = begin(&session.workspace, mode, output)?;
    let (bases, mut stale) = bases(session, reports)?;
    let is_default = options.policy == PolicyOptions::default();
    let survey = if is_default && !options.from_build {
        guarded_plan(session, &bases)?;
        survey_of(bases)
    } else {
        // Another policy leads to other texts, and a build may be older than the configuration.
        let fresh = recomputed(session, invocation, options, &bases)?;
        if is_default {
            stale.extend(disagreeing(&bases, &fresh));
        }
        fresh
    };
    if !stale.is_empty() {
        return Err(refuse_stale(&stale, output));
    }
    if options.check {
        return check(survey, false, output);
    }
    commands::fix::conclude(
        session,
        &invocation.arguments,
        survey,
        &options.policy,
        mode,
        access,
        output,
    )
}

fn refuse_stale(stale: &[String], output: &mut Output) -> Failure {
    for path in stale {
        output.note(
            Level::ERROR,
            &format!("{path}: the build's report on it is out of date"),
        );
    }
    Failure::Run(
        "nothing was written; run `bazel build --config=fix //...` again, and then this. The report of a \
         target that is gone stays until `bazel clean`"
            .to_owned(),
    )
}

fn survey_of(bases: Vec<Based>) -> Survey {
    let files = bases
        .into_iter()
        .map(|(report, text)| surveyed(report, text));
    Survey {
        files: files.collect(),
        ..Survey::default()
    }
}

/// What this binary and the configuration now make of the same files.
fn recomputed(
    session: &Session,
    invocation: &Invocation,
    options: &FixOptions,
    bases: &[Based],
) -> Result<Survey, Failure> {
    let root = session.workspace.root();
    let paths: Vec<PathBuf> = bases.iter().map(|(it, _)| root.join(it.path())).collect();
    if paths.is_empty() {
        return Ok(Survey::default());
    }
    let found = find(session, &paths, &ChangedOption::default())?;
    Ok(survey(
        session,
        &invocation.arguments,
        found,
        &paths,
        &options.policy,
    ))
}

/// Files whose report is not what it would be now.
fn disagreeing(bases: &[Based], fresh: &Survey) -> Vec<String> {
    let fresh: BTreeMap<&str, &FixReport> = fresh
        .files
        .iter()
        .map(|it| (it.report.path(), &it.report))
        .collect();
    let differs = |report: &&FixReport| match fresh.get(report.path()) {
        // What is found in a module depends on which others are known, and a target knows its own;
        // what is written does not.
        Some(now) if ClankPhase::reads(&report.language) => now.canonical != report.canonical,
        now => now != Some(report),
    };
    let reports = bases.iter().map(|(report, _)| report);
    reports
        .filter(differs)
        .map(|it| it.path().to_owned())
        .collect()
}

/// What strict mode would say.
fn check(survey: Survey, allow_empty: bool, output: &mut Output) -> Result<Verdict, Failure> {
    let subject = Subject {
        label: "workspace".to_owned(),
        allow_empty,
        generated: 0,
        external: 0,
    };
    survey.tell(output);
    let failure = survey.failure();
    let mut examined = Examined::default();
    for file in survey.files {
        match file.snapshot {
            Some(snapshot) => examined.add(Some((file.report, snapshot))),
            None => examined.add_clean(),
        }
    }
    examined.tell(&subject, output)?;
    output.flush()?;
    match failure {
        Some(failure) => Err(failure),
        None if examined.passes(&subject) => Ok(Verdict::Done),
        None => Ok(Verdict::Findings),
    }
}
