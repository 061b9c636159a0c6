//! Types as they are written.

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
    /// Only in AST JSON.
    Record {
        fields: Vec<Field>,
        open: bool,
    },
}
