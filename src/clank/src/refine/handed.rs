//! Values that are used under another type than their own: what a function asks of its parameters,
//! and what elements and fields are known to be, must not get lost or be made up on the way.

use super::pred::{Pred, Term};
use super::terms::applied;
use super::walk::Walker;
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::Strategy;
use crate::names::Def;
use crate::types::{Arena, Ty, TyKind};

/// How deep types are compared; only a chain of inferred types gets there.
const MAX_DEPTH: usize = 100;

impl Walker<'_> {
    /// The value of an expression is used as one of type `wanted`. Of what is written out, the parts are
    /// looked at, as more is known about those.
    pub(super) fn handed_on(&mut self, expr: &Expr, wanted: Ty) {
        let typing = self.typing;
        let arena = &typing.arena;
        let wanted = arena.base(wanted);
        match (&expr.kind, arena.kind(wanted)) {
            (ExprKind::Block(block), _) => {
                if let Some(tail) = &block.tail {
                    self.handed_on(tail, wanted);
                }
            }
            (ExprKind::Array(parts), TyKind::Array(element)) => {
                parts.iter().for_each(|it| self.part(it, *element));
            }
            (ExprKind::Tuple(parts), TyKind::Tuple(types)) => {
                let typed = parts.iter().zip(types);
                typed.for_each(|(it, ty)| self.part(it, *ty));
            }
            (ExprKind::Record(given), TyKind::Record { fields, .. }) => {
                for (name, ty) in fields {
                    let name = arena.name(*name);
                    let field = given.iter().find(|it| it.name.text == name);
                    if let Some(field) = field {
                        self.part(&field.value, *ty);
                    }
                }
            }
            (ExprKind::Call { callee, args }, TyKind::Named(_, wanted))
                if self.is_constructor(callee) =>
            {
                self.made(expr, callee, args, wanted);
            }
            // Nothing is in it.
            (ExprKind::Ident(_), TyKind::Named(..)) if self.is_constructor(expr) => {}
            _ => {
                if let Some(own) = self.typing.of_node(expr.id) {
                    self.used_as(expr, own, wanted, 0);
                }
            }
        }
    }

    /// A value that is made of its parts is used as one with these type arguments.
    fn made(&mut self, expr: &Expr, callee: &Expr, args: &[Expr], wanted: &[Ty]) {
        let typing = self.typing;
        let arena = &typing.arena;
        let made = self.typing.of_node(callee.id);
        let Some(TyKind::Function { params, result, .. }) =
            made.map(|it| arena.kind(arena.base(it)))
        else {
            return;
        };
        let TyKind::Named(_, own) = arena.kind(*result) else {
            return;
        };
        for (own, wanted) in own.iter().zip(wanted) {
            for (arg, param) in args.iter().zip(params) {
                if param == own {
                    self.part(arg, *wanted);
                } else if mentions(arena, *param, *own) {
                    self.taken_as(expr, *own, *wanted, 0);
                }
            }
        }
    }

    /// A value that is put into another one, to be of type `ty` there.
    fn part(&mut self, value: &Expr, ty: Ty) {
        let own = self.refinement_of(self.typing.of_node(value.id));
        if let Some(refinement) = self.refinement_of(Some(ty))
            && !(own.as_ref() == Some(&refinement) && self.is_lasting(&refinement, ty))
        {
            let term = self.term(value);
            let goal = applied(&refinement, &term, &[]);
            self.oblige_once(value, goal);
        }
        self.handed_on(value, ty);
    }

    fn used_as(&mut self, expr: &Expr, own: Ty, wanted: Ty, depth: usize) {
        let typing = self.typing;
        let arena = &typing.arena;
        let (own, wanted) = (arena.base(own), arena.base(wanted));
        if own == wanted || depth > MAX_DEPTH {
            return;
        }
        let mut all = |own: &[Ty], wanted: &[Ty]| {
            for (own, wanted) in own.iter().zip(wanted) {
                self.taken_as(expr, *own, *wanted, depth);
            }
        };
        match (arena.kind(own), arena.kind(wanted)) {
            (
                TyKind::Function { params, result, .. },
                TyKind::Function {
                    params: given,
                    result: taken,
                    ..
                },
            ) => {
                all(given, params);
                all(&[*result], &[*taken]);
            }
            (TyKind::Array(own), TyKind::Array(wanted)) => all(&[*own], &[*wanted]),
            (TyKind::Tuple(own), TyKind::Tuple(wanted))
            | (TyKind::Named(_, own), TyKind::Named(_, wanted)) => all(own, wanted),
            (TyKind::Record { fields: own, .. }, TyKind::Record { fields, .. }) => {
                for (name, wanted) in fields {
                    if let Some((_, own)) = own.iter().find(|it| it.0 == *name) {
                        all(&[*own], &[*wanted]);
                    }
                }
            }
            _ => {}
        }
    }

    /// Any value of type `own` will be taken for one of type `wanted`.
    fn taken_as(&mut self, expr: &Expr, own: Ty, wanted: Ty, depth: usize) {
        let known = self.refinement_of(Some(own));
        if let Some(refinement) = self.refinement_of(Some(wanted))
            && !(known.as_ref() == Some(&refinement) && self.is_lasting(&refinement, own))
        {
            let mark = self.context.mark();
            let value = self.context.value(Some(own), None);
            let term = Term::Value(value, refinement.var.clone());
            if let Some(known) = known {
                self.know(&known, &term, &[], "type of", &refinement.var);
            }
            let before = self.found.obligations.len();
            self.oblige_once(expr, applied(&refinement, &term, &[]));
            // No value is there yet that a guard could look at.
            for it in self.found.obligations.iter_mut().skip(before) {
                it.hints.retain(|it| it.strategy == Strategy::Info);
            }
            self.context.back_to(mark);
        }
        self.used_as(expr, own, wanted, depth + 1);
    }

    /// A value passes through its own type first, and then through those it is handed on as.
    fn oblige_once(&mut self, expr: &Expr, goal: Pred) {
        if self.handed.insert((expr.id, goal.to_string())) {
            self.oblige(expr, expr.id, goal, false);
        }
    }

    fn is_constructor(&self, callee: &Expr) -> bool {
        matches!(
            self.typing.names.of_use(callee.id),
            Some(Def::Variant(_) | Def::Record(_))
        )
    }
}

/// Whether a type has another one as a part.
fn mentions(arena: &Arena, ty: Ty, part: Ty) -> bool {
    let any = |parts: &[Ty]| parts.iter().any(|it| mentions(arena, *it, part));
    ty == part
        || match arena.kind(ty) {
            TyKind::Named(_, parts) | TyKind::Tuple(parts) => any(parts),
            TyKind::Array(inner) | TyKind::Refined { base: inner, .. } => any(&[*inner]),
            TyKind::Alias { target, .. } => any(&[*target]),
            TyKind::Function { params, result, .. } => any(params) || any(&[*result]),
            TyKind::Record { fields, .. } => fields.iter().any(|it| mentions(arena, it.1, part)),
            TyKind::Var(_) | TyKind::Generic(_) | TyKind::Prim(_) | TyKind::Never => false,
        }
}
