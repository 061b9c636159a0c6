//! The syntax tree of declarations.

use std::sync::Arc;

use super::{BlockNode, Expr, Name, Node, NodeId, TypeExpr};
use fixpoint_text::Span;

pub type Decl = Node<DeclKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum DeclKind {
    /// Shared by the forms of a program that contain it unchanged.
    Fn(Arc<FnDecl>),
    ExternalFn(Box<ExternalFn>),
    ExternalMod(ExternalMod),
    Rec(Rec),
    Sum(Sum),
    TypeAlias(Box<TypeAlias>),
    Mod(Name),
    Use(Use),
}

/// The interface of a function for its callers.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub name: Name,
    pub type_params: Vec<TypeParam>,
    pub params: Vec<Param>,
    pub return_type: TypeExpr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FnDecl {
    pub signature: Signature,
    pub precondition: Option<Expr>,
    pub postcondition: Option<Expr>,
    pub body: BlockNode,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ExternalFn {
    pub signature: Signature,
    pub js_name: String,
}

/// Functions of a JavaScript module. AST JSON represents it as a `use` of its name.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalMod {
    pub name: Name,
    pub module: String,
    pub functions: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Rec {
    pub name: Name,
    pub type_params: Vec<TypeParam>,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    pub name: Name,
    pub type_params: Vec<TypeParam>,
    pub variants: Vec<Variant>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeAlias {
    pub name: Name,
    pub type_params: Vec<TypeParam>,
    pub ty: TypeExpr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    pub path: Vec<Name>,
    pub items: Vec<Name>,
    pub alias: Option<Name>,
    pub is_external: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeParam {
    pub id: NodeId,
    pub name: Name,
    /// Parsed and kept, but not checked.
    pub constraint: Option<TypeExpr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub id: NodeId,
    pub name: Name,
    pub ty: TypeExpr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub id: NodeId,
    pub name: Name,
    pub ty: TypeExpr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub id: NodeId,
    pub span: Span,
    pub name: Name,
    /// The name of a field is only documentation.
    pub fields: Vec<(Option<Name>, TypeExpr)>,
}
