//! Expressions with conditionally evaluated parts, and expressions that are statements in
//! JavaScript.

use super::Emitter;
use super::code::{Code, Level, Value, Written};
use super::stmt::Place;
use crate::ast::{BinaryOp, Block, Expr, ExprKind, Literal};

/// The maximum length of an `else if` chain that is emitted as an expression.
const LONGEST_CHAIN: usize = 16;

impl<'a> Emitter<'a> {
    /// Emits `&&` and `||`. Statements of the right side run only if that side is evaluated.
    pub(super) fn short_circuit(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Value {
        let first = self.value(left);
        let (second, lines) = self.captured(|it| it.value(right));
        if lines.is_empty() {
            let mut code = Code::with_room();
            let values = &mut [Some(first), Some(second)];
            let is = self.binary(op, [left, right], values, &mut code);
            return Value { code, is };
        }
        let result = self.scopes.fresh("test", self.globals);
        let line = Code::from("let ").then(&*result).then(" = ");
        self.line(line.then(first.code).then(";"));
        let not = if op == BinaryOp::And { "" } else { "!" };
        self.line(format!("if ({not}{result}) {{"));
        self.indented(|it| {
            it.place_lines(lines);
            let line = Code::from(&*result).then(" = ");
            it.line(line.then(second.code).then(";"));
        });
        self.line("}");
        Value::new(&*result, Level::Call)
    }

    /// Emits `condition ? a : b` if neither branch needs statements.
    pub(super) fn conditional(
        &mut self,
        condition: &'a Expr,
        then_branch: &'a Block,
        else_branch: &'a Expr,
    ) -> Option<Value> {
        let branches = branches(then_branch, else_branch)?;
        if !branches.iter().all(|it| self.is_simple(it)) {
            return None;
        }
        let values = &mut [Some(self.value(condition))];
        let mut code = Code::with_room();
        let is = self.write_conditional(condition, branches, values, &mut code);
        Some(Value { code, is })
    }

    pub(super) fn write_conditional(
        &mut self,
        condition: &'a Expr,
        [then_branch, else_branch]: [&'a Expr; 2],
        values: &mut [Option<Value>],
        to: &mut Code,
    ) -> Written {
        self.operand((0, condition), Level::Or, values, to);
        to.push(" ? ");
        self.operand((1, then_branch), Level::Conditional, values, to);
        to.push(" : ");
        self.operand((2, else_branch), Level::Conditional, values, to);
        Written::at(Level::Conditional)
    }

    /// Emits the expression as statements that store its value in a variable.
    pub(super) fn through_variable(&mut self, expr: &'a Expr) -> Value {
        let result = self.scopes.fresh("value", self.globals);
        let annotation = self.annotation_of(expr.id);
        self.line(format!("let {result}{annotation};"));
        self.unchecked_statements(expr, &Place::Variable(result.clone()));
        Value::new(&*result, Level::Call)
    }

    /// Whether the expression can be emitted without statements.
    pub(super) fn is_simple(&self, expr: &Expr) -> bool {
        let all = |exprs: &[Expr]| exprs.iter().all(|it| self.is_simple(it));
        match &expr.kind {
            ExprKind::Literal(Literal::Template(_)) => {
                self.template_values(expr.id).all(|it| self.is_simple(it))
            }
            ExprKind::Literal(_) | ExprKind::Ident(_) | ExprKind::Hole(_) => true,
            // Statements of its body are emitted inside the body.
            ExprKind::Lambda { .. } => true,
            ExprKind::Unary { operand, .. } => self.is_simple(operand),
            ExprKind::Binary { left, right, .. } => self.is_simple(left) && self.is_simple(right),
            ExprKind::Call { callee, args } => self.is_simple(callee) && all(args),
            ExprKind::Index { object, index } => self.is_simple(object) && self.is_simple(index),
            ExprKind::Field { object, .. } => self.is_simple(object),
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                is_short_chain(expr)
                    && self.is_simple(condition)
                    && only_tail(&then_branch.kind).is_some_and(|it| self.is_simple(it))
                    && else_branch.as_deref().is_some_and(|it| self.is_simple(it))
            }
            ExprKind::Block(block) => match &block.tail {
                Some(tail) => block.statements.is_empty() && self.is_simple(tail),
                None => block.statements.is_empty(),
            },
            ExprKind::Array(elements) | ExprKind::Tuple(elements) => all(elements),
            ExprKind::Record(fields) => fields.iter().all(|it| self.is_simple(&it.value)),
            ExprKind::Range { start, end, .. } => self.is_simple(start) && self.is_simple(end),
            ExprKind::Propagate(inner) => self.is_simple(inner),
            ExprKind::Match { .. } => false,
        }
    }
}

/// The values of an `if`'s branches, if both branches consist only of a value.
pub(super) fn branches<'a>(then_branch: &'a Block, else_branch: &'a Expr) -> Option<[&'a Expr; 2]> {
    let else_tail = match &else_branch.kind {
        ExprKind::Block(block) => only_tail(block)?,
        _ => else_branch,
    };
    Some([only_tail(then_branch)?, else_tail])
}

fn only_tail(block: &Block) -> Option<&Expr> {
    let tail = block.tail.as_deref()?;
    block.statements.is_empty().then_some(tail)
}

/// Whether an `if` has few enough `else if`s to be readable as one expression.
fn is_short_chain(mut expr: &Expr) -> bool {
    for _ in 0..LONGEST_CHAIN {
        match &expr.kind {
            ExprKind::If {
                else_branch: Some(other),
                ..
            } => expr = other,
            _ => return true,
        }
    }
    false
}
