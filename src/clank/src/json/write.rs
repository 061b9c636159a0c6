//! Writing AST JSON.

use fixpoint_text::Span;
use serde::Serialize;

use super::value::Json;
use crate::ast::{
    Arm, Ast, Block, Decl, DeclKind, Expr, ExprKind, Field, Literal, Name, NodeId, Pattern,
    PatternKind, Program, Signature, Stmt, StmtKind, TypeExpr, TypeKind, TypeParam,
};
use crate::source::Position;

/// How much of a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Only what is there: no empty lists, false flags or absent options.
    Brief,
    /// Every member, with its default where it has none.
    Full,
}

/// A program as AST JSON, ready to be serialised. Ids and places are those of `ast`.
pub fn program_json(program: &Program, ast: &Ast, form: Form, spans: bool) -> impl Serialize {
    let writer = Writer {
        ast,
        form,
        ids: true,
        spans,
    };
    writer.program(program)
}

/// What a program says, without ids, places or layout: equal for programs that are the same tree.
pub fn meaning(ast: &Ast) -> Vec<u8> {
    let writer = Writer {
        ast,
        form: Form::Brief,
        ids: false,
        spans: false,
    };
    serde_json::to_vec(&writer.program(&ast.program)).unwrap_or_default()
}

/// One expression, statement, type, pattern or declaration as AST JSON.
pub fn node_json(node: crate::ast::NodeRef<'_>, ast: &Ast) -> serde_json::Value {
    use crate::ast::NodeRef as N;
    let writer = Writer {
        ast,
        form: Form::Brief,
        ids: true,
        spans: false,
    };
    let json = match node {
        N::Program(it) => writer.program(it),
        N::Decl(it) => writer.decl(it),
        N::Stmt(it) => writer.stmt(it),
        N::Block(it) => writer.block(it.id, it.span, &it.kind),
        N::Expr(it) => writer.expr(it),
        N::Pattern(it) => writer.pattern(it),
        N::Type(it) => writer.type_expr(it),
        N::Arm(it) => writer.arm(it),
        N::Field(it) => writer.field(it),
        N::Param(it) => writer.named(it.id, &it.name, &it.ty),
        N::TypeParam(it) => writer.type_param(it),
        N::Variant(_) | N::LambdaParam(_) | N::FieldInit(_) | N::FieldPattern(_) => Json::Null,
    };
    serde_json::to_value(json).unwrap_or_default()
}

pub(super) struct Writer<'a> {
    pub ast: &'a Ast,
    pub form: Form,
    pub ids: bool,
    pub spans: bool,
}

