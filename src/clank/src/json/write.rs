//! Writing AST JSON.

use fixpoint_text::Span;
use serde::Serialize;

use super::sink::{Sink, Text};
use super::value::Values;
use crate::ast::{
    Arm, Ast, Block, BlockNode, Decl, DeclKind, Expr, ExprKind, Literal, Name, NodeId, NodeRef,
    Pattern, PatternKind, Program, Signature, Stmt, StmtKind, TypeExpr, TypeKind, TypeParam,
    Variant,
};

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
    let mut writer = Writer {
        form,
        spans,
        ..Writer::new(ast, Values::default())
    };
    writer.program(program);
    writer.to.finish()
}

/// What a program says, without ids, places or layout: equal for programs that are the same tree.
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
        N::Variant(_) | N::LambdaParam(_) | N::FieldInit(_) | N::FieldPattern(_) => {}
    }
    serde_json::to_value(writer.to.finish()).unwrap_or_default()
}

pub(super) struct Writer<'a, S> {
    pub ast: &'a Ast,
    pub form: Form,
    pub ids: bool,
    pub spans: bool,
    /// The line of the last place, as the next one is not far away.
    line: usize,
    pub to: S,
}

impl<'a, S: Sink> Writer<'a, S> {
    /// One that writes everything.
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

    fn open(&mut self, kind: &'static str, id: NodeId, span: Span) {
        self.to.open();
        self.text("kind", kind);
        self.id(id);
        if self.spans {
            self.to.key("span");
            self.location(Some(id), span);
        }
    }

