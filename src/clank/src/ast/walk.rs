//! Generic traversal of the tree, for code that does not depend on the kind of a node.

use fixpoint_text::Span;

use super::{
    Arm, Block, BlockNode, Decl, DeclKind, Expr, ExprKind, Field, FieldInit, FieldPattern,
    LambdaParam, NodeId, Param, Pattern, PatternKind, Program, Signature, Stmt, StmtKind, TypeExpr,
    TypeKind, TypeParam, Variant,
};

/// A node of any category.
#[derive(Clone, Copy, Debug)]
pub enum NodeRef<'a> {
    Program(&'a Program),
    Decl(&'a Decl),
    Stmt(&'a Stmt),
    Block(&'a BlockNode),
    Expr(&'a Expr),
    Pattern(&'a Pattern),
    Type(&'a TypeExpr),
    TypeParam(&'a TypeParam),
    Param(&'a Param),
    Field(&'a Field),
    Variant(&'a Variant),
    Arm(&'a Arm),
    LambdaParam(&'a LambdaParam),
    FieldInit(&'a FieldInit),
    FieldPattern(&'a FieldPattern),
}

/// The relation of a child to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The only child in that role.
    Only(&'static str),
    /// An element of a list in which positions have a meaning.
    At(&'static str, usize),
    /// An element of a list that grows and shrinks. It is identified by its key.
    Among(&'static str),
}

type Visit<'v, 'a> = &'v mut dyn FnMut(Step, NodeRef<'a>);

impl<'a> NodeRef<'a> {
    pub fn id(self) -> NodeId {
        match self {
            Self::Program(it) => it.id,
            Self::Decl(it) => it.id,
            Self::Stmt(it) => it.id,
            Self::Block(it) => it.id,
            Self::Expr(it) => it.id,
            Self::Pattern(it) => it.id,
            Self::Type(it) => it.id,
            Self::TypeParam(it) => it.id,
            Self::Param(it) => it.id,
            Self::Field(it) => it.id,
            Self::Variant(it) => it.id,
            Self::Arm(it) => it.id,
            Self::LambdaParam(it) => it.id,
            Self::FieldInit(it) => it.id,
            Self::FieldPattern(it) => it.id,
        }
    }

    /// The span of the node in the author's text.
    pub fn span(self) -> Span {
        match self {
            Self::Program(it) => it.span,
            Self::Decl(it) => it.span,
            Self::Stmt(it) => it.span,
            Self::Block(it) => it.span,
            Self::Expr(it) => it.span,
            Self::Pattern(it) => it.span,
            Self::Type(it) => it.span,
            Self::Variant(it) => it.span,
            Self::Arm(it) => it.span,
            Self::TypeParam(it) => match &it.constraint {
                Some(bound) => cover(it.name.span, bound.span),
                None => it.name.span,
            },
            Self::Param(it) => cover(it.name.span, it.ty.span),
            Self::Field(it) => cover(it.name.span, it.ty.span),
            Self::LambdaParam(it) => match &it.ty {
                Some(ty) => cover(it.name.span, ty.span),
                None => it.name.span,
            },
            Self::FieldInit(it) => cover(it.name.span, it.value.span),
            Self::FieldPattern(it) => match &it.pattern {
                Some(pattern) => cover(it.name.span, pattern.span),
                None => it.name.span,
            },
        }
    }

    /// The key of a node among its siblings: its kind, and the first name it binds or uses.
    pub fn key(self) -> (&'static str, &'a str) {
        match self {
            Self::Decl(it) => decl_key(it),
            Self::Stmt(it) => stmt_key(it),
            Self::Arm(it) => pattern_key(&it.pattern),
            Self::Pattern(it) => pattern_key(it),
            Self::Param(it) => ("param", &it.name.text),
            Self::Field(it) => ("field", &it.name.text),
            Self::Variant(it) => ("variant", &it.name.text),
            Self::TypeParam(it) => ("typeParam", &it.name.text),
            Self::LambdaParam(it) => ("param", &it.name.text),
            Self::FieldInit(it) => ("field", &it.name.text),
            Self::FieldPattern(it) => ("field", &it.name.text),
            Self::Expr(it) => ("expr", head(it)),
            Self::Type(_) => ("type", ""),
            Self::Block(_) => ("block", ""),
            Self::Program(_) => ("program", ""),
        }
    }

    /// Calls `visit` with each child in source order.
    pub fn children(self, visit: Visit<'_, 'a>) {
        match self {
            Self::Program(it) => among("declarations", &it.declarations, Self::Decl, visit),
            Self::Decl(it) => decl(it, visit),
            Self::Stmt(it) => stmt(it, visit),
            Self::Block(it) => block(&it.kind, visit),
            Self::Expr(it) => expr(it, visit),
            Self::Pattern(it) => pattern(it, visit),
            Self::Type(it) => type_expr(it, visit),
            Self::TypeParam(it) => {
                if let Some(bound) = &it.constraint {
                    visit(Step::Only("constraint"), Self::Type(bound));
                }
            }
            Self::Param(it) => visit(Step::Only("type"), Self::Type(&it.ty)),
            Self::Field(it) => visit(Step::Only("type"), Self::Type(&it.ty)),
            Self::Variant(it) => {
                for (at, (_, ty)) in it.fields.iter().enumerate() {
                    visit(Step::At("fields", at), Self::Type(ty));
                }
            }
            Self::Arm(it) => {
                visit(Step::Only("pattern"), Self::Pattern(&it.pattern));
                if let Some(guard) = &it.guard {
                    visit(Step::Only("guard"), Self::Expr(guard));
                }
                visit(Step::Only("body"), Self::Expr(&it.body));
            }
            Self::LambdaParam(it) => {
                if let Some(ty) = &it.ty {
                    visit(Step::Only("type"), Self::Type(ty));
                }
            }
            Self::FieldInit(it) => visit(Step::Only("value"), Self::Expr(&it.value)),
            Self::FieldPattern(it) => {
                if let Some(pattern) = &it.pattern {
                    visit(Step::Only("pattern"), Self::Pattern(pattern));
                }
            }
        }
    }

    /// Whether the node writes to an element or a field, or is an external function that may do so.
    pub fn writes_part(self) -> bool {
        match self {
            Self::Decl(Decl {
                kind: DeclKind::ExternalFn(function),
                ..
            }) => function.signature.return_type.kind.has_effect("Mut"),
            Self::Stmt(Stmt {
                kind: StmtKind::Assign { target, .. },
                ..
            }) => !matches!(target.kind, ExprKind::Ident(_)),
            _ => false,
        }
    }

    /// Calls `visit` on the node and everything below it, parents first.
    pub fn each(self, visit: &mut dyn FnMut(NodeRef<'a>)) {
        visit(self);
        self.children(&mut |_, child| child.each(visit));
    }
}

fn cover(first: Span, last: Span) -> Span {
    Span::from(first.start()..last.end())
}

fn among<'a, T>(
    role: &'static str,
    list: &'a [T],
    wrap: fn(&'a T) -> NodeRef<'a>,
    visit: Visit<'_, 'a>,
) {
    for item in list {
        visit(Step::Among(role), wrap(item));
    }
}

fn at<'a, T>(
    role: &'static str,
    list: &'a [T],
    wrap: fn(&'a T) -> NodeRef<'a>,
    visit: Visit<'_, 'a>,
) {
    for (place, item) in list.iter().enumerate() {
        visit(Step::At(role, place), wrap(item));
    }
}

fn signature<'a>(it: &'a Signature, visit: Visit<'_, 'a>) {
    among("typeParams", &it.type_params, NodeRef::TypeParam, visit);
    among("params", &it.params, NodeRef::Param, visit);
    visit(Step::Only("returnType"), NodeRef::Type(&it.return_type));
}

fn decl<'a>(it: &'a Decl, visit: Visit<'_, 'a>) {
    match &it.kind {
        DeclKind::Fn(function) => {
            signature(&function.signature, visit);
            if let Some(pre) = &function.precondition {
                visit(Step::Only("precondition"), NodeRef::Expr(pre));
            }
            if let Some(post) = &function.postcondition {
                visit(Step::Only("postcondition"), NodeRef::Expr(post));
            }
            visit(Step::Only("body"), NodeRef::Block(&function.body));
        }
        DeclKind::ExternalFn(function) => signature(&function.signature, visit),
        DeclKind::ExternalMod(module) => {
            for function in &module.functions {
                signature(function, visit);
            }
        }
        DeclKind::Rec(rec) => {
            among("typeParams", &rec.type_params, NodeRef::TypeParam, visit);
            among("fields", &rec.fields, NodeRef::Field, visit);
        }
        DeclKind::Sum(sum) => {
            among("typeParams", &sum.type_params, NodeRef::TypeParam, visit);
            among("variants", &sum.variants, NodeRef::Variant, visit);
        }
        DeclKind::TypeAlias(alias) => {
            among("typeParams", &alias.type_params, NodeRef::TypeParam, visit);
            visit(Step::Only("type"), NodeRef::Type(&alias.ty));
        }
        DeclKind::Mod(_) | DeclKind::Use(_) => {}
    }
}

fn block<'a>(it: &'a Block, visit: Visit<'_, 'a>) {
    among("statements", &it.statements, NodeRef::Stmt, visit);
    if let Some(tail) = &it.tail {
        visit(Step::Only("expr"), NodeRef::Expr(tail));
    }
}

fn stmt<'a>(it: &'a Stmt, visit: Visit<'_, 'a>) {
    match &it.kind {
        StmtKind::Let {
            pattern, ty, init, ..
        } => {
            visit(Step::Only("pattern"), NodeRef::Pattern(pattern));
            if let Some(ty) = ty {
                visit(Step::Only("type"), NodeRef::Type(ty));
            }
            visit(Step::Only("init"), NodeRef::Expr(init));
        }
        StmtKind::Assign { target, value } => {
            visit(Step::Only("target"), NodeRef::Expr(target));
            visit(Step::Only("value"), NodeRef::Expr(value));
        }
        StmtKind::Expr(expr) => visit(Step::Only("expr"), NodeRef::Expr(expr)),
        StmtKind::For {
            pattern,
            iterable,
            body,
        } => {
            visit(Step::Only("pattern"), NodeRef::Pattern(pattern));
            visit(Step::Only("iterable"), NodeRef::Expr(iterable));
            visit(Step::Only("body"), NodeRef::Block(body));
        }
        StmtKind::While { condition, body } => {
            visit(Step::Only("condition"), NodeRef::Expr(condition));
            visit(Step::Only("body"), NodeRef::Block(body));
        }
        StmtKind::Loop(body) => visit(Step::Only("body"), NodeRef::Block(body)),
        StmtKind::Return(Some(value)) => visit(Step::Only("value"), NodeRef::Expr(value)),
        StmtKind::Assert { condition, .. } => {
            visit(Step::Only("condition"), NodeRef::Expr(condition));
        }
        StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue => {}
    }
}

fn expr<'a>(it: &'a Expr, visit: Visit<'_, 'a>) {
    match &it.kind {
        ExprKind::Literal(_) | ExprKind::Ident(_) | ExprKind::Hole(_) => {}
        ExprKind::Unary { operand, .. } => visit(Step::Only("operand"), NodeRef::Expr(operand)),
        ExprKind::Binary { left, right, .. } => {
            visit(Step::Only("left"), NodeRef::Expr(left));
            visit(Step::Only("right"), NodeRef::Expr(right));
        }
        ExprKind::Call { callee, args } => {
            visit(Step::Only("callee"), NodeRef::Expr(callee));
            at("args", args, NodeRef::Expr, visit);
        }
        ExprKind::Index { object, index } => {
            visit(Step::Only("object"), NodeRef::Expr(object));
            visit(Step::Only("index"), NodeRef::Expr(index));
        }
        ExprKind::Field { object, .. } => visit(Step::Only("object"), NodeRef::Expr(object)),
        ExprKind::Lambda { params, body } => {
            among("params", params, NodeRef::LambdaParam, visit);
            visit(Step::Only("body"), NodeRef::Expr(body));
        }
        ExprKind::If {
            condition,
            then_branch,
            else_branch,
        } => {
            visit(Step::Only("condition"), NodeRef::Expr(condition));
            visit(Step::Only("thenBranch"), NodeRef::Block(then_branch));
            if let Some(branch) = else_branch {
                visit(Step::Only("elseBranch"), NodeRef::Expr(branch));
            }
        }
        ExprKind::Match { scrutinee, arms } => {
            visit(Step::Only("scrutinee"), NodeRef::Expr(scrutinee));
            among("arms", arms, NodeRef::Arm, visit);
        }
        ExprKind::Block(it) => block(it, visit),
        ExprKind::Array(elements) | ExprKind::Tuple(elements) => {
            at("elements", elements, NodeRef::Expr, visit);
        }
        ExprKind::Record(fields) => among("fields", fields, NodeRef::FieldInit, visit),
        ExprKind::Range { start, end, .. } => {
            visit(Step::Only("start"), NodeRef::Expr(start));
            visit(Step::Only("end"), NodeRef::Expr(end));
        }
        ExprKind::Propagate(inner) => visit(Step::Only("expr"), NodeRef::Expr(inner)),
    }
}

fn pattern<'a>(it: &'a Pattern, visit: Visit<'_, 'a>) {
    match &it.kind {
        PatternKind::Wildcard | PatternKind::Ident(_) | PatternKind::Literal(_) => {}
        PatternKind::Tuple(elements) => at("elements", elements, NodeRef::Pattern, visit),
        PatternKind::Record(fields) => among("fields", fields, NodeRef::FieldPattern, visit),
        PatternKind::Variant { payload, .. } => {
            at(
                "payload",
                payload.as_deref().unwrap_or_default(),
                NodeRef::Pattern,
                visit,
            );
        }
    }
}

fn type_expr<'a>(it: &'a TypeExpr, visit: Visit<'_, 'a>) {
    match &it.kind {
        TypeKind::Named { args, .. } => at("args", args, NodeRef::Type, visit),
        TypeKind::Array(element) => visit(Step::Only("element"), NodeRef::Type(element)),
        TypeKind::Tuple(elements) => at("elements", elements, NodeRef::Type, visit),
        TypeKind::Function { params, result } => {
            at("params", params, NodeRef::Type, visit);
            visit(Step::Only("returnType"), NodeRef::Type(result));
        }
        TypeKind::Refined {
            base, predicate, ..
        } => {
            visit(Step::Only("base"), NodeRef::Type(base));
            visit(Step::Only("predicate"), NodeRef::Expr(predicate));
        }
        TypeKind::Effect { effects, result } => {
            at("effects", effects, NodeRef::Type, visit);
            visit(Step::Only("resultType"), NodeRef::Type(result));
        }
        TypeKind::Record { fields, .. } => among("fields", fields, NodeRef::Field, visit),
    }
}

fn decl_key(it: &Decl) -> (&'static str, &str) {
    match &it.kind {
        DeclKind::Fn(function) => ("fn", &function.signature.name.text),
        DeclKind::ExternalFn(function) => ("externalFn", &function.signature.name.text),
        DeclKind::ExternalMod(module) => ("externalMod", &module.name.text),
        DeclKind::Rec(rec) => ("rec", &rec.name.text),
        DeclKind::Sum(sum) => ("sum", &sum.name.text),
        DeclKind::TypeAlias(alias) => ("typeAlias", &alias.name.text),
        DeclKind::Mod(name) => ("mod", &name.text),
        DeclKind::Use(it) => ("use", it.path.last().map_or("", |name| &name.text)),
    }
}

fn stmt_key(it: &Stmt) -> (&'static str, &str) {
    match &it.kind {
        StmtKind::Let { pattern, .. } => ("let", pattern_key(pattern).1),
        StmtKind::Assign { target, .. } => ("assign", head(target)),
        StmtKind::Expr(expr) => ("expr", head(expr)),
        StmtKind::For { pattern, .. } => ("for", pattern_key(pattern).1),
        StmtKind::While { .. } => ("while", ""),
        StmtKind::Loop(_) => ("loop", ""),
        StmtKind::Return(_) => ("return", ""),
        StmtKind::Break => ("break", ""),
        StmtKind::Continue => ("continue", ""),
        StmtKind::Assert { .. } => ("assert", ""),
    }
}

fn pattern_key(it: &Pattern) -> (&'static str, &str) {
    match &it.kind {
        PatternKind::Wildcard => ("wildcard", ""),
        PatternKind::Ident(name) => ("ident", name),
        PatternKind::Literal(literal) => ("literal", literal.spelled()),
        PatternKind::Tuple(_) => ("tuple", ""),
        PatternKind::Record(_) => ("record", ""),
        PatternKind::Variant { name, .. } => ("variant", &name.text),
    }
}

/// The first name in an expression, or a word for its kind.
fn head(mut it: &Expr) -> &str {
    loop {
        it = match &it.kind {
            ExprKind::Ident(name) => return name,
            ExprKind::Call { callee, .. } => callee,
            ExprKind::Index { object, .. } | ExprKind::Field { object, .. } => object,
            ExprKind::Propagate(inner) => inner,
            ExprKind::If { .. } => return "if",
            ExprKind::Match { .. } => return "match",
            ExprKind::Block(_) => return "block",
            _ => return "",
        };
    }
}
