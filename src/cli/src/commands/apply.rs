//! `fixpoint apply`: checks stored reports and applies them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use annotate_snippets::Level;
use fixpoint_edit::{Based, Plan, plan};
use fixpoint_engine::{Policy, accepts_fixes};
use fixpoint_format::SourceLanguage;
use fixpoint_report::{Fix, FixReport, Rejection, RejectionReason, read};
use fixpoint_workspace::{MAX_REPORT_SIZE, read_file};

use crate::Verdict;
use crate::args::{ApplyOptions, Arguments, PolicyOptions};
use crate::commands::actions;
use crate::commands::stored::{Applied, Refusal, check_stored};
use crate::commands::write::{Mode, begin, carry_out, print_rejected};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::session::Session;

pub(crate) fn run(
    arguments: &Arguments,
    options: &ApplyOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    if let Some(file) = &options.actions {
        return actions::run(arguments, options, file, output);
    }
    let session = Session::open(arguments, &[])?;
    let mode = Mode::of(options.dry_run, options.diff);
    let reports = options.reports.iter().map(|path| read_report(path));
    let reports = reports.collect::<Result<Vec<FixReport>, Failure>>()?;
    let access = begin(&session, mode, output)?;
    let policy = PolicyOptions::default();
    let mut stored = check_stored(&session, arguments, &policy, reports, Applied::Reported)?;
    let refused = std::mem::take(&mut stored.refused);
    let mut survey = stored.into_survey();
    survey.report_problems(output);
    let failure = survey.failure();
    let files = survey.files.len();
    let bases = survey.take_bases();
    let mut plan = guarded_plan(&session, &bases, &policy.policy())?;
    let unwritten = carry_out(
        &session.workspace,
        access.as_ref(),
        mode,
        &mut plan,
        &bases,
        output,
    )?;
    let rejected = print_rejected(&plan, &bases, output)?;
    let applied = plan.groups.iter().flatten().count();
    let verb = mode.verb();
    let summary = format!(
        "{verb} {applied} of {}; {} rejected",
        count(files, "file"),
        count(rejected, "fix")
    );
    match mode {
        Mode::Diff => output.notice(&summary),
        Mode::Write | Mode::DryRun => output.line(&summary)?,
    }
    output.flush()?;
    report_refused(&refused, output);
    match (refused.len(), failure.or(unwritten)) {
        (0, None) if rejected > 0 => Ok(Verdict::Findings),
        (0, None) => Ok(Verdict::Done),
        (0, Some(failure)) => Err(failure),
        (number, _) => Err(Failure::Run(format!(
            "{} left as {}; {}",
            files_are(number),
            if number == 1 { "it is" } else { "they are" },
            written(applied, mode),
        ))),
    }
}

fn report_refused(refused: &[(String, Refusal)], output: &mut Output) {
    for (path, refusal) in refused {
        let again = format!(
            "run `fixpoint check {path} --report-dir DIR` or the build that wrote the report again"
        );
        let message = match refusal {
            Refusal::Changed => {
                format!("{path} has changed since its report was written; {again}")
            }
            Refusal::Differs => format!(
                "{path}: with its current settings, this fixpoint computes a different text than the \
                 report; {again}"
            ),
            Refusal::Other(why) => why.clone(),
        };
        output.note(Level::ERROR, &shown(&message));
    }
}

/// Whether the other files were written.
pub(crate) fn written(files: usize, mode: Mode) -> &'static str {
    match (files, mode) {
        (0, _) | (_, Mode::DryRun | Mode::Diff) => "nothing was written",
        _ => "the other files were written",
    }
}

/// Plans reports that were computed by this process. A fix over several files is dropped if the
/// gate rejects the text that it leads to after the merge.
pub(crate) fn guarded_plan(
    session: &Session,
    bases: &[Based],
    policy: &Policy,
) -> Result<Plan, Failure> {
    let mut dropped: BTreeMap<String, Rejection> = BTreeMap::new();
    loop {
        let admits = |fix: &Fix| policy.admits(fix) && !dropped.contains_key(&fix.id);
        let mut plan = plan(bases, &admits)?;
        let culprits = damaging(session, bases, &plan);
        if culprits.is_empty() {
            plan.rejected.extend(dropped.into_values());
            return Ok(plan);
        }
        let culprits = culprits.into_iter();
        dropped.extend(culprits.map(|culprit| (culprit.fix_id.clone(), culprit)));
    }
}

/// The fixes over several files that change a file whose planned text the gate rejects.
fn damaging(session: &Session, bases: &[Based], plan: &Plan) -> Vec<Rejection> {
    let fixes = bases.iter().flat_map(|(report, _)| &report.fixes);
    let across = fixes.filter(|fix| plan.across_files.contains(&fix.id));
    let mut by_path: BTreeMap<&str, Vec<&Fix>> = BTreeMap::new();
    for fix in across {
        let paths: BTreeSet<&str> = fix.edits.iter().map(|it| it.path.as_str()).collect();
        for path in paths {
            by_path.entry(path).or_default().push(fix);
        }
    }
    let bases: BTreeMap<&str, &Based> = bases.iter().map(|based| (based.1.path(), based)).collect();
    let mut damaging = Vec::new();
    for file in plan.groups.iter().flatten() {
        let path = file.path.as_str();
        let (Some(touching), Some((report, base))) = (by_path.get(path), bases.get(path)) else {
            continue;
        };
        let fixes: Vec<&Fix> = report.fixes.iter().collect();
        let after = base.with_text(file.text.as_str());
        let language = SourceLanguage::of(base.path(), base.text(), session.config());
        let Some(Err(detail)) =
            language.map(|language| accepts_fixes(&language, base, &after, &fixes))
        else {
            continue;
        };
        damaging.extend(touching.iter().map(|fix| Rejection {
            fix_id: fix.id.clone(),
            rule: fix.rule.clone(),
            reason: RejectionReason::BreaksSyntax.into(),
            detail: detail.clone(),
            winner_id: None,
        }));
    }
    damaging
}

pub(crate) fn read_report(path: &Path) -> Result<FixReport, Failure> {
    let bytes = read_file(path, MAX_REPORT_SIZE).map_err(Failure::Input)?;
    read(&bytes).map_err(|error| Failure::StoredReport {
        path: path.to_owned(),
        error,
    })
}

fn files_are(count: usize) -> String {
    match count {
        1 => "1 file is".to_owned(),
        _ => format!("{count} files are"),
    }
}
