//! Prints nodes as text, and reads the nodes that ops carry.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::ast::{
    Arm, Ast, Block, BlockNode, Decl, DeclKind, Expr, ExprKind, FnDecl, Ids, Literal, Name, Node,
    NodeRef, Pattern, Program, Signature, Stmt, StmtKind, TypeAlias, TypeExpr, TypeKind,
};
use crate::json::read_program;
use crate::modules::Links;
use crate::print::{expr_text, program_text};
use crate::repair::error::PatchError;
use crate::source::Source;
use fixpoint_text::Span;

fn read(document: &Value) -> Result<Program, PatchError> {
    let ast = read_program(&document.to_string()).map_err(|errors| {
        let first = errors.into_iter().next();
        let (path, message) = first.map_or_else(Default::default, |it| (it.path, it.message));
        PatchError::NoProgram { path, message }
    })?;
    Ok(ast.program)
}

fn no_node() -> PatchError {
    PatchError::NoProgram {
        path: "$".to_owned(),
        message: "this is not a node".to_owned(),
    }
}

fn read_block(block: &Value) -> Result<Block, PatchError> {
    let document = json!({"kind": "program", "declarations": [{
        "kind": "fn", "name": "f", "params": [],
        "returnType": {"kind": "named", "name": "Unit"}, "body": block,
    }]});
    match read(&document)?.declarations.pop().map(|it| it.kind) {
        Some(DeclKind::Fn(function)) => Ok(Arc::unwrap_or_clone(function).body.kind),
        _ => Err(no_node()),
    }
}

pub(super) fn read_expr(value: &Value) -> Result<Expr, PatchError> {
    let block = read_block(&json!({"kind": "block", "statements": [], "expr": value}))?;
    block.tail.map(|it| *it).ok_or_else(no_node)
}

pub(super) fn read_stmt(value: &Value) -> Result<Stmt, PatchError> {
    let mut block = read_block(&json!({"kind": "block", "statements": [value]}))?;
    block.statements.pop().ok_or_else(no_node)
}

pub(super) fn read_pattern(value: &Value) -> Result<Pattern, PatchError> {
    let unit = json!({"kind": "literal", "value": {"kind": "unit"}});
    match read_stmt(&json!({"kind": "let", "pattern": value, "init": unit}))?.kind {
        StmtKind::Let { pattern, .. } => Ok(pattern),
        _ => Err(no_node()),
    }
}

pub(super) fn read_type(value: &Value) -> Result<TypeExpr, PatchError> {
    let document = json!({"kind": "program", "declarations": [
        {"kind": "typeAlias", "name": "T", "type": value},
    ]});
    match read(&document)?.declarations.pop().map(|it| it.kind) {
        Some(DeclKind::TypeAlias(alias)) => Ok(alias.ty),
        _ => Err(no_node()),
    }
}

pub(super) fn read_decl(value: &Value) -> Result<Decl, PatchError> {
    let document = json!({"kind": "program", "declarations": [value]});
    let decl = read(&document)?.declarations.pop();
    decl.ok_or_else(no_node)
}

fn printed(kind: DeclKind) -> String {
    let mut ids = Ids::default();
    let decl = Node::new(ids.fresh(), Span::at(0), kind);
    let program = Program {
        id: ids.fresh(),
        span: Span::at(0),
        declarations: vec![decl],
    };
    let source = Source::new("", "");
    let text = program_text(&Ast {
        program,
        ids,
        source,
        links: Links::default(),
    });
    text.trim_end().to_owned()
}

fn unit(ids: &mut Ids) -> Expr {
    Node::new(ids.fresh(), Span::at(0), ExprKind::Literal(Literal::Unit))
}

pub(super) fn type_text(ty: &TypeExpr) -> String {
    let alias = TypeAlias {
        name: Name::made("T"),
        type_params: Vec::new(),
        ty: ty.clone(),
    };
    let text = printed(DeclKind::TypeAlias(Box::new(alias)));
    text.strip_prefix("type T = ").unwrap_or(&text).to_owned()
}

