//! Writing blocks, statements, expressions and patterns.

use fixpoint_text::Span;

use super::value::Json;
use super::write::{Form, Writer};
use crate::ast::{
    Arm, Block, Expr, ExprKind, Literal, NodeId, Pattern, PatternKind, Stmt, StmtKind,
};

impl Writer<'_> {
    pub(super) fn block(&self, id: NodeId, span: Span, block: &Block) -> Json {
        let members = [
            (
                "statements",
                self.list(&block.statements, |it| self.stmt(it)),
            ),
            ("expr", block.tail.as_ref().map(|it| self.expr(it))),
        ];
        self.node("block", id, span, members)
    }

    pub(super) fn stmt(&self, stmt: &Stmt) -> Json {
        let one = |it: &Expr| Some(self.expr(it));
        let body = |it: &crate::ast::BlockNode| Some(self.block(it.id, it.span, &it.kind));
        let (kind, members) = match &stmt.kind {
            StmtKind::Let {
                pattern,
                ty,
                mutable,
                init,
            } => (
                "let",
                vec![
                    ("pattern", Some(self.pattern(pattern))),
                    ("type", ty.as_ref().map(|it| self.type_expr(it))),
                    ("mutable", self.flag(*mutable)),
                    ("init", one(init)),
                ],
            ),
            StmtKind::Assign { target, value } => (
                "assign",
                vec![("target", one(target)), ("value", one(value))],
            ),
            StmtKind::Expr(expr) => ("expr", vec![("expr", one(expr))]),
            StmtKind::For {
                pattern,
                iterable,
                body: block,
            } => (
                "for",
                vec![
                    ("pattern", Some(self.pattern(pattern))),
                    ("iterable", one(iterable)),
                    ("body", body(block)),
                ],
            ),
            StmtKind::While {
                condition,
                body: block,
            } => (
                "while",
                vec![("condition", one(condition)), ("body", body(block))],
            ),
            StmtKind::Loop(block) => ("loop", vec![("body", body(block))]),
            StmtKind::Return(value) => (
                "return",
                vec![("value", value.as_ref().map(|it| self.expr(it)))],
            ),
            StmtKind::Break => ("break", vec![]),
            StmtKind::Continue => ("continue", vec![]),
            StmtKind::Assert { condition, message } => (
                "assert",
                vec![
                    ("condition", one(condition)),
                    ("message", message.as_ref().map(Json::text)),
                ],
            ),
        };
        self.node(kind, stmt.id, stmt.span, members)
    }

    pub(super) fn expr(&self, expr: &Expr) -> Json {
        let one = |it: &Expr| Some(self.expr(it));
        let all = |items: &[Expr]| self.list(items, |it| self.expr(it));
        let (kind, members) = match &expr.kind {
            ExprKind::Literal(literal) => ("literal", vec![("value", Some(self.literal(literal)))]),
            ExprKind::Ident(name) => ("ident", vec![("name", Some(Json::text(name)))]),
            ExprKind::Unary { op, operand } => (
                "unary",
                vec![
                    ("op", Some(Json::text(op.text()))),
                    ("operand", one(operand)),
                ],
            ),
            ExprKind::Binary { op, left, right } => (
                "binary",
                vec![
                    ("op", Some(Json::text(op.text()))),
                    ("left", one(left)),
                    ("right", one(right)),
                ],
            ),
            ExprKind::Call { callee, args } => {
                ("call", vec![("callee", one(callee)), ("args", all(args))])
            }
            ExprKind::Index { object, index } => (
                "index",
                vec![("object", one(object)), ("index", one(index))],
            ),
            ExprKind::Field { object, field } => (
                "field",
                vec![
                    ("object", one(object)),
                    ("field", Some(Json::text(&field.text))),
                ],
            ),
            ExprKind::Lambda { params, body } => (
                "lambda",
                vec![
                    (
                        "params",
                        self.list(params, |it| {
                            Json::object([
                                ("name", Some(Json::text(&it.name.text))),
                                ("id", self.id(it.id)),
                                ("type", it.ty.as_ref().map(|ty| self.type_expr(ty))),
                            ])
                        }),
                    ),
                    ("body", one(body)),
                ],
            ),
            ExprKind::If {
                condition,
                then_branch: then,
                else_branch,
            } => (
                "if",
                vec![
                    ("condition", one(condition)),
                    (
                        "thenBranch",
                        Some(self.block(then.id, then.span, &then.kind)),
                    ),
                    ("elseBranch", else_branch.as_ref().map(|it| self.expr(it))),
                ],
            ),
            ExprKind::Match { scrutinee, arms } => (
                "match",
                vec![
                    ("scrutinee", one(scrutinee)),
                    ("arms", self.list(arms, |it| self.arm(it))),
                ],
            ),
            ExprKind::Block(block) => return self.block(expr.id, expr.span, block),
            ExprKind::Array(elements) => ("array", vec![("elements", all(elements))]),
            ExprKind::Tuple(elements) => ("tuple", vec![("elements", all(elements))]),
            ExprKind::Record(fields) => (
                "record",
                vec![(
                    "fields",
                    self.list(fields, |it| {
                        Json::object([
                            ("name", Some(Json::text(&it.name.text))),
                            ("id", self.id(it.id)),
                            ("value", one(&it.value)),
                        ])
                    }),
                )],
            ),
            ExprKind::Range {
                start,
                end,
                inclusive,
            } => (
                "range",
                vec![
                    ("start", one(start)),
                    ("end", one(end)),
                    ("inclusive", self.flag(*inclusive)),
                ],
            ),
            ExprKind::Propagate(inner) => ("propagate", vec![("expr", one(inner))]),
            ExprKind::Hole(name) => {
                return Json::object([
                    ("hole_ref", Some(Json::text(name))),
                    ("id", self.id(expr.id)),
                ]);
            }
        };
        self.node(kind, expr.id, expr.span, members)
    }

    pub(super) fn arm(&self, arm: &Arm) -> Json {
        Json::object([
            ("id", self.id(arm.id)),
            ("pattern", Some(self.pattern(&arm.pattern))),
            ("guard", arm.guard.as_ref().map(|it| self.expr(it))),
            ("body", Some(self.expr(&arm.body))),
        ])
    }

    pub(super) fn literal(&self, literal: &Literal) -> Json {
        let (kind, value) = match literal {
            Literal::Int { value, suffix } => {
                let written = suffix.map(|it| Json::text(it.text()));
                let absent = (self.form == Form::Full).then_some(Json::Null);
                return Json::object([
                    ("kind", Some(Json::text("int"))),
                    ("value", Some(Json::text(value))),
                    ("suffix", written.or(absent)),
                ]);
            }
            Literal::Float(value) => ("float", Some(Json::Float(*value))),
            Literal::Str(value) => ("string", Some(Json::text(value))),
            Literal::Template(value) => ("template", Some(Json::text(value))),
            Literal::Bool(value) => ("bool", Some(Json::Bool(*value))),
            Literal::Unit => ("unit", None),
        };
        Json::object([("kind", Some(Json::text(kind))), ("value", value)])
    }

    pub(super) fn pattern(&self, pattern: &Pattern) -> Json {
        let (kind, members) = match &pattern.kind {
            PatternKind::Wildcard => ("wildcard", vec![]),
            PatternKind::Ident(name) => ("ident", vec![("name", Some(Json::text(name)))]),
            PatternKind::Literal(literal) => {
                ("literal", vec![("value", Some(self.literal(literal)))])
            }
            PatternKind::Tuple(elements) => (
                "tuple",
                vec![("elements", self.list(elements, |it| self.pattern(it)))],
            ),
            PatternKind::Record(fields) => (
                "record",
                vec![(
                    "fields",
                    self.list(fields, |it| {
                        Json::object([
                            ("name", Some(Json::text(&it.name.text))),
                            ("id", self.id(it.id)),
                            ("pattern", it.pattern.as_ref().map(|it| self.pattern(it))),
                        ])
                    }),
                )],
            ),
            PatternKind::Variant { name, payload } => (
                "variant",
                vec![
                    ("name", Some(Json::text(&name.text))),
                    (
                        "payload",
                        payload
                            .as_ref()
                            .and_then(|it| self.list(it, |it| self.pattern(it))),
                    ),
                ],
            ),
        };
        self.node(kind, pattern.id, pattern.span, members)
    }
}
