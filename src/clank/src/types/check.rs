//! The checker's state, its passes over the declarations, and its error reporting.

use rustc_hash::FxHashMap as HashMap;

use super::record::lacking;
use super::{Arena, Clash, Ty, TyKind, Typing};
use crate::ast::{Ast, BlockNode, DeclKind, Expr, ExprKind, FnDecl, Ids, NodeId, TypeParam};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{BindingId, Def, Globals, Names, Primitive, TypeDef, VariantDef};
use crate::print::expr_text;
use crate::refine::leaves;
use crate::table::Table;

/// Infers the types of a program.
pub fn check(
    ast: &Ast,
    globals: &Globals<'_>,
    names: Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Typing {
    let nodes = ast.ids.len();
    let mut arena = Arena::default();
    arena.reserve(nodes);
    let mut schemes = HashMap::default();
    schemes.reserve(ast.program.declarations.len());
    let mut checker = Checker {
        globals,
        names: &names,
        ids: &ast.ids,
        arena,
        nodes: Table::of(nodes),
        bindings: Table::of(names.bindings.len()),
        diagnostics: Vec::new(),
        schemes,
        aliases: HashMap::default(),
        opening: Vec::new(),
        type_args: Vec::new(),
        returns: None,
    };
    checker.declarations(ast);
    diagnostics.append(&mut checker.diagnostics);
    let (arena, nodes, bindings) = (checker.arena, checker.nodes, checker.bindings);
    Typing {
        arena,
        names,
        nodes,
        bindings,
        ..Typing::default()
    }
}

/// The type of a declaration, over its type parameters.
#[derive(Clone, Copy)]
pub(super) struct Scheme<'a> {
    pub ty: Ty,
    pub params: &'a [TypeParam],
}

pub(super) struct Checker<'c, 'a> {
    pub globals: &'c Globals<'a>,
    pub names: &'c Names,
    pub ids: &'c Ids,
    pub arena: Arena,
    nodes: Table<Option<Ty>>,
    bindings: Table<Option<Ty>>,
    diagnostics: Vec<Diagnostic>,
    pub schemes: HashMap<Def, Scheme<'a>>,
    pub aliases: HashMap<TypeDef, Ty>,
    /// The aliases being expanded, to detect an alias that contains itself.
    pub opening: Vec<TypeDef>,
    /// The variables for the type parameters of the current function.
    pub type_args: Vec<Ty>,
    /// The return type of the current function.
    pub returns: Option<Ty>,
}