/// A statement without the `;` after it.
pub(super) fn stmt_text(stmt: &Stmt) -> String {
    let mut ids = Ids::default();
    let returns = TypeKind::Named {
        name: Name::made("Unit"),
        args: Vec::new(),
    };
    let block = Block {
        statements: vec![stmt.clone()],
        tail: None,
    };
    let function = FnDecl {
        signature: Signature {
            name: Name::made("f"),
            type_params: Vec::new(),
            params: Vec::new(),
            return_type: Node::new(ids.fresh(), Span::at(0), returns),
        },
        precondition: None,
        postcondition: None,
        body: BlockNode::new(ids.fresh(), Span::at(0), block),
    };
    let text = printed(DeclKind::Fn(Arc::new(function)));
    let lines: Vec<&str> = text.lines().collect();
    let inner = lines
        .get(1..lines.len().saturating_sub(1))
        .unwrap_or_default();
    let inner: Vec<&str> = inner
        .iter()
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    let inner = inner.join("\n");
    inner.strip_suffix(';').unwrap_or(&inner).to_owned()
}

pub(super) fn pattern_text(pattern: &Pattern) -> String {
    let mut ids = Ids::default();
    let init = unit(&mut ids);
    let kind = StmtKind::Let {
        pattern: pattern.clone(),
        ty: None,
        mutable: false,
        init,
    };
    let text = stmt_text(&Node::new(ids.fresh(), Span::at(0), kind));
    let text = text.strip_prefix("let ").unwrap_or(&text);
    text.strip_suffix(" = ()").unwrap_or(text).to_owned()
}

fn arm_text(arm: &Arm) -> String {
    let pattern = pattern_text(&arm.pattern);
    let body = expr_text(&arm.body);
    match &arm.guard {
        Some(guard) => format!("{pattern} if {} -> {body}", expr_text(guard)),
        None => format!("{pattern} -> {body}"),
    }
}

/// A node in canonical text, without comments.
pub(super) fn node_text(node: NodeRef<'_>) -> String {
    let named = |name: &Name, ty: &TypeExpr| format!("{}: {}", name.text, type_text(ty));
    match node {
        NodeRef::Expr(it) => expr_text(it),
        NodeRef::Stmt(it) => stmt_text(it),
        NodeRef::Pattern(it) => pattern_text(it),
        NodeRef::Type(it) => type_text(it),
        NodeRef::Arm(it) => arm_text(it),
        NodeRef::Param(it) => named(&it.name, &it.ty),
        NodeRef::Field(it) => named(&it.name, &it.ty),
        NodeRef::Block(it) => expr_text(&Node::new(
            it.id,
            Span::at(0),
            ExprKind::Block(it.kind.clone()),
        )),
        NodeRef::Decl(it) => printed(it.kind.clone()),
        NodeRef::LambdaParam(it) => match &it.ty {
            Some(ty) => named(&it.name, ty),
            None => it.name.text.to_string(),
        },
        NodeRef::TypeParam(it) => match &it.constraint {
            Some(bound) => named(&it.name, bound),
            None => it.name.text.to_string(),
        },
        NodeRef::FieldInit(it) => format!("{}: {}", it.name.text, expr_text(&it.value)),
        NodeRef::FieldPattern(it) => match &it.pattern {
            Some(pattern) => format!("{}: {}", it.name.text, pattern_text(pattern)),
            None => it.name.text.to_string(),
        },
        NodeRef::Variant(it) => {
            let fields = it.fields.iter().map(|(name, ty)| match name {
                Some(name) => named(name, ty),
                None => type_text(ty),
            });
            let fields: Vec<String> = fields.collect();
            match fields.as_slice() {
                [] => it.name.text.to_string(),
                fields => format!("{}({})", it.name.text, fields.join(", ")),
            }
        }
        NodeRef::Program(_) => String::new(),
    }
}
