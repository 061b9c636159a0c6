//! Keeps the evaluation order if values need statements before them.

use super::Emitter;
use super::code::{Code, Line, Value};
use crate::ast::Expr;

impl<'a> Emitter<'a> {
    /// The values of expressions that are evaluated in this order. If the statements of a later
    /// expression could change an earlier value, that value is stored in a variable first.
    pub(super) fn values(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<Value> {
        let mut values = Vec::new();
        let mut needed = Vec::new();
        for expr in exprs {
            let (value, lines) = self.captured(|it| it.value(expr));
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

    /// Stores the value in a variable, unless it is stable.
    fn kept(&mut self, value: Value) -> Value {
        if value.is.stable {
            return value;
        }
        let name = self.scopes.fresh("value", self.globals);
        let line = Code::from("const ").then(&*name).then(" = ");
        self.line(line.then(value.code).then(";"));
        Value::stable(&*name)
    }

    /// Adds lines that were written separately, at the current indentation.
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