    fn close(&mut self) {
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

    fn id(&mut self, id: NodeId) {
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

    fn list<T>(&mut self, key: &'static str, items: &[T], write: impl Fn(&mut Self, &T)) {
        self.to.key(key);
        self.to.open_list();
        for item in items {
            write(self, item);
        }
        self.to.close_list();
    }

    /// A list that brief form leaves out when it is empty.
    fn optional_list<T>(&mut self, key: &'static str, items: &[T], write: impl Fn(&mut Self, &T)) {
        if !items.is_empty() || self.form == Form::Full {
            self.list(key, items, write);
        }
    }

    fn flag(&mut self, key: &'static str, value: bool) {
        if value || self.form == Form::Full {
            self.to.key(key);
            self.to.bool(value);
        }
    }

    fn names(&mut self, name: &Name) {
        self.to.text(&name.text);
    }

    pub fn program(&mut self, program: &Program) {
        self.open("program", program.id, program.span);
        self.list("declarations", &program.declarations, Self::decl);
        self.close();
    }

    fn decl(&mut self, decl: &Decl) {
        let (id, span) = (decl.id, decl.span);
        match &decl.kind {
            DeclKind::Fn(function) => {
                self.open("fn", id, span);
                self.signature(&function.signature);
                self.optional_expr("precondition", function.precondition.as_ref());
                self.optional_expr("postcondition", function.postcondition.as_ref());
                self.body("body", &function.body);
            }
            DeclKind::ExternalFn(function) => {
                self.open("externalFn", id, span);
                self.signature(&function.signature);
                self.text("jsName", &function.js_name);
            }
            DeclKind::ExternalMod(module) => {
                self.open("use", id, span);
                self.list("path", std::slice::from_ref(&module.name), Self::names);
            }
            DeclKind::Rec(rec) => {
                self.open("rec", id, span);
                self.text("name", &rec.name.text);
                self.type_params(&rec.type_params);
                self.list("fields", &rec.fields, |it, field| {
                    it.named(field.id, &field.name, Some(&field.ty));
                });
            }
            DeclKind::Sum(sum) => {
                self.open("sum", id, span);
                self.text("name", &sum.name.text);
                self.type_params(&sum.type_params);
                self.list("variants", &sum.variants, Self::variant);
            }
            DeclKind::TypeAlias(alias) => {
                self.open("typeAlias", id, span);
                self.text("name", &alias.name.text);
                self.type_params(&alias.type_params);
                self.one_type("type", &alias.ty);
            }
            DeclKind::Mod(name) => {
                self.open("mod", id, span);
                self.text("name", &name.text);
            }
            DeclKind::Use(used) => {
                self.open("use", id, span);
                self.list("path", &used.path, Self::names);
                self.optional_list("items", &used.items, Self::names);
                if let Some(alias) = &used.alias {
                    self.text("alias", &alias.text);
                }
                self.flag("isExternal", used.is_external);
            }
        }
        self.close();
    }

    fn variant(&mut self, variant: &Variant) {
        self.to.open();
        self.text("name", &variant.name.text);
        self.id(variant.id);
        self.optional_list("fields", &variant.fields, |it, (name, ty)| {
            it.to.open();
            if let Some(name) = name {
                it.text("name", &name.text);
            }
            it.one_type("type", ty);
            it.close();
        });
        self.close();
    }

    fn signature(&mut self, signature: &Signature) {
        self.text("name", &signature.name.text);
        self.type_params(&signature.type_params);
        self.list("params", &signature.params, |it, param| {
            it.named(param.id, &param.name, Some(&param.ty));
        });
        self.one_type("returnType", &signature.return_type);
    }

    fn named(&mut self, id: NodeId, name: &Name, ty: Option<&TypeExpr>) {
        self.to.open();
        self.text("name", &name.text);
        self.id(id);
        if let Some(ty) = ty {
            self.one_type("type", ty);
        }
        self.close();
    }

    fn type_params(&mut self, params: &[TypeParam]) {
        self.optional_list("typeParams", params, Self::type_param);
    }

    fn type_param(&mut self, param: &TypeParam) {
        self.to.open();
        self.text("name", &param.name.text);
        self.id(param.id);
        if let Some(constraint) = &param.constraint {
            self.one_type("constraint", constraint);
        }
        self.close();
    }

    fn one_type(&mut self, key: &'static str, ty: &TypeExpr) {
        self.to.key(key);
        self.type_expr(ty);
    }

    fn type_expr(&mut self, ty: &TypeExpr) {
        let (id, span) = (ty.id, ty.span);
        match &ty.kind {
            TypeKind::Named { name, args } => {
                self.open("named", id, span);
                self.text("name", &name.text);
                self.optional_list("args", args, Self::type_expr);
            }
            TypeKind::Array(element) => {
                self.open("array", id, span);
                self.one_type("element", element);
            }
            TypeKind::Tuple(elements) => {
                self.open("tuple", id, span);
                self.list("elements", elements, Self::type_expr);
            }
            TypeKind::Function { params, result } => {
                self.open("function", id, span);
                self.list("params", params, Self::type_expr);
                self.one_type("returnType", result);
            }
            TypeKind::Refined {
                base,
                var,
                predicate,
            } => {
                self.open("refined", id, span);
                self.one_type("base", base);
                if let Some(var) = var {
                    self.text("varName", &var.text);
                }
                self.one("predicate", predicate);
            }
            TypeKind::Effect { effects, result } => {
                self.open("effect", id, span);
                self.list("effects", effects, Self::type_expr);
                self.one_type("resultType", result);
            }
            TypeKind::Record { fields, open } => {
                self.open("recordType", id, span);
                self.list("fields", fields, |it, field| {
                    it.named(field.id, &field.name, Some(&field.ty));
                });
                self.flag("isOpen", *open);
            }
        }
        self.close();
    }

    fn body(&mut self, key: &'static str, block: &BlockNode) {
        self.to.key(key);
        self.block(block.id, block.span, &block.kind);
    }

    fn block(&mut self, id: NodeId, span: Span, block: &Block) {
        self.open("block", id, span);
        self.list("statements", &block.statements, Self::stmt);
        self.optional_expr("expr", block.tail.as_deref());
        self.close();
    }

    fn stmt(&mut self, stmt: &Stmt) {
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

    fn one(&mut self, key: &'static str, expr: &Expr) {
        self.to.key(key);
        self.expr(expr);
    }

    fn optional_expr(&mut self, key: &'static str, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.one(key, expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
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
                self.text("op", op.text());
                self.one("operand", operand);
            }
            ExprKind::Binary { op, left, right } => {
                self.open("binary", id, span);
                self.text("op", op.text());
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

    fn arm(&mut self, arm: &Arm) {
        self.to.open();
        self.id(arm.id);
        self.one_pattern("pattern", &arm.pattern);
        self.optional_expr("guard", arm.guard.as_ref());
        self.one("body", &arm.body);
        self.close();
    }

    fn literal(&mut self, literal: &Literal) {
        self.to.key("value");
        self.to.open();
        match literal {
            Literal::Int { value, suffix } => {
                self.text("kind", "int");
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
                self.text("kind", "float");
                self.to.key("value");
                self.to.float(*value);
            }
            Literal::Str(value) => {
                self.text("kind", "string");
                self.text("value", value);
            }
            Literal::Template(value) => {
                self.text("kind", "template");
                self.text("value", value);
            }
            Literal::Bool(value) => {
                self.text("kind", "bool");
                self.to.key("value");
                self.to.bool(*value);
            }
            Literal::Unit => self.text("kind", "unit"),
        }
        self.close();
    }

    fn one_pattern(&mut self, key: &'static str, pattern: &Pattern) {
        self.to.key(key);
        self.pattern(pattern);
    }

    fn pattern(&mut self, pattern: &Pattern) {
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
