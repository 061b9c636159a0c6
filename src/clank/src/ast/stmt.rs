//! The syntax tree of statements and blocks.

use super::{Expr, Node, Pattern, TypeExpr};

pub type Stmt = Node<StmtKind>;
pub type BlockNode = Node<Block>;

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Block {
    pub statements: Vec<Stmt>,
    /// The block's value.
    pub tail: Option<Box<Expr>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Let {
        pattern: Pattern,
        ty: Option<Box<TypeExpr>>,
        mutable: bool,
        init: Expr,
    },
    Assign {
        target: Expr,
        value: Expr,
    },
    Expr(Expr),
    For {
        pattern: Pattern,
        iterable: Expr,
        body: Box<BlockNode>,
    },
    While {
        condition: Expr,
        body: Box<BlockNode>,
    },
    Loop(BlockNode),
    Return(Option<Expr>),
    Break,
    Continue,
    Assert {
        condition: Expr,
        message: Option<String>,
    },
}
