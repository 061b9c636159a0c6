//! Checks that functions declare their effects. Owns E4001 and E4002.
//!
//! A function that is used under a type with fewer effects may be called by code that only knows
//! that type. Passing it on therefore counts as calling it there.

use rustc_hash::FxHashMap as HashMap;

use crate::ast::{
    Ast, BinaryOp, Decl, DeclKind, Expr, ExprKind, Field, FnDecl, Name, NodeId, NodeRef, Stmt,
    StmtKind,
};
use crate::diagnostic::{Code, Diagnostic, Hint, Payload};
use crate::names::Def;
use crate::types::{Effects, Ty, TyKind, Typing};

/// The maximum depth of a type comparison. Only chains of inferred types get that deep.
const MAX_DEPTH: usize = 100;

/// Compares the declared effects of functions with the effects of their bodies.
pub fn check(
    ast: &Ast,
    typing: &Typing,
    records: &HashMap<&str, &[Field]>,
    declarations: &[Decl],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for decl in declarations {
        if let DeclKind::Fn(function) = &decl.kind {
            let declared = typing.of_node(decl.id).map(|ty| typing.effects_of(ty));
            let body = Body {
                ast,
                typing,
                decl,
                name: &function.signature.name.text,
                declared: declared.unwrap_or_default(),
                returns: typing.of_node(function.signature.return_type.id),
                records,
            };
            // The body of a lambda belongs to the function that contains it.
            NodeRef::Block(&function.body).each_code(&mut |node| match node {
                NodeRef::Expr(expr) => body.expr(expr, diagnostics),
                NodeRef::Stmt(statement) => body.statement(statement, diagnostics),
                _ => {}
            });
            body.tail(function, diagnostics);
        }
    }
}

struct Body<'a> {
    ast: &'a Ast,
    typing: &'a Typing,
    decl: &'a Decl,
    name: &'a str,
    declared: Effects,
    returns: Option<Ty>,
    records: &'a HashMap<&'a str, &'a [Field]>,
}