impl<'a> Checker<'_, 'a> {
    /// Checks declared types first, then signatures, then bodies, so that order does not matter.
    fn declarations(&mut self, ast: &Ast) {
        self.types(ast);
        let functions = ast.program.declarations.iter().enumerate();
        for (at, decl) in functions.clone() {
            if let DeclKind::Fn(_) | DeclKind::ExternalFn(_) = &decl.kind
                && let Some(scheme) = self.scheme(Def::Function(at))
            {
                self.set_type(decl.id, scheme.ty);
            }
        }
        for (at, decl) in functions {
            if let DeclKind::Fn(function) = &decl.kind {
                self.function(at, function);
            }
        }
    }

    fn types(&mut self, ast: &Ast) {
        for (at, decl) in ast.program.declarations.iter().enumerate() {
            let def = TypeDef {
                in_prelude: false,
                at,
            };
            match &decl.kind {
                DeclKind::TypeAlias(_) => {
                    self.alias_target(def);
                }
                DeclKind::Rec(_) => {
                    self.scheme(Def::Record(at));
                }
                DeclKind::Sum(sum) => {
                    for place in 0..sum.variants.len() {
                        let variant = VariantDef {
                            sum: def,
                            at: place,
                        };
                        self.scheme(Def::Variant(variant));
                    }
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, at: usize, function: &FnDecl) {
        let Some(scheme) = self.scheme(Def::Function(at)) else {
            return;
        };
        let names = scheme.params.iter();
        self.type_args = names
            .map(|param| self.arena.named_variable(&param.name.text))
            .collect();
        let args = self.type_args.clone();
        let ty = self.arena.instantiate(scheme.ty, &args);
        let TyKind::Function { params, result, .. } = self.arena.kind(ty).clone() else {
            return;
        };
        for (param, ty) in function.signature.params.iter().zip(params) {
            self.bind(param.id, ty);
        }
        self.set_type(function.signature.return_type.id, result);
        self.returns = Some(result);
        let bool = self.prim(Primitive::Bool);
        if let Some(pre) = &function.precondition {
            self.check(pre, bool);
        }
        if let Some(post) = &function.postcondition {
            self.bind(function.body.id, result);
            self.check(post, bool);
        }
        let body = self.block_toward(&function.body.kind, Some(result));
        self.set_type(function.body.id, body);
        match &function.body.kind.tail {
            Some(tail) => self.expect_declared(result, body, tail),
            None => self.expect_no_value(result, &function.body),
        }
    }

    /// Reports a body that may end without the value that the function returns.
    fn expect_no_value(&mut self, result: Ty, body: &BlockNode) {
        let base = self.arena.base(result);
        let is_unit = match self.arena.kind(base) {
            TyKind::Prim(primitive) => *primitive == Primitive::Unit,
            TyKind::Never => true,
            _ => self.arena.is_poisoned(base),
        };
        if is_unit || leaves(&body.kind, self.names) {
            return;
        }
        let expected = self.arena.show(result);
        let message = format!("expected `{expected}`, but the body ends without a value");
        let payload = Payload::TypeMismatch {
            expected,
            actual: Primitive::Unit.name().to_owned(),
            of: None,
        };
        let diagnostic = Diagnostic::new(Code::E2001, body.id, body.span, message, payload);
        self.report(diagnostic);
    }

    pub fn set_type(&mut self, node: NodeId, ty: Ty) {
        self.nodes.set(node.index(), Some(ty));
    }

    /// Sets the type of the binding that a node introduces.
    pub fn bind(&mut self, node: NodeId, ty: Ty) {
        self.set_type(node, ty);
        if let Some(binding) = self.names.of_binder(node) {
            self.bindings.set(binding.index(), Some(ty));
        }
    }

    /// Removes the refinement from the type of a binding.
    pub fn unrefine_binding(&mut self, node: NodeId) {
        if let Some(binding) = self.names.of_binder(node)
            && let Some(ty) = self.bindings.get(binding.index())
            && let TyKind::Refined { .. } = self.arena.kind(self.arena.resolve(ty))
        {
            let base = self.arena.base(ty);
            self.bindings.set(binding.index(), Some(base));
        }
    }

    pub fn binding_type(&mut self, binding: BindingId) -> Ty {
        match self.bindings.get(binding.index()) {
            Some(ty) => ty,
            None => self.arena.poison(),
        }
    }

    pub fn prim(&mut self, primitive: Primitive) -> Ty {
        self.arena.prim(primitive)
    }

    pub fn unit(&mut self) -> Ty {
        self.prim(Primitive::Unit)
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn error(&mut self, code: Code, expr: &Expr, message: String, payload: Payload) {
        self.report(Diagnostic::new(code, expr.id, expr.span, message, payload));
    }

    /// Like [`expect_type`](Self::expect_type), for a declared type. Its refinement is not part of
    /// inference, but must still hold for the value that fills a hole.
    pub fn expect_declared(&mut self, expected: Ty, actual: Ty, expr: &Expr) {
        self.expect_type(expected, actual, expr);
        let value = value_of(expr);
        if matches!(value.kind, ExprKind::Hole(_)) {
            self.set_type(value.id, expected);
        }
    }

    /// Unifies the type of `expr` with the expected type, and reports a mismatch.
    pub fn expect_type(&mut self, expected: Ty, actual: Ty, expr: &Expr) {
        self.fits_type(expected, actual, expr);
    }

    /// Like `expect_type`; returns whether the types match.
    pub fn fits_type(&mut self, expected: Ty, actual: Ty, expr: &Expr) -> bool {
        if let Err(clash) = self.arena.unify(expected, actual) {
            let expr = match &clash {
                Clash::MissingFields(fields) => lacking(&self.arena, expr, expected, fields),
                _ => None,
            }
            .unwrap_or_else(|| value_of(expr));
            self.clash(expected, actual, expr, clash);
            return false;
        }
        true
    }

    fn clash(&mut self, expected: Ty, actual: Ty, expr: &Expr, clash: Clash) {
        let (wanted, found) = (self.arena.show(expected), self.arena.show(actual));
        let mismatch = format!("expected `{wanted}`, found `{found}`");
        let (code, message, payload) = match clash {
            Clash::MissingFields(fields) => {
                return self.missing_fields(expected, actual, expr, &fields);
            }
            Clash::Occurs => {
                let message = format!("{mismatch}: the type would contain itself");
                let payload = Payload::OccursCheck {
                    expected: wanted,
                    actual: found,
                };
                (Code::E2001, message, payload)
            }
            Clash::Arity => {
                let payload = Payload::ArityMismatch {
                    expected: wanted,
                    actual: found,
                    param_types: Vec::new(),
                };
                (Code::E2001, mismatch, payload)
            }
            Clash::Mismatch => {
                let payload = Payload::TypeMismatch {
                    expected: wanted,
                    actual: found,
                    of: leaf(expr),
                };
                (Code::E2001, mismatch, payload)
            }
        };
        self.error(code, expr, message, payload);
    }
}

/// The expression that gives a block its value. A conversion has to wrap this expression.
pub(super) fn value_of(mut expr: &Expr) -> &Expr {
    while let ExprKind::Block(block) = &expr.kind
        && let Some(tail) = &block.tail
    {
        expr = tail;
    }
    expr
}

/// The text of a name or a literal.
fn leaf(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Ident(_) | ExprKind::Literal(_) => Some(expr_text(expr)),
        _ => None,
    }
}

pub(super) fn quoted(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
