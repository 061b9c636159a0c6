//! Prints expressions.

use super::Printer;
use crate::ast::{Arm, BinaryOp, Expr, ExprKind, FieldInit, LambdaParam, Literal};

/// The precedence of expressions other than binary operators.
const RANGE: u8 = 10;
const UNARY: u8 = 11;
const POSTFIX: u8 = 12;
const PRIMARY: u8 = 13;

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_at(expr, 0);
    }

    /// Prints an expression as a group that may be broken into lines.
    pub(super) fn expr_in_line(&mut self, expr: &Expr) {
        self.doc.open();
        self.expr(expr);
        self.doc.close();
    }

    /// Prints an expression, in parentheses if it binds looser than `level`.
    fn expr_at(&mut self, expr: &Expr, level: u8) {
        self.inline_comments(first_part(expr).span);
        if expr.parens || level_of(expr) < level {
            self.doc.text("(");
            self.doc.open();
            self.bare(expr);
            self.doc.close();
            self.doc.text(")");
        } else {
            self.bare(expr);
        }
    }

    fn bare(&mut self, expr: &Expr) {
        let end = expr.span.end();
        let start = |expr: &Expr| first_part(expr).span.start();
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, expr.span),
            ExprKind::Ident(name) => self.doc.text(name.to_string()),
            ExprKind::Unary { op, operand } => {
                self.doc.text(op.text());
                self.expr_at(operand, level_for(operand, UNARY));
            }
            ExprKind::Binary { op, .. } => self.chain(expr, *op),
            ExprKind::Call { callee, args } => {
                self.expr_at(callee, POSTFIX);
                self.sequence("(", args, ")", end, start, Self::expr);
            }
            ExprKind::Index { object, index } => {
                self.expr_at(object, POSTFIX);
                self.doc.text("[");
                self.expr(index);
                self.doc.text("]");
            }
            ExprKind::Field { object, field } => {
                self.expr_at(object, POSTFIX);
                self.inline_comments(field.span);
                self.doc.text(format!(".{}", field.text));
            }
            ExprKind::Lambda { params, body } => self.lambda(params, body),
            ExprKind::If { .. } => {
                self.doc.open();
                self.if_expr(expr);
                self.doc.close();
            }
            ExprKind::Match { scrutinee, arms } => {
                self.doc.text("match ");
                self.expr(scrutinee);
                self.doc.text(" {");
                if arms.is_empty() && !self.has_comment_before(end) {
                    self.doc.text("}");
                    return;
                }
                self.lines(arms, end, (|arm| arm.span, true), Self::arm);
                self.doc.text("}");
            }
            ExprKind::Block(block) => {
                self.doc.open();
                self.block(block, expr.span);
                self.doc.close();
            }
            ExprKind::Array(elements) => self.sequence("[", elements, "]", end, start, Self::expr),
            ExprKind::Tuple(elements) => self.sequence("(", elements, ")", end, start, Self::expr),
            ExprKind::Record(fields) => {
                let start = |field: &FieldInit| field.name.span.start();
                self.sequence("{", fields, "}", end, start, |it, field| {
                    it.doc.text(format!("{}: ", field.name.text));
                    it.expr(&field.value);
                });
            }
            ExprKind::Range {
                start,
                end,
                inclusive,
            } => {
                self.expr_at(start, POSTFIX);
                self.doc.text(if *inclusive { "..=" } else { ".." });
                self.expr_at(end, POSTFIX);
            }
            ExprKind::Propagate(inner) => {
                self.expr_at(inner, POSTFIX);
                self.doc.text("?");
            }
            ExprKind::Hole(name) => self.doc.text(format!("?{name}")),
        }
    }

    /// Prints operators of the same precedence. The chain is broken before each of them or before
    /// none.
    fn chain(&mut self, expr: &Expr, op: BinaryOp) {
        let mut rights = Vec::new();
        let mut first = expr;
        while let ExprKind::Binary {
            op: own,
            left,
            right,
        } = &first.kind
            && own.level() == op.level()
            && (first.id == expr.id || !first.parens)
        {
            rights.push((*own, right));
            first = left;
            if op.is_right_associative() {
                break;
            }
        }
        let (left_level, right_level) = if op.is_right_associative() {
            (op.level() + 1, op.level())
        } else {
            (op.level(), op.level() + 1)
        };
        self.doc.open();
        self.expr_at(first, left_level);
        self.doc.indent();
        for (op, right) in rights.into_iter().rev() {
            self.doc.line();
            self.doc.text(format!("{} ", op.text()));
            self.expr_at(right, level_for(right, right_level));
        }
        self.doc.dedent();
        self.doc.close();
    }

    fn lambda(&mut self, params: &[LambdaParam], body: &Expr) {
        self.doc.text("\\");
        match params {
            [param] if param.ty.is_none() => {
                self.inline_comments(param.name.span);
                self.doc.text(param.name.text.to_string());
            }
            _ => {
                let start = |param: &LambdaParam| param.name.span.start();
                let end = body.span.start();
                self.sequence("(", params, ")", end, start, |it, param| {
                    it.inline_comments(param.name.span);
                    it.doc.text(param.name.text.to_string());
                    if let Some(ty) = &param.ty {
                        it.doc.text(": ");
                        it.type_expr(ty);
                    }
                });
            }
        }
        self.doc.text(" -> ");
        self.expr(body);
    }

    fn if_expr(&mut self, expr: &Expr) {
        let mut expr = expr;
        while let ExprKind::If {
            condition,
            then_branch,
            else_branch,
        } = &expr.kind
        {
            self.doc.text("if ");
            self.expr(condition);
            self.doc.text(" ");
            self.block(&then_branch.kind, then_branch.span);
            let Some(branch) = else_branch else {
                return;
            };
            self.inline_comments(branch.span);
            self.doc.text(if self.doc.at_line_start() {
                "else "
            } else {
                " else "
            });
            expr = branch;
        }
        match &expr.kind {
            ExprKind::Block(block) => self.block(block, expr.span),
            _ => self.expr(expr),
        }
    }

    fn arm(&mut self, arm: &Arm) {
        self.pattern(&arm.pattern);
        if let Some(guard) = &arm.guard {
            self.doc.text(" if ");
            self.expr(guard);
        }
        self.doc.text(" -> ");
        self.expr_in_line(&arm.body);
        self.doc.text(",");
    }
}

