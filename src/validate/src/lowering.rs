//! Lowers repairs to fixes: converts the operations of each repair to byte edits.

use std::collections::BTreeMap;

use fixpoint_document::{FixAction, Op, Pointer, Target};
use fixpoint_engine::{Finding, Proposal};
use fixpoint_report::{Fix, Severity};
use fixpoint_text::Snapshot;

use crate::finding::Repair;
use crate::merge::ActionMerger;

/// The findings in a text, with their repairs.
#[derive(Default)]
pub(crate) struct CheckResult {
    pub findings: Vec<(Finding, Option<Repair>)>,
    /// Whether there are more findings than the limit.
    pub is_cut: bool,
}

impl CheckResult {
    /// The findings, each with its fix as a candidate. A finding has no fix if its operations cannot
    /// be applied to the file as it is written.
    pub fn with_candidates(self, source: &Snapshot) -> Vec<Finding> {
        let repairs = self.findings.iter().enumerate();
        let actions = repairs
            .filter_map(|(number, (_, repair))| Some(action(source, number, repair.as_ref()?)));
        let actions: Vec<FixAction> = actions.collect();
        let mut fixes = match actions.is_empty() {
            true => BTreeMap::new(),
            false => ActionMerger::new(source, &actions).fixes(&actions),
        };
        let findings = self.findings.into_iter().enumerate();
        let findings = findings.map(|(number, (finding, repair))| {
            let fix = repair.zip(fixes.remove(&number.to_string()));
            match fix.map(|(repair, fix)| proposal(repair, fix)) {
                // The findings after a trial cannot be compared with a list that is not complete.
                Some(fix) if self.is_cut => finding.with_fix(fix),
                Some(fix) => finding.with_candidate(fix),
                None => finding,
            }
        });
        findings.collect()
    }

    pub fn without_fixes(self) -> Vec<Finding> {
        self.findings.into_iter().map(|it| it.0).collect()
    }
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
