//! Writes a plan to the workspace. `fix` and `apply` share this code, and nothing else writes sources.

use std::collections::{BTreeMap, BTreeSet};

use annotate_snippets::Level;
use fixpoint_edit::{Based, Plan, PlannedFile};
use fixpoint_report::{Fix, FixReport, Rejection, RejectionReason, word};
use fixpoint_view::unified_diff;
use fixpoint_workspace::{Excludes, FileChange, Recovery, Workspace, WriteAccess};

use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;
use crate::session::Session;

/// How a plan is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    DryRun,
    /// A dry run that prints the diff.
    Diff,
}

impl Mode {
    pub(crate) fn of(dry_run: bool, diff: bool) -> Self {
        match (diff, dry_run) {
            (true, _) => Self::Diff,
            (false, true) => Self::DryRun,
            (false, false) => Self::Write,
        }
    }

    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Write => "Fixed",
            Self::DryRun | Self::Diff => "Would fix",
        }
    }
}

/// Obtains the permission to write, and finishes or undoes the write of a killed run.
pub(crate) fn begin(
    session: &Session,
    mode: Mode,
    output: &mut Output,
) -> Result<Option<WriteAccess>, Failure> {
    if mode != Mode::Write {
        return Ok(None);
    }
    let here = std::env::current_dir().map_err(Failure::CurrentFolder)?;
    let workspace = &session.workspace;
    let access = WriteAccess::from_user_command(workspace, &here, |name| std::env::var(name).ok())?
        .excluding(Excludes::new(session.config().exclude())?);
    let recovery = workspace.recover(&access)?;
    report_recovery(&recovery, output);
    Ok(Some(access))
}

fn report_recovery(recovery: &Recovery, output: &mut Output) {
    let lists = [
        ("finished an interrupted write of", recovery.finished()),
        ("undid an interrupted write of", recovery.taken_back()),
        (
            "kept, because it was changed after an interrupted write:",
            recovery.kept(),
        ),
    ];
    for (what, paths) in lists {
        for path in paths {
            output.note(Level::NOTE, &shown(&format!("{what} {path}")));
        }
    }
    report_saved(recovery.saved(), output);
    if let [first, others @ ..] = recovery.foreign() {
        let others = match others.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let why = recovery.key_problem().map_or_else(
            || "this user did not write it for this checkout on this machine".to_owned(),
            |problem| format!("its author cannot be verified, because {problem}"),
        );
        output.note(
            Level::WARNING,
            &shown(&format!(
                "ignored the journal .fixpoint/{first}{others}: {why}. If a write was killed here, \
                 review its files with `git diff`: each file is complete, but a fix over several files may be half written. \
                 Then remove .fixpoint/journal-* and the files .fixpoint-*.tmp"
            )),
        );
    }
}

fn report_saved(saved: &[String], output: &mut Output) {
    for path in saved {
        let message = format!(
            "a file was saved while it was being replaced, and the saved text is in {path}; \
             merge it by hand, then remove it"
        );
        output.note(Level::WARNING, &shown(&message));
    }
}

/// Carries out `plan`, whose files have the texts `bases` now, and prints what was or would be done
/// to each file. Groups that could not be written are reported and removed from `plan`. The result
/// is then the failure to end the command with.
pub(crate) fn carry_out(
    workspace: &Workspace,
    access: Option<&WriteAccess>,
    mode: Mode,
    plan: &mut Plan,
    bases: &[Based],
    output: &mut Output,
) -> Result<Option<Failure>, Failure> {
    let unwritten = write_plan(workspace, access, plan, bases, output)?;
    let bases: BTreeMap<&str, &Based> = bases.iter().map(|based| (based.0.path(), based)).collect();
    for file in plan.groups.iter().flatten() {
        if let Some((report, base)) = bases.get(file.path.as_str()) {
            match mode {
                Mode::Diff => output.print(&unified_diff(&file.path, base.text(), &file.text))?,
                Mode::Write | Mode::DryRun => {
                    let verb = mode.verb();
                    let path = shown(&file.path);
                    output.line(&format!("{verb} {path} ({})", rules(report)))?;
                }
            }
        }
    }
    if mode != Mode::Diff {
        for id in &plan.across_files {
            output.line(&format!("{} several files by fix {id}", mode.verb()))?;
        }
    }
    Ok(unwritten)
}

