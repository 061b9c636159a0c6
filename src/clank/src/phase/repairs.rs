//! Repairs as fixes of the engine.

use std::collections::BTreeMap;

use fixpoint_engine::Proposal;
use fixpoint_report::{Compatibility, Edit, Op};
use fixpoint_text::Snapshot;

use crate::repair::{Candidate, Lowerer};
use crate::result::CompileResult;

/// The repairs of a file, as bytes of its text.
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
            let proposal = proposal(it, &lowerer, source)?;
            Some((it.id.clone(), proposal))
        });
        Self {
            by_id: proposals.collect(),
        }
    }

    /// Those that a problem refers to, best first. One that resolves several problems is a fix of
    /// each: the same bytes count once.
    pub fn of(&self, ids: &[String]) -> impl Iterator<Item = Proposal> {
        ids.iter().filter_map(|id| self.by_id.get(id)).cloned()
    }
}

fn proposal(candidate: &Candidate, lowerer: &Lowerer<'_>, source: &Snapshot) -> Option<Proposal> {
    let edits = lowerer.edits(&candidate.edits).ok()?;
    let edits = edits.into_iter();
    let edits = edits.map(|it| Edit::replace(source, it.span, it.text));
    Some(Proposal {
        title: candidate.title.clone(),
        safety: candidate.safety,
        confidence: candidate.confidence,
        kind: candidate.kind,
        scope: candidate.scope.into(),
        edits: edits.collect(),
        ops: candidate.edits.iter().map(Op::from).collect(),
        // Which fixes exclude each other is told by the engine's own ids.
        compatibility: Compatibility {
            batch_key: candidate.compatibility.batch_key.clone(),
            ..Compatibility::default()
        },
        rationale: candidate.rationale.clone(),
    })
}
