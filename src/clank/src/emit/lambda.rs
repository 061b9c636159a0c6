//! Emits lambdas.

use super::Emitter;
use super::code::{Code, Level, Line, UNDEFINED, Written};
use super::stmt::Place;
use crate::ast::{Expr, ExprKind, LambdaParam};
use crate::types::TyKind;

impl<'a> Emitter<'a> {
    pub(super) fn lambda(
        &mut self,
        whole: &'a Expr,
        params: &'a [LambdaParam],
        body: &'a Expr,
        to: &mut Code,
    ) -> Written {
        self.scopes.enter();
        let function = self.typing.of_node(whole.id);
        let inferred = match function.map(|ty| self.typing.arena.kind(self.typing.arena.base(ty))) {
            Some(TyKind::Function { params, .. }) => params.as_slice(),
            _ => &[],
        };
        to.push("(");
        for (position, param) in params.iter().enumerate() {
            if position > 0 {
                to.push(", ");
            }
            let name = self.scopes.fresh(&param.name.text, self.globals);
            to.push(&name);
            self.scopes.bind(&param.name.text, name, false);
            to.push(&self.typed(|it| match (&param.ty, inferred.get(position)) {
                (Some(ty), _) => self.annotation(ty, it),
                (None, Some(ty)) => self.inferred_annotation(*ty, it),
                (None, None) => *it += ": any",
            }));
        }
        to.push(") => ");
        let loops = std::mem::take(&mut self.function.loops);
        self.function.lambdas += 1;
        self.lambda_body(body, to);
        self.function.lambdas -= 1;
        self.function.loops = loops;
        self.scopes.leave();
        Written {
            stable: true,
            ..Written::at(Level::Arrow)
        }
    }

    /// Emits the body of a lambda: an expression if possible, otherwise a block.
    fn lambda_body(&mut self, body: &'a Expr, to: &mut Code) {
        let has_branches = matches!(body.kind, ExprKind::If { .. } | ExprKind::Block(_));
        let start = to.end();
        if !has_branches && self.is_simple(body) {
            self.write(body, to);
            if to.since(start) != UNDEFINED {
                if to.since(start).starts_with('{') {
                    to.parenthesise(start);
                }
                return;
            }
            to.cut(start);
        }
        let ((), lines) = self.captured(|it| it.indented(|it| it.statements(body, &Place::Return)));
        match as_returned(&lines) {
            Some(value) => {
                to.append(value);
                if to.since(start).starts_with('{') {
                    to.parenthesise(start);
                }
            }
            None => to.append(self.inline_block(lines)),
        }
    }

    /// The lines as a block inside an expression.
    fn inline_block(&self, lines: Vec<Line>) -> Code {
        let mut code = Code::from("{\n");
        for line in lines {
            let indent = "  ".repeat(line.indent);
            code = code.then(indent).then(line.code).then("\n");
        }
        code.then("  ".repeat(self.indent)).then("}")
    }
}

/// The returned value, if the lines consist of a single `return`.
fn as_returned(lines: &[Line]) -> Option<Code> {
    let [line] = lines else {
        return None;
    };
    line.code.between("return ", ";")
}