/// Writes the files of `plan`. Groups that could not be written are reported and removed from
/// `plan`. The result is then the failure to end the command with.
pub(crate) fn write_plan(
    workspace: &Workspace,
    access: Option<&WriteAccess>,
    plan: &mut Plan,
    bases: &[Based],
    output: &mut Output,
) -> Result<Option<Failure>, Failure> {
    let Some(access) = access else {
        return Ok(None);
    };
    let change = |file: &PlannedFile| FileChange::new(&file.path, file.base, file.text.as_bytes());
    let groups = plan.groups.iter();
    let groups = groups.map(|group| group.iter().map(change).collect());
    let written = workspace.write(groups.collect(), access)?;
    report_saved(written.saved(), output);
    for refusal in written.refused() {
        output.note(Level::ERROR, &shown(&refusal.to_string()));
    }
    let refused: BTreeSet<&str> = written.refused().iter().map(|it| it.path()).collect();
    remove_refused_groups(plan, bases, &refused);
    let count = refused.len();
    Ok((count > 0).then_some(Failure::Unwritten { count }))
}

/// Removes from `plan` the groups with a rejected file, and their fixes over several files.
fn remove_refused_groups(plan: &mut Plan, bases: &[Based], refused: &BTreeSet<&str>) {
    if refused.is_empty() {
        return;
    }
    let is_refused = |file: &PlannedFile| refused.contains(file.path.as_str());
    plan.groups.retain(|group| !group.iter().any(is_refused));
    let of_refused = bases
        .iter()
        .filter(|(report, _)| refused.contains(report.path()));
    let fixes = of_refused.flat_map(|(report, _)| &report.fixes);
    let fixes: BTreeSet<&str> = fixes.map(|fix| fix.id.as_str()).collect();
    plan.across_files.retain(|id| !fixes.contains(id.as_str()));
}

/// The rules that led to a file's canonical text.
fn rules(report: &FixReport) -> String {
    let steps = report
        .canonical
        .iter()
        .flat_map(|canonical| &canonical.steps);
    let rules: BTreeSet<&str> = steps.map(|step| step.rule.as_str()).collect();
    Vec::from_iter(rules).join(", ")
}

/// Prints each fix that was not applied, with the reason, and returns how many there are. An alternative
/// to an applied fix is not printed: whatever remains is among the findings.
pub(crate) fn print_rejected(
    plan: &Plan,
    bases: &[Based],
    output: &mut Output,
) -> Result<usize, Failure> {
    let mut count = 0;
    let in_files = bases.iter().flat_map(|(report, _)| {
        let rejected = report.rejected.iter();
        let refused = rejected.filter(|rejection| !is_other_way(report, rejection));
        refused.map(|rejection| (report.path(), rejection))
    });
    let across = plan
        .rejected
        .iter()
        .map(|rejection| ("several files", rejection));
    for (path, rejection) in in_files.chain(across) {
        count += 1;
        let reason = word::<RejectionReason>(rejection.reason).unwrap_or_default();
        let winner = rejection
            .winner_id
            .as_ref()
            .map_or(String::new(), |id| format!(", in favor of {id}"));
        let detail = if rejection.detail.is_empty() {
            String::new()
        } else {
            format!(": {}", rejection.detail)
        };
        output.line(&shown(&format!(
            "Rejected {} of {} on {path} ({reason}{winner}){detail}",
            rejection.fix_id, rejection.rule
        )))?;
    }
    Ok(count)
}

/// Whether another fix for the same finding was applied in place of the rejected one.
fn is_other_way(report: &FixReport, rejection: &Rejection) -> bool {
    let mut steps = report.canonical.iter().flat_map(|it| &it.steps);
    let Some(winner) = &rejection.winner_id else {
        return false;
    };
    if rejection.reason() != RejectionReason::Conflict
        || !steps.any(|step| step.fix_id == *winner && step.rule == rejection.rule)
    {
        return false;
    }
    let listed = |id: &str| report.fixes.iter().find(|fix| fix.id == id);
    match (listed(&rejection.fix_id), listed(winner)) {
        (Some(fix), Some(winner)) => {
            let resolves = |fix: &Fix| fix.targets.clone().unwrap_or_default().diagnostic_ids;
            !resolves(fix).is_empty()
                && resolves(fix) == resolves(winner)
                && fix.phase == winner.phase
        }
        // A fix of a later round is not listed.
        _ => true,
    }
}
