//! The syntax tree of declarations.

use std::sync::Arc;

use super::{BlockNode, Expr, ExprKind, Name, Node, NodeId, NodeRef, TypeExpr, TypeKind};
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

impl FnDecl {
    /// The signature with `pre` and `post` as refinements; `None` if the function has none.
    ///
    /// `pre` refines the last parameter that it mentions, because a refinement may use the other
    /// parameters. `post` refines the result.
    pub fn refined_signature(&self) -> Option<Signature> {
        if self.precondition.is_none() && self.postcondition.is_none() {
            return None;
        }
        let mut signature = self.signature.clone();
        if let Some(pre) = &self.precondition {
            let is_used = |param: &Param| uses(pre, &param.name.text);
            let last = signature.params.iter().rposition(is_used);
            let place = last.unwrap_or(signature.params.len().saturating_sub(1));
            if let Some(param) = signature.params.get_mut(place) {
                refine(&mut param.ty, &param.name.text, pre);
            }
        }
        if let Some(post) = &self.postcondition {
            refine(&mut signature.return_type, "result", post);
        }
        Some(signature)
    }
}

fn uses(predicate: &Expr, name: &str) -> bool {
    let mut is_used = false;
    NodeRef::Expr(predicate).each(&mut |node| {
        is_used |=
            matches!(node, NodeRef::Expr(Expr { kind: ExprKind::Ident(it), .. }) if it == name);
    });
    is_used
}

/// Refines a type, or the result of a type with effects.
fn refine(ty: &mut TypeExpr, var: &str, predicate: &Expr) {
    match &mut ty.kind {
        TypeKind::Effect { result, .. } => return refine(result, var, predicate),
        TypeKind::Named { name, args } if is_effect(&name.text, args.len()) => {
            if let Some(result) = args.last_mut() {
                refine(result, var, predicate);
            }
            return;
        }
        _ => {}
    }
    let base = Box::new(ty.clone());
    ty.kind = TypeKind::Refined {
        base,
        var: Some(Name::made(var)),
        predicate: Box::new(predicate.clone()),
    };
}

/// Whether a type such as `IO[T]` is an effect with a result.
fn is_effect(name: &str, args: usize) -> bool {
    matches!((name, args), ("IO" | "Async" | "Mut", 1) | ("Err", 2))
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
