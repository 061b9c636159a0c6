//! Emits expressions as values. Statements that a value needs are emitted on the lines before it.

use super::branch::branches;
use super::code::{Code, Level, UNDEFINED, Value, Written};
use super::names::{TAG, key, quoted, spelled};
use super::{EmitError, Emitter};
use crate::ast::{BinaryOp, Expr, ExprKind, Literal, UnaryOp};
use crate::names::Primitive;

impl<'a> Emitter<'a> {
    pub(super) fn value(&mut self, expr: &'a Expr) -> Value {
        if !self.is_simple(expr) {
            return self.with_statements(expr);
        }
        let mut code = Code::with_room();
        let is = self.write(expr, &mut code);
        Value { code, is }
    }

    /// Emits an expression that needs no statements.
    pub(super) fn write(&mut self, expr: &'a Expr, to: &mut Code) -> Written {
        let start = to.end();
        let written = self.write_with(expr, &mut [], to);
        let written = self.check_value(expr, start, written, to);
        to.mark(start, expr, self.has_text());
        written
    }

    /// The value of an expression that is preceded by statements.
    fn with_statements(&mut self, expr: &'a Expr) -> Value {
        let mut value = match &expr.kind {
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                let simple = else_branch.as_ref().and_then(|else_branch| {
                    self.conditional(condition, &then_branch.kind, else_branch)
                });
                simple.unwrap_or_else(|| self.through_variable(expr))
            }
            ExprKind::Block(block) => self.block_value(block),
            ExprKind::Match { .. } => self.through_variable(expr),
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => self.short_circuit(*op, left, right),
            _ => {
                let operands = self.operands(expr);
                let values = self.values(operands);
                let mut values: Vec<Option<Value>> = values.into_iter().map(Some).collect();
                let mut code = Code::with_room();
                let is = self.write_with(expr, &mut values, &mut code);
                Value { code, is }
            }
        };
        let start = Code::default().end();
        value.is = self.check_value(expr, start, value.is, &mut value.code);
        value.code.mark(start, expr, self.has_text());
        value
    }

    /// The operands of an expression, in evaluation order.
    fn operands(&self, expr: &'a Expr) -> Vec<&'a Expr> {
        match &expr.kind {
            ExprKind::Unary { operand: only, .. }
            | ExprKind::Field { object: only, .. }
            | ExprKind::Propagate(only) => vec![only],
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Call { args, .. } if self.is_check(expr) => args.iter().collect(),
            ExprKind::Call { callee, args } => [&**callee].into_iter().chain(args).collect(),
            ExprKind::Index { object, index } => vec![object, index],
            ExprKind::Range { start, end, .. } => vec![start, end],
            ExprKind::Array(elements) | ExprKind::Tuple(elements) => elements.iter().collect(),
            ExprKind::Record(fields) => fields.iter().map(|it| &it.value).collect(),
            ExprKind::Literal(Literal::Template(_)) => self.template_values(expr.id).collect(),
            ExprKind::Literal(_)
            | ExprKind::Ident(_)
            | ExprKind::Hole(_)
            | ExprKind::Lambda { .. }
            | ExprKind::If { .. }
            | ExprKind::Match { .. }
            | ExprKind::Block(_) => Vec::new(),
        }
    }

    /// Emits one operand: its value if there is one, or else the expression, which then needs no
    /// statements.
    pub(super) fn operand(
        &mut self,
        (at, expr): (usize, &'a Expr),
        level: Level,
        values: &mut [Option<Value>],
        to: &mut Code,
    ) {
        if let Some(value) = values.get_mut(at).and_then(Option::take) {
            return to.append(value.at(level));
        }
        let start = to.end();
        if self.write(expr, to).level < level {
            to.parenthesise(start);
        }
    }

    /// Emits operands separated by commas.
    fn listed(
        &mut self,
        operands: impl IntoIterator<Item = (usize, &'a Expr)>,
        values: &mut [Option<Value>],
        to: &mut Code,
    ) {
        for (position, operand) in operands.into_iter().enumerate() {
            if position > 0 {
                to.push(", ");
            }
            self.operand(operand, Level::Arrow, values, to);
        }
    }

    fn write_call(
        &mut self,
        function: &str,
        operands: impl IntoIterator<Item = &'a Expr>,
        values: &mut [Option<Value>],
        to: &mut Code,
    ) -> Written {
        to.push(function);
        to.push("(");
        self.listed(operands.into_iter().enumerate(), values, to);
        to.push(")");
        Written::at(Level::Call)
    }

    /// Emits an expression from the values of its operands. Operands without a value need no
    /// statements.
    fn write_with(
        &mut self,
        expr: &'a Expr,
        values: &mut [Option<Value>],
        to: &mut Code,
    ) -> Written {
        match &expr.kind {
            ExprKind::Literal(Literal::Template(_)) => self.template(expr.id, values, to),
            ExprKind::Literal(value) => write_literal(value, to),
            ExprKind::Ident(name) => self.name(name, to),
            ExprKind::Unary { op, operand } => {
                let start = to.end();
                self.operand((0, operand), Level::Unary, values, to);
                let op = match op {
                    // `--x` would be another operator.
                    UnaryOp::Negate if to.since(start).starts_with('-') => "- ",
                    UnaryOp::Negate => "-",
                    UnaryOp::Not => "!",
                };
                to.insert(start, op);
                Written::at(Level::Unary)
            }
            ExprKind::Binary { op, left, right } => self.binary(*op, [left, right], values, to),
            // The canonical form wraps each external call in a check. The function performs the
            // check itself, because it may also be passed as a value.
            ExprKind::Call { args, .. } if self.is_check(expr) => {
                let Some(checked) = args.first() else {
                    return Written::STABLE;
                };
                match values.first_mut().and_then(Option::take) {
                    Some(Value { code, is }) => {
                        to.append(code);
                        is
                    }
                    None => self.write(checked, to),
                }
            }
            ExprKind::Call { callee, args } => {
                let start = to.end();
                self.operand((0, callee), Level::Call, values, to);
                self.check_arguments(expr, start, to);
                to.push("(");
                self.listed((1..).zip(args), values, to);
                to.push(")");
                Written::at(Level::Call)
            }
            ExprKind::Index { object, index } => {
                let is_tuple = self.is_tuple_in_typescript(object);
                to.push("__clank.at(");
                if is_tuple {
                    to.push(&self.typed(|it| *it += "("));
                }
                self.operand((0, object), Level::Arrow, values, to);
                if is_tuple {
                    // TypeScript cannot index a tuple with a number that is only known at run time.
                    to.push(&self.typed(|it| *it += ") as readonly any[]"));
                }
                to.push(", ");
                self.operand((1, index), Level::Arrow, values, to);
                to.push(&self.bounds_text(expr));
                to.push(")");
                Written::at(Level::Call)
            }
            ExprKind::Field { object, field } => {
                self.operand((0, object), Level::Call, values, to);
                to.push(".");
                to.push(&field.text);
                Written::at(Level::Call)
            }
            ExprKind::Lambda { params, body } => self.lambda(expr, params, body, to),
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                let branches = else_branch
                    .as_deref()
                    .and_then(|it| branches(&then_branch.kind, it));
                match branches {
                    Some(branches) => self.write_conditional(condition, branches, values, to),
                    None => Written::STABLE,
                }
            }
            ExprKind::Block(block) => match &block.tail {
                Some(tail) => {
                    self.scopes.enter();
                    let written = self.write(tail, to);
                    self.scopes.leave();
                    written
                }
                None => {
                    to.push(UNDEFINED);
                    Written::STABLE
                }
            },
            // A `match` is emitted as statements.
            ExprKind::Match { .. } => Written::STABLE,
            ExprKind::Array(elements) => self.bracketed(elements, values, to),
            ExprKind::Tuple(elements) => {
                to.push(&self.typed(|it| *it += "("));
                let written = self.bracketed(elements, values, to);
                to.push(&self.typed(|it| *it += " as const)"));
                written
            }
            ExprKind::Record(fields) => {
                let has_tag = fields.iter().any(|it| it.name.text == TAG);
                to.push(if has_tag { "__clank.record({ " } else { "{ " });
                for (at, field) in fields.iter().enumerate() {
                    if at > 0 {
                        to.push(", ");
                    }
                    to.push(key(&field.name.text));
                    to.push(": ");
                    self.operand((at, &field.value), Level::Arrow, values, to);
                }
                to.push(if has_tag { " })" } else { " }" });
                Written::at(Level::Call)
            }
            ExprKind::Range {
                start,
                end,
                inclusive,
            } => {
                to.push("__clank.range(");
                self.listed([&**start, &**end].into_iter().enumerate(), values, to);
                to.push(if *inclusive { ", true)" } else { ", false)" });
                Written::at(Level::Call)
            }
            ExprKind::Propagate(inner) => {
                self.write_call("__clank.propagate", [&**inner], values, to)
            }
            ExprKind::Hole(name) => {
                self.fail(EmitError::Hole {
                    node: expr.id,
                    name: name.to_string(),
                });
                to.push(UNDEFINED);
                Written::STABLE
            }
        }
    }

    fn bracketed(
        &mut self,
        elements: &'a [Expr],
        values: &mut [Option<Value>],
        to: &mut Code,
    ) -> Written {
        to.push("[");
        self.listed(elements.iter().enumerate(), values, to);
        to.push("]");
        Written::at(Level::Call)
    }

    /// Emits a variable, a declared name or a builtin.
    fn name(&self, name: &str, to: &mut Code) -> Written {
        if let Some(binding) = self.scopes.find(name) {
            to.push(&binding.spelled);
            return Written {
                stable: !binding.is_mutable,
                ..Written::STABLE
            };
        }
        if self.globals.values.contains(name) {
            to.push(&spelled(name));
            return Written::STABLE;
        }
        to.push("__clank.");
        // The canonical form calls a range `__range`.
        to.push(if name == "__range" { "range" } else { name });
        Written::STABLE
    }

    /// Whether a call is a check of an external value, which the canonical form adds.
    fn is_check(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call { callee, args } => {
                matches!(&callee.kind, ExprKind::Ident(name) if args.len() == 1
                    && name.starts_with("__validate_")
                    && !self.globals.values.contains(name.as_str()))
            }
            _ => false,
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        [left, right]: [&'a Expr; 2],
        values: &mut [Option<Value>],
        to: &mut Code,
    ) -> Written {
        let (text, level) = match op {
            BinaryOp::Pipe => {
                // The argument is evaluated first, although it is written last.
                let argument = values.first_mut().and_then(Option::take);
                let argument = argument.unwrap_or_else(|| self.value(left));
                self.operand((1, right), Level::Call, values, to);
                to.push("(");
                to.append(argument.code);
                to.push(")");
                return Written::at(Level::Call);
            }
            BinaryOp::Equal | BinaryOp::NotEqual
                if !self.is_plain(left) && !self.is_plain(right) =>
            {
                let is_equal = op == BinaryOp::Equal;
                let function = if is_equal {
                    "__clank.equal"
                } else {
                    "!__clank.equal"
                };
                let equal = self.write_call(function, [left, right], values, to);
                return if is_equal {
                    equal
                } else {
                    Written::at(Level::Unary)
                };
            }
            BinaryOp::Concat if !self.is_text(left) && !self.is_text(right) => {
                return self.write_call("__clank.append", [left, right], values, to);
            }
            BinaryOp::Divide => {
                return self.write_call("__clank.divide", [left, right], values, to);
            }
            BinaryOp::Or => (" || ", Level::Or),
            BinaryOp::And => (" && ", Level::And),
            BinaryOp::Equal => (" === ", Level::Equality),
            BinaryOp::NotEqual => (" !== ", Level::Equality),
            BinaryOp::Less => (" < ", Level::Order),
            BinaryOp::Greater => (" > ", Level::Order),
            BinaryOp::LessEqual => (" <= ", Level::Order),
            BinaryOp::GreaterEqual => (" >= ", Level::Order),
            BinaryOp::Concat | BinaryOp::Add => (" + ", Level::Additive),
            BinaryOp::Subtract => (" - ", Level::Additive),
            BinaryOp::Multiply => (" * ", Level::Multiplicative),
            BinaryOp::Remainder => (" % ", Level::Multiplicative),
            BinaryOp::Power => (" ** ", Level::Power),
        };
        let (left_level, right_level) = match level {
            // As in Clank, `&&` binds tighter.
            Level::Or => (Level::Or, Level::And),
            Level::And => (Level::And, Level::Equality),
            // `-a ** b` is a syntax error in JavaScript.
            Level::Power => (Level::Call, Level::Power),
            Level::Equality => (Level::Order, Level::Order),
            Level::Order => (Level::Additive, Level::Additive),
            Level::Additive => (Level::Additive, Level::Multiplicative),
            _ => (Level::Multiplicative, Level::Power),
        };
        self.operand((0, left), left_level, values, to);
        to.push(text);
        self.operand((1, right), right_level, values, to);
        Written::at(level)
    }

    /// Whether the value is certainly not an object, so that `===` compares it.
    fn is_plain(&self, expr: &Expr) -> bool {
        self.primitive(expr).is_some() || matches!(expr.kind, ExprKind::Literal(_))
    }

    /// Whether the value is certainly a string, so that `+` concatenates it.
    fn is_text(&self, expr: &Expr) -> bool {
        self.primitive(expr) == Some(Primitive::Str) || matches!(expr.kind, ExprKind::Literal(_))
    }

    fn primitive(&self, expr: &Expr) -> Option<Primitive> {
        self.typing.primitive(self.typing.of_node(expr.id)?)
    }
}

pub(super) fn call(function: &str, args: impl IntoIterator<Item = Code>) -> Value {
    let mut code = Code::from(function);
    code.push("(");
    for (at, arg) in args.into_iter().enumerate() {
        if at > 0 {
            code.push(", ");
        }
        code.append(arg);
    }
    code.push(")");
    Value::new(code, Level::Call)
}

pub(super) fn write_literal(literal: &Literal, to: &mut Code) -> Written {
    match literal {
        Literal::Int { value, .. } => {
            to.push(value);
            to.push("n");
        }
        Literal::Float(value) => to.push(&float(*value)),
        Literal::Str(value) | Literal::Template(value) => to.push(&quoted(value)),
        Literal::Bool(value) => to.push(if *value { "true" } else { "false" }),
        Literal::Unit => to.push(UNDEFINED),
    }
    Written::STABLE
}

fn float(value: f64) -> String {
    if value.is_finite() {
        // `{:?}` prints a number that JavaScript reads back unchanged.
        format!("{value:?}")
    } else if value.is_nan() {
        "NaN".to_owned()
    } else if value > 0.0 {
        "Infinity".to_owned()
    } else {
        "(-Infinity)".to_owned()
    }
}
