//! Makes the ids of fixes unique. Tools number their fixes without knowing of each other, so reports
//! of several tools may use one id for different fixes.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_report::{Fix, FixReport};
use fixpoint_text::Digest;

use super::{is_on_one_file, is_ours};

/// The same reports. If different fixes have one id, each gets the name of its tool: `f-1@TOOL`.
/// If that is not enough, a digest of the fix is added.
pub(super) fn with_unique_ids(mut reports: Vec<FixReport>) -> Vec<FixReport> {
    rename_collisions(&mut reports, |fix, tool| format!("{}@{tool}", fix.id));
    rename_collisions(&mut reports, |fix, _| {
        let content = serde_json::to_vec(fix).unwrap_or_default();
        format!("{}.{:.8}", fix.id, Digest::of(&content).to_string())
    });
    reports
}

fn rename_collisions(reports: &mut [FixReport], new_id: impl Fn(&Fix, &str) -> String) {
    let mut users: BTreeMap<(&str, &str), Vec<&Fix>> = BTreeMap::new();
    // Fixpoint derives its ids from the content of its fixes.
    for report in reports.iter().filter(|report| !is_ours(report)) {
        for fix in &report.fixes {
            for scope in scopes(fix, report) {
                let users = users.entry((fix.id.as_str(), scope)).or_default();
                if !users.contains(&fix) {
                    users.push(fix);
                }
            }
        }
    }
    users.retain(|_, fixes| fixes.len() > 1);
    let keys = users.into_keys();
    let taken: BTreeSet<(String, String)> = keys.map(|(id, it)| (id.into(), it.into())).collect();
    if taken.is_empty() {
        return;
    }
    for report in reports.iter_mut().filter(|report| !is_ours(report)) {
        let tool = report.tool.clone().unwrap_or_default().name;
        let collides = |fix: &&Fix| {
            let mut scopes = scopes(fix, report).into_iter();
            scopes.any(|scope| taken.contains(&(fix.id.clone(), scope.to_owned())))
        };
        let colliding = report.fixes.iter().filter(collides);
        let new_ids = colliding.map(|fix| (fix.id.clone(), new_id(fix, &tool)));
        rename(report, &new_ids.collect());
    }
}

/// Where the id of a fix must be unique: in its file, or among all fixes over several files.
fn scopes<'r>(fix: &'r Fix, report: &'r FixReport) -> BTreeSet<&'r str> {
    let paths = fix.edits.iter().map(|edit| edit.path.as_str());
    let across = (!is_on_one_file(fix, report)).then_some("");
    paths.chain(across).collect()
}

fn rename(report: &mut FixReport, new_ids: &BTreeMap<String, String>) {
    let rename = |id: &mut String| {
        if let Some(new) = new_ids.get(id) {
            id.clone_from(new);
        }
    };
    for fix in &mut report.fixes {
        rename(&mut fix.id);
        let compatibility = fix.compatibility.as_mut();
        if let Some(it) = compatibility {
            it.requires.iter_mut().for_each(rename);
            it.conflicts_with.iter_mut().for_each(rename);
        }
    }
    let listed = report.diagnostics.iter_mut();
    listed.flat_map(|it| &mut it.fix_ids).for_each(rename);
    let steps = report.canonical.iter_mut().flat_map(|it| &mut it.steps);
    steps.map(|step| &mut step.fix_id).for_each(rename);
}
