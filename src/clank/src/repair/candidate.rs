//! The data model of a repair: its edits, its targets and what it promises to resolve.

use std::cmp::Ordering;

use fixpoint_report::{
    Compatibility, Confidence, ExpectedDelta, Fix, Kind, Safety, Scope, Targets, rank_order,
};
use serde::Serialize;

use super::op::PatchOp;
use super::precondition::Precondition;
use crate::json::document;

/// A verified repair: it was applied in memory and resolved everything it promises to resolve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Derived from the edits and their targets. It is the same in every run, and the same for a
    /// source text and its canonical form.
    pub id: String,
    pub title: String,
    #[serde(serialize_with = "document::confidence")]
    pub confidence: Confidence,
    #[serde(serialize_with = "document::safety")]
    pub safety: Safety,
    #[serde(serialize_with = "document::kind")]
    pub kind: Kind,
    pub scope: Scope,
    #[serde(serialize_with = "document::targets")]
    pub targets: Targets,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<Precondition>,
    pub edits: Vec<PatchOp>,
    pub expected_delta: ExpectedDelta,
    pub rationale: String,
    #[serde(
        serialize_with = "document::compatibility",
        skip_serializing_if = "document::is_empty"
    )]
    pub compatibility: Compatibility,
}

impl Candidate {
    /// The ids of the problems that the repair resolves.
    pub fn resolved(&self) -> impl Iterator<Item = &String> {
        let delta = &self.expected_delta;
        let diagnostics = delta.diagnostics_resolved.iter();
        let obligations = delta.obligations_discharged.iter();
        diagnostics.chain(obligations).chain(&delta.holes_filled)
    }

    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.compatibility.conflicts_with.contains(&other.id)
    }

    /// Orders repairs best first, the same way as every list of alternatives.
    pub fn rank(&self, other: &Self) -> Ordering {
        rank_order(&self.ranked(), &other.ranked())
    }

    /// The properties that `rank_order` compares.
    pub(super) fn ranked(&self) -> Fix {
        Fix {
            id: self.id.clone(),
            safety: self.safety.into(),
            confidence: self.confidence.into(),
            kind: self.kind.into(),
            scope: Some(self.scope),
            expected_delta: Some(self.expected_delta.clone()),
            ..Fix::default()
        }
    }
}

/// Sorts repairs best first.
pub(super) fn sort_by_rank(candidates: &mut Vec<Candidate>) {
    let ranked = std::mem::take(candidates).into_iter();
    let mut ranked: Vec<(Fix, Candidate)> = ranked.map(|it| (it.ranked(), it)).collect();
    ranked.sort_by(|a, b| rank_order(&a.0, &b.0));
    candidates.extend(ranked.into_iter().map(|it| it.1));
}
