//! Checks statements.

use fixpoint_report::Confidence;

use super::TyKind;
use super::check::Checker;
use crate::ast::{Expr, ExprKind, PatternKind, Stmt, StmtKind};
use crate::diagnostic::{Code, Diagnostic, Hint, Payload, Related, Strategy};
use crate::names::{Binding, Def, Origin, Primitive};

impl Checker<'_, '_> {
    pub fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Let {
                pattern,
                ty,
                init,
                mutable,
            } => {
                let bound = match ty {
                    Some(ty) => {
                        let binder = match &pattern.kind {
                            PatternKind::Ident(name) => name,
                            _ => "",
                        };
                        let declared = self.annotation(ty, binder);
                        self.check(init, declared);
                        declared
                    }
                    None => self.infer(init),
                };
                self.pattern(pattern, bound);
                if *mutable && ty.is_none() {
                    self.unrefine_binders(pattern);
                }
            }
            StmtKind::Assign { target, value } => {
                let expected = self.infer(target);
                self.check(value, expected);
                self.check_mutable(statement, target);
            }
            StmtKind::Expr(expr) => {
                self.infer(expr);
            }
            StmtKind::For {
                pattern,
                iterable,
                body,
            } => {
                let iterated = self.infer(iterable);
                let base = self.arena.base(iterated);
                let element = match self.arena.kind(base) {
                    TyKind::Array(element) => *element,
                    _ if self.arena.is_poisoned(base) => self.arena.poison(),
                    _ => {
                        self.not_iterable(statement, base);
                        self.arena.poison()
                    }
                };
                self.pattern(pattern, element);
                let body_type = self.block(&body.kind);
                self.set_type(body.id, body_type);
            }
            StmtKind::While { condition, body } => {
                let bool = self.prim(Primitive::Bool);
                self.check(condition, bool);
                let body_type = self.block(&body.kind);
                self.set_type(body.id, body_type);
            }
            StmtKind::Loop(body) => {
                let body_type = self.block(&body.kind);
                self.set_type(body.id, body_type);
            }
            StmtKind::Return(value) => self.return_statement(statement, value.as_ref()),
            StmtKind::Assert { condition, .. } => {
                let bool = self.prim(Primitive::Bool);
                self.check(condition, bool);
            }
            StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn not_iterable(&mut self, statement: &Stmt, ty: super::Ty) {
        let actual = self.arena.show(ty);
        let message = format!("`for` goes over arrays, found `{actual}`");
        self.report(Diagnostic::new(
            Code::E2010,
            statement.id,
            statement.span,
            message,
            Payload::NotIterable { actual },
        ));
    }

    /// A `return` inside a lambda returns from the enclosing function.
    fn return_statement(&mut self, statement: &Stmt, value: Option<&Expr>) {
        let Some(expected) = self.returns else {
            return;
        };
        match value {
            Some(value) => {
                self.check(value, expected);
            }
            None => {
                let unit = self.unit();
                if self.arena.unify(expected, unit).is_err() {
                    let expected = self.arena.show(expected);
                    let message = format!("expected `{expected}`, but nothing is returned");
                    let payload = Payload::TypeMismatch {
                        expected,
                        actual: Primitive::Unit.name().to_owned(),
                        of: None,
                    };
                    self.report(Diagnostic::new(
                        Code::E2001,
                        statement.id,
                        statement.span,
                        message,
                        payload,
                    ));
                }
            }
        }
    }

    /// Only `let mut` may be assigned to. Fields and elements are not checked.
    fn check_mutable(&mut self, statement: &Stmt, target: &Expr) {
        let name = match &target.kind {
            ExprKind::Ident(name) => name,
            ExprKind::Index { .. } | ExprKind::Field { .. } | ExprKind::Hole(_) => return,
            _ => {
                let message = "only a variable, a field or an element can be assigned to";
                return self.not_assignable(statement, message.to_owned());
            }
        };
        let binding = match self.names.of_use(target.id) {
            Some(Def::Local(binding)) => binding,
            Some(_) => {
                let message = format!("`{name}` is not a variable, and cannot be assigned to");
                return self.not_assignable(statement, message);
            }
            None => return,
        };
        let Some(binding) = self.names.binding(binding).filter(|it| !it.mutable) else {
            return;
        };
        let (declaration, is_let) = match binding.origin {
            Origin::Let { statement, .. } => (statement, true),
            _ => (binding.node, false),
        };
        let payload = Payload::ImmutableAssign {
            name: name.to_string(),
            declaration_node_id: self.ids.name(declaration),
            is_let,
        };
        let message = format!("Cannot assign to immutable variable '{name}'");
        let mut diagnostic =
            Diagnostic::new(Code::E2013, statement.id, statement.span, message, payload);
        diagnostic.related.push(bound_here(binding));
        if is_let {
            diagnostic.hints.push(Hint {
                strategy: Strategy::AddMut,
                description: format!("declare `{name}` as mutable"),
                template: Some(format!("let mut {name}")),
                confidence: Confidence::High,
            });
        }
        self.report(diagnostic);
    }

    fn not_assignable(&mut self, statement: &Stmt, message: String) {
        let payload = Payload::NotAssignable;
        let (id, span) = (statement.id, statement.span);
        self.report(Diagnostic::new(Code::E2013, id, span, message, payload));
    }
}

fn bound_here(binding: &Binding) -> Related {
    Related {
        message: format!("`{}` is bound here", binding.name),
        node: Some(binding.node),
        span: binding.span,
    }
}
