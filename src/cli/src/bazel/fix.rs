//! What `bazel run //:fix` runs.

use std::collections::{BTreeMap, BTreeSet};
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
use crate::commands::apply::{bases, guarded_plan};
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
    let session = Session::open_assigned(&invocation.arguments, &[], &options.assigned.pairs()?)?;
    if options.audit {
        let found = find(&session, &invocation.fix.paths, &options.changed)?;
        let built = built::reports(&invocation.program, session.workspace.root())?;
        return audit::run(&session, found, &built, output);
    }
    match stored {
        Some(reports) => {
            let reports = Reports::of(built::inside(&session, reports, output));
            from_reports(&session, &invocation, options, reports, output)
        }
        None if options.from_build => {
            let reports = built::reports(&invocation.program, session.workspace.root())?;
            from_reports(
                &session,
                &invocation,
                options,
                Reports::of(built::current(&session, reports)),
                output,
            )
        }
        None if options.check => {
            let found = find(&session, &invocation.fix.paths, &options.changed)?;
            let policy = PolicyOptions::default();
            let survey = survey(&session, &invocation.arguments, found, &[], &policy);
            check(survey, options.changed.changed.is_some(), output)
        }
        None => commands::fix::run_in(&session, &invocation.arguments, &invocation.fix, output),
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

/// Reports by the file they are on. Several targets may name a file, and a `document_schema` among
/// them looks at it with a schema that the others do not know.
struct Reports(BTreeMap<String, Vec<FixReport>>);

impl Reports {
    fn of(reports: Vec<FixReport>) -> Self {
        let mut by_path: BTreeMap<String, Vec<FixReport>> = BTreeMap::new();
        for report in reports {
            let on_file = by_path.entry(report.path().to_owned()).or_default();
            if !on_file.contains(&report) {
                on_file.push(report);
            }
        }
        Self(by_path)
    }

    /// One report of each file.
    fn first(&self) -> BTreeMap<String, FixReport> {
        let first = |(path, on_file): (&String, &Vec<FixReport>)| {
            Some((path.clone(), on_file.first()?.clone()))
        };
        self.0.iter().filter_map(first).collect()
    }

    /// The files whose reports do not agree, for each was made with another schema.
    fn disputed(&self) -> BTreeSet<&str> {
        let disputed = self.0.iter().filter(|(_, on_file)| on_file.len() > 1);
        disputed.map(|(path, _)| path.as_str()).collect()
    }

    /// Whether `fresh` tells all that the reports on its file do; a single one it must equal.
    fn agree_with(&self, fresh: &FixReport) -> bool {
        let ids: BTreeSet<&str> = fresh.diagnostics.iter().map(|it| it.id.as_str()).collect();
        let tells = |it: &FixReport| {
            it.base == fresh.base && it.diagnostics.iter().all(|it| ids.contains(it.id.as_str()))
        };
        match self.0.get(fresh.path()).map(Vec::as_slice) {
            // What is found in a module depends on which others are known, and a target knows its own;
            // what is written does not.
            Some(reports) if ClankPhase::reads(&fresh.language) => {
                reports.iter().all(|it| it.canonical == fresh.canonical)
            }
            Some([only]) => only == fresh,
            Some(several) => several.iter().all(tells),
            None => false,
        }
    }
}

/// Applies reports that a build made. They are on the texts they name or nothing is written.
fn from_reports(
    session: &Session,
    invocation: &Invocation,
    options: &FixOptions,
    reports: Reports,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mode = if options.check {
        Mode::DryRun
    } else {
        Mode::of(options.dry_run, options.diff)
    };
    let access = begin(&session.workspace, mode, output)?;
    let (mut bases, mut stale) = bases(session, reports.first())?;
    let is_default = options.policy == PolicyOptions::default();
    let survey = if is_default && !options.from_build {
        let disputed = reports.disputed();
        let of_disputed = |it: &&mut Based| disputed.contains(it.0.path());
        let mut unsettled: Vec<&mut Based> = bases.iter_mut().filter(of_disputed).collect();
        let paths = unsettled.iter().map(|it| it.0.path());
        let fresh = recomputed(session, invocation, options, paths)?;
        stale.extend(disagreeing(&reports, paths_of(&unsettled), &fresh));
        let mut fresh: BTreeMap<String, FixReport> = fresh
            .files
            .into_iter()
            .map(|it| (it.report.path().to_owned(), it.report))
            .collect();
        for (report, _) in &mut unsettled {
            if let Some(fresh) = fresh.remove(report.path()) {
                *report = fresh;
            }
        }
        guarded_plan(session, &bases)?;
        survey_of(bases)
    } else {
        // Another policy leads to other texts, and a build may be older than the configuration.
        let paths = bases.iter().map(|it| it.0.path());
        let fresh = recomputed(session, invocation, options, paths.clone())?;
        if is_default {
            stale.extend(disagreeing(
                &reports,
                paths.map(str::to_owned).collect(),
                &fresh,
            ));
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
         target that is gone stays until `bazel clean`; that of a `document_schema` needs the target in \
         `schemas` of the `fix`"
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

fn paths_of(bases: &[&mut Based]) -> Vec<String> {
    bases.iter().map(|it| it.0.path().to_owned()).collect()
}

/// What this binary and the configuration now make of files.
fn recomputed<'p>(
    session: &Session,
    invocation: &Invocation,
    options: &FixOptions,
    paths: impl Iterator<Item = &'p str>,
) -> Result<Survey, Failure> {
    let root = session.workspace.root();
    let paths: Vec<PathBuf> = paths.map(|it| root.join(it)).collect();
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

/// The files among `paths` that reports tell something else of than a fresh look.
fn disagreeing(reports: &Reports, paths: Vec<String>, fresh: &Survey) -> Vec<String> {
    let agreed: BTreeSet<&str> = fresh
        .files
        .iter()
        .filter(|it| reports.agree_with(&it.report))
        .map(|it| it.report.path())
        .collect();
    let mut paths = paths;
    paths.retain(|it| !agreed.contains(it.as_str()));
    paths
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
