//! Checks stored reports before they are applied.
//!
//! The text to write is always computed here, from the current bytes of the workspace. A report of
//! Fixpoint must lead to the text that this version computes; then that text is used. Of every
//! other report, only the listed fixes are used. Each must be safe, its preconditions must hold,
//! its operations must lower to its edits, and it must pass the merge and the gate of the engine.

mod across;
mod ids;

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_analysis::{find_rule, phases};
use fixpoint_document::check_reported;
use fixpoint_edit::{Snapshots, merge};
use fixpoint_engine::{Policy, Reported};
use fixpoint_format::SourceLanguage;
use fixpoint_report::{Fix, FixReport, Rejection, RejectionReason};
use fixpoint_text::Snapshot;
use fixpoint_workspace::Excludes;

use self::ids::with_unique_ids;
use crate::args::{Arguments, PolicyOptions};
use crate::failure::Failure;
use crate::file_analyzer::is_generated;
use crate::rules;
use crate::session::Session;
use crate::survey::{
    Survey, Surveyed, canonical_text, survey_as_action, survey_reported, surveyed,
};

/// The result of checking stored reports.
#[derive(Default)]
pub(crate) struct Stored {
    files: Vec<StoredFile>,
    /// Files that are not written, because a report for them cannot be used. By path.
    pub(crate) refused: Vec<(String, Refusal)>,
    failed: Vec<(String, String)>,
}

/// A file with stored reports.
struct StoredFile {
    snapshot: Snapshot,
    reports: Vec<FixReport>,
    /// The report that is computed from the file now.
    fresh: FixReport,
    /// What is applied instead, if that is not all of `fresh`.
    applied: Option<FixReport>,
}

/// Which fixes are applied to a file that has only reports of other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// Those that the reports list.
    Reported,
    /// Those that the reports list, and those that Fixpoint finds in the file now.
    Everything,
}

/// Why a report is not used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The file's bytes are not the report's base.
    Changed,
    /// With the current settings, this version computes another text from the same bytes.
    Differs,
    /// A sentence that says why.
    Other(String),
}

impl Stored {
    /// The files and what is applied to them.
    pub(crate) fn into_survey(self) -> Survey {
        let files = self.files.into_iter().map(|file| {
            let report = file.applied.unwrap_or(file.fresh);
            surveyed(report, file.snapshot)
        });
        Survey {
            files: files.collect(),
            failed: self.failed,
            ..Survey::default()
        }
    }

    /// The files and what is found in them now, regardless of the stored reports.
    pub(crate) fn into_fresh(self) -> Survey {
        let files = self.files.into_iter();
        Survey {
            files: files
                .map(|file| surveyed(file.fresh, file.snapshot))
                .collect(),
            failed: self.failed,
            ..Survey::default()
        }
    }
}

/// Checks `reports` against their files. One file may have several reports.
pub(crate) fn check_stored(
    session: &Session,
    arguments: &Arguments,
    options: &PolicyOptions,
    reports: Vec<FixReport>,
    applied_to_others: Applied,
) -> Result<Stored, Failure> {
    let mut stored = Stored::default();
    let reports = with_unique_ids(reports);
    let based = matching_bases(session, reports, &mut stored)?;
    let texts = based
        .iter()
        .map(|text| (text.0.clone(), Reported::default()));
    let fresh = survey_reported(session, arguments, options, texts.collect());
    stored.failed.extend(fresh.failed);
    let mut fresh = by_path(fresh.files);
    for (snapshot, reports) in based {
        if let Some(fresh) = fresh.remove(snapshot.path()) {
            stored.files.push(StoredFile {
                snapshot,
                reports,
                fresh,
                applied: None,
            });
        }
    }
    let as_action = analyze_as_actions(session, arguments, &stored.files);
    let policy = options.policy();
    let is_default = *options == PolicyOptions::default();
    let mut kept = Vec::new();
    for mut file in std::mem::take(&mut stored.files) {
        let as_action = as_action.get(file.snapshot.path());
        let judged = judge(session, &file, as_action, (&policy, is_default));
        match judged {
            Err(refusal) => {
                let path = file.snapshot.path().to_owned();
                stored.refused.push((path, refusal));
            }
            Ok(mut judged) => {
                if applied_to_others == Applied::Everything {
                    judged.agreed.get_or_insert(&file.fresh);
                }
                file.applied = applied(session, arguments, options, &file, judged);
                kept.push(file);
            }
        }
    }
    stored.files = kept;
    across::join_files(session, arguments, options, &mut stored);
    stored.refused.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(stored)
}