impl Writer<'_> {
    fn node(
        &self,
        kind: &'static str,
        id: NodeId,
        span: Span,
        members: impl IntoIterator<Item = (&'static str, Option<Json>)>,
    ) -> Json {
        let head = [
            ("kind", Some(Json::text(kind))),
            ("id", self.id(id)),
            ("span", self.spans.then(|| self.span(id, span))),
        ];
        Json::object(head.into_iter().chain(members))
    }

    fn id(&self, id: NodeId) -> Option<Json> {
        self.ids.then(|| Json::Text(self.ast.ids.name(id)))
    }

    fn span(&self, id: NodeId, span: Span) -> Json {
        let location = self.ast.location(Some(id), span);
        Json::object([
            ("file", Some(Json::Text(location.file))),
            ("start", Some(position(location.start))),
            ("end", Some(position(location.end))),
        ])
    }

    fn list<T>(&self, items: &[T], write: impl Fn(&T) -> Json) -> Option<Json> {
        Some(Json::List(items.iter().map(write).collect()))
    }

    /// A list that brief form leaves out when it is empty.
    fn optional_list<T>(&self, items: &[T], write: impl Fn(&T) -> Json) -> Option<Json> {
        if items.is_empty() && self.form == Form::Brief {
            return None;
        }
        self.list(items, write)
    }

    fn flag(&self, value: bool) -> Option<Json> {
        (value || self.form == Form::Full).then_some(Json::Bool(value))
    }

    pub fn program(&self, program: &Program) -> Json {
        let members = [(
            "declarations",
            self.list(&program.declarations, |it| self.decl(it)),
        )];
        self.node("program", program.id, program.span, members)
    }

    fn decl(&self, decl: &Decl) -> Json {
        let (id, span) = (decl.id, decl.span);
        match &decl.kind {
            DeclKind::Fn(function) => {
                let mut members = self.signature(&function.signature);
                members.extend([
                    (
                        "precondition",
                        function.precondition.as_ref().map(|it| self.expr(it)),
                    ),
                    (
                        "postcondition",
                        function.postcondition.as_ref().map(|it| self.expr(it)),
                    ),
                    (
                        "body",
                        Some(self.block(function.body.id, function.body.span, &function.body.kind)),
                    ),
                ]);
                self.node("fn", id, span, members)
            }
            DeclKind::ExternalFn(function) => {
                let mut members = self.signature(&function.signature);
                members.push(("jsName", Some(Json::text(&function.js_name))));
                self.node("externalFn", id, span, members)
            }
            DeclKind::ExternalMod(module) => {
                let members = [
                    (
                        "path",
                        Some(Json::List(vec![Json::text(&module.name.text)])),
                    ),
                    (
                        "items",
                        self.optional_list(&[], |name: &Name| Json::text(&name.text)),
                    ),
                    ("isExternal", self.flag(false)),
                ];
                self.node("use", id, span, members)
            }
            DeclKind::Rec(rec) => {
                let members = [
                    ("name", Some(Json::text(&rec.name.text))),
                    ("typeParams", self.type_params(&rec.type_params)),
                    ("fields", self.list(&rec.fields, |it| self.field(it))),
                ];
                self.node("rec", id, span, members)
            }
            DeclKind::Sum(sum) => {
                let members = [
                    ("name", Some(Json::text(&sum.name.text))),
                    ("typeParams", self.type_params(&sum.type_params)),
                    (
                        "variants",
                        self.list(&sum.variants, |variant| {
                            Json::object([
                                ("name", Some(Json::text(&variant.name.text))),
                                ("id", self.id(variant.id)),
                                (
                                    "fields",
                                    self.optional_list(&variant.fields, |(name, ty)| {
                                        let name = name.as_ref().map(|it| Json::text(&it.text));
                                        let ty = self.type_expr(ty);
                                        Json::object([("name", name), ("type", Some(ty))])
                                    }),
                                ),
                            ])
                        }),
                    ),
                ];
                self.node("sum", id, span, members)
            }
            DeclKind::TypeAlias(alias) => {
                let members = [
                    ("name", Some(Json::text(&alias.name.text))),
                    ("typeParams", self.type_params(&alias.type_params)),
                    ("type", Some(self.type_expr(&alias.ty))),
                ];
                self.node("typeAlias", id, span, members)
            }
            DeclKind::Mod(name) => {
                self.node("mod", id, span, [("name", Some(Json::text(&name.text)))])
            }
            DeclKind::Use(it) => {
                let members = [
                    ("path", self.list(&it.path, |name| Json::text(&name.text))),
                    (
                        "items",
                        self.optional_list(&it.items, |name| Json::text(&name.text)),
                    ),
                    (
                        "alias",
                        it.alias.as_ref().map(|name| Json::text(&name.text)),
                    ),
                    ("isExternal", self.flag(it.is_external)),
                ];
                self.node("use", id, span, members)
            }
        }
    }

    fn signature(&self, signature: &Signature) -> Vec<(&'static str, Option<Json>)> {
        vec![
            ("name", Some(Json::text(&signature.name.text))),
            ("typeParams", self.type_params(&signature.type_params)),
            (
                "params",
                self.list(&signature.params, |it| self.named(it.id, &it.name, &it.ty)),
            ),
            ("returnType", Some(self.type_expr(&signature.return_type))),
        ]
    }

    fn named(&self, id: NodeId, name: &Name, ty: &TypeExpr) -> Json {
        Json::object([
            ("name", Some(Json::text(&name.text))),
            ("id", self.id(id)),
            ("type", Some(self.type_expr(ty))),
        ])
    }

    fn field(&self, field: &Field) -> Json {
        self.named(field.id, &field.name, &field.ty)
    }

    fn type_params(&self, params: &[TypeParam]) -> Option<Json> {
        self.optional_list(params, |param| self.type_param(param))
    }

    fn type_param(&self, param: &TypeParam) -> Json {
        Json::object([
            ("name", Some(Json::text(&param.name.text))),
            ("id", self.id(param.id)),
            (
                "constraint",
                param.constraint.as_ref().map(|it| self.type_expr(it)),
            ),
        ])
    }

    fn type_expr(&self, ty: &TypeExpr) -> Json {
        let one = |it: &TypeExpr| Some(self.type_expr(it));
        let all = |items: &[TypeExpr]| self.list(items, |it| self.type_expr(it));
        let (kind, members) = match &ty.kind {
            TypeKind::Named { name, args } => (
                "named",
                vec![
                    ("name", Some(Json::text(&name.text))),
                    ("args", self.optional_list(args, |it| self.type_expr(it))),
                ],
            ),
            TypeKind::Array(element) => ("array", vec![("element", one(element))]),
            TypeKind::Tuple(elements) => ("tuple", vec![("elements", all(elements))]),
            TypeKind::Function { params, result } => (
                "function",
                vec![("params", all(params)), ("returnType", one(result))],
            ),
            TypeKind::Refined {
                base,
                var,
                predicate,
            } => (
                "refined",
                vec![
                    ("base", one(base)),
                    ("varName", var.as_ref().map(|it| Json::text(&it.text))),
                    ("predicate", Some(self.expr(predicate))),
                ],
            ),
            TypeKind::Effect { effects, result } => (
                "effect",
                vec![("effects", all(effects)), ("resultType", one(result))],
            ),
            TypeKind::Record { fields, open } => (
                "recordType",
                vec![
                    ("fields", self.list(fields, |it| self.field(it))),
                    ("isOpen", self.flag(*open)),
                ],
            ),
        };
        self.node(kind, ty.id, ty.span, members)
    }

    fn block(&self, id: NodeId, span: Span, block: &Block) -> Json {
        let members = [
            (
                "statements",
                self.list(&block.statements, |it| self.stmt(it)),
            ),
            ("expr", block.tail.as_ref().map(|it| self.expr(it))),
        ];
        self.node("block", id, span, members)
    }

    fn stmt(&self, stmt: &Stmt) -> Json {
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

    fn expr(&self, expr: &Expr) -> Json {
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

    fn arm(&self, arm: &Arm) -> Json {
        Json::object([
            ("id", self.id(arm.id)),
            ("pattern", Some(self.pattern(&arm.pattern))),
            ("guard", arm.guard.as_ref().map(|it| self.expr(it))),
            ("body", Some(self.expr(&arm.body))),
        ])
    }

    fn literal(&self, literal: &Literal) -> Json {
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

    fn pattern(&self, pattern: &Pattern) -> Json {
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

pub(super) fn position(at: Position) -> Json {
    Json::object([
        ("line", Some(Json::Int(at.line))),
        ("column", Some(Json::Int(at.column))),
        ("offset", Some(Json::Int(at.offset))),
    ])
}
