//! `fixpoint fix`: the command that writes the workspace.

use std::collections::{BTreeMap, BTreeSet};

use annotate_snippets::Level;
use fixpoint_analysis::Phases;
use fixpoint_edit::{Based, Plan};
use fixpoint_engine::Pending;
use fixpoint_report::Fix;
use fixpoint_text::Snapshot;
use fixpoint_workspace::WriteAccess;

use crate::Verdict;
use crate::args::{Arguments, FixOptions, PolicyOptions};
use crate::commands::apply::guarded_plan;
use crate::commands::check::has_error;
use crate::commands::write::{Mode, begin, carry_out, print_rejected};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::findings::Findings;
use crate::render::words::{count, shown};
use crate::rules;
use crate::session::Session;
use crate::survey::{Survey, find, survey, survey_texts};

pub(crate) fn run(
    arguments: &Arguments,
    options: &FixOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let session = Session::open_for_repair(arguments, &options.paths)?;
    let verdict = run_in(&session, arguments, options, output)?;
    session.check_settings()?;
    Ok(verdict)
}

/// The same in a workspace that is open.
pub(crate) fn run_in(
    session: &Session,
    arguments: &Arguments,
    options: &FixOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut names = options.policy.only.iter();
    names.try_for_each(|name| rules::check_name(name, session))?;
    let mode = Mode::of(options.dry_run, options.diff);
    let access = begin(session, mode, output)?;
    let found = find(session, &options.paths, &options.changed)?;
    let survey = survey(session, arguments, found, &options.paths, &options.policy);
    conclude(
        session,
        arguments,
        survey,
        &options.policy,
        mode,
        access,
        output,
    )
}

/// Applies what `survey` found, and prints what was applied, what was rejected and what remains.
pub(crate) fn conclude(
    session: &Session,
    arguments: &Arguments,
    mut survey: Survey,
    options: &PolicyOptions,
    mode: Mode,
    access: Option<WriteAccess>,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let policy = options.policy();
    let bases = survey.take_bases();
    refuse_unclear_approvals(&bases, options, output)?;
    let mut plan = guarded_plan(session, &bases, &policy)?;
    let unwritten = carry_out(
        &session.workspace,
        access.as_ref(),
        mode,
        &mut plan,
        &bases,
        output,
    )?;
    let rejected = print_rejected(&plan, &bases, output)?;
    let remaining = remaining(session, arguments, options, &bases, &plan);
    if mode != Mode::Diff {
        print_remaining(&remaining, output)?;
    }
    survey.report_problems(output);
    let fixed = plan.groups.iter().flatten().count();
    let left: usize = remaining
        .iter()
        .map(|(report, _)| report.diagnostics.len())
        .sum();
    print_summary(
        mode,
        fixed,
        survey.files.len() + bases.len(),
        rejected,
        left,
        output,
    )?;
    output.flush()?;
    if let Some(failure) = survey.failure().or(unwritten) {
        return Err(failure);
    }
    Ok(if rejected > 0 || is_unfinished(&remaining) {
        Verdict::Findings
    } else {
        Verdict::Done
    })
}

/// Rejects ids that no fix has, and ids that fixes of several files have. Such an id was approved
/// for one of these files.
fn refuse_unclear_approvals(
    bases: &[Based],
    policy: &PolicyOptions,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut paths: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (report, _) in bases {
        let within = |fix: &&Fix| fix.edits.iter().all(|edit| edit.path == report.path());
        for fix in &report.fixes {
            let paths = paths.entry(fix.id.as_str()).or_default();
            // A fix over several files is in the report of each of them.
            paths.extend(Some(report.path()).filter(|_| within(&fix)));
        }
        // A fix of a later round exists only in the text that the fixes before it lead to.
        let steps = report.canonical.iter().flat_map(|it| &it.steps);
        for step in steps {
            let paths = paths.entry(step.fix_id.as_str()).or_default();
            paths.insert(report.path());
        }
    }
    let unclear = policy.approve.iter().filter_map(|id| {
        let Some(paths) = paths.get(id.as_str()) else {
            return Some(format!("{id}: no file has a fix with this id"));
        };
        let paths: Vec<&str> = paths.iter().copied().collect();
        let (last, others) = paths.split_last()?;
        let others = Some(others.join(", ")).filter(|it| !it.is_empty())?;
        Some(format!(
            "{id}: {others} and {last} have a fix with this id; pass the file to fix"
        ))
    });
    let unclear: Vec<String> = unclear.collect();
    for reason in &unclear {
        let message = shown(&format!("cannot approve fix {reason}"));
        output.note(Level::ERROR, &message);
    }
    if unclear.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(
        "nothing was written; run without --approve to see each fix with its id".to_owned(),
    ))
}

/// What a fresh check would find. An unchanged file was analyzed already, unless the run was limited to
/// some rules.
fn remaining(
    session: &Session,
    arguments: &Arguments,
    options: &PolicyOptions,
    bases: &[Based],
    plan: &Plan,
) -> Vec<Based> {
    let planned: BTreeMap<&str, &str> = plan
        .groups
        .iter()
        .flatten()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let (untouched, again): (Vec<&Based>, Vec<&Based>) = bases
        .iter()
        .filter(|(report, _)| !planned.contains_key(report.path()))
        .partition(|_| options.only.is_empty());
    let changed = planned
        .iter()
        .map(|(path, text)| Snapshot::new(*path, *text));
    let again = again.into_iter().map(|(_, text)| text.clone());
    let texts = changed.chain(again).collect();
    let mut fresh = survey_texts(session, arguments, texts, Phases::All);
    let mut remaining: Vec<Based> = fresh
        .take_bases()
        .into_iter()
        .chain(untouched.into_iter().cloned())
        .collect();
    remaining.sort_by(|(a, _), (b, _)| a.path().cmp(b.path()));
    remaining
}

/// Whether something remains that fails a check, strict or not.
fn is_unfinished(remaining: &[Based]) -> bool {
    let mut reports = remaining.iter().map(|(report, _)| report);
    reports.any(|report| has_error(report) || !Pending::in_report(report).is_clean())
}

fn print_remaining(remaining: &[Based], output: &mut Output) -> Result<(), Failure> {
    let mut findings = Findings::new();
    remaining
        .iter()
        .try_for_each(|(report, snapshot)| findings.print(report, snapshot, output))
}

/// Goes to standard error if standard output is the diff.
fn print_summary(
    mode: Mode,
    fixed: usize,
    files: usize,
    rejected: usize,
    left: usize,
    output: &mut Output,
) -> Result<(), Failure> {
    let verb = mode.verb();
    let summary = format!(
        "{verb} {fixed} of {}; {} rejected, {} remaining",
        count(files, "file"),
        count(rejected, "fix"),
        count(left, "finding")
    );
    if mode == Mode::Diff {
        output.notice(&summary);
        return Ok(());
    }
    output.line(&summary)
}