/// The files whose bytes are a report's base. The others are rejected, except a file that already
/// has the text its report leads to: nothing is left to do.
fn matching_bases(
    session: &Session,
    reports: Vec<FixReport>,
    stored: &mut Stored,
) -> Result<Vec<(Snapshot, Vec<FixReport>)>, Failure> {
    let excludes = Excludes::new(session.config().exclude())?;
    let mut on_files: BTreeMap<String, Vec<FixReport>> = BTreeMap::new();
    for report in reports {
        let on_file = on_files.entry(report.path().to_owned()).or_default();
        if !on_file.contains(&report) {
            on_file.push(report);
        }
    }
    let mut based = Vec::new();
    for (path, mut reports) in on_files {
        let snapshot = match writable(session, &excludes, &path) {
            Ok(snapshot) => snapshot,
            Err(why) => {
                stored.refused.push((path, Refusal::Other(why)));
                continue;
            }
        };
        let digest = snapshot.digest().to_string();
        let is_base = |report: &FixReport| {
            let base = report.base.as_ref();
            base.is_some_and(|base| base.sha256 == digest)
        };
        let is_done = |report: &FixReport| {
            let canonical = report.canonical.as_ref();
            canonical.is_some_and(|canonical| canonical.sha256 == digest)
        };
        if reports
            .iter()
            .any(|report| !is_base(report) && !is_done(report))
        {
            stored.refused.push((path, Refusal::Changed));
            continue;
        }
        reports.retain(is_base);
        let length = snapshot.text().len() as u64;
        let has_length = |it: &FixReport| it.base.as_ref().is_some_and(|it| it.length == length);
        if !reports.iter().all(has_length) {
            let why =
                format!("{path}: the report's base.length is wrong; the file has {length} bytes");
            stored.refused.push((path, Refusal::Other(why)));
            continue;
        }
        if !reports.is_empty() {
            based.push((snapshot, reports));
        }
    }
    Ok(based)
}

/// The text of a file, or the reason why `fix` would not write it.
pub(crate) fn writable(
    session: &Session,
    excludes: &Excludes,
    path: &str,
) -> Result<Snapshot, String> {
    let workspace = &session.workspace;
    let real = workspace.real_path(path).map_err(|it| it.to_string())?;
    if real != path {
        return Err(format!("{path} is a link; use its target {real} instead"));
    }
    if workspace.generated(path).is_some() {
        return Err(format!("{path}: {}", is_generated()));
    }
    let snapshot = workspace.read(path).map_err(|it| it.to_string())?;
    let language = SourceLanguage::of(path, snapshot.text(), session.config());
    match language.filter(|_| !excludes.cover(path)) {
        Some(_) => Ok(snapshot),
        None => Err(format!(
            "{path} is excluded, or its language is unknown or switched off"
        )),
    }
}

/// Analyzes files again as a Bazel action would, if a report of Fixpoint leads to another text than
/// the one computed here. An action sees fewer inputs, so its report may still be right.
fn analyze_as_actions(
    session: &Session,
    arguments: &Arguments,
    files: &[StoredFile],
) -> BTreeMap<String, FixReport> {
    let differs = |file: &&StoredFile| {
        let mut ours = file.reports.iter().filter(|it| is_ours(it));
        ours.any(|report| !leads_to_same(report, &file.fresh))
    };
    let texts = files.iter().filter(differs).map(|it| it.snapshot.clone());
    let texts: Vec<Snapshot> = texts.collect();
    if texts.is_empty() {
        return BTreeMap::new();
    }
    by_path(survey_as_action(session, arguments, texts).files)
}

