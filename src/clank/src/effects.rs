//! Effects: what a function does beside computing must be declared. Owns E4001 and E4002.

use crate::ast::{Ast, BinaryOp, Decl, DeclKind, Expr, ExprKind, NodeRef};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::types::{Effects, Typing};

/// Compares what each function declares with what its body calls.
pub fn check(ast: &Ast, typing: &Typing, diagnostics: &mut Vec<Diagnostic>) {
    for decl in &ast.program.declarations {
        if let DeclKind::Fn(function) = &decl.kind {
            let declared = typing.of_node(decl.id).map(|ty| typing.effects_of(ty));
            let body = Body {
                ast,
                typing,
                decl,
                name: &function.signature.name.text,
                declared: declared.unwrap_or_default(),
            };
            // Lambdas run in the context of the function they are written in.
            NodeRef::Block(&function.body).each(&mut |node| {
                if let NodeRef::Expr(expr) = node {
                    body.expr(expr, diagnostics);
                }
            });
        }
    }
}

struct Body<'a> {
    ast: &'a Ast,
    typing: &'a Typing,
    decl: &'a Decl,
    name: &'a str,
    declared: Effects,
}

impl Body<'_> {
    fn expr(&self, expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        match &expr.kind {
            ExprKind::Call { callee, .. } => self.call(expr, callee, diagnostics),
            ExprKind::Binary {
                op: BinaryOp::Pipe,
                right,
                ..
            } => self.call(expr, right, diagnostics),
            ExprKind::Propagate(_) if !self.declared.contains(Effects::of("Err")) => {
                let name = self.name;
                let message =
                    format!("`?` needs the effect `Err`, which `{name}` does not declare");
                let payload = Payload::UnhandledEffect {
                    effect: "Err".to_owned(),
                    function: name.to_owned(),
                    function_node_id: self.ast.ids.name(self.decl.id),
                };
                diagnostics.push(Diagnostic::new(
                    Code::E4002,
                    expr.id,
                    expr.span,
                    message,
                    payload,
                ));
            }
            _ => {}
        }
    }

    fn call(&self, expr: &Expr, callee: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        let Some(function) = self.typing.of_node(callee.id) else {
            return;
        };
        let undeclared = self.typing.effects_of(function).without(self.declared);
        for effect in undeclared.names() {
            let callee = match &callee.kind {
                ExprKind::Ident(name) => Some(name.to_string()),
                _ => None,
            };
            let name = self.name;
            let called = callee.as_deref().unwrap_or("this function");
            let message =
                format!("`{called}` has the effect `{effect}`, which `{name}` does not declare");
            let payload = Payload::EffectNotAllowed {
                effect: effect.to_owned(),
                function: name.to_owned(),
                callee,
                function_node_id: self.ast.ids.name(self.decl.id),
            };
            diagnostics.push(Diagnostic::new(
                Code::E4001,
                expr.id,
                expr.span,
                message,
                payload,
            ));
        }
    }
}
