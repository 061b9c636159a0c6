//! Wraps an expression in another one, and adds parentheses where needed.

use serde_json::Value;

use super::Lowering;
use super::text::read_expr;
use crate::ast::{Expr, ExprKind, NodeRef};
use crate::print::expr_text;
use crate::repair::error::PatchError;
use crate::repair::op::PatchOp;
use crate::repair::patch::{fill, one_place};

/// A reserved name that marks the position of the wrapped expression.
const MARK: &str = "fixpoint__wrapped";

impl<'a> Lowering<'_, 'a> {
    pub(super) fn wrap(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        wrapper: &Value,
        hole_ref: &str,
    ) -> Result<(), PatchError> {
        let NodeRef::Expr(inner) = node else {
            return Err(PatchError::wrong_node(
                op,
                "not an expression",
                "an expression",
            ));
        };
        one_place(wrapper, hole_ref)?;
        let mut marked = wrapper.clone();
        let mark = serde_json::json!({"kind": "ident", "name": MARK});
        fill(&mut marked, hole_ref, &mark);
        let wrapper = read_expr(&marked)?;
        let text = expr_text(&wrapper);
        let (before, after) = text.split_once(MARK).ok_or_else(|| PatchError::Holes {
            hole: hole_ref.to_owned(),
            found: 0,
        })?;
        let span = inner.span;
        let (mut before, mut after) = (
            self.layout.indented(span.start(), before),
            self.layout.indented(span.start(), after),
        );
        if !inner.parens && binds_loosely(inner) && hole_binds(&wrapper) {
            before.push('(');
            after.insert(0, ')');
        }
        let above = self.tree.parent(node.id());
        if !inner.parens && above.is_some_and(|it| takes_operand(it, inner, &wrapper)) {
            before.insert(0, '(');
            after.push(')');
        }
        self.insert(span.start(), before);
        self.insert(span.end(), after);
        Ok(())
    }
}

fn is_postfix_or_primary(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Binary { .. } | ExprKind::Unary { .. } | ExprKind::Lambda { .. }
    )
}

/// Whether an expression needs parentheses as an operand.
fn binds_loosely(expr: &Expr) -> bool {
    !is_postfix_or_primary(expr)
}

/// Whether the marker of a wrapper is an operand.
fn hole_binds(wrapper: &Expr) -> bool {
    let is_mark = |it: &Expr| matches!(&it.kind, ExprKind::Ident(name) if name == MARK);
    let mut found = false;
    NodeRef::Expr(wrapper).each(&mut |it| {
        if let NodeRef::Expr(expr) = it {
            found |= match &expr.kind {
                ExprKind::Binary { left, right, .. } => is_mark(left) || is_mark(right),
                ExprKind::Unary { operand, .. } => is_mark(operand),
                ExprKind::Field { object, .. } | ExprKind::Index { object, .. } => is_mark(object),
                ExprKind::Call { callee, .. } => is_mark(callee),
                ExprKind::Propagate(inner) => is_mark(inner),
                _ => false,
            };
        }
    });
    found
}

/// Whether a wrapper needs parentheses in the place of the wrapped expression.
fn takes_operand(above: NodeRef<'_>, inner: &Expr, wrapper: &Expr) -> bool {
    let NodeRef::Expr(above) = above else {
        return false;
    };
    let is_open = matches!(
        wrapper.kind,
        ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Block(_)
    );
    match &above.kind {
        ExprKind::Binary { .. } | ExprKind::Unary { .. } => binds_loosely(wrapper),
        ExprKind::Field { object, .. } | ExprKind::Index { object, .. } => {
            object.id == inner.id && (is_open || binds_loosely(wrapper))
        }
        ExprKind::Call { callee, .. } => {
            callee.id == inner.id && (is_open || binds_loosely(wrapper))
        }
        ExprKind::Propagate(_) => is_open || binds_loosely(wrapper),
        _ => false,
    }
}
