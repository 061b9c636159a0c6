//! Types with inference and generics: one global substitution, schemes only for what is declared.
//! Owns the E2xxx codes, exhaustiveness of matches among them.

mod arena;
mod call;
mod check;
mod convert;
mod exhaustive;
mod expr;
mod operator;
mod pattern;
mod show;
mod stmt;
mod unify;
mod usefulness;

pub use arena::{Arena, Effects, Refinement, Sym, Ty, TyKind};
pub use check::check;
pub use unify::Clash;

use crate::ast::NodeId;
use crate::names::{BindingId, Names, Primitive};
use crate::table::Table;

/// Everything inference found out, by node.
#[derive(Clone, Debug, Default)]
pub struct Typing {
    pub arena: Arena,
    pub names: Names,
    nodes: Table<u32>,
    bindings: Table<u32>,
}

impl Typing {
    /// The type of an expression, a pattern or a written type; of a function's declaration, its own.
    pub fn of_node(&self, node: NodeId) -> Option<Ty> {
        Ty::unpacked(self.nodes.get(node.index()))
    }

    pub fn of_binding(&self, binding: BindingId) -> Option<Ty> {
        Ty::unpacked(self.bindings.get(binding.index()))
    }

    pub fn show(&self, ty: Ty) -> String {
        self.arena.show(ty)
    }

    /// The primitive a type comes down to, whatever it is refined to or called.
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
