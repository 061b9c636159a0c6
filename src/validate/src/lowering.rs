//! From repairs to edits: the operations of a fix as bytes of the file.

use std::collections::BTreeMap;

use fixpoint_document::{ActionPack, FixAction, Op, Pointer, Sources, Target, lower};
use fixpoint_engine::Proposal;
use fixpoint_report::{Fix, Severity};
use fixpoint_text::Snapshot;

use crate::found::Repair;

/// The repairs as fixes, each for itself; nothing where a file is written so that the operations of one
/// do not fit it.
pub(crate) fn proposals(source: &Snapshot, repairs: Vec<Option<Repair>>) -> Vec<Option<Proposal>> {
    let numbered = || repairs.iter().enumerate();
    let wanted: Vec<FixAction> = numbered()
        .filter_map(|(number, repair)| Some(action(source, number, repair.as_ref()?)))
        .collect();
    let mut fixes = lowered(source, &wanted);
    // Actions that cannot go together are told to wait for each other; here each may still be chosen.
    for action in &wanted {
        if wanted.len() > 1 && !fixes.contains_key(&action.id) {
            fixes.extend(lowered(source, std::slice::from_ref(action)));
        }
    }
    let mut proposals = Vec::with_capacity(repairs.len());
    for (number, repair) in repairs.into_iter().enumerate() {
        let fix = fixes.remove(&number.to_string());
        proposals.push(repair.zip(fix).map(|(repair, fix)| proposal(repair, fix)));
    }
    proposals
}

fn proposal(repair: Repair, fix: Fix) -> Proposal {
    Proposal {
        safety: repair.safety,
        confidence: repair.confidence,
        ops: fix.ops,
        compatibility: fix.compatibility.unwrap_or_default(),
        ..Proposal::safe(repair.title, fix.edits)
    }
    .because(repair.reason)
}

fn action(source: &Snapshot, number: usize, repair: &Repair) -> FixAction {
    let ops = repair.ops.iter().map(|op| Op {
        file: source.path().to_owned(),
        ..op.clone()
    });
    FixAction {
        id: number.to_string(),
        title: repair.title.clone(),
        severity: Severity::Error,
        targets: vec![Target {
            file: source.path().to_owned(),
            json_pointer: Pointer::root(),
            rule_id: String::new(),
            diagnostic_id: None,
        }],
        ops: ops.collect(),
        notes: None,
        confidence: None,
    }
}

/// The fixes that the actions come to, by their ids.
fn lowered(source: &Snapshot, actions: &[FixAction]) -> BTreeMap<String, Fix> {
    if actions.is_empty() {
        return BTreeMap::new();
    }
    let pack = ActionPack {
        pack_version: String::new(),
        workspace_root: ".".to_owned(),
        fix_actions: actions.to_vec(),
    };
    let sources = Sources::read(&pack, &mut |_| Ok(source.clone()));
    let files = lower(&pack, &sources).files.into_iter();
    let fixes = files.flat_map(|(report, _)| report.fixes);
    fixes
        .filter(|fix| !fix.edits.is_empty())
        .map(|fix| (fix.id.clone(), fix))
        .collect()
}
