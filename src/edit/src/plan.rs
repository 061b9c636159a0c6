//! Computes the texts to write from a list of reports. The inputs are the canonical edits of each
//! file, and fixes that span several files, which are not part of any canonical text.

use std::collections::BTreeMap;

use fixpoint_report::{Confidence, Edit, ExpectedDelta, Fix, FixReport, Kind, Rejection, Safety};
use fixpoint_text::{Digest, Snapshot};

use crate::apply::apply;
use crate::check::{EditError, EditProblem};
use crate::merge::merge;
use crate::snapshots::Snapshots;

/// A report and the current text of its file.
pub type Based = (FixReport, Snapshot);

/// A file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    pub path: String,
    pub base: Digest,
    pub text: String,
}

/// The changes that a list of reports results in.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Files that must change together or not at all, ordered by path.
    pub groups: Vec<Vec<PlannedFile>>,
    /// The multi-file fixes that are part of the plan.
    pub across_files: Vec<String>,
    /// The multi-file fixes that are not part of the plan, with the reason.
    pub rejected: Vec<Rejection>,
}

/// Plans the changes of `reports`, each with the current text of its file. A fix that spans several
/// files takes part if `admits` accepts it and all its files have reports in the list.
pub fn plan(reports: &[Based], admits: &dyn Fn(&Fix) -> bool) -> Result<Plan, EditError> {
    let mut snapshots = Snapshots::default();
    let mut fixes: BTreeMap<&str, &Fix> = BTreeMap::new();
    let mut planned: BTreeMap<String, PlannedFile> = BTreeMap::new();
    for (report, snapshot) in reports {
        let base = report.base.clone().unwrap_or_default();
        snapshots.bind(&base, snapshot.clone())?;
        let canonical = report.canonical.clone().unwrap_or_default();
        let text = apply(snapshot, &canonical.edits)?.text;
        if Digest::of(text.as_bytes()).to_string() != canonical.sha256 {
            return Err(EditError::new("", &base.path, EditProblem::WrongResult));
        }
        let file = PlannedFile {
            path: base.path.clone(),
            base: snapshot.digest(),
            text,
        };
        planned.insert(base.path.clone(), file);
        let across = report
            .fixes
            .iter()
            .filter(|fix| fix.edits.iter().any(|edit| edit.path != base.path));
        fixes.extend(
            across
                .filter(|fix| admits(fix))
                .map(|fix| (fix.id.as_str(), fix)),
        );
    }
    let mut plan = Plan::default();
    let mut leaders: BTreeMap<String, String> = BTreeMap::new();
    if !fixes.is_empty() {
        add_fixes(
            &mut plan,
            reports,
            &snapshots,
            &fixes,
            &mut planned,
            &mut leaders,
        );
    }
    let mut groups: BTreeMap<String, Vec<PlannedFile>> = BTreeMap::new();
    for (path, file) in planned {
        if file.base != Digest::of(file.text.as_bytes()) {
            groups
                .entry(leader(&leaders, &path))
                .or_default()
                .push(file);
        }
    }
    plan.groups = groups.into_values().collect();
    Ok(plan)
}

/// Merges the canonical edits of each file, as one fix per file, with the multi-file fixes.
fn add_fixes(
    plan: &mut Plan,
    reports: &[Based],
    snapshots: &Snapshots,
    across: &BTreeMap<&str, &Fix>,
    planned: &mut BTreeMap<String, PlannedFile>,
    leaders: &mut BTreeMap<String, String>,
) {
    let canonical: Vec<Fix> = reports
        .iter()
        .filter_map(|(report, _)| canonical_fix(report))
        .collect();
    let merged = merge(snapshots, canonical.iter().chain(across.values().copied()));
    for fix in merged
        .accepted()
        .iter()
        .filter(|fix| across.contains_key(fix.id.as_str()))
    {
        plan.across_files.push(fix.id.clone());
        let first = leader(leaders, &fix.edits[0].path);
        for edit in &fix.edits {
            let other = leader(leaders, &edit.path);
            if other != first {
                leaders.insert(other, first.clone());
            }
        }
    }
    plan.rejected = merged.rejected().to_vec();
    for snapshot in snapshots.iter() {
        if let Some(file) = planned.get_mut(snapshot.path()) {
            file.text = merged.apply(snapshot).text;
        }
    }
}

/// The canonical edits of a file as one fix. It has the best possible rank, so that another fix
/// wins only by resolving more.
fn canonical_fix(report: &FixReport) -> Option<Fix> {
    let canonical = report.canonical.as_ref()?;
    let edits: Vec<Edit> = canonical.edits.clone();
    (!edits.is_empty()).then(|| Fix {
        id: format!("canonical text of {}", report.path()),
        rule: "canonical".to_owned(),
        safety: Safety::BehaviorPreserving.into(),
        confidence: Confidence::High.into(),
        kind: Kind::LocalFix.into(),
        edits,
        expected_delta: Some(ExpectedDelta {
            diagnostics_resolved: canonical
                .steps
                .iter()
                .map(|step| step.fix_id.clone())
                .collect(),
            ..ExpectedDelta::default()
        }),
        ..Fix::default()
    })
}

/// The representative of the group that contains `path`.
fn leader(leaders: &BTreeMap<String, String>, path: &str) -> String {
    let mut path = path;
    while let Some(next) = leaders.get(path) {
        path = next;
    }
    path.to_owned()
}
