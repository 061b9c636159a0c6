//! The default engine: patches from reports of our own analysis.
//!
//! Reports list fixes of the linter, the formatter, document checks and Clank repairs. The safe fixes
//! of all reports are the first candidate; then each fix is one, best first.

use std::collections::BTreeMap;

use fixpoint_edit::apply;
use fixpoint_report::{FixReport, Safety, apply_order, rank_order};
use fixpoint_text::Snapshot;
use serde::Deserialize;

use crate::scratch::{Changes, FileState, ScratchError, Tree};

/// A patch that the analysis proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What the patch does, for people.
    pub title: String,
    pub changes: Changes,
    /// Whether all fixes keep behavior, so that strict mode demands them.
    pub is_safe: bool,
}

/// The output of `fixpoint check --format=json`, as far as it is needed here.
#[derive(Debug, Deserialize)]
struct CheckOutput {
    reports: Vec<serde_json::Value>,
}

/// The reports in the output of `fixpoint check --format=json`. Invalid ones are left out.
pub fn reports_in(json: &[u8]) -> Vec<FixReport> {
    let Ok(output) = serde_json::from_slice::<CheckOutput>(json) else {
        return Vec::new();
    };
    let texts = output.reports.into_iter().map(|report| report.to_string());
    texts
        .filter_map(|text| fixpoint_report::from_json(text.as_bytes()).ok())
        .collect()
}

/// At most `limit` candidates, best first. `suspects` are the files that the failure points at; their
/// fixes come first.
pub fn candidates(
    tree: &Tree,
    reports: &[FixReport],
    suspects: &[String],
    limit: usize,
) -> Result<Vec<Candidate>, ScratchError> {
    let mut snapshots = BTreeMap::new();
    for report in reports {
        if let Some(state) = tree.read(report.path())?
            && let Ok(text) = String::from_utf8(state.bytes.clone())
        {
            let snapshot = Snapshot::new(report.path(), text);
            snapshots.insert(report.path().to_owned(), (snapshot, state.is_executable));
        }
    }
    let is_suspect = |path: &str| suspects.iter().any(|suspect| suspect == path);
    let mut found = Vec::new();
    let (near, far): (Vec<_>, Vec<_>) = reports.iter().partition(|it| is_suspect(it.path()));
    for (reports, place) in [
        (&near, "in the files that the failure names"),
        (&far, "elsewhere"),
    ] {
        let changes = safe_changes(reports, &snapshots);
        if !changes.is_empty() {
            found.push(Candidate {
                title: format!("Apply all safe fixes {place}"),
                changes,
                is_safe: true,
            });
        }
    }
    for reports in [near, far] {
        let mut fixes: Vec<_> = reports.iter().flat_map(|it| &it.fixes).collect();
        fixes.sort_by(|a, b| rank_order(a, b));
        // A fix over several files is in the report of each.
        fixes.dedup_by(|a, b| a.id == b.id);
        for fix in fixes {
            let mut by_path: BTreeMap<&str, Vec<_>> = BTreeMap::new();
            for edit in &fix.edits {
                by_path.entry(&edit.path).or_default().push(edit.clone());
            }
            let changed = by_path.into_iter().map(|(path, mut edits)| {
                let (snapshot, is_executable) = snapshots.get(path)?;
                edits.sort_by(|a, b| apply_order((a, "", ""), (b, "", "")));
                let text = apply(snapshot, &edits).ok()?.text;
                Some((path.to_owned(), Some(file(text, *is_executable))))
            });
            let Some(changes) = changed.collect::<Option<BTreeMap<_, _>>>() else {
                continue;
            };
            if !changes.is_empty() {
                found.push(Candidate {
                    title: format!("{} ({})", fix.title, fix.rule),
                    changes: Changes::new(changes),
                    is_safe: fix.safety() == Safety::BehaviorPreserving,
                });
            }
        }
    }
    let mut unique: Vec<Candidate> = Vec::new();
    for candidate in found {
        if !unique.iter().any(|it| it.changes == candidate.changes) {
            unique.push(candidate);
        }
    }
    unique.truncate(limit);
    Ok(unique)
}

/// The canonical texts of all reports whose file has one that differs.
fn safe_changes(reports: &[&FixReport], snapshots: &BTreeMap<String, (Snapshot, bool)>) -> Changes {
    let changed = reports.iter().filter_map(|report| {
        let (snapshot, is_executable) = snapshots.get(report.path())?;
        let edits = &report.canonical.as_ref()?.edits;
        let text = apply(snapshot, edits).ok()?.text;
        let differs = text != snapshot.text();
        differs.then(|| (report.path().to_owned(), Some(file(text, *is_executable))))
    });
    Changes::new(changed.collect())
}

fn file(text: String, is_executable: bool) -> FileState {
    FileState {
        bytes: text.into_bytes(),
        is_executable,
    }
}
