//! Writing AST JSON.

use fixpoint_text::Span;
use serde::Serialize;

use super::value::Json;
use crate::ast::{Ast, NodeId, Program};
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
    pub(super) fn node(
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

    pub(super) fn id(&self, id: NodeId) -> Option<Json> {
        self.ids.then(|| Json::Text(self.ast.ids.name(id)))
    }

    pub(super) fn span(&self, id: NodeId, span: Span) -> Json {
        let location = self.ast.location(Some(id), span);
        Json::object([
            ("file", Some(Json::Text(location.file))),
            ("start", Some(position(location.start))),
            ("end", Some(position(location.end))),
        ])
    }

    pub(super) fn list<T>(&self, items: &[T], write: impl Fn(&T) -> Json) -> Option<Json> {
        Some(Json::List(items.iter().map(write).collect()))
    }

    /// A list that brief form leaves out when it is empty.
    pub(super) fn optional_list<T>(&self, items: &[T], write: impl Fn(&T) -> Json) -> Option<Json> {
        if items.is_empty() && self.form == Form::Brief {
            return None;
        }
        self.list(items, write)
    }

    pub(super) fn flag(&self, value: bool) -> Option<Json> {
        (value || self.form == Form::Full).then_some(Json::Bool(value))
    }

    pub(super) fn program(&self, program: &Program) -> Json {
        let members = [(
            "declarations",
            self.list(&program.declarations, |it| self.decl(it)),
        )];
        self.node("program", program.id, program.span, members)
    }
}

pub(super) fn position(at: Position) -> Json {
    Json::object([
        ("line", Some(Json::Int(at.line))),
        ("column", Some(Json::Int(at.column))),
        ("offset", Some(Json::Int(at.offset))),
    ])
}