/// How the reports of a file are applied.
struct Judged<'f> {
    /// The computed report that a report of Fixpoint agrees with.
    agreed: Option<&'f FixReport>,
    /// Fixes of other tools, to be tried. By id.
    candidates: BTreeMap<String, Fix>,
    rejected: Vec<Rejection>,
}

fn judge<'f>(
    session: &Session,
    file: &'f StoredFile,
    as_action: Option<&'f FixReport>,
    (policy, is_default): (&Policy, bool),
) -> Result<Judged<'f>, Refusal> {
    let fresh = &file.fresh;
    let mut judged = Judged {
        agreed: None,
        candidates: BTreeMap::new(),
        rejected: Vec::new(),
    };
    let ours = file.reports.iter().filter(|it| is_ours(it)).count();
    for report in &file.reports {
        let text = canonical_text(report, &file.snapshot)
            .map_err(|error| Refusal::Other(error.to_string()))?;
        refuse_unsafe(report, policy)?;
        let agreed = match is_ours(report) {
            false => None,
            // Another policy leads to another text.
            true if !is_default => Some(fresh),
            true if report.tool != fresh.tool => return Err(Refusal::Differs),
            true if leads_to_same(report, fresh) => Some(fresh),
            true if ours > 1 && contains_all_of(fresh, report) => Some(fresh),
            true => as_action.filter(|fresh| leads_to_same(report, fresh)),
        };
        list_candidates(session, file, report, agreed.is_some(), &mut judged);
        let is_explained = agreed.is_some() || text == listed_text(report, &file.snapshot);
        if is_ours(report) && agreed.is_none() {
            return Err(Refusal::Differs);
        }
        if !is_explained {
            let tool = report.tool.as_ref().map_or("", |it| it.name.as_str());
            let detail = "it is neither the text that fixpoint computes for the file, nor the result of the fixes \
                          that the report lists";
            judged.rejected.push(rejection(
                "the canonical text",
                tool,
                RejectionReason::Invalid,
                detail,
            ));
        }
        // If one report covers everything that this analysis found, all of it is applied.
        judged.agreed = match (judged.agreed, agreed) {
            (None, agreed) => agreed,
            (Some(earlier), Some(agreed)) if !std::ptr::eq(earlier, agreed) => Some(fresh),
            (earlier, _) => earlier,
        };
    }
    Ok(judged)
}

/// Rejects a report of Fixpoint that applies a fix which the policy does not admit.
fn refuse_unsafe(report: &FixReport, policy: &Policy) -> Result<(), Refusal> {
    let steps = step_ids(report);
    let mut fixes = report.fixes.iter().filter(|_| is_ours(report));
    let unsafe_step = fixes.find(|fix| !policy.admits(fix) && steps.contains(fix.id.as_str()));
    match unsafe_step {
        None => Ok(()),
        Some(fix) => Err(Refusal::Other(format!(
            "the report for {} applies fix {}, which is not safe; to apply it, run `fixpoint fix --approve {}`",
            report.path(),
            fix.id,
            fix.id
        ))),
    }
}

/// The ids of the fixes that a report lists as applied.
fn step_ids(report: &FixReport) -> BTreeSet<&str> {
    let steps = report.canonical.iter().flat_map(|it| &it.steps);
    steps.map(|step| step.fix_id.as_str()).collect()
}

/// The text after the fixes that the report lists as applied, before any check.
fn listed_text(report: &FixReport, snapshot: &Snapshot) -> String {
    let steps = step_ids(report);
    let is_step = |fix: &&Fix| steps.contains(fix.id.as_str());
    let listed: Vec<&Fix> = report.fixes.iter().filter(is_step).collect();
    merge(&Snapshots::of(snapshot), listed).apply(snapshot).text
}

