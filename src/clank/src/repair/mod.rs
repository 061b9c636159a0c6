//! Finds and applies repairs: verified ways to resolve the problems of a program.
//!
//! `rows` proposes drafts and `verify` tries them in memory. Only a draft that resolves everything
//! it promises becomes a [`Candidate`]. Edits are [`PatchOp`]s on the canonical AST; [`Lowerer`]
//! lowers them to byte edits of the author's text. [`repair`] is the loop that applies candidates
//! until nothing is left to repair.

mod candidate;
mod compatibility;
mod draft;
mod error;
mod lower;
mod op;
mod patch;
mod patched;
mod path;
mod permission;
mod precondition;
mod problems;
mod rename;
mod report;
mod rows;
mod same;
mod session;
mod slice;
mod tree;
mod verify;
mod verify_many;

pub use candidate::Candidate;
pub use error::PatchError;
pub use lower::{TextEdit, edited};
pub use op::{NamedType, PatchOp};
pub use patch::patch;
pub use patched::{PatchedForm, patch_program};
pub use permission::{Approved, Permission};
pub use precondition::{Expectation, Precondition, apply, node_digest};
pub use problems::{Class, Counts};
pub(crate) use report::report_ops;
pub use session::{Ending, MAX_ROUNDS, Program, Repaired, Step, Unapplied, repair, repair_with};

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_report::Confidence;

use crate::ast::Ast;
use crate::compile::Deadline;
use crate::diagnostic::{Hint, Strategy};
use crate::result::CompileResult;
use draft::Draft;
use lower::TextLayout;
use slice::Slices;
use tree::Tree;
use verify::{Outcome, Trial};

/// Lowers ops on a program that was parsed from text to byte edits of that text.
pub struct Lowerer<'a> {
    tree: Tree<'a>,
    layout: TextLayout<'a>,
}

impl<'a> Lowerer<'a> {
    pub fn of(ast: &'a Ast) -> Self {
        Self {
            tree: Tree::of(ast),
            layout: TextLayout::of(ast.source.text()),
        }
    }

    /// Returns sorted edits that do not overlap.
    pub fn edits(&self, ops: &[PatchOp]) -> Result<Vec<TextEdit>, PatchError> {
        lower::lower(&self.tree, &self.layout, ops)
    }
}

/// Adds the verified repairs of a program to its result.
pub(crate) fn propose(result: &mut CompileResult, deadline: &Deadline) {
    let (candidates, untried) = candidates(result, deadline);
    let mut by_problem: BTreeMap<&str, Vec<&Candidate>> = BTreeMap::new();
    for candidate in &candidates {
        for id in candidate.resolved() {
            by_problem.entry(id).or_default().push(candidate);
        }
    }
    let refs = |id: &str| -> Vec<String> {
        let repairs = by_problem.get(id).into_iter().flatten();
        repairs.map(|it| it.id.clone()).collect()
    };
    let is_untried = |id: &str| untried.contains(id) && !by_problem.contains_key(id);
    for (at, it) in result.diagnostics.iter_mut().enumerate() {
        let id = crate::json::diagnostic_id(at);
        it.repair_refs = refs(&id);
        it.hints.extend(is_untried(&id).then(not_tried));
    }
    for (at, it) in result.obligations.iter_mut().enumerate() {
        let id = crate::json::obligation_id(at);
        it.repair_refs = refs(&id);
        it.hints.extend(is_untried(&id).then(not_tried));
    }
    for (at, it) in result.holes.iter_mut().enumerate() {
        let id = crate::json::hole_id(at);
        it.repair_refs = refs(&id);
        let fillings = by_problem.get(id.as_str()).into_iter().flatten();
        let fillings: Vec<&PatchOp> = fillings.flat_map(|it| &it.edits).collect();
        if it.is_refined {
            it.fill_candidates.retain(|name| {
                let filled = rows::filled_with(name);
                let mut all = fillings.iter();
                all.any(
                    |op| matches!(op, PatchOp::ReplaceNode { new_node, .. } if *new_node == filled),
                )
            });
        }
    }
    result.repairs = candidates;
}

fn not_tried() -> Hint {
    Hint {
        strategy: Strategy::Info,
        description: "there is too much to repair to try all of it at once, and no repair of this \
                      was tried; repair the rest first"
            .to_owned(),
        template: None,
        confidence: Confidence::Low,
    }
}

/// Returns the verified repairs, best first, and the ids of problems for which no draft was tried before the
/// budget ran out.
fn candidates(result: &CompileResult, deadline: &Deadline) -> (Vec<Candidate>, BTreeSet<String>) {
    let mut untried = BTreeSet::new();
    if result.diagnostics.is_empty() && result.obligations.is_empty() && result.holes.is_empty() {
        return (Vec::new(), untried);
    }
    let tree = Tree::of(&result.ast);
    let drafts = rows::drafts(result, &tree);
    if drafts.is_empty() {
        return (Vec::new(), untried);
    }
    let slices = Slices::of(&tree);
    let trial = Trial::of(result, &tree, &slices);
    let tried = verify_many::outcomes(&trial, &drafts, deadline);
    let mut candidates = Vec::new();
    let mut seen = BTreeSet::new();
    let mut outcomes = tried.outcomes.as_slice();
    for alternatives in drafts.chunk_by(|a, b| a.group == b.group) {
        let (own, others) = outcomes.split_at(alternatives.len());
        outcomes = others;
        let mut group = working(alternatives, own);
        if group.is_empty() && tried.gave_up && own.contains(&None) {
            untried.extend(alternatives.iter().flat_map(|it| it.resolved()));
        }
        if let Some(best) = group.first_mut().filter(|it| it.best_is_high) {
            best.confidence = Confidence::High;
        }
        let group = group.into_iter().map(|it| it.candidate(&tree));
        candidates.extend(group.filter(|it| seen.insert(it.id.clone())));
    }
    candidate::sort_by_rank(&mut candidates);
    drop_without_requirements(&mut candidates);
    compatibility::fill(&mut candidates, &tree);
    (candidates, untried)
}

/// Drops repairs that require a repair that was dropped.
fn drop_without_requirements(candidates: &mut Vec<Candidate>) {
    loop {
        let ids: BTreeSet<String> = candidates.iter().map(|it| it.id.clone()).collect();
        let count = candidates.len();
        candidates.retain(|it| it.compatibility.requires.iter().all(|id| ids.contains(id)));
        if candidates.len() == count {
            return;
        }
    }
}

/// The alternatives that resolve what they promise.
///
/// If any alternative is clean and lossless, only clean alternatives are kept. Otherwise
/// alternatives that uncover hidden problems are kept too, those with the fewest problems first.
fn working(alternatives: &[Draft], outcomes: &[Option<Outcome>]) -> Vec<Draft> {
    let tried = outcomes.iter().zip(alternatives);
    let mut tried: Vec<(Outcome, &Draft)> = tried
        .filter_map(|(it, draft)| Some(((*it)?, draft)))
        .collect();
    let is_clean = |it: &(Outcome, &Draft)| it.0 == Outcome::Clean;
    if tried.iter().any(|it| is_clean(it) && !it.1.is_lossy) {
        tried.retain(is_clean);
    } else {
        tried.retain(|it| is_clean(it) || (it.0 != Outcome::Fails && it.1.may_reveal));
        tried.sort_by_key(|it| it.0);
    }
    tried.into_iter().map(|(_, draft)| draft.clone()).collect()
}
