//! Values that are used under another type than their own: what a function asks of its parameters,
//! and what the fields of a record are known to be, must not get lost or be made up on the way.
//!
//! What the elements of arrays, tuples and sums are refined to is never taken as known, so nothing is
//! asked for it.

use super::pred::Term;
use super::terms::applied;
use super::walk::Walker;
use crate::ast::{Expr, ExprKind};
use crate::types::{Ty, TyKind};

/// How deep types are compared; only a chain of inferred types gets there.
const MAX_DEPTH: usize = 100;

impl Walker<'_> {
    /// The value of an expression is used as one of type `wanted`.
    pub(super) fn handed_on(&mut self, expr: &Expr, wanted: Ty) {
        let arena = &{ self.typing }.arena;
        let wanted = arena.base(wanted);
        match (&expr.kind, arena.kind(wanted)) {
            // Of what is written out, the parts are looked at, as more is known about those.
            (ExprKind::Array(parts), TyKind::Array(element)) => {
                parts.iter().for_each(|it| self.handed_on(it, *element));
            }
            (ExprKind::Tuple(parts), TyKind::Tuple(types)) => {
                let typed = parts.iter().zip(types);
                typed.for_each(|(it, ty)| self.handed_on(it, *ty));
            }
            (ExprKind::Record(given), TyKind::Record { fields, .. }) => {
                for (name, ty) in fields {
                    let name = arena.name(*name);
                    let field = given.iter().find(|it| it.name.text == name);
                    if let Some(field) = field {
                        self.field_value(&field.value, *ty);
                    }
                }
            }
            _ => {
                if let Some(own) = self.typing.of_node(expr.id) {
                    self.used_as(expr, own, wanted, 0);
                }
            }
        }
    }

    fn field_value(&mut self, value: &Expr, ty: Ty) {
        if let Some(refinement) = self.refinement_of(Some(ty)) {
            let term = self.term(value);
            let goal = applied(&refinement, &term, &[]);
            self.oblige(value, value.id, goal, false);
        }
        self.handed_on(value, ty);
    }

    fn used_as(&mut self, expr: &Expr, own: Ty, wanted: Ty, depth: usize) {
        let arena = &{ self.typing }.arena;
        let (own, wanted) = (arena.base(own), arena.base(wanted));
        if own == wanted || depth > MAX_DEPTH {
            return;
        }
        match (arena.kind(own), arena.kind(wanted)) {
            (
                TyKind::Function { params, result, .. },
                TyKind::Function {
                    params: given,
                    result: taken,
                    ..
                },
            ) => {
                for (asked, given) in params.iter().zip(given) {
                    self.taken_as(expr, *given, *asked, depth);
                }
                self.taken_as(expr, *result, *taken, depth);
            }
            (TyKind::Array(own), TyKind::Array(wanted)) => {
                self.used_as(expr, *own, *wanted, depth + 1);
            }
            (TyKind::Tuple(own), TyKind::Tuple(wanted)) => {
                for (own, wanted) in own.iter().zip(wanted) {
                    self.used_as(expr, *own, *wanted, depth + 1);
                }
            }
            (TyKind::Named(name, own), TyKind::Named(_, wanted)) => {
                let is_record = self.records.contains_key(arena.name(*name));
                for (own, wanted) in own.iter().zip(wanted) {
                    if is_record {
                        self.taken_as(expr, *own, *wanted, depth);
                    } else {
                        self.used_as(expr, *own, *wanted, depth + 1);
                    }
                }
            }
            (TyKind::Record { fields: own, .. }, TyKind::Record { fields, .. }) => {
                for (name, wanted) in fields {
                    if let Some((_, own)) = own.iter().find(|it| it.0 == *name) {
                        self.taken_as(expr, *own, *wanted, depth);
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
            && known.as_ref() != Some(&refinement)
        {
            let mark = self.context.mark();
            let value = self.context.value(Some(own), None);
            let term = Term::Value(value, refinement.var.clone());
            if let Some(known) = known {
                self.know(&known, &term, &[], "type of", &refinement.var);
            }
            let goal = applied(&refinement, &term, &[]);
            // What is written out passes through its own type first, and then through the wanted one.
            let text = goal.to_string();
            let mut told = self.found.obligations.iter();
            if !told.any(|it| it.node == expr.id && it.goal == text) {
                self.oblige(expr, expr.id, goal, false);
            }
            self.context.back_to(mark);
        }
        self.used_as(expr, own, wanted, depth + 1);
    }
}
