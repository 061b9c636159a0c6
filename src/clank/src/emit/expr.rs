//! Expressions as values. Statements that a value needs are written to the lines before it.

use super::code::{Code, Level, Line, Value};
use super::names::{TAG, key, quoted, spelled};
use super::stmt::Place;
use super::{EmitError, Emitter};
use crate::ast::{BinaryOp, Block, Expr, ExprKind, LambdaParam, Literal, UnaryOp};
use crate::names::Primitive;
use crate::types::TyKind;

/// Longer chains of `else if` are statements.
const LONGEST_CHAIN: usize = 16;

impl<'a> Emitter<'a> {
    pub(super) fn value(&mut self, expr: &'a Expr) -> Value {
        let mut value = self.unmarked(expr);
        value.code = self.marked(expr, value.code);
        value
    }

    fn unmarked(&mut self, expr: &'a Expr) -> Value {
        match &expr.kind {
            ExprKind::Literal(Literal::Template(_)) => self.template(expr.id),
            ExprKind::Literal(value) => literal(value),
            ExprKind::Ident(name) => self.name(name),
            ExprKind::Unary { op, operand } => {
                let operand = self.value(operand).at(Level::Unary);
                let op = match op {
                    // `--x` is another operator.
                    UnaryOp::Negate if operand.text.starts_with('-') => "- ",
                    UnaryOp::Negate => "-",
                    UnaryOp::Not => "!",
                };
                Value::new(Code::from(op).then(operand), Level::Unary)
            }
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right),
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::Index { object, index } => {
                let [list, index] = self.two(object, index);
                let list = self.as_list(object, list);
                call("__clank.at", [list, index.code])
            }
            ExprKind::Field {
                object,
                field: name,
            } => {
                let object = self.value(object).at(Level::Call);
                let access = object.then(".").then(&*name.text);
                Value::new(access, Level::Call)
            }
            ExprKind::Lambda { params, body } => self.lambda(expr, params, body),
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
            ExprKind::Array(elements) => {
                let elements = self.values(elements);
                list("[", elements.into_iter().map(|it| it.code), "]")
            }
            ExprKind::Tuple(elements) => {
                let elements = self.values(elements);
                let mut value = list("[", elements.into_iter().map(|it| it.code), "]");
                let open = self.typed(|| "(".to_owned());
                let as_tuple = self.typed(|| " as const)".to_owned());
                value.code = Code::from(open).then(value.code).then(as_tuple);
                value
            }
            ExprKind::Record(fields) => {
                let values = self.values(fields.iter().map(|it| &it.value));
                let named = fields.iter().zip(values);
                let named = named
                    .map(|(it, value)| Code::from(key(&it.name.text)).then(": ").then(value.code));
                let made = list("{ ", named, " }");
                if fields.iter().any(|it| it.name.text == TAG) {
                    call("__clank.record", [made.code])
                } else {
                    made
                }
            }
            ExprKind::Range {
                start,
                end,
                inclusive,
            } => {
                let [start, end] = self.two(start, end);
                let inclusive = Code::from(inclusive.to_string());
                call("__clank.range", [start.code, end.code, inclusive])
            }
            ExprKind::Propagate(inner) => {
                let inner = self.value(inner);
                call("__clank.propagate", [inner.code])
            }
            ExprKind::Hole(name) => {
                self.fail(EmitError::Hole {
                    node: expr.id,
                    name: name.to_string(),
                });
                Value::undefined()
            }
        }
    }

    /// A variable, something the program declares, or something built in.
    fn name(&self, name: &str) -> Value {
        if let Some(binding) = self.scopes.find(name) {
            let value = Value::stable(&binding.spelled);
            return Value {
                stable: !binding.is_mutable,
                ..value
            };
        }
        if self.globals.values.contains(name) {
            return Value::stable(spelled(name));
        }
        match name {
            // How the canonical form writes a range.
            "__range" => Value::stable("__clank.range"),
            _ => Value::stable(format!("__clank.{name}")),
        }
    }

    fn call(&mut self, callee: &'a Expr, args: &'a [Expr]) -> Value {
        // The canonical form names a check around each call of an external function; the function
        // itself does it, as it may also be passed on.
        if let (ExprKind::Ident(name), [checked]) = (&callee.kind, args)
            && name.starts_with("__validate_")
            && !self.globals.values.contains(name.as_str())
        {
            return self.value(checked);
        }
        let mut values = self.values([callee].into_iter().chain(args)).into_iter();
        let callee = values.next().unwrap_or_else(Value::undefined);
        let args = values.map(|it| it.code);
        let callee = callee.at(Level::Call);
        Value::new(callee.listing("(", args, ")"), Level::Call)
    }

    fn binary(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Value {
        let (text, level) = match op {
            BinaryOp::Or | BinaryOp::And => return self.short_circuit(op, left, right),
            BinaryOp::Pipe => {
                let [argument, callee] = self.two(left, right);
                let callee = callee.at(Level::Call);
                let code = callee.then("(").then(argument.code).then(")");
                return Value::new(code, Level::Call);
            }
            BinaryOp::Equal | BinaryOp::NotEqual
                if !self.is_plain(left) && !self.is_plain(right) =>
            {
                let [left, right] = self.two(left, right);
                let equal = call("__clank.equal", [left.code, right.code]);
                return if op == BinaryOp::Equal {
                    equal
                } else {
                    Value::new(Code::from("!").then(equal.code), Level::Unary)
                };
            }
            BinaryOp::Concat if !self.is_text(left) && !self.is_text(right) => {
                let [left, right] = self.two(left, right);
                return call("__clank.append", [left.code, right.code]);
            }
            BinaryOp::Divide => {
                let [left, right] = self.two(left, right);
                return call("__clank.divide", [left.code, right.code]);
            }
            BinaryOp::Equal => ("===", Level::Equality),
            BinaryOp::NotEqual => ("!==", Level::Equality),
            BinaryOp::Less => ("<", Level::Order),
            BinaryOp::Greater => (">", Level::Order),
            BinaryOp::LessEqual => ("<=", Level::Order),
            BinaryOp::GreaterEqual => (">=", Level::Order),
            BinaryOp::Concat | BinaryOp::Add => ("+", Level::Additive),
            BinaryOp::Subtract => ("-", Level::Additive),
            BinaryOp::Multiply => ("*", Level::Multiplicative),
            BinaryOp::Remainder => ("%", Level::Multiplicative),
            BinaryOp::Power => ("**", Level::Power),
        };
        let [left, right] = self.two(left, right);
        let (left_level, right_level) = match level {
            // `-a ** b` is no JavaScript, whichever is meant.
            Level::Power => (Level::Call, Level::Power),
            Level::Equality => (Level::Order, Level::Order),
            Level::Order => (Level::Additive, Level::Additive),
            Level::Additive => (Level::Additive, Level::Multiplicative),
            _ => (Level::Multiplicative, Level::Power),
        };
        let code = left.at(left_level).then(" ").then(text).then(" ");
        Value::new(code.then(right.at(right_level)), level)
    }

    /// Whether the value is certainly no object, so that `===` compares it.
    fn is_plain(&self, expr: &Expr) -> bool {
        self.primitive(expr).is_some() || matches!(expr.kind, ExprKind::Literal(_))
    }

    /// Whether the value is certainly text, so that `+` joins it.
    fn is_text(&self, expr: &Expr) -> bool {
        self.primitive(expr) == Some(Primitive::Str) || matches!(expr.kind, ExprKind::Literal(_))
    }

    fn primitive(&self, expr: &Expr) -> Option<Primitive> {
        self.typing.primitive(self.typing.of_node(expr.id)?)
    }

    /// `&&` and `||`. Statements of the right side are for the case only that it is evaluated.
    fn short_circuit(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Value {
        let left = self.value(left);
        let (right, lines) = self.apart(|it| it.value(right));
        let (text, level) = match op {
            BinaryOp::And => (" && ", Level::And),
            _ => (" || ", Level::Or),
        };
        if lines.is_empty() {
            // As in Clank, `&&` binds tighter.
            let right_level = match level {
                Level::And => Level::Equality,
                _ => Level::And,
            };
            let code = left.at(level).then(text).then(right.at(right_level));
            return Value::new(code, level);
        }
        let result = self.scopes.fresh("test", self.globals);
        self.line(
            Code::from("let ")
                .then(&result)
                .then(" = ")
                .then(left.code)
                .then(";"),
        );
        let condition = match op {
            BinaryOp::And => result.clone(),
            _ => format!("!{result}"),
        };
        self.line(format!("if ({condition}) {{"));
        self.indented(|it| {
            it.place_lines(lines);
            it.line(Code::from(&result).then(" = ").then(right.code).then(";"));
        });
        self.line("}");
        Value::new(result, Level::Call)
    }

    /// `condition ? a : b`, where neither branch needs statements.
    fn conditional(
        &mut self,
        condition: &'a Expr,
        then_branch: &'a Block,
        else_branch: &'a Expr,
    ) -> Option<Value> {
        let then_tail = only_tail(then_branch)?;
        let else_tail = match &else_branch.kind {
            ExprKind::Block(block) => only_tail(block)?,
            _ => else_branch,
        };
        if !is_simple(then_tail) || !is_simple(else_tail) {
            return None;
        }
        let condition = self.value(condition).at(Level::Or);
        let then_value = self.value(then_tail).at(Level::Conditional);
        let else_value = self.value(else_tail).at(Level::Conditional);
        let code = condition
            .then(" ? ")
            .then(then_value)
            .then(" : ")
            .then(else_value);
        Some(Value::new(code, Level::Conditional))
    }

    /// Writes the expression as statements that leave its value in a variable.
    fn through_variable(&mut self, expr: &'a Expr) -> Value {
        let result = self.scopes.fresh("value", self.globals);
        let annotation = self.annotation_of(expr.id);
        self.line(format!("let {result}{annotation};"));
        self.statements(expr, &Place::Variable(result.clone()));
        Value::new(result, Level::Call)
    }

    fn lambda(&mut self, whole: &'a Expr, params: &'a [LambdaParam], body: &'a Expr) -> Value {
        self.scopes.enter();
        let function = self.typing.of_node(whole.id);
        let inferred = match function.map(|ty| self.typing.arena.kind(self.typing.arena.base(ty))) {
            Some(TyKind::Function { params, .. }) => params.as_slice(),
            _ => &[],
        };
        let mut spelled = Vec::new();
        for (position, param) in params.iter().enumerate() {
            let name = self.scopes.fresh(&param.name.text, self.globals);
            self.scopes.bind(&param.name.text, name.clone(), false);
            let annotation = self.typed(|| match (&param.ty, inferred.get(position)) {
                (Some(ty), _) => format!(": {}", self.type_text(ty)),
                (None, Some(ty)) => format!(": {}", self.inferred_text(*ty)),
                (None, None) => ": any".to_owned(),
            });
            spelled.push(Code::from(name + &annotation));
        }
        let loops = std::mem::take(&mut self.function.loops);
        self.function.lambdas += 1;
        let head = list("(", spelled, ") => ").code;
        let ((), lines) = self.apart(|it| it.indented(|it| it.statements(body, &Place::Return)));
        self.function.lambdas -= 1;
        self.function.loops = loops;
        self.scopes.leave();
        let code = match as_returned(&lines) {
            Some(value) if value.text.starts_with('{') => head.then("(").then(value).then(")"),
            Some(value) => head.then(value),
            None => head.then(self.inline_block(lines)),
        };
        Value {
            stable: true,
            ..Value::new(code, Level::Arrow)
        }
    }

    /// The lines as a block within an expression.
    fn inline_block(&self, lines: Vec<Line>) -> Code {
        let mut code = Code::from("{\n");
        for line in lines {
            let indent = "  ".repeat(line.indent);
            code = code.then(indent).then(line.code).then("\n");
        }
        code.then("  ".repeat(self.indent)).then("}")
    }

    fn two(&mut self, first: &'a Expr, second: &'a Expr) -> [Value; 2] {
        let first = self.value(first);
        let (second, lines) = self.apart(|it| it.value(second));
        if lines.is_empty() {
            return [first, second];
        }
        let first = self.kept(first);
        self.place_lines(lines);
        [first, second]
    }

    /// The values of expressions that are evaluated in this order. What a later one's statements
    /// could change is put into a variable before them.
    pub(super) fn values(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<Value> {
        let mut values = Vec::new();
        let mut needed = Vec::new();
        for expr in exprs {
            let (value, lines) = self.apart(|it| it.value(expr));
            if !lines.is_empty() {
                needed.push((values.len(), lines));
            }
            values.push(value);
        }
        let mut evaluated = 0;
        for (position, lines) in needed {
            for value in values.iter_mut().take(position).skip(evaluated) {
                let early = std::mem::replace(value, Value::undefined());
                *value = self.kept(early);
            }
            self.place_lines(lines);
            evaluated = position;
        }
        values
    }

    /// The value in a variable, unless nothing changes it.
    fn kept(&mut self, value: Value) -> Value {
        if value.stable {
            return value;
        }
        let name = self.scopes.fresh("value", self.globals);
        let line = Code::from("const ").then(&name).then(" = ");
        self.line(line.then(value.code).then(";"));
        Value::stable(name)
    }

    /// Adds lines that were written apart, and stand now where the emitter is.
    pub(super) fn place_lines(&mut self, lines: Vec<Line>) {
        let outermost = lines
            .iter()
            .map(|line| line.indent)
            .min()
            .unwrap_or_default();
        for line in lines {
            self.lines.push(Line {
                indent: line.indent - outermost + self.indent,
                code: line.code,
            });
        }
    }
}

pub(super) fn call(function: &str, args: impl IntoIterator<Item = Code>) -> Value {
    Value::new(Code::from(function).listing("(", args, ")"), Level::Call)
}

pub(super) fn list(open: &str, parts: impl IntoIterator<Item = Code>, close: &str) -> Value {
    Value::new(Code::default().listing(open, parts, close), Level::Call)
}

pub(super) fn literal(literal: &Literal) -> Value {
    match literal {
        Literal::Int { value, .. } => Value::stable(format!("{value}n")),
        Literal::Float(value) => Value::stable(float(*value)),
        Literal::Str(value) | Literal::Template(value) => Value::stable(quoted(value)),
        Literal::Bool(value) => Value::stable(value.to_string()),
        Literal::Unit => Value::undefined(),
    }
}

fn float(value: f64) -> String {
    if value.is_finite() {
        // `{:?}` writes what reads back as the same number, in JavaScript too.
        format!("{value:?}")
    } else if value.is_nan() {
        "NaN".to_owned()
    } else if value > 0.0 {
        "Infinity".to_owned()
    } else {
        "(-Infinity)".to_owned()
    }
}

fn only_tail(block: &Block) -> Option<&Expr> {
    let tail = block.tail.as_deref()?;
    block.statements.is_empty().then_some(tail)
}

/// Whether the expression is written without statements.
pub(super) fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Ident(_) | ExprKind::Hole(_) => true,
        // What its body needs stays in its body.
        ExprKind::Lambda { .. } => true,
        ExprKind::Unary { operand, .. } => is_simple(operand),
        ExprKind::Binary { left, right, .. } => is_simple(left) && is_simple(right),
        ExprKind::Call { callee, args } => is_simple(callee) && args.iter().all(is_simple),
        ExprKind::Index { object, index } => is_simple(object) && is_simple(index),
        ExprKind::Field { object, .. } => is_simple(object),
        ExprKind::If {
            condition,
            then_branch,
            else_branch,
        } => {
            is_short_chain(expr)
                && is_simple(condition)
                && only_tail(&then_branch.kind).is_some_and(is_simple)
                && else_branch.as_deref().is_some_and(is_simple)
        }
        ExprKind::Block(block) => match &block.tail {
            Some(tail) => block.statements.is_empty() && is_simple(tail),
            None => block.statements.is_empty(),
        },
        ExprKind::Array(elements) | ExprKind::Tuple(elements) => elements.iter().all(is_simple),
        ExprKind::Record(fields) => fields.iter().all(|it| is_simple(&it.value)),
        ExprKind::Range { start, end, .. } => is_simple(start) && is_simple(end),
        ExprKind::Propagate(inner) => is_simple(inner),
        ExprKind::Match { .. } => false,
    }
}

/// Whether an `if` has few enough of `else if` to be read as one expression.
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

/// The value of lines that do nothing but return it.
fn as_returned(lines: &[Line]) -> Option<Code> {
    let [line] = lines else {
        return None;
    };
    line.code.between("return ", ";")
}