fn list_candidates(
    session: &Session,
    file: &StoredFile,
    report: &FixReport,
    is_agreed: bool,
    judged: &mut Judged<'_>,
) {
    let texts = BTreeMap::from([(file.snapshot.path(), &file.snapshot)]);
    let found = file.fresh.fixes.iter();
    let found: BTreeMap<&str, &Fix> = found.map(|fix| (fix.id.as_str(), fix)).collect();
    for fix in &report.fixes {
        let found = found.get(fix.id.as_str());
        let is_found = found.is_some_and(|found| found.edits == fix.edits);
        // A report that claims to be from Fixpoint cannot bring in fixes of others.
        let is_own = is_ours(report) || is_own_rule(session, fix);
        let is_known = is_found && is_ours(report) || is_own && is_agreed;
        let earlier = judged.candidates.get(&fix.id);
        if !is_on_one_file(fix, report) || is_known || earlier == Some(fix) {
            continue;
        }
        let objection = if is_found {
            None
        } else if is_own {
            Some("fixpoint does not propose this fix for the file".to_owned())
        } else if earlier.is_some() || found.is_some() {
            Some("another fix for the file has the same id".to_owned())
        } else {
            check_reported(fix, &file.snapshot, &texts).err()
        };
        match objection {
            None => {
                // A report cannot change the safety of a fix that this analysis proposes.
                let proposed = found.filter(|_| is_found).copied().unwrap_or(fix);
                judged.candidates.insert(fix.id.clone(), proposed.clone());
            }
            Some(detail) => judged.rejected.push(invalid(fix, &detail)),
        }
    }
}

/// What is applied to a file, if that differs from what is found in it.
fn applied(
    session: &Session,
    arguments: &Arguments,
    options: &PolicyOptions,
    file: &StoredFile,
    judged: Judged<'_>,
) -> Option<FixReport> {
    let Judged {
        agreed,
        candidates,
        rejected,
    } = judged;
    let report = match agreed {
        Some(agreed) if candidates.is_empty() => agreed.clone(),
        _ => {
            let candidates = candidates.into_values().collect();
            let reported = match agreed {
                Some(_) => Reported::First(candidates),
                None => Reported::Only(candidates),
            };
            let texts = vec![(file.snapshot.clone(), reported)];
            let run = survey_reported(session, arguments, options, texts);
            run.files.into_iter().next()?.report
        }
    };
    let rejected = report.rejected.iter().cloned().chain(rejected).collect();
    Some(FixReport { rejected, ..report })
}

fn is_ours(report: &FixReport) -> bool {
    report
        .tool
        .as_ref()
        .is_some_and(|tool| tool.name == "fixpoint")
}

fn leads_to_same(report: &FixReport, other: &FixReport) -> bool {
    let text = |of: &FixReport| of.canonical.as_ref().map(|it| it.sha256.clone());
    text(report) == text(other)
}

/// Whether `fresh` contains everything that `report` lists.
fn contains_all_of(fresh: &FixReport, report: &FixReport) -> bool {
    let found = fresh.diagnostics.iter().map(|it| it.id.as_str());
    let found: BTreeSet<&str> = found.collect();
    let mut listed = report.diagnostics.iter();
    listed.all(|fix| found.contains(fix.id.as_str()))
}

fn is_on_one_file(fix: &Fix, report: &FixReport) -> bool {
    fix.edits.iter().all(|edit| edit.path == report.path())
}

/// Whether a fix names a rule of Fixpoint.
fn is_own_rule(session: &Session, fix: &Fix) -> bool {
    phases().any(|(phase, _)| phase == fix.phase)
        || find_rule(&fix.rule).is_some()
        || rules::find_own(&fix.rule, session).is_some()
}

fn by_path(files: Vec<Surveyed>) -> BTreeMap<String, FixReport> {
    let files = files.into_iter();
    files
        .map(|file| (file.report.path().to_owned(), file.report))
        .collect()
}

fn invalid(fix: &Fix, detail: &str) -> Rejection {
    rejection(&fix.id, &fix.rule, RejectionReason::Invalid, detail)
}

fn rejection(fix_id: &str, rule: &str, reason: RejectionReason, detail: &str) -> Rejection {
    Rejection {
        fix_id: fix_id.to_owned(),
        rule: rule.to_owned(),
        reason: reason.into(),
        detail: detail.to_owned(),
        winner_id: None,
    }
}