impl Body<'_> {
    fn expr(&self, expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                self.call(expr, callee, diagnostics);
                self.arguments(expr, callee, args.iter(), diagnostics);
            }
            ExprKind::Binary {
                op: BinaryOp::Pipe,
                left,
                right,
            } => {
                self.call(expr, right, diagnostics);
                self.arguments(expr, right, [left.as_ref()].into_iter(), diagnostics);
            }
            ExprKind::Binary {
                op: BinaryOp::Concat,
                left,
                right,
            } => self.ends(expr, [left.as_ref(), right].into_iter(), diagnostics),
            ExprKind::If {
                then_branch,
                else_branch,
                ..
            } => {
                let then = then_branch.kind.tail.as_deref().into_iter();
                self.ends(expr, then.chain(else_branch.as_deref()), diagnostics);
            }
            ExprKind::Match { arms, .. } => {
                self.ends(expr, arms.iter().map(|it| &it.body), diagnostics);
            }
            ExprKind::Index { object, .. } => {
                if let Some(TyKind::Tuple(parts)) = self.kind(object.id) {
                    self.taken_out(expr, parts.iter().copied(), diagnostics);
                }
            }
            ExprKind::Field { object, field } => {
                let ty = self.field_type(object, field);
                self.taken_out(expr, ty.into_iter(), diagnostics);
            }
            ExprKind::Array(parts) => {
                if let Some(TyKind::Array(element)) = self.kind(expr.id) {
                    for part in parts {
                        self.check_coercion(part, part, *element, diagnostics);
                    }
                }
            }
            ExprKind::Propagate(_) if !self.declared.contains(Effects::of("Err")) => {
                let name = self.name;
                let message =
                    format!("`?` needs the effect `Err`, which `{name}` does not declare");
                let payload = Payload::UnhandledEffect {
                    effect: "Err".to_owned(),
                    function: name.to_owned(),
                    function_node_id: self.ast.ids.name(self.decl.id),
                };
                diagnostics.push(Diagnostic::new(
                    Code::E4002,
                    expr.id,
                    expr.span,
                    message,
                    payload,
                ));
            }
            _ => {}
        }
    }

    fn statement(&self, statement: &Stmt, diagnostics: &mut Vec<Diagnostic>) {
        let (value, wanted) = match &statement.kind {
            StmtKind::Let {
                ty: Some(ty), init, ..
            } => (init, self.typing.of_node(ty.id)),
            StmtKind::Assign { target, value } => (value, self.typing.of_node(target.id)),
            StmtKind::Return(Some(value)) => (value, self.returns),
            _ => return,
        };
        if let Some(wanted) = wanted {
            self.check_coercion(value, value, wanted, diagnostics);
        }
    }

    fn tail(&self, function: &FnDecl, diagnostics: &mut Vec<Diagnostic>) {
        if let (Some(tail), Some(returns)) = (&function.body.kind.tail, self.returns) {
            self.check_coercion(tail, tail, returns, diagnostics);
        }
    }

    fn arguments<'e>(
        &self,
        expr: &Expr,
        callee: &Expr,
        args: impl Iterator<Item = &'e Expr>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if let Some(TyKind::Function { params, .. }) = self.kind(callee.id) {
            for (at, (arg, param)) in args.zip(params).enumerate() {
                self.check_coercion(expr, arg, *param, diagnostics);
                // A generic function may use its argument as a function.
                if let Some(inside) = self.generic_param(callee, at) {
                    self.check_coercion(expr, arg, inside, diagnostics);
                }
            }
        }
    }

    /// The type of a generic function's parameter inside its body.
    fn generic_param(&self, callee: &Expr, at: usize) -> Option<Ty> {
        let Some(Def::Function(function)) = self.typing.names.of_use(callee.id) else {
            return None;
        };
        let decl = self.ast.program.declarations.get(function)?;
        let DeclKind::Fn(function) = &decl.kind else {
            return None;
        };
        let signature = &function.signature;
        let param = signature.params.get(at)?;
        let is_generic = !signature.type_params.is_empty();
        is_generic.then(|| self.typing.of_node(param.id)).flatten()
    }

    /// Checks a part taken out of a value. The type of the value may have been unknown when the
    /// type of the part was inferred.
    fn taken_out(
        &self,
        expr: &Expr,
        parts: impl Iterator<Item = Ty>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(taken) = self.typing.of_node(expr.id) else {
            return;
        };
        if !matches!(self.kind(expr.id), Some(TyKind::Function { .. })) {
            return;
        }
        let lost = parts.map(|part| self.lost(part, taken, false, 0));
        let lost = lost.fold(Effects::NONE, Effects::with);
        self.undeclared(expr, expr, lost, diagnostics);
    }

    /// The declared type of a record field.
    fn field_type(&self, object: &Expr, field: &Name) -> Option<Ty> {
        let arena = &self.typing.arena;
        match self.kind(object.id)? {
            TyKind::Record { fields, .. } => {
                let own = fields.iter().find(|it| arena.name(it.0) == field.text);
                own.map(|it| it.1)
            }
            TyKind::Named(name, _) => {
                let fields = self.records.get(arena.name(*name))?;
                let own = fields.iter().find(|it| it.name.text == field.text)?;
                self.typing.of_node(own.ty.id)
            }
            _ => None,
        }
    }

    /// Checks each result expression of a larger expression against the type of the whole.
    fn ends<'e>(
        &self,
        whole: &Expr,
        ends: impl Iterator<Item = &'e Expr>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if let Some(ty) = self.typing.of_node(whole.id) {
            ends.for_each(|end| self.check_coercion(end, end, ty, diagnostics));
        }
    }

    /// Checks a value that is used as type `wanted` at `expr`.
    fn check_coercion(
        &self,
        expr: &Expr,
        value: &Expr,
        wanted: Ty,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if let Some(own) = self.typing.of_node(value.id) {
            let lost = self.lost(own, wanted, false, 0);
            self.undeclared(expr, value, lost, diagnostics);
        }
    }

    /// The effects of `own` that `wanted` does not include.
    ///
    /// With `both`, also the effects of `wanted` that `own` does not include: a value may be
    /// written under one type and read under the other.
    fn lost(&self, own: Ty, wanted: Ty, both: bool, depth: usize) -> Effects {
        let arena = &self.typing.arena;
        let (own, wanted) = (arena.base(own), arena.base(wanted));
        if own == wanted || depth > MAX_DEPTH {
            return Effects::NONE;
        }
        let is_written = both || self.typing.names.writes_fields;
        let all = |own: &[Ty], wanted: &[Ty], both: bool| {
            let pairs = own.iter().zip(wanted);
            pairs.fold(Effects::NONE, |lost, (own, wanted)| {
                lost.with(self.lost(*own, *wanted, both, depth + 1))
            })
        };
        match (arena.kind(own), arena.kind(wanted)) {
            (
                TyKind::Function {
                    params,
                    result,
                    effects,
                },
                TyKind::Function {
                    params: given,
                    result: taken,
                    effects: expected,
                },
            ) => {
                let mut lost = effects.without(*expected);
                if both {
                    lost = lost.with(expected.without(*effects));
                }
                lost.with(all(given, params, both))
                    .with(all(&[*result], &[*taken], both))
            }
            (TyKind::Array(own), TyKind::Array(wanted)) => all(&[*own], &[*wanted], is_written),
            (TyKind::Tuple(own), TyKind::Tuple(wanted)) => all(own, wanted, is_written),
            (TyKind::Named(_, own), TyKind::Named(..)) if own.is_empty() => Effects::NONE,
            (TyKind::Named(name, own), TyKind::Named(_, wanted)) => {
                let is_record = self.records.contains_key(arena.name(*name));
                all(own, wanted, if is_record { is_written } else { both })
            }
            (TyKind::Record { fields: own, .. }, TyKind::Record { fields, .. }) => {
                let lost = fields.iter().map(|(name, wanted)| {
                    let own = own.iter().find(|it| it.0 == *name);
                    own.map_or(Effects::NONE, |own| all(&[own.1], &[*wanted], is_written))
                });
                lost.fold(Effects::NONE, Effects::with)
            }
            _ => Effects::NONE,
        }
    }

    fn kind(&self, node: NodeId) -> Option<&TyKind> {
        let arena = &self.typing.arena;
        let ty = self.typing.of_node(node)?;
        Some(arena.kind(arena.base(ty)))
    }

    fn call(&self, expr: &Expr, callee: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        if let Some(function) = self.typing.of_node(callee.id) {
            let effects = self.typing.effects_of(function);
            self.undeclared(expr, callee, effects, diagnostics);
        }
    }

    /// Reports the effects that the current function does not declare.
    fn undeclared(
        &self,
        expr: &Expr,
        callee: &Expr,
        effects: Effects,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let undeclared = effects.without(self.declared);
        if undeclared.is_empty() {
            return;
        }
        for effect in undeclared.names() {
            let callee = match &callee.kind {
                ExprKind::Ident(name) => Some(name.to_string()),
                _ => None,
            };
            let name = self.name;
            let called = callee.as_deref().unwrap_or("this function");
            let message = match self.declared.is_empty() {
                true => format!("Effect '{effect}' not allowed in pure function"),
                false => format!("Effect '{effect}' not allowed: '{name}' does not declare it"),
            };
            let hint =
                format!("`{called}` has the effect `{effect}`, which `{name}` does not declare");
            let payload = Payload::EffectNotAllowed {
                effect: effect.to_owned(),
                function: name.to_owned(),
                callee,
                function_node_id: self.ast.ids.name(self.decl.id),
            };
            let mut diagnostic = Diagnostic::new(Code::E4001, expr.id, expr.span, message, payload);
            diagnostic.hints.push(Hint::info(hint));
            diagnostics.push(diagnostic);
        }
    }
}
