//! The problems of a program, in a form that can be compared before and after a repair.

use std::collections::{BTreeMap, BTreeSet};

pub use fixpoint_engine::Class;
use fixpoint_report::{ExpectedDelta, Severity};
use serde::Serialize;

use super::tree::Tree;
use crate::ast::{Ast, NodeId, NodeRef};
use crate::compile::Found;
use crate::diagnostic::{Diagnostic, Payload};
use crate::result::{CompileResult, Hole, Obligation};

/// The number of problems of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub errors: usize,
    pub obligations: usize,
    pub holes: usize,
    pub warnings: usize,
}

impl Counts {
    pub fn of(result: &CompileResult) -> Self {
        let errors = result.errors().count();
        Self {
            errors,
            obligations: result.obligations.len(),
            holes: result.holes.len(),
            warnings: result.diagnostics.len() - errors,
        }
    }

    pub fn total(self) -> usize {
        self.errors + self.obligations + self.holes + self.warnings
    }
}

/// A problem identified by its message, not by its position: other repairs may move it.
pub(super) type Problem = (Class, String);

/// The number of occurrences of each problem.
pub(super) type Problems = BTreeMap<Problem, usize>;

pub(super) fn of_diagnostic(it: &Diagnostic) -> Problem {
    let class = match it.severity() {
        Severity::Error => Class::Error,
        Severity::Warning | Severity::Info | Severity::Unspecified => Class::Warning,
    };
    let message = settled(&it.message);
    match &it.payload {
        // After one value is converted, the next one may have the same mismatch, so the subject is
        // included.
        Payload::TypeMismatch { of: Some(of), .. } => {
            (class, format!("{} {message}: {of}", it.code))
        }
        // The message says whether the function is pure, which a repair may change.
        Payload::EffectNotAllowed {
            effect, function, ..
        } => (class, format!("{} '{effect}' in '{function}'", it.code)),
        _ => (class, format!("{} {message}", it.code)),
    }
}

/// The problems of a whole program.
pub(super) fn problems(result: &CompileResult) -> Problems {
    let mut problems = Problems::new();
    each_problem(
        &result.diagnostics,
        &result.obligations,
        &result.holes,
        |_, problem| *problems.entry(problem).or_default() += 1,
    );
    problems
}

fn each_problem(
    diagnostics: &[Diagnostic],
    obligations: &[Obligation],
    holes: &[Hole],
    mut visit: impl FnMut(Option<NodeId>, Problem),
) {
    for diagnostic in diagnostics {
        visit(diagnostic.node, of_diagnostic(diagnostic));
    }
    for obligation in obligations {
        let problem = (Class::Obligation, obligation.goal.clone());
        visit(Some(obligation.node), problem);
    }
    for hole in holes {
        visit(Some(hole.node), (Class::Hole, hole.name.clone()));
    }
}

/// The problems of a program by the index of the declaration that contains them.
pub(super) struct ProblemsByDecl {
    by_decl: BTreeMap<usize, Vec<Problem>>,
    elsewhere: Vec<Problem>,
}

impl ProblemsByDecl {
    pub fn of(result: &CompileResult, tree: &Tree<'_>) -> Self {
        let mut sorted = Self::sorted(
            &result.diagnostics,
            &result.obligations,
            &result.holes,
            |node| tree.decl_of(node).map(|it| it.0),
        );
        // No draft targets these problems.
        sorted.elsewhere.clear();
        sorted
    }

    /// The problems of a part of a program. `places` maps its declarations to their indices in the
    /// whole program.
    pub fn of_part(ast: &Ast, found: &Found, places: &[usize]) -> Self {
        let decls = decl_by_node(ast);
        Self::sorted(
            &found.diagnostics,
            &found.refinements.obligations,
            &found.refinements.holes,
            |node| places.get(*decls.get(node.index())?).copied(),
        )
    }

    fn sorted(
        diagnostics: &[Diagnostic],
        obligations: &[Obligation],
        holes: &[Hole],
        decl_of: impl Fn(NodeId) -> Option<usize>,
    ) -> Self {
        let mut by_decl: BTreeMap<usize, Vec<Problem>> = BTreeMap::new();
        let mut elsewhere = Vec::new();
        each_problem(
            diagnostics,
            obligations,
            holes,
            |node, problem| match node.and_then(&decl_of) {
                Some(decl) => by_decl.entry(decl).or_default().push(problem),
                None => elsewhere.push(problem),
            },
        );
        Self { by_decl, elsewhere }
    }

    /// The number of diagnostics and of obligations in a declaration.
    pub fn count(&self, decl: usize) -> (usize, usize) {
        let list = self.by_decl.get(&decl).map(Vec::as_slice);
        let list = list.unwrap_or_default();
        let obligations = list.iter().filter(|it| it.0 == Class::Obligation).count();
        (list.len() - obligations, obligations)
    }

    /// The problems in some declarations, and those outside all declarations.
    pub fn of_all(&self, decls: &BTreeSet<usize>) -> Problems {
        let mut problems = Problems::new();
        let lists = decls.iter().filter_map(|it| self.by_decl.get(it));
        for problem in lists.flatten().chain(&self.elsewhere) {
            *problems.entry(problem.clone()).or_default() += 1;
        }
        problems
    }
}

/// The problems whose ids are in a delta.
pub(super) fn promised_by(result: &CompileResult, delta: &ExpectedDelta) -> Problems {
    let mut promised = Problems::new();
    let mut add = |problem: Problem| *promised.entry(problem).or_default() += 1;
    let place = |id: &str, prefix: &str| {
        let number: usize = id.strip_prefix(prefix)?.parse().ok()?;
        number.checked_sub(1)
    };
    let numbered = |ids: &[String], prefix: &str| -> Vec<usize> {
        ids.iter().filter_map(|id| place(id, prefix)).collect()
    };
    for at in numbered(&delta.diagnostics_resolved, "d") {
        if let Some(it) = result.diagnostics.get(at) {
            add(of_diagnostic(it));
        }
    }
    for at in numbered(&delta.obligations_discharged, "OBL") {
        if let Some(it) = result.obligations.get(at) {
            add((Class::Obligation, it.goal.clone()));
        }
    }
    for at in numbered(&delta.holes_filled, "H") {
        if let Some(it) = result.holes.get(at) {
            add((Class::Hole, it.name.clone()));
        }
    }
    promised
}

/// The index of the declaration that contains each node.
fn decl_by_node(ast: &Ast) -> Vec<usize> {
    let mut decls = vec![usize::MAX; ast.ids.len()];
    for (at, decl) in ast.program.declarations.iter().enumerate() {
        NodeRef::Decl(decl).each(&mut |node| {
            if let Some(slot) = decls.get_mut(node.id().index()) {
                *slot = at;
            }
        });
    }
    decls
}

/// Removes the parts of a message that depend on the rest of the program: suggestions, and the
/// numbers of type variables.
fn settled(message: &str) -> String {
    let message = message.split("; did you mean").next().unwrap_or_default();
    let mut text = String::with_capacity(message.len());
    let mut in_variable = false;
    for char in message.chars() {
        in_variable = char == '?' || (in_variable && char.is_ascii_digit());
        if !in_variable || char == '?' {
            text.push(char);
        }
    }
    text
}
