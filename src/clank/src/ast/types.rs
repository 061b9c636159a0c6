//! The syntax tree of types, as written.

use super::{Expr, Field, Name, Node};

pub type TypeExpr = Node<TypeKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    Named {
        name: Name,
        args: Vec<TypeExpr>,
    },
    Array(Box<TypeExpr>),
    Tuple(Vec<TypeExpr>),
    Function {
        params: Vec<TypeExpr>,
        result: Box<TypeExpr>,
    },
    Refined {
        base: Box<TypeExpr>,
        var: Option<Name>,
        predicate: Box<Expr>,
    },
    /// `IO + Err + T`.
    Effect {
        effects: Vec<TypeExpr>,
        result: Box<TypeExpr>,
    },
    /// `{a: A, b: B}`; an open one has further fields: `{a: A, ..}`.
    Record {
        fields: Vec<Field>,
        open: bool,
    },
}

impl TypeKind {
    /// Whether a return type has an effect, in either notation.
    pub fn has_effect(&self, effect: &str) -> bool {
        match self {
            Self::Effect { effects, result } => {
                effects.iter().any(|it| it.kind.has_effect(effect))
                    || result.kind.has_effect(effect)
            }
            Self::Named { name, args } => {
                name.text == effect || args.last().is_some_and(|it| it.kind.has_effect(effect))
            }
            _ => false,
        }
    }
}
