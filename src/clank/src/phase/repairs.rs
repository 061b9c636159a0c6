//! Converts repairs to fixes of the engine.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_engine::Proposal;
use fixpoint_report::{Compatibility, Edit, ExpectedDelta, Provenance, Scope, Targets};
use fixpoint_text::Snapshot;

use crate::repair::{Candidate, Lowerer, PatchOp, report_ops};
use crate::result::CompileResult;

/// The repairs of a file as text edits.
pub(super) struct Repairs {
    by_id: BTreeMap<String, Proposal>,
}

impl Repairs {
    pub fn of_result(result: &CompileResult, source: &Snapshot) -> Self {
        if result.repairs.is_empty() {
            return Self {
                by_id: BTreeMap::new(),
            };
        }
        let lowerer = Lowerer::of(&result.ast);
        let proposals = result.repairs.iter().filter_map(|it| {
            let proposal = proposal(it, &result.repairs, &lowerer, source)?;
            Some((it.id.clone(), proposal))
        });
        let mut by_id: BTreeMap<String, Proposal> = proposals.collect();
        let listed: BTreeSet<String> = by_id.keys().cloned().collect();
        for proposal in by_id.values_mut() {
            let rivals = &mut proposal.compatibility.conflicts_with;
            rivals.retain(|id| listed.contains(id));
        }
        Self { by_id }
    }

    /// The repairs that a problem refers to, best first. A repair that resolves several problems is
    /// one fix with several targets.
    pub fn of(&self, ids: &[String]) -> impl Iterator<Item = Proposal> {
        ids.iter().filter_map(|id| self.by_id.get(id)).cloned()
    }
}

/// A fix applies to the current text, so it includes the repairs that its repair requires.
/// Identical edits of two fixes are applied once.
fn proposal(
    candidate: &Candidate,
    all: &[Candidate],
    lowerer: &Lowerer<'_>,
    source: &Snapshot,
) -> Option<Proposal> {
    let requires = &candidate.compatibility.requires;
    let mut ops: Vec<PatchOp> = Vec::new();
    for id in requires {
        ops.extend_from_slice(&all.iter().find(|it| it.id == *id)?.edits);
    }
    ops.extend_from_slice(&candidate.edits);
    let edits = lowerer.edits(&ops).ok()?.into_iter();
    let edits = edits.map(|it| Edit::replace(source, it.span, it.text));
    Some(Proposal {
        id: Some(candidate.id.clone()),
        title: candidate.title.clone(),
        safety: candidate.safety,
        confidence: candidate.confidence,
        kind: candidate.kind,
        scope: Scope {
            node_count: ops.iter().map(PatchOp::node_count).sum(),
            crosses_function: candidate.scope.crosses_function || !requires.is_empty(),
        },
        edits: edits.collect(),
        ops: report_ops(&ops),
        // The engine adds the diagnostics of the report.
        targets: Targets {
            diagnostic_codes: Vec::new(),
            ..candidate.targets.clone()
        },
        expected_delta: ExpectedDelta {
            diagnostics_resolved: Vec::new(),
            ..candidate.expected_delta.clone()
        },
        compatibility: Compatibility {
            requires: Vec::new(),
            ..candidate.compatibility.clone()
        },
        provenance: Provenance::Builtin,
        rationale: candidate.rationale.clone(),
    })
}
