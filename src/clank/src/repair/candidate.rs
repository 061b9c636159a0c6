//! The data model of a repair: its edits, its targets and what it promises to resolve.

use std::cmp::Ordering;

use fixpoint_report::{
    Confidence, ExpectedDelta as ReportDelta, Fix, Kind, Safety, Scope as ReportScope, rank_order,
    word,
};
use serde::{Serialize, Serializer};

use super::op::PatchOp;
use super::precondition::Precondition;
use crate::diagnostic::Code;

/// A verified repair: it was applied in memory and resolved everything it promises to resolve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Derived from the edits and their targets. It is the same in every run, and the same for a
    /// source text and its canonical form.
    pub id: String,
    pub title: String,
    #[serde(serialize_with = "confidence_word")]
    pub confidence: Confidence,
    #[serde(serialize_with = "safety_word")]
    pub safety: Safety,
    #[serde(serialize_with = "kind_word")]
    pub kind: Kind,
    pub scope: Scope,
    pub targets: Targets,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<Precondition>,
    pub edits: Vec<PatchOp>,
    pub expected_delta: Delta,
    pub rationale: String,
    #[serde(skip_serializing_if = "Compatibility::is_empty")]
    pub compatibility: Compatibility,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scope {
    pub node_count: usize,
    pub crosses_function: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Targets {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_ids: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostic_codes: Vec<Code>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obligation_ids: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hole_ids: Vec<String>,
}

/// Ids of the problems that the repair removes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Delta {
    pub diagnostics_resolved: Vec<String>,
    pub obligations_discharged: Vec<String>,
    pub holes_filled: Vec<String>,
}

impl Delta {
    pub fn len(&self) -> usize {
        self.ids().count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn into_ids(self) -> impl Iterator<Item = String> {
        let resolved = self.diagnostics_resolved.into_iter();
        let discharged = self.obligations_discharged.into_iter();
        resolved.chain(discharged).chain(self.holes_filled)
    }

    pub fn ids(&self) -> impl Iterator<Item = &String> {
        let resolved = self.diagnostics_resolved.iter();
        let discharged = self.obligations_discharged.iter();
        resolved.chain(discharged).chain(&self.holes_filled)
    }
}

/// Relations to the other repairs of the same result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Compatibility {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts_with: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_key: Option<String>,
}

impl Compatibility {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Candidate {
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.compatibility.conflicts_with.contains(&other.id)
    }

    /// Orders repairs best first, the same way as every list of alternatives.
    pub fn rank(&self, other: &Self) -> Ordering {
        rank_order(&self.ranked(), &other.ranked())
    }

    /// The properties that `rank_order` compares.
    fn ranked(&self) -> Fix {
        Fix {
            id: self.id.clone(),
            safety: self.safety.into(),
            confidence: self.confidence.into(),
            kind: self.kind.into(),
            scope: Some(self.scope.into()),
            expected_delta: Some(ReportDelta {
                diagnostics_resolved: self.expected_delta.ids().cloned().collect(),
                ..ReportDelta::default()
            }),
            ..Fix::default()
        }
    }
}

impl From<Scope> for ReportScope {
    fn from(scope: Scope) -> Self {
        Self {
            node_count: u32::try_from(scope.node_count).unwrap_or(u32::MAX),
            crosses_function: scope.crosses_function,
        }
    }
}

fn confidence_word<S: Serializer>(value: &Confidence, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&word::<Confidence>((*value).into()).unwrap_or_default())
}

fn safety_word<S: Serializer>(value: &Safety, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&word::<Safety>((*value).into()).unwrap_or_default())
}

fn kind_word<S: Serializer>(value: &Kind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&word::<Kind>((*value).into()).unwrap_or_default())
}
