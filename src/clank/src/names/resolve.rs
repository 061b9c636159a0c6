//! Walks the tree and resolves names, with the scopes on the way.

mod templates;
mod types;

use rustc_hash::FxHashMap as HashMap;

use super::{Binding, BindingId, Def, Globals, NameIndex, Names, Origin, similar_names};
use crate::ast::{
    Block, BlockNode, Decl, DeclKind, Expr, ExprKind, FnDecl, Literal, Name, NodeId, NodeRef,
    Pattern, PatternKind, Signature, Stmt, StmtKind, TypeExpr, TypeKind, TypeParam,
};
use crate::diagnostic::{Code, Diagnostic, Hint, Payload};

/// The maximum number of variables, innermost first, that are compared with an unknown name.
const MAX_LOCALS: usize = 256;

pub(super) struct Resolver<'g, 'a> {
    pub(super) globals: &'g Globals<'a>,
    in_prelude: bool,
    pub(super) names: Names,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The visible bindings of each name, the innermost one last.
    visible: HashMap<&'g str, Vec<BindingId>>,
    /// The names in scope, in the order they were bound.
    bound: Vec<&'g str>,
    type_params: &'g [TypeParam],
    /// The number of lambdas around this place.
    lambdas: usize,
    /// The number of loops around this place, within the innermost function or lambda.
    loops: usize,
    index: Option<NameIndex<'g>>,
    /// A cache of the known names that are similar to an unknown name.
    known_similar: HashMap<&'g str, Vec<&'g str>>,
}

