//! Type inference with generics: one global substitution, and schemes only for declarations. Owns
//! the E2xxx codes, including exhaustiveness of matches.

mod arena;
mod call;
mod check;
mod convert;
mod exhaustive;
mod expr;
mod operator;
mod pattern;
mod record;
mod show;
mod stmt;
mod unify;
mod usefulness;

pub use arena::{Arena, Effects, Refinement, Sym, Ty, TyKind};
pub use check::check;
pub use unify::Clash;

use rustc_hash::FxHashMap as HashMap;

use crate::ast::NodeId;
use crate::names::{BindingId, Names, Primitive};
use crate::refine::RunTimeCheck;
use crate::table::Table;

/// The results of inference, by node.
#[derive(Clone, Debug, Default)]
pub struct Typing {
    pub arena: Arena,
    pub names: Names,
    nodes: Table<Option<Ty>>,
    bindings: Table<Option<Ty>>,
    /// The checks that the emitted code makes, because the compiler could not prove them.
    checks: HashMap<NodeId, Vec<RunTimeCheck>>,
}

impl Typing {
    /// The type of an expression, a pattern or a written type. For a function declaration, the type
    /// of the function.
    pub fn of_node(&self, node: NodeId) -> Option<Ty> {
        self.nodes.get(node.index())
    }

    pub fn of_binding(&self, binding: BindingId) -> Option<Ty> {
        self.bindings.get(binding.index())
    }

    pub(crate) fn set_checks(&mut self, checks: Vec<(NodeId, RunTimeCheck)>) {
        for (node, check) in checks {
            self.checks.entry(node).or_default().push(check);
        }
    }

    /// What the emitted code checks at a node when it runs.
    pub fn checks_of(&self, node: NodeId) -> &[RunTimeCheck] {
        let checks = self.checks.get(&node);
        checks.map(Vec::as_slice).unwrap_or_default()
    }

    pub fn show(&self, ty: Ty) -> String {
        self.arena.show(ty)
    }

    /// The primitive behind refinements and aliases.
    pub fn primitive(&self, ty: Ty) -> Option<Primitive> {
        match self.arena.kind(self.arena.base(ty)) {
            TyKind::Prim(primitive) => Some(*primitive),
            _ => None,
        }
    }

    /// The effects of calling a function of that type.
    pub fn effects_of(&self, ty: Ty) -> Effects {
        match self.arena.kind(self.arena.base(ty)) {
            TyKind::Function { effects, .. } => *effects,
            _ => Effects::NONE,
        }
    }
}
