//! A proposed repair that is not verified yet.

use std::collections::BTreeSet;

use fixpoint_report::{Compatibility, Confidence, ExpectedDelta, Kind, Safety, Scope, Targets};
use fixpoint_text::Digest;
use serde_json::{Value, json};

use super::candidate::Candidate;
use super::op::PatchOp;
use super::precondition::Precondition;
use super::tree::Tree;
use crate::diagnostic::{Code, cut};
use crate::json::{diagnostic_id, hole_id, obligation_id};

/// Maximum length of a title or rationale in characters. A name inside may have any length.
const LONGEST_TEXT: usize = 400;

#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub title: String,
    pub confidence: Confidence,
    pub safety: Safety,
    pub kind: Kind,
    pub edits: Vec<PatchOp>,
    /// The edits of the repairs that this one requires, in the order they must be applied.
    pub after: Vec<Vec<PatchOp>>,
    /// Indices into the result of the problems that the draft resolves.
    pub diagnostics: Vec<usize>,
    pub obligations: Vec<usize>,
    pub holes: Vec<usize>,
    pub codes: Vec<Code>,
    pub preconditions: Vec<Precondition>,
    pub rationale: String,
    /// Drafts with the same group are alternatives of each other.
    pub group: usize,
    /// Whether the best verified draft of the group gets high confidence.
    pub best_is_high: bool,
    /// Whether the first clean draft of the group makes the others unnecessary.
    pub one_is_enough: bool,
    /// Whether the draft loses a part of a value. Lossless alternatives are then offered as well.
    pub is_lossy: bool,
    /// Whether the draft may uncover problems that were hidden before, if no alternative does
    /// better.
    pub may_reveal: bool,
}

impl Draft {
    pub fn new(title: String, safety: Safety, confidence: Confidence, edits: Vec<PatchOp>) -> Self {
        Self {
            title,
            confidence,
            safety,
            kind: Kind::LocalFix,
            edits,
            after: Vec::new(),
            diagnostics: Vec::new(),
            obligations: Vec::new(),
            holes: Vec::new(),
            codes: Vec::new(),
            preconditions: Vec::new(),
            rationale: String::new(),
            group: 0,
            best_is_high: false,
            one_is_enough: false,
            is_lossy: false,
            may_reveal: false,
        }
    }

    #[must_use]
    pub fn because(mut self, rationale: impl Into<String>) -> Self {
        self.rationale = rationale.into();
        self
    }

    #[must_use]
    pub fn resolves(mut self, code: Code, diagnostics: impl IntoIterator<Item = usize>) -> Self {
        self.diagnostics.extend(diagnostics);
        self.codes.push(code);
        self
    }

    /// The ids of the problems that the draft resolves.
    pub fn resolved(&self) -> impl Iterator<Item = String> {
        let delta = self.delta();
        let diagnostics = delta.diagnostics_resolved.into_iter();
        let obligations = delta.obligations_discharged.into_iter();
        diagnostics.chain(obligations).chain(delta.holes_filled)
    }

    pub fn delta(&self) -> ExpectedDelta {
        let ids = |places: &[usize], id: fn(usize) -> String| -> Vec<String> {
            places.iter().map(|at| id(*at)).collect()
        };
        ExpectedDelta {
            diagnostics_resolved: ids(&self.diagnostics, diagnostic_id),
            obligations_discharged: ids(&self.obligations, obligation_id),
            holes_filled: ids(&self.holes, hole_id),
        }
    }

    pub fn candidate(self, tree: &Tree<'_>) -> Candidate {
        let functions: BTreeSet<_> = self
            .edits
            .iter()
            .filter_map(|op| tree.function_of(tree.find(op.target()).ok()?.id()))
            .collect();
        let crosses_function = functions.len() > 1;
        let scope = Scope {
            node_count: self.edits.iter().map(PatchOp::node_count).sum(),
            crosses_function,
        };
        let node_ids = self.edits.iter().map(|it| it.target().to_owned());
        let about_nodes = !self.diagnostics.is_empty() || !self.holes.is_empty();
        let kind = match self.edits.first() {
            // This changes the signatures of several functions, so it is more than a local fix.
            Some(PatchOp::WidenEffect { .. }) if crosses_function => Kind::Refactor,
            _ => self.kind,
        };
        let requires = self.after.iter().map(|it| id_of(it, "")).collect();
        let expected_delta = self.delta();
        Candidate {
            id: id_of(&self.edits, &self.title),
            title: cut(&self.title, LONGEST_TEXT).into_owned(),
            confidence: self.confidence,
            safety: self.safety,
            kind,
            scope,
            targets: Targets {
                node_ids: if about_nodes {
                    node_ids.collect()
                } else {
                    Vec::new()
                },
                diagnostic_codes: self.codes.iter().map(ToString::to_string).collect(),
                diagnostic_ids: Vec::new(),
                obligation_ids: expected_delta.obligations_discharged.clone(),
                hole_ids: expected_delta.holes_filled.clone(),
            },
            preconditions: self.preconditions,
            edits: self.edits,
            expected_delta,
            rationale: cut(&self.rationale, LONGEST_TEXT).into_owned(),
            compatibility: Compatibility {
                requires,
                ..Compatibility::default()
            },
        }
    }
}

/// Produces the same id for a program given as text and as a document. A replacement node is
/// encoded differently in the two forms, so the title identifies it instead.
fn id_of(edits: &[PatchOp], title: &str) -> String {
    let parts = edits.iter().map(|op| match op {
        PatchOp::ReplaceNode { node_id, .. } => json!([op.name(), node_id, title]),
        _ => serde_json::to_value(op).unwrap_or_default(),
    });
    let parts = Value::Array(parts.collect()).to_string();
    format!("rc_{}", Digest::of(parts.as_bytes()).short())
}
