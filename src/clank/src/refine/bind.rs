//! What is known about the value bound to a name.

use super::branch::Known;
use super::pred::{Cmp, Pred, Term};
use super::terms::applied;
use super::walk::Walker;
use crate::ast::{Expr, ExprKind, NodeId, Pattern, PatternKind, Text};

impl<'a> Walker<'a> {
    /// Binds a pattern to the value of an expression.
    pub(super) fn define(&mut self, pattern: &'a Pattern, init: &'a Expr) {
        let PatternKind::Ident(name) = &pattern.kind else {
            return self.pattern(pattern);
        };
        let known = self.known_about_bound(init);
        let Some(bound) = self.bind(pattern.id, name) else {
            return;
        };
        self.equate(&bound, known, "definition of", name);
    }

    /// What is known about the value of an expression.
    pub(super) fn known_about(&mut self, expr: &'a Expr) -> Option<Known> {
        if matches!(
            expr.kind,
            ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Lambda { .. }
        ) {
            return None;
        }
        if self.is_bool(self.typing.of_node(expr.id)) {
            return Some(Known::Truth(self.pred(expr)));
        }
        Some(Known::Value(self.term(expr)))
    }

    /// Like `known_about`, for a value that gets a name here and so needs no other one.
    pub(super) fn known_about_bound(&mut self, expr: &'a Expr) -> Option<Known> {
        let is_plain =
            matches!(expr.kind, ExprKind::Array(_)) || self.is_bool(self.typing.of_node(expr.id));
        if is_plain {
            return self.known_about(expr);
        }
        let is_steady = !self.unsteady.contains(&expr.id);
        is_steady
            .then(|| self.try_term(expr))
            .flatten()
            .map(Known::Value)
    }

    pub(super) fn equate(
        &mut self,
        bound: &Term,
        known: Option<Known>,
        source: &'static str,
        name: &str,
    ) {
        let pred = match known {
            Some(Known::Value(term)) => Pred::Compare(Cmp::Same, bound.clone(), term),
            Some(Known::Truth(pred)) if pred.is_known() => {
                let both = Pred::Holds(bound.clone()).and(pred.clone());
                let neither = Pred::Holds(bound.clone()).negate().and(pred.negate());
                Pred::Or(Box::new(both), Box::new(neither))
            }
            _ => return,
        };
        self.learn(pred, source, name);
    }

    /// Binds the names of a pattern to values that are known only by their types.
    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Ident(name) => self.bind_part(pattern.id, name),
            PatternKind::Tuple(parts) => parts.iter().for_each(|part| self.pattern(part)),
            PatternKind::Record(fields) => {
                for field in fields {
                    match &field.pattern {
                        Some(pattern) => self.pattern(pattern),
                        None => self.bind_part(field.id, &field.name.text),
                    }
                }
            }
            PatternKind::Variant { payload, .. } => {
                payload.iter().flatten().for_each(|part| self.pattern(part));
            }
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
        }
    }

    /// Binds a part of a value. The part meets its declared type, unless the program writes to
    /// fields.
    fn bind_part(&mut self, node: NodeId, name: &Text) {
        let Some(term) = self.bind(node, name) else {
            return;
        };
        if !self.typing.names.writes_fields
            && let Some(refinement) = self.refinement_of(self.typing.of_node(node))
        {
            let known = applied(refinement, &term, &[]);
            self.learn(known, "type of", name);
        }
    }
}
