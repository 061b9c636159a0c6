//! Branches and matches: what holds in each branch, and after all of them.

use super::flow::{assigned as assigned_in, expr_leaves, leaves};
use super::pred::{Cmp, Pred, Term};
use super::walk::{Walker, Wanted};
use crate::ast::{
    Arm, BinaryOp, BlockNode, Expr, ExprKind, Literal, NodeRef, Pattern, PatternKind,
};

impl<'a> Walker<'a> {
    pub(super) fn if_expr(
        &mut self,
        condition: &'a Expr,
        then_branch: &'a BlockNode,
        else_branch: Option<&'a Expr>,
        wanted: Option<&Wanted<'a>>,
    ) {
        self.expr(condition, None);
        let holds = self.pred(condition);
        let mut changed = Vec::new();
        let mark = self.context.mark();
        self.learn(holds.clone(), "if condition (then)", "");
        self.block(&then_branch.kind, wanted);
        let assigned = self.context.back_to(mark);
        let then_leaves = leaves(&then_branch.kind, &self.typing.names);
        if !then_leaves {
            changed.extend(assigned);
        }
        let mut else_leaves = false;
        if let Some(branch) = else_branch {
            let mark = self.context.mark();
            self.learn(holds.clone().negate(), "if condition (else)", "");
            self.expr(branch, wanted);
            let assigned = self.context.back_to(mark);
            else_leaves = expr_leaves(branch, &self.typing.names);
            if !else_leaves {
                changed.extend(assigned);
            }
        }
        // If one branch never continues, its negated condition holds afterwards.
        match (then_leaves, else_leaves) {
            (true, false) => self.learn(holds.negate(), "if condition (left)", ""),
            (false, true) => self.learn(holds, "if condition (left)", ""),
            _ => {}
        }
        self.renew(&changed);
    }

    pub(super) fn match_expr(
        &mut self,
        scrutinee: &'a Expr,
        arms: &'a [Arm],
        wanted: Option<&Wanted<'a>>,
    ) {
        self.expr(scrutinee, None);
        let known = self.known_about(scrutinee);
        let mut changed = Vec::new();
        let before = self.context.mark();
        for arm in arms {
            let mark = self.context.mark();
            let fits = self.fits(&arm.pattern, known.as_ref());
            if let Some(fits) = &fits {
                self.learn(fits.clone(), "match arm", "");
            }
            if let Some(guard) = &arm.guard {
                self.expr(guard, None);
                let holds = self.pred(guard);
                self.learn(holds, "match guard", "");
            }
            self.expr(&arm.body, wanted);
            let assigned = self.context.back_to(mark);
            if !expr_leaves(&arm.body, &self.typing.names) {
                changed.extend(assigned);
            }
            match &arm.guard {
                // A failed guard was evaluated, so its assignments took effect.
                Some(guard) => self.renew(&assigned_in(NodeRef::Expr(guard), self.typing)),
                // In the arms that follow, this pattern did not match.
                None if matches!(arm.pattern.kind, PatternKind::Literal(_)) => {
                    if let Some(fits) = fits {
                        self.learn(fits.negate(), "match arm before", "");
                    }
                }
                None => {}
            }
        }
        changed.extend(self.context.back_to(before));
        self.renew(&changed);
    }

    /// Walks a chain of `&&` or `||`, in which each operand runs only if the previous ones allow
    /// it. The chain is walked in a loop, because it may be long.
    pub(super) fn short_circuit(&mut self, whole: &'a Expr, op: BinaryOp) {
        let mut rights = Vec::new();
        let mut first = whole;
        while let ExprKind::Binary {
            op: own,
            left,
            right,
        } = &first.kind
            && *own == op
        {
            rights.push(right.as_ref());
            first = left;
        }
        self.expr(first, None);
        let mark = self.context.mark();
        let mut before = first;
        for right in rights.into_iter().rev() {
            let passed = self.pred(before);
            let passed = if op == BinaryOp::And {
                passed
            } else {
                passed.negate()
            };
            self.learn(passed, "left operand", "");
            self.expr(right, None);
            before = right;
        }
        let changed = self.context.back_to(mark);
        self.renew(&changed);
    }

    /// The condition under which a pattern matches, with its names bound.
    fn fits(&mut self, pattern: &Pattern, known: Option<&Known>) -> Option<Pred> {
        match (&pattern.kind, known) {
            (PatternKind::Literal(Literal::Bool(value)), Some(Known::Truth(pred))) => {
                let pred = pred.clone();
                Some(if *value { pred } else { pred.negate() })
            }
            (PatternKind::Literal(literal), Some(Known::Value(term))) => {
                let value = Term::of_literal(literal)?;
                Some(Pred::Compare(Cmp::Equal, term.clone(), value))
            }
            (PatternKind::Ident(name), Some(Known::Value(term))) => {
                let term = term.clone();
                let bound = self.bind(pattern.id, name)?;
                Some(Pred::Compare(Cmp::Same, bound, term))
            }
            _ => {
                self.pattern(pattern);
                None
            }
        }
    }
}

/// What is known about the value of an expression.
pub(super) enum Known {
    Value(Term),
    Truth(Pred),
}
