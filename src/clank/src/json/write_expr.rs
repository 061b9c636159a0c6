//! Writes blocks, statements, expressions and patterns.

use fixpoint_text::Span;

use super::sink::Sink;
use super::write::{Form, Writer};
use crate::ast::{
    Arm, Block, BlockNode, Expr, ExprKind, Literal, NodeId, Pattern, PatternKind, Stmt, StmtKind,
};

impl<S: Sink> Writer<'_, S> {
    pub(super) fn body(&mut self, key: &'static str, block: &BlockNode) {
        self.to.key(key);
        self.block(block.id, block.span, &block.kind);
    }

    pub(super) fn block(&mut self, id: NodeId, span: Span, block: &Block) {
        self.open("block", id, span);
        self.list("statements", &block.statements, Self::stmt);
        self.optional_expr("expr", block.tail.as_deref());
        self.close();
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        let (id, span) = (stmt.id, stmt.span);
        match &stmt.kind {
            StmtKind::Let {
                pattern,
                ty,
                mutable,
                init,
            } => {
                self.open("let", id, span);
                self.one_pattern("pattern", pattern);
                if let Some(ty) = ty {
                    self.one_type("type", ty);
                }
                self.flag("mutable", *mutable);
                self.one("init", init);
            }
            StmtKind::Assign { target, value } => {
                self.open("assign", id, span);
                self.one("target", target);
                self.one("value", value);
            }
            StmtKind::Expr(expr) => {
                self.open("expr", id, span);
                self.one("expr", expr);
            }
            StmtKind::For {
                pattern,
                iterable,
                body,
            } => {
                self.open("for", id, span);
                self.one_pattern("pattern", pattern);
                self.one("iterable", iterable);
                self.body("body", body);
            }
            StmtKind::While { condition, body } => {
                self.open("while", id, span);
                self.one("condition", condition);
                self.body("body", body);
            }
            StmtKind::Loop(body) => {
                self.open("loop", id, span);
                self.body("body", body);
            }
            StmtKind::Return(value) => {
                self.open("return", id, span);
                self.optional_expr("value", value.as_ref());
            }
            StmtKind::Break => self.open("break", id, span),
            StmtKind::Continue => self.open("continue", id, span),
            StmtKind::Assert { condition, message } => {
                self.open("assert", id, span);
                self.one("condition", condition);
                if let Some(message) = message {
                    self.text("message", message);
                }
            }
        }
        self.close();
    }

    pub(super) fn one(&mut self, key: &'static str, expr: &Expr) {
        self.to.key(key);
        self.expr(expr);
    }

    pub(super) fn optional_expr(&mut self, key: &'static str, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.one(key, expr);
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        let (id, span) = (expr.id, expr.span);
        match &expr.kind {
            ExprKind::Literal(literal) => {
                self.open("literal", id, span);
                self.literal(literal);
            }
            ExprKind::Ident(name) => {
                self.open("ident", id, span);
                self.text("name", name);
            }
            ExprKind::Unary { op, operand } => {
                self.open("unary", id, span);
                self.op(op.text());
                self.one("operand", operand);
            }
            ExprKind::Binary { op, left, right } => {
                self.open("binary", id, span);
                self.op(op.text());
                self.one("left", left);
                self.one("right", right);
            }
            ExprKind::Call { callee, args } => {
                self.open("call", id, span);
                self.one("callee", callee);
                self.list("args", args, Self::expr);
            }
            ExprKind::Index { object, index } => {
                self.open("index", id, span);
                self.one("object", object);
                self.one("index", index);
            }
            ExprKind::Field { object, field } => {
                self.open("field", id, span);
                self.one("object", object);
                self.text("field", &field.text);
            }
            ExprKind::Lambda { params, body } => {
                self.open("lambda", id, span);
                self.list("params", params, |it, param| {
                    it.named(param.id, &param.name, param.ty.as_ref());
                });
                self.one("body", body);
            }
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                self.open("if", id, span);
                self.one("condition", condition);
                self.body("thenBranch", then_branch);
                self.optional_expr("elseBranch", else_branch.as_deref());
            }
            ExprKind::Match { scrutinee, arms } => {
                self.open("match", id, span);
                self.one("scrutinee", scrutinee);
                self.list("arms", arms, Self::arm);
            }
            ExprKind::Block(block) => return self.block(id, span, block),
            ExprKind::Array(elements) => {
                self.open("array", id, span);
                self.list("elements", elements, Self::expr);
            }
            ExprKind::Tuple(elements) => {
                self.open("tuple", id, span);
                self.list("elements", elements, Self::expr);
            }
            ExprKind::Record(fields) => {
                self.open("record", id, span);
                self.list("fields", fields, |it, field| {
                    it.to.open();
                    it.text("name", &field.name.text);
                    it.id(field.id);
                    it.one("value", &field.value);
                    it.close();
                });
            }
            ExprKind::Range {
                start,
                end,
                inclusive,
            } => {
                self.open("range", id, span);
                self.one("start", start);
                self.one("end", end);
                self.flag("inclusive", *inclusive);
            }
            ExprKind::Propagate(inner) => {
                self.open("propagate", id, span);
                self.one("expr", inner);
            }
            ExprKind::Hole(name) => {
                self.to.open();
                self.text("hole_ref", name);
                self.id(id);
            }
        }
        self.close();
    }

    pub(super) fn arm(&mut self, arm: &Arm) {
        self.to.open();
        self.id(arm.id);
        self.one_pattern("pattern", &arm.pattern);
        self.optional_expr("guard", arm.guard.as_deref());
        self.one("body", &arm.body);
        self.close();
    }

    pub(super) fn literal(&mut self, literal: &Literal) {
        self.to.key("value");
        self.to.open();
        match literal {
            Literal::Int { value, suffix } => {
                self.kind("int");
                self.text("value", value);
                match suffix {
                    Some(suffix) => self.text("suffix", suffix.text()),
                    None if self.form == Form::Full => {
                        self.to.key("suffix");
                        self.to.null();
                    }
                    None => {}
                }
            }
            Literal::Float(value) => {
                self.kind("float");
                self.to.key("value");
                self.to.float(*value);
            }
            Literal::Str(value) => {
                self.kind("string");
                self.text("value", value);
            }
            Literal::Template(value) => {
                self.kind("template");
                self.text("value", value);
            }
            Literal::Bool(value) => {
                self.kind("bool");
                self.to.key("value");
                self.to.bool(*value);
            }
            Literal::Unit => self.kind("unit"),
        }
        self.close();
    }

    fn op(&mut self, op: &'static str) {
        self.to.key("op");
        self.to.plain(op);
    }

    fn kind(&mut self, kind: &'static str) {
        self.to.key("kind");
        self.to.plain(kind);
    }

    pub(super) fn one_pattern(&mut self, key: &'static str, pattern: &Pattern) {
        self.to.key(key);
        self.pattern(pattern);
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        let (id, span) = (pattern.id, pattern.span);
        match &pattern.kind {
            PatternKind::Wildcard => self.open("wildcard", id, span),
            PatternKind::Ident(name) => {
                self.open("ident", id, span);
                self.text("name", name);
            }
            PatternKind::Literal(literal) => {
                self.open("literal", id, span);
                self.literal(literal);
            }
            PatternKind::Tuple(elements) => {
                self.open("tuple", id, span);
                self.list("elements", elements, Self::pattern);
            }
            PatternKind::Record(fields) => {
                self.open("record", id, span);
                self.list("fields", fields, |it, field| {
                    it.to.open();
                    it.text("name", &field.name.text);
                    it.id(field.id);
                    if let Some(pattern) = &field.pattern {
                        it.one_pattern("pattern", pattern);
                    }
                    it.close();
                });
            }
            PatternKind::Variant { name, payload } => {
                self.open("variant", id, span);
                self.text("name", &name.text);
                if let Some(payload) = payload {
                    self.list("payload", payload, Self::pattern);
                }
            }
        }
        self.close();
    }
}
