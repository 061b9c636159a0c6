//! Writes AST JSON.

use fixpoint_text::Span;
use serde::Serialize;

use super::sink::{Sink, Text};
use super::value::Values;
use crate::ast::{Ast, Decl, Name, NodeId, NodeRef, Program};

/// Which members are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Omits empty lists, false flags and absent options.
    Brief,
    /// Writes every member, with its default if it has no value.
    Full,
}

/// A program as AST JSON, ready to be serialized. Ids and locations come from `ast`.
pub fn program_json(program: &Program, ast: &Ast, form: Form, spans: bool) -> impl Serialize {
    let mut writer = Writer {
        form,
        spans,
        ..Writer::new(ast, Values::default())
    };
    writer.program(program);
    writer.to.finish()
}

/// A program without ids, locations or layout. It is equal for programs with the same tree.
pub fn meaning(ast: &Ast) -> Vec<u8> {
    let mut writer = Writer {
        form: Form::Brief,
        ids: false,
        spans: false,
        ..Writer::new(ast, Text::new(Vec::new()))
    };
    writer.program(&ast.program);
    writer.to.finish().unwrap_or_default()
}

/// One expression, statement, type, pattern or declaration as AST JSON.
pub fn node_json(node: NodeRef<'_>, ast: &Ast) -> serde_json::Value {
    use NodeRef as N;
    let mut writer = Writer {
        form: Form::Brief,
        spans: false,
        ..Writer::new(ast, Values::default())
    };
    match node {
        N::Program(it) => writer.program(it),
        N::Decl(it) => writer.decl(it),
        N::Stmt(it) => writer.stmt(it),
        N::Block(it) => writer.block(it.id, it.span, &it.kind),
        N::Expr(it) => writer.expr(it),
        N::Pattern(it) => writer.pattern(it),
        N::Type(it) => writer.type_expr(it),
        N::Arm(it) => writer.arm(it),
        N::Field(it) => writer.named(it.id, &it.name, Some(&it.ty)),
        N::Param(it) => writer.named(it.id, &it.name, Some(&it.ty)),
        N::TypeParam(it) => writer.type_param(it),
        N::LambdaParam(it) => writer.named(it.id, &it.name, it.ty.as_ref()),
        N::Variant(_) | N::FieldInit(_) | N::FieldPattern(_) => {}
    }
    serde_json::to_value(writer.to.finish()).unwrap_or_default()
}

/// A declaration without ids or locations.
pub(crate) fn declaration_json(decl: &Decl, ast: &Ast) -> serde_json::Value {
    let mut writer = Writer {
        form: Form::Brief,
        ids: false,
        spans: false,
        ..Writer::new(ast, Values::default())
    };
    writer.decl(decl);
    serde_json::to_value(writer.to.finish()).unwrap_or_default()
}

pub(super) struct Writer<'a, S> {
    pub ast: &'a Ast,
    pub form: Form,
    pub ids: bool,
    pub spans: bool,
    /// The line of the last location. The next one is usually close.
    line: usize,
    pub to: S,
}

impl<'a, S: Sink> Writer<'a, S> {
    /// A writer that writes all members.
    pub fn new(ast: &'a Ast, to: S) -> Self {
        Self {
            ast,
            form: Form::Full,
            ids: true,
            spans: true,
            line: 0,
            to,
        }
    }

    pub(super) fn open(&mut self, kind: &'static str, id: NodeId, span: Span) {
        match self.ast.ids.structural(id) {
            Some(name) if self.ids => self.to.node(kind, &name),
            _ => {
                self.to.open();
                self.to.key("kind");
                self.to.plain(kind);
                self.id(id);
            }
        }
        if self.spans {
            self.to.key("span");
            self.location(Some(id), span);
        }
    }

    pub(super) fn close(&mut self) {
        self.to.close();
    }

    pub fn text(&mut self, key: &'static str, text: &str) {
        self.to.key(key);
        self.to.text(text);
    }

    pub fn node_name(&mut self, key: &'static str, id: NodeId) {
        self.to.key(key);
        let to = &mut self.to;
        self.ast.ids.with_name(id, |name| to.text(name));
    }

    pub(super) fn id(&mut self, id: NodeId) {
        if self.ids {
            self.node_name("id", id);
        }
    }

    pub fn location(&mut self, id: Option<NodeId>, span: Span) {
        let ast = self.ast;
        if ast.is_read_from_text(id) {
            let start = ast.source.position_near(span.start(), &mut self.line);
            let mut line = self.line;
            let end = ast.source.position_near(span.end(), &mut line);
            self.to.place(ast.source.file(), start, end);
        } else {
            let location = ast.location(id, span);
            self.to.place(&location.file, location.start, location.end);
        }
    }

    pub(super) fn list<T>(
        &mut self,
        key: &'static str,
        items: &[T],
        write: impl Fn(&mut Self, &T),
    ) {
        self.to.key(key);
        self.to.open_list();
        for item in items {
            write(self, item);
        }
        self.to.close_list();
    }

    /// Writes a list, which the brief form omits if it is empty.
    pub(super) fn optional_list<T>(
        &mut self,
        key: &'static str,
        items: &[T],
        write: impl Fn(&mut Self, &T),
    ) {
        if !items.is_empty() || self.form == Form::Full {
            self.list(key, items, write);
        }
    }

    pub(super) fn flag(&mut self, key: &'static str, value: bool) {
        if value || self.form == Form::Full {
            self.to.key(key);
            self.to.bool(value);
        }
    }

    pub(super) fn names(&mut self, name: &Name) {
        self.to.text(&name.text);
    }

    pub fn program(&mut self, program: &Program) {
        self.open("program", program.id, program.span);
        self.list("declarations", self.ast.own(program), Self::decl);
        self.close();
    }
}
