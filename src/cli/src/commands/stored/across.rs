//! Fixes of stored reports that change several files.

use std::collections::BTreeMap;

use fixpoint_document::check_reported;
use fixpoint_engine::Reported;
use fixpoint_report::{Fix, Rejection};
use fixpoint_text::Snapshot;

use super::{Stored, StoredFile, invalid, is_on_one_file, is_ours, is_own_rule};
use crate::args::{Arguments, PolicyOptions};
use crate::session::Session;
use crate::survey::survey_reported;

/// Adds each fix over several files to the reports of its files, if it passes the gate in all of
/// them.
pub(super) fn join_files(
    session: &Session,
    arguments: &Arguments,
    options: &PolicyOptions,
    stored: &mut Stored,
) {
    let mut across: BTreeMap<String, (Fix, Snapshot)> = BTreeMap::new();
    for file in &stored.files {
        // What Fixpoint proposes itself is in the fresh reports.
        for report in file.reports.iter().filter(|report| !is_ours(report)) {
            let fixes = report.fixes.iter();
            for fix in fixes.filter(|fix| !is_on_one_file(fix, report)) {
                let known = across.entry(fix.id.clone());
                known.or_insert_with(|| (fix.clone(), file.snapshot.clone()));
            }
        }
    }
    for (fix, base) in across.into_values() {
        let objection = objection_across(session, arguments, options, &stored.files, &fix, &base);
        for file in &mut stored.files {
            let path = file.snapshot.path();
            // The report that lists a fix may be for a file that the fix does not change.
            let is_base = path == base.path();
            if !is_base && fix.edits.iter().all(|edit| edit.path != path) {
                continue;
            }
            let report = file.applied.get_or_insert_with(|| file.fresh.clone());
            match &objection {
                None => report.fixes.push(fix.clone()),
                Some(rejection) if is_base => report.rejected.push(rejection.clone()),
                Some(_) => {}
            }
        }
    }
}

fn objection_across(
    session: &Session,
    arguments: &Arguments,
    options: &PolicyOptions,
    files: &[StoredFile],
    fix: &Fix,
    base: &Snapshot,
) -> Option<Rejection> {
    if is_own_rule(session, fix) {
        return Some(invalid(fix, "fixpoint does not propose this fix"));
    }
    let is_touched = |file: &&StoredFile| fix.edits.iter().any(|e| e.path == file.snapshot.path());
    let touched: Vec<&Snapshot> = files
        .iter()
        .filter(is_touched)
        .map(|it| &it.snapshot)
        .collect();
    let is_at_hand = |path: &String| touched.iter().any(|it| it.path() == path);
    if let Some(edit) = fix.edits.iter().find(|edit| !is_at_hand(&edit.path)) {
        let detail = format!("{} has no usable report", edit.path);
        return Some(invalid(fix, &detail));
    }
    let texts = touched
        .iter()
        .map(|snapshot| (snapshot.path(), *snapshot))
        .collect();
    if let Err(detail) = check_reported(fix, base, &texts) {
        return Some(invalid(fix, &detail));
    }
    let own = |snapshot: &&Snapshot| {
        let mut own = fix.clone();
        own.edits.retain(|edit| edit.path == snapshot.path());
        ((*snapshot).clone(), Reported::Only(vec![own]))
    };
    let texts: Vec<(Snapshot, Reported)> = touched.iter().map(own).collect();
    let count = texts.len();
    let run = survey_reported(session, arguments, options, texts);
    let mut rejections = run.files.iter().flat_map(|it| &it.report.rejected);
    match rejections.find(|rejection| rejection.fix_id == fix.id) {
        Some(rejection) => Some(rejection.clone()),
        None if run.files.len() == count => None,
        None => Some(invalid(fix, "one of its files could not be analyzed")),
    }
}