/// The precedence that the last operand of an operator needs. A lambda that the author wrote there
/// extends to the end of the expression anyway.
fn level_for(operand: &Expr, level: u8) -> u8 {
    let is_last_word = matches!(operand.kind, ExprKind::Lambda { .. }) && !operand.span.is_empty();
    if is_last_word { 0 } else { level }
}

fn level_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary { op, .. } => op.level(),
        ExprKind::Unary { .. } => UNARY,
        ExprKind::Lambda { .. } => 0,
        ExprKind::Range { .. } => RANGE,
        ExprKind::Literal(Literal::Int { value, .. }) if value.starts_with('-') => UNARY,
        ExprKind::Literal(Literal::Float(value)) if value.is_sign_negative() => UNARY,
        ExprKind::Call { .. }
        | ExprKind::Index { .. }
        | ExprKind::Field { .. }
        | ExprKind::Propagate(_) => POSTFIX,
        _ => PRIMARY,
    }
}

/// The leftmost part of an expression, ignoring parentheses.
fn first_part(mut expr: &Expr) -> &Expr {
    loop {
        expr = match &expr.kind {
            ExprKind::Binary { left, .. } => left,
            ExprKind::Call { callee, .. } => callee,
            ExprKind::Index { object, .. } | ExprKind::Field { object, .. } => object,
            ExprKind::Propagate(inner) => inner,
            _ => return expr,
        };
    }
}