impl<'g, 'a: 'g> Resolver<'g, 'a> {
    pub(super) fn new(globals: &'g Globals<'a>, nodes: usize, in_prelude: bool) -> Self {
        Self {
            globals,
            in_prelude,
            names: Names::with_nodes(nodes),
            diagnostics: Vec::new(),
            visible: HashMap::default(),
            bound: Vec::new(),
            type_params: &[],
            lambdas: 0,
            loops: 0,
            index: None,
            known_similar: HashMap::default(),
        }
    }

    pub(super) fn declarations(&mut self, declarations: &'g [Decl]) {
        for decl in declarations {
            self.names.writes_fields |= NodeRef::Decl(decl).writes_part();
            match &decl.kind {
                DeclKind::Fn(function) => self.function(function),
                DeclKind::ExternalFn(function) => self.signature(&function.signature),
                DeclKind::Rec(rec) => {
                    self.type_params = &rec.type_params;
                    self.distinct("fields", rec.fields.iter().map(|it| (it.id, &it.name)));
                    rec.fields
                        .iter()
                        .for_each(|field| self.type_expr(&field.ty));
                }
                DeclKind::Sum(sum) => {
                    self.type_params = &sum.type_params;
                    let variants = sum.variants.iter().map(|it| (it.id, &it.name));
                    self.distinct("variants", variants);
                    let fields = sum.variants.iter().flat_map(|variant| &variant.fields);
                    fields.for_each(|(_, ty)| self.type_expr(ty));
                }
                DeclKind::TypeAlias(alias) => {
                    self.type_params = &alias.type_params;
                    self.type_expr(&alias.ty);
                }
                DeclKind::ExternalMod(_) | DeclKind::Mod(_) | DeclKind::Use(_) => {}
            }
        }
    }

    fn signature(&mut self, signature: &'g Signature) {
        self.type_params = &signature.type_params;
        let params = signature.params.iter();
        self.distinct("parameters", params.map(|it| (it.id, &it.name)));
        for param in &signature.params {
            self.type_expr(&param.ty);
        }
        self.type_expr(&signature.return_type);
    }

    fn function(&mut self, function: &'g FnDecl) {
        self.signature(&function.signature);
        self.scoped(|it| {
            for param in &function.signature.params {
                it.bind_name(param.id, &param.name, Origin::Param, false);
            }
            it.read_by_types(&function.signature);
            function.precondition.iter().for_each(|pre| it.expr(pre));
            if let Some(post) = &function.postcondition {
                it.scoped(|it| {
                    let span = function.body.span;
                    it.bind(function.body.id, "result", span, Origin::Result, false);
                    it.expr(post);
                });
            }
            it.block(&function.body);
        });
    }

    /// Counts the parameters that refinements of the signature mention as read.
    fn read_by_types(&mut self, signature: &'g Signature) {
        let types = signature.params.iter().map(|it| &it.ty);
        for ty in types.chain([&signature.return_type]) {
            NodeRef::Type(ty).each(&mut |node| {
                if let NodeRef::Type(TypeExpr {
                    kind: TypeKind::Refined { predicate, .. },
                    ..
                }) = node
                {
                    self.predicate(predicate);
                }
            });
        }
    }

    fn in_loop(&mut self, body: &'g BlockNode) {
        self.loops += 1;
        self.block(body);
        self.loops -= 1;
    }

    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let outside = self.bound.len();
        inside(self);
        for name in self.bound.drain(outside..) {
            if let Some(stack) = self.visible.get_mut(name) {
                stack.pop();
            }
        }
    }

    fn bind_name(&mut self, node: NodeId, name: &'g Name, origin: Origin, mutable: bool) {
        self.bind(node, &name.text, name.span, origin, mutable);
    }

    fn bind(
        &mut self,
        node: NodeId,
        name: &'g str,
        span: fixpoint_text::Span,
        origin: Origin,
        mutable: bool,
    ) {
        let id = self.names.bindings.push(Binding {
            name: name.into(),
            node,
            span,
            origin,
            mutable,
            reads: 0,
            changed_by_lambda: false,
        });
        self.names.set_made(node, id);
        self.visible.entry(name).or_default().push(id);
        self.bound.push(name);
    }

    pub(super) fn local(&self, name: &str) -> Option<BindingId> {
        self.visible.get(name)?.last().copied()
    }

    fn block(&mut self, block: &'g BlockNode) {
        self.scoped(|it| it.block_items(&block.kind));
    }

    fn block_items(&mut self, block: &'g Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
    }

    fn statement(&mut self, statement: &'g Stmt) {
        match &statement.kind {
            StmtKind::Let {
                pattern,
                ty,
                mutable,
                init,
            } => {
                self.expr(init);
                if let Some(ty) = ty {
                    self.type_expr(ty);
                }
                let origin = Origin::Let {
                    statement: statement.id,
                    plain: matches!(pattern.kind, PatternKind::Ident(_)),
                };
                self.binders(pattern, origin, *mutable);
            }
            StmtKind::Assign { target, value } => {
                match &target.kind {
                    // A write does not count as a read.
                    ExprKind::Ident(name) => self.ident(target, name, false),
                    _ => {
                        self.names.writes_fields = true;
                        self.expr(target);
                    }
                }
                if self.lambdas > 0
                    && let Some(Def::Local(id)) = self.names.of_use(target.id)
                    && let Some(binding) = self.names.bindings.get_mut(id)
                {
                    binding.changed_by_lambda = true;
                }
                self.expr(value);
            }
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::For {
                pattern,
                iterable,
                body,
            } => {
                self.expr(iterable);
                self.scoped(|it| {
                    it.binders(pattern, Origin::For, false);
                    it.in_loop(body);
                });
            }
            StmtKind::While { condition, body } => {
                self.expr(condition);
                self.in_loop(body);
            }
            StmtKind::Loop(body) => self.in_loop(body),
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Assert { condition, .. } => self.expr(condition),
            StmtKind::Break if self.loops == 0 => self.outside_loop(statement, "break"),
            StmtKind::Continue if self.loops == 0 => self.outside_loop(statement, "continue"),
            StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn outside_loop(&mut self, statement: &Stmt, keyword: &'static str) {
        let message = format!("`{keyword}` is outside of a loop");
        let payload = Payload::OutsideLoop { statement: keyword };
        let (node, span) = (statement.id, statement.span);
        self.diagnostics
            .push(Diagnostic::new(Code::E2019, node, span, message, payload));
    }

    fn expr(&mut self, expr: &'g Expr) {
        match &expr.kind {
            ExprKind::Ident(name) => self.ident(expr, name, true),
            ExprKind::Lambda { params, body } => self.scoped(|it| {
                if params.len() > 1 {
                    it.distinct("parameters", params.iter().map(|it| (it.id, &it.name)));
                }
                for param in params {
                    if let Some(ty) = &param.ty {
                        it.type_expr(ty);
                    }
                    it.bind_name(param.id, &param.name, Origin::LambdaParam, false);
                }
                it.lambdas += 1;
                let loops = std::mem::take(&mut it.loops);
                it.expr(body);
                it.loops = loops;
                it.lambdas -= 1;
            }),
            ExprKind::Match { scrutinee, arms } => {
                self.expr(scrutinee);
                for arm in arms {
                    self.scoped(|it| {
                        it.binders(&arm.pattern, Origin::Match, false);
                        arm.guard.iter().for_each(|guard| it.expr(guard));
                        it.expr(&arm.body);
                    });
                }
            }
            ExprKind::Block(block) => self.scoped(|it| it.block_items(block)),
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                self.expr(condition);
                self.block(then_branch);
                else_branch.iter().for_each(|branch| self.expr(branch));
            }
            ExprKind::Literal(Literal::Template(text)) => self.template(text, Some(expr)),
            ExprKind::Literal(_) | ExprKind::Hole(_) => {}
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Call { callee, args } => {
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Index { object, index } => {
                self.expr(object);
                self.expr(index);
            }
            ExprKind::Field { object, .. } => self.expr(object),
            ExprKind::Array(elements) | ExprKind::Tuple(elements) => {
                elements.iter().for_each(|element| self.expr(element));
            }
            ExprKind::Record(fields) => {
                self.distinct("fields", fields.iter().map(|it| (it.id, &it.name)));
                fields.iter().for_each(|field| self.expr(&field.value));
            }
            ExprKind::Range { start, end, .. } => {
                self.expr(start);
                self.expr(end);
            }
            ExprKind::Propagate(inner) => self.expr(inner),
        }
    }

    fn ident(&mut self, expr: &'g Expr, name: &'g str, read: bool) {
        if let Some(id) = self.local(name) {
            if let Some(binding) = self.names.bindings.get_mut(id) {
                binding.reads += usize::from(read);
            }
            self.names.set_use(expr.id, Def::Local(id));
        } else if let Some(def) = self.globals.value(name) {
            self.names.set_use(expr.id, def);
        } else {
            self.unresolved(expr, name);
        }
    }

    fn unresolved(&mut self, expr: &'g Expr, name: &'g str) {
        let globals = self.globals;
        let index = self
            .index
            .get_or_insert_with(|| NameIndex::of(globals.value_names.iter().copied()));
        let known = self
            .known_similar
            .entry(name)
            .or_insert_with(|| index.similar(name));
        let far = self.bound.len().saturating_sub(MAX_LOCALS);
        let locals = similar_names(name, self.bound.iter().skip(far).copied());
        let similar = similar_names(name, known.iter().copied().chain(locals));
        let meant = similar.iter().filter_map(|it| self.local(it));
        self.names.meant.extend(meant.collect::<Vec<_>>());
        let payload = Payload::UnresolvedName {
            name: name.to_owned(),
            similar_names: similar.iter().map(ToString::to_string).collect(),
        };
        let message = format!("'{name}' is not defined");
        let meant = similar
            .first()
            .map(|best| format!("did you mean '{best}'?"));
        let mut diagnostic = Diagnostic::new(Code::E1001, expr.id, expr.span, message, payload);
        diagnostic.hints.extend(meant.map(Hint::info));
        self.diagnostics.push(diagnostic);
    }

    fn binders(&mut self, pattern: &'g Pattern, origin: Origin, mutable: bool) {
        self.distinct_binders(pattern);
        self.pattern(pattern, origin, mutable);
    }

    fn pattern(&mut self, pattern: &'g Pattern, origin: Origin, mutable: bool) {
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Ident(name) => self.bind(pattern.id, name, pattern.span, origin, mutable),
            PatternKind::Tuple(elements) => {
                for element in elements {
                    self.pattern(element, origin, mutable);
                }
            }
            PatternKind::Record(fields) => {
                for field in fields {
                    match &field.pattern {
                        Some(pattern) => self.pattern(pattern, origin, mutable),
                        None => self.bind_name(field.id, &field.name, origin, mutable),
                    }
                }
            }
            PatternKind::Variant { name, payload } => {
                if let Some(variant) = self.globals.variant_named(&name.text) {
                    self.names.set_use(pattern.id, Def::Variant(variant));
                }
                for part in payload.iter().flatten() {
                    self.pattern(part, origin, mutable);
                }
            }
        }
    }
}
