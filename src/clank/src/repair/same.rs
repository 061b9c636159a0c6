//! Structural equality of trees, ignoring ids, positions and parentheses.

use crate::ast::{
    Decl, DeclKind, Expr, ExprKind, Name, NodeRef, Pattern, PatternKind, Signature, Step, Stmt,
    StmtKind, TypeExpr, TypeKind,
};

pub(super) fn same(a: NodeRef<'_>, b: NodeRef<'_>) -> bool {
    if !same_head(a, b) {
        return false;
    }
    let (a, b) = (children(a), children(b));
    let mut pairs = a.iter().zip(&b);
    a.len() == b.len() && pairs.all(|((s, a), (t, b))| s == t && same(*a, *b))
}

/// Whether two heads are equal. Avoids formatting the heads of the most frequent nodes.
fn same_head(a: NodeRef<'_>, b: NodeRef<'_>) -> bool {
    use ExprKind as E;
    match (a, b) {
        (NodeRef::Expr(x), NodeRef::Expr(y)) => match (&x.kind, &y.kind) {
            (E::Ident(x), E::Ident(y)) => x == y,
            (E::Binary { op: x, .. }, E::Binary { op: y, .. }) => x == y,
            (E::Field { field: x, .. }, E::Field { field: y, .. }) => x.text == y.text,
            (E::Call { .. }, E::Call { .. })
            | (E::Index { .. }, E::Index { .. })
            | (E::If { .. }, E::If { .. })
            | (E::Block(_), E::Block(_))
            | (E::Match { .. }, E::Match { .. }) => true,
            _ => head(a) == head(b),
        },
        (NodeRef::Block(_), NodeRef::Block(_)) => true,
        _ => head(a) == head(b),
    }
}

pub(super) fn children(node: NodeRef<'_>) -> Vec<(Step, NodeRef<'_>)> {
    let mut children = Vec::new();
    node.children(&mut |step, child| children.push((step, child)));
    children
}

/// All properties of a node except its children.
pub(super) fn head(node: NodeRef<'_>) -> String {
    match node {
        NodeRef::Program(_) => "program".to_owned(),
        NodeRef::Decl(it) => decl(it),
        NodeRef::Stmt(it) => stmt(it),
        NodeRef::Block(_) => "block".to_owned(),
        NodeRef::Expr(it) => expr(it),
        NodeRef::Pattern(it) => pattern(it),
        NodeRef::Type(it) => type_expr(it),
        NodeRef::TypeParam(it) => it.name.text.to_string(),
        NodeRef::Param(it) => it.name.text.to_string(),
        NodeRef::Field(it) => it.name.text.to_string(),
        NodeRef::Variant(it) => {
            let fields = it.fields.iter().map(|(name, _)| name.as_ref().map(text));
            format!("{} {:?}", it.name.text, fields.collect::<Vec<_>>())
        }
        NodeRef::Arm(_) => "arm".to_owned(),
        NodeRef::LambdaParam(it) => it.name.text.to_string(),
        NodeRef::FieldInit(it) => it.name.text.to_string(),
        NodeRef::FieldPattern(it) => it.name.text.to_string(),
    }
}

fn text(name: &Name) -> &str {
    &name.text
}

fn texts(names: &[Name]) -> Vec<&str> {
    names.iter().map(text).collect()
}

fn decl(it: &Decl) -> String {
    let function = |word: &str, it: &Signature| format!("{word} {}", it.name.text);
    match &it.kind {
        DeclKind::Fn(it) => function("fn", &it.signature),
        DeclKind::ExternalFn(it) => {
            format!("{} {:?}", function("external", &it.signature), it.js_name)
        }
        DeclKind::ExternalMod(it) => format!("use {:?}", [&it.name.text]),
        DeclKind::Rec(it) => format!("rec {}", it.name.text),
        DeclKind::Sum(it) => format!("sum {}", it.name.text),
        DeclKind::TypeAlias(it) => format!("type {}", it.name.text),
        DeclKind::Mod(name) => format!("mod {}", name.text),
        DeclKind::Use(it) => {
            let items = texts(&it.items);
            let alias = it.alias.as_ref().map(text);
            format!(
                "use {:?} {items:?} {alias:?} {}",
                texts(&it.path),
                it.is_external
            )
        }
    }
}

fn stmt(it: &Stmt) -> String {
    match &it.kind {
        StmtKind::Let { mutable, .. } => format!("let {mutable}"),
        StmtKind::Assert { message, .. } => format!("assert {message:?}"),
        StmtKind::Assign { .. } => "assign".to_owned(),
        StmtKind::Expr(_) => "expr".to_owned(),
        StmtKind::For { .. } => "for".to_owned(),
        StmtKind::While { .. } => "while".to_owned(),
        StmtKind::Loop(_) => "loop".to_owned(),
        StmtKind::Return(_) => "return".to_owned(),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Continue => "continue".to_owned(),
    }
}

fn expr(it: &Expr) -> String {
    match &it.kind {
        ExprKind::Literal(literal) => format!("{literal:?}"),
        ExprKind::Ident(name) => format!("ident {name}"),
        ExprKind::Unary { op, .. } => format!("unary {op:?}"),
        ExprKind::Binary { op, .. } => format!("binary {op:?}"),
        ExprKind::Call { .. } => "call".to_owned(),
        ExprKind::Index { .. } => "index".to_owned(),
        ExprKind::Field { field, .. } => format!("field {}", field.text),
        ExprKind::Lambda { .. } => "lambda".to_owned(),
        ExprKind::If { .. } => "if".to_owned(),
        ExprKind::Match { .. } => "match".to_owned(),
        ExprKind::Block(_) => "block".to_owned(),
        ExprKind::Array(_) => "array".to_owned(),
        ExprKind::Tuple(_) => "tuple".to_owned(),
        ExprKind::Record(_) => "record".to_owned(),
        ExprKind::Range { inclusive, .. } => format!("range {inclusive}"),
        ExprKind::Propagate(_) => "propagate".to_owned(),
        ExprKind::Hole(name) => format!("hole {name}"),
    }
}

fn pattern(it: &Pattern) -> String {
    match &it.kind {
        PatternKind::Wildcard => "_".to_owned(),
        PatternKind::Ident(name) => format!("ident {name}"),
        PatternKind::Literal(literal) => format!("{literal:?}"),
        PatternKind::Tuple(_) => "tuple".to_owned(),
        PatternKind::Record(_) => "record".to_owned(),
        PatternKind::Variant { name, .. } => format!("variant {}", name.text),
    }
}

fn type_expr(it: &TypeExpr) -> String {
    match &it.kind {
        TypeKind::Named { name, .. } => format!("named {}", name.text),
        TypeKind::Array(_) => "array".to_owned(),
        TypeKind::Tuple(_) => "tuple".to_owned(),
        TypeKind::Function { .. } => "function".to_owned(),
        TypeKind::Refined { var, .. } => format!("refined {:?}", var.as_ref().map(text)),
        TypeKind::Effect { .. } => "effect".to_owned(),
        TypeKind::Record { open, .. } => format!("record {open}"),
    }
}
