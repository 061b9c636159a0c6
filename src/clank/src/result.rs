//! The result of a compilation. [`crate::json`] writes it as JSON for other programs.

use std::collections::BTreeMap;

use fixpoint_report::Severity;
use fixpoint_text::Span;
use serde::Serialize;

use crate::ast::{Ast, NodeId, NodeRef, Program};
use crate::canonical::{EffectTable, effects_by_node};
use crate::diagnostic::{Code, Diagnostic, Hint};
use crate::repair::Candidate;
use crate::types::Typing;

/// The version of the result format.
pub const COMPILER_VERSION: &str = "0.1.0";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Success,
    Error,
    /// No errors, but a hole is left. Unproved obligations do not count: the code checks them.
    Incomplete,
}

/// All information about a program after all phases.
#[derive(Clone, Debug)]
pub struct CompileResult {
    pub status: Status,
    /// The program as the author wrote it, with ids and spans.
    pub ast: Ast,
    /// The canonical program with the same ids. The edits of repairs refer to it.
    pub canonical: Program,
    /// Types, name resolutions and effects by node.
    pub typing: Typing,
    pub diagnostics: Vec<Diagnostic>,
    pub obligations: Vec<Obligation>,
    pub holes: Vec<Hole>,
    /// Verified repairs of the problems.
    pub repairs: Vec<Candidate>,
    pub stats: Stats,
}

impl CompileResult {
    /// The effects of evaluating each node of the canonical program.
    pub fn effects(&self) -> EffectTable {
        effects_by_node(&self.canonical, self.ast.ids.len(), &self.typing)
    }

    /// The span of a node of the program; empty if it has none.
    pub fn span_of(&self, node: NodeId) -> Span {
        let mut span = Span::at(0);
        NodeRef::Program(&self.ast.program).each(&mut |it| {
            if it.id() == node {
                span = it.span();
            }
        });
        span
    }

    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let errors = self.diagnostics.iter();
        errors.filter(|it| it.severity() == Severity::Error)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    pub source_files: usize,
    pub source_lines: usize,
    pub source_tokens: usize,
    pub output_lines: usize,
    pub output_bytes: usize,
    pub obligations_total: usize,
    pub obligations_discharged: usize,
}

/// A predicate that must hold at a place and could not be decided. Its id is `OBL1`, `OBL2`, ... by
/// its position in the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Obligation {
    /// The predicate, over names that are in scope at the place.
    pub goal: String,
    /// The expression the predicate is about.
    pub node: NodeId,
    pub span: Span,
    /// The smallest expression whose evaluation requires the goal: the call, the index, or `node`.
    pub needed_by: NodeId,
    pub bindings: Vec<ContextBinding>,
    pub facts: Vec<ContextFact>,
    pub hints: Vec<Hint>,
    pub unknown_reason: String,
    pub counterexample: Option<BTreeMap<String, String>>,
    pub repair_refs: Vec<String>,
}

impl Obligation {
    /// The code that an unproved obligation is reported with, as a warning. A refuted one is an
    /// error with the same code.
    pub const CODE: Code = Code::E3001;

    pub fn message(&self) -> String {
        format!("Cannot prove: {}", self.goal)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContextBinding {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub mutable: bool,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContextFact {
    pub proposition: String,
    pub source: String,
}

/// A placeholder that still has to be filled in. Its id is `H1`, `H2`, ... by its position in the
/// result.
#[derive(Clone, Debug, PartialEq)]
pub struct Hole {
    pub node: NodeId,
    pub span: Span,
    pub name: String,
    pub expected_type: String,
    /// Whether the type is refined, so that not every value of it fits.
    pub is_refined: bool,
    pub bindings: Vec<ContextBinding>,
    pub allowed_effects: Vec<String>,
    /// Names in scope whose type fits.
    pub fill_candidates: Vec<String>,
    pub repair_refs: Vec<String>,
}

impl Hole {
    /// The code that a hole is reported with.
    pub const CODE: Code = Code::E2020;

    pub fn message(&self) -> String {
        format!("the hole `{}` is still to be filled in", self.name)
    }
}
