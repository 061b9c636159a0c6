//! `fixpoint apply`: stored reports, with the same guards as `fix`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use annotate_snippets::Level;
use fixpoint_edit::{Based, Plan, plan};
use fixpoint_engine::{Policy, accepts};
use fixpoint_format::SourceLanguage;
use fixpoint_report::{FixReport, read};
use fixpoint_text::Snapshot;
use fixpoint_workspace::Excludes;

use crate::Verdict;
use crate::args::{ApplyOptions, Arguments};
use crate::commands::actions;
use crate::commands::write::{Mode, begin, carry_out, tell_rejected};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::count;
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
    let reports = by_path(reports.collect::<Result<_, _>>()?)?;
    let access = begin(&session.workspace, mode, output)?;
    let (bases, stale) = bases(&session, reports)?;
    if !stale.is_empty() {
        for path in &stale {
            output.note(
                Level::ERROR,
                &format!("{path} has changed since its report was written; run `fixpoint check {path} --report-dir DIR`, or the build that wrote it, again"),
            );
        }
        return Err(Failure::Run(format!(
            "{} out of date; nothing was written",
            reports_are(stale.len())
        )));
    }
    let plan = guarded_plan(&session, &bases)?;
    carry_out(
        &session.workspace,
        access.as_ref(),
        mode,
        &plan,
        &bases,
        output,
    )?;
    let rejected = tell_rejected(&plan, &bases, output)?;
    let applied = plan.groups.iter().flatten().count();
    let verb = mode.verb();
    let summary = format!(
        "{verb} {applied} of {}; {} rejected",
        count(bases.len(), "file"),
        count(rejected, "fix")
    );
    match mode {
        Mode::Diff => output.notice(&summary),
        Mode::Write | Mode::DryRun => output.line(&summary)?,
    }
    output.flush()?;
    Ok(if rejected > 0 {
        Verdict::Findings
    } else {
        Verdict::Done
    })
}

/// One report per file.
pub(crate) fn by_path(reports: Vec<FixReport>) -> Result<BTreeMap<String, FixReport>, Failure> {
    let mut sorted = BTreeMap::new();
    for report in reports {
        let at = report.path().to_owned();
        if sorted
            .insert(at.clone(), report.clone())
            .is_some_and(|earlier| earlier != report)
        {
            return Err(Failure::Usage(format!(
                "two different reports are on {at}; give the newer one only"
            )));
        }
    }
    Ok(sorted)
}

/// The plan of reports that came out of files, unless it is one that `fix` would never make.
pub(crate) fn guarded_plan(session: &Session, bases: &[Based]) -> Result<Plan, Failure> {
    let plan = plan(bases, &|fix| Policy::default().admits(fix)).map_err(Failure::run)?;
    refuse_unsafe(bases)?;
    refuse_damage(session, &plan, bases)?;
    Ok(plan)
}

/// A stored report is taken at its word only as far as `fix` would go: safe fixes.
fn refuse_unsafe(bases: &[Based]) -> Result<(), Failure> {
    let policy = Policy::default();
    for (report, _) in bases {
        let steps = report.canonical.iter().flat_map(|it| &it.steps);
        let steps: BTreeSet<&str> = steps.map(|step| step.fix_id.as_str()).collect();
        let applied = report.fixes.iter();
        let mut applied = applied.filter(|fix| steps.contains(fix.id.as_str()));
        if let Some(fix) = applied.find(|fix| !policy.admits(fix)) {
            return Err(Failure::Run(format!(
                "the report on {} applies fix {}, which is not safe; nothing was written. \
                 `fixpoint fix --approve {}` applies it",
                report.path(),
                fix.id,
                fix.id
            )));
        }
    }
    Ok(())
}

/// The gate that computed texts pass, for texts that came out of a file.
fn refuse_damage(session: &Session, plan: &Plan, bases: &[Based]) -> Result<(), Failure> {
    let bases: BTreeMap<&str, &Snapshot> =
        bases.iter().map(|(_, base)| (base.path(), base)).collect();
    let excludes = Excludes::new(session.config.exclude()).map_err(Failure::run)?;
    for file in plan.groups.iter().flatten() {
        let Some(base) = bases.get(file.path.as_str()) else {
            continue;
        };
        let language = SourceLanguage::of(base.path(), base.text(), &session.config);
        let Some(language) = language.filter(|_| !excludes.cover(&file.path)) else {
            return Err(Failure::Run(format!(
                "{} is excluded, or its language is not known or switched off; nothing was written",
                file.path
            )));
        };
        let after = base.with_text(file.text.as_str());
        let verdict = accepts(&language, base, &after);
        if let Err(reason) = verdict {
            return Err(Failure::Run(format!(
                "the report on {} leads to a text that is worse: {reason}; nothing was written",
                file.path
            )));
        }
    }
    Ok(())
}

/// Each report with its file's text now, and the files that are not what their reports are on. A
/// file that already is what its report leads to has nothing left to be done.
pub(crate) fn bases(
    session: &Session,
    reports: BTreeMap<String, FixReport>,
) -> Result<(Vec<Based>, Vec<String>), Failure> {
    let (mut bases, mut stale) = (Vec::new(), Vec::new());
    for (path, report) in reports {
        let snapshot = session.workspace.read(&path).map_err(Failure::run)?;
        let digest = snapshot.digest().to_string();
        let is_base = report
            .base
            .as_ref()
            .is_some_and(|base| base.sha256 == digest);
        let is_done = report
            .canonical
            .as_ref()
            .is_some_and(|canonical| canonical.sha256 == digest);
        match (is_base, is_done) {
            (true, _) => bases.push((report, snapshot)),
            (false, true) => {}
            (false, false) => stale.push(path),
        }
    }
    Ok((bases, stale))
}

pub(crate) fn read_report(path: &Path) -> Result<FixReport, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::Run(format!("cannot read {}: {error}", path.display())))?;
    read(&bytes).map_err(|error| Failure::Run(format!("{}: {error}", path.display())))
}

fn reports_are(count: usize) -> String {
    match count {
        1 => "1 report is".to_owned(),
        _ => format!("{count} reports are"),
    }
}
