//! Walks a function in execution order.

use std::rc::Rc;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::context::Context;
use super::flow::{assigned, breaks, expr_leaves};
use super::pred::{Pred, Term};
use super::program::Refinements;
use super::run_time::RunTimeCheck;
use super::terms::applied;
use crate::ast::{
    Ast, BinaryOp, Block, BlockNode, Decl, Expr, ExprKind, Field, FnDecl, Literal, NodeId, NodeRef,
    PatternKind, Stmt, StmtKind, Text,
};
use crate::compile::Deadline;
use crate::diagnostic::Diagnostic;
use crate::names::{BindingId, Def};
use crate::types::{Effects, Refinement, Ty, Typing};

pub(super) struct Walker<'a> {
    pub ast: &'a Ast,
    pub typing: &'a Typing,
    pub deadline: &'a Deadline,
    pub records: &'a HashMap<&'a str, &'a [Field]>,
    /// The functions of the program by name.
    pub functions: &'a HashMap<&'a str, NodeId>,
    /// The functions whose calls do not have a single value. Computed on first use.
    pub unrepeatable: &'a OnceLock<HashSet<String>>,
    /// The written types inside each declared type.
    pub parts: &'a HashMap<&'a str, Vec<NodeId>>,
    pub context: Context<'a>,
    /// Expressions that assign variables while they are evaluated. Their operands may have other
    /// values afterwards.
    pub unsteady: HashSet<NodeId>,
    /// The obligations raised for values that are used under another type.
    pub raised: HashMap<NodeId, Vec<String>>,
    /// The parameters of the current function, with their values at the call.
    pub params: Named,
    /// The return type of the current function.
    pub returns: Option<Ty>,
    /// What the names in the type of a passed value refer to.
    pub meant: TypeNames,
    pub declared_effects: Effects,
    pub diagnostics: Vec<Diagnostic>,
    pub found: Refinements,
}

/// The terms for names in a predicate.
pub(super) type Named = Rc<[(Text, Term)]>;

/// What the names in a type refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeNames {
    /// The type is declared elsewhere, so its names mean nothing here.
    Nothing,
    /// The parameters of the function.
    Params,
    /// The variables in scope.
    InScope,
}

/// A refinement that the value of an expression must meet.
#[derive(Clone)]
pub(super) struct Wanted<'a> {
    pub refinement: &'a Refinement,
    /// The terms for the other names of its predicate; `None` if they do not matter.
    pub names: Option<Named>,
    /// The expression that requires it; `None` for the value itself.
    pub needed_by: Option<NodeId>,
    /// Where the code can check it when it runs.
    pub checked: CheckedAt,
}

/// Where all names of a refinement have values when the code runs.
#[derive(Clone)]
pub(super) enum CheckedAt {
    /// At the value itself.
    Value(TypeNames),
    /// At the call with this id, with the arguments under these names.
    Call(NodeId, Rc<[Text]>),
    /// At the assigned field with this id, with the record's fields under these names.
    Field(NodeId, Rc<[Text]>),
}

impl Wanted<'_> {
    /// The predicate that a term must meet.
    fn of(&self, term: &Term) -> Pred {
        let names = self.names.as_deref().unwrap_or_default();
        applied(self.refinement, term, names)
    }
}

impl<'a> Walker<'a> {
    pub(super) fn function(&mut self, decl: &'a Decl, function: &'a FnDecl) {
        self.context.clear();
        let effects = self.typing.of_node(decl.id);
        self.declared_effects = effects
            .map(|ty| self.typing.effects_of(ty))
            .unwrap_or_default();
        let params = function.signature.params.iter();
        let bound = params.clone().filter_map(|param| {
            let term = self.bind(param.id, &param.name.text)?;
            Some((param.name.text.clone(), term))
        });
        self.params = bound.collect();
        for param in params {
            let name = &param.name.text;
            if let Some(refinement) = self.refinement_of(self.typing.of_node(param.id))
                && let Some(term) = self.named(param.id, name)
            {
                let params = Rc::clone(&self.params);
                self.know(refinement, &term, &params, "refinement on parameter", name);
            }
        }
        self.returns = self.typing.of_node(function.signature.return_type.id);
        let wanted = self.wanted_result();
        self.block(&function.body.kind, wanted.as_ref());
        if let Some(tail) = &function.body.kind.tail {
            self.returned(tail);
        }
    }

    fn wanted_result(&self) -> Option<Wanted<'a>> {
        let refinement = self.refinement_of(self.returns)?;
        Some(Wanted {
            refinement,
            names: Some(Rc::clone(&self.params)),
            needed_by: None,
            checked: CheckedAt::Value(TypeNames::Params),
        })
    }

    fn returned(&mut self, value: &'a Expr) {
        if let Some(result) = self.returns {
            self.check_coercion_with_names(value, result, TypeNames::Params);
        }
    }

    /// Binds a parameter or pattern and returns its term.
    pub(super) fn bind(&mut self, node: NodeId, name: &Text) -> Option<Term> {
        let binding = self.typing.names.of_binder(node)?;
        let value = self.context.bind(binding, self.typing.of_binding(binding));
        Some(Term::Value(value, name.clone()))
    }

    pub(super) fn block(&mut self, block: &'a Block, wanted: Option<&Wanted<'a>>) {
        let scope = self.context.scope.len();
        for statement in &block.statements {
            self.statement(statement);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail, wanted);
        }
        self.context.scope.truncate(scope);
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Let {
                pattern, ty, init, ..
            } => {
                let declared = ty.as_ref().and_then(|ty| self.typing.of_node(ty.id));
                let refinement = self.refinement_of(declared);
                let wanted = refinement.map(|it| self.wanted_by_name(it, init));
                self.expr(init, wanted.as_ref());
                if let Some(declared) = declared {
                    self.check_coercion_with_names(init, declared, TypeNames::InScope);
                }
                self.define(pattern, init);
                if let Some(refinement) = refinement
                    && let PatternKind::Ident(name) = &pattern.kind
                    && let Some(term) = self.named(pattern.id, name)
                {
                    let names = self.names_for(refinement).unwrap_or_default();
                    self.know(refinement, &term, &names, "type of", name);
                }
            }
            StmtKind::Assign { target, value } => self.assign(target, value),
            StmtKind::Expr(expr) => self.expr(expr, None),
            StmtKind::For {
                pattern,
                iterable,
                body,
            } => {
                self.expr(iterable, None);
                let changed = assigned(NodeRef::Block(body), self.typing);
                self.renew(&changed);
                let mark = self.context.mark();
                self.pattern(pattern);
                self.block(&body.kind, None);
                self.context.back_to(mark);
                self.renew(&changed);
            }
            StmtKind::While { condition, body } => {
                let changed = self.changed_by_loop(Some(condition), body);
                self.renew(&changed);
                let mark = self.context.mark();
                self.expr(condition, None);
                let holds = self.pred(condition);
                self.learn(holds, "while condition", "");
                self.block(&body.kind, None);
                self.context.back_to(mark);
                self.renew(&changed);
                if !breaks(&body.kind) {
                    let ended = self.pred(condition).negate();
                    self.learn(ended, "while condition (after)", "");
                }
            }
            StmtKind::Loop(body) => {
                let changed = self.changed_by_loop(None, body);
                self.renew(&changed);
                let mark = self.context.mark();
                self.block(&body.kind, None);
                self.context.back_to(mark);
                self.renew(&changed);
            }
            StmtKind::Return(Some(value)) => {
                let wanted = self.wanted_result();
                self.expr(value, wanted.as_ref());
                self.returned(value);
            }
            StmtKind::Assert { condition, .. } => {
                self.expr(condition, None);
                let holds = self.pred(condition);
                self.learn(holds, "assert", "");
            }
            StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn changed_by_loop(&self, condition: Option<&Expr>, body: &BlockNode) -> Vec<BindingId> {
        let mut changed = assigned(NodeRef::Block(body), self.typing);
        if let Some(condition) = condition {
            changed.extend(assigned(NodeRef::Expr(condition), self.typing));
        }
        changed
    }

    pub(super) fn renew(&mut self, bindings: &[BindingId]) {
        for binding in bindings {
            self.context.renew(*binding);
        }
    }

    /// A required refinement over the names in scope. If the value assigns variables, the names are
    /// not used, because the refinement refers to the values before.
    fn wanted_by_name(&self, refinement: &'a Refinement, value: &Expr) -> Wanted<'a> {
        let is_steady = assigned(NodeRef::Expr(value), self.typing).is_empty();
        let names = is_steady.then(|| self.names_for(refinement));
        Wanted {
            refinement,
            names: names.flatten(),
            needed_by: None,
            checked: CheckedAt::Value(TypeNames::InScope),
        }
    }

    /// The names in scope, if the refinement depends on them.
    fn names_for(&self, refinement: &Refinement) -> Option<Named> {
        (!refinement.is_about_itself()).then(|| self.visible_names())
    }

    /// The names in scope, for predicates that use them.
    pub(super) fn visible_names(&self) -> Named {
        let visible = self.context.scope.iter().rev();
        let named = visible.filter_map(|id| {
            let name = &self.typing.names.binding(*id)?.name;
            let value = self.context.current(*id)?;
            // Any call may change it, so it does not have a single value.
            if self.typing.names.is_changed_by_lambda(*id) {
                return Some((name.clone(), Term::Name(name.clone())));
            }
            Some((name.clone(), Term::Value(value, name.clone())))
        });
        named.collect()
    }

    fn named(&self, node: NodeId, name: &Text) -> Option<Term> {
        let binding = self.typing.names.of_binder(node)?;
        let value = self.context.current(binding)?;
        Some(Term::Value(value, name.clone()))
    }

    fn assign(&mut self, target: &'a Expr, value: &'a Expr) {
        let ExprKind::Ident(name) = &target.kind else {
            self.expr(target, None);
            let refinement = self.refinement_of(self.typing.of_node(target.id));
            let names = refinement.and_then(|it| self.sibling_names_of(it, target));
            let wanted = refinement.map(|refinement| Wanted {
                refinement,
                needed_by: None,
                checked: match &names {
                    Some(names) => {
                        let fields = names.iter().map(|it| it.0.clone());
                        CheckedAt::Field(target.id, fields.collect())
                    }
                    None => CheckedAt::Value(TypeNames::Nothing),
                },
                names,
            });
            self.expr(value, wanted.as_ref());
            if let Some(ty) = self.typing.of_node(target.id) {
                self.check_coercion(value, ty);
            }
            return self.suits_siblings(target, value);
        };
        let Some(Def::Local(binding)) = self.typing.names.of_use(target.id) else {
            return self.expr(value, None);
        };
        let refinement = self.refinement_of(self.typing.of_binding(binding));
        let wanted = refinement.map(|it| self.wanted_by_name(it, value));
        self.expr(value, wanted.as_ref());
        if let Some(ty) = self.typing.of_binding(binding) {
            self.check_coercion(value, ty);
        }
        let known = self.known_about_bound(value);
        let Some(renewed) = self.context.renew(binding) else {
            return;
        };
        let bound = Term::Value(renewed, name.clone());
        self.equate(&bound, known, "assignment to", name);
        if let Some(refinement) = refinement {
            let names = self.names_for(refinement).unwrap_or_default();
            self.know(refinement, &bound, &names, "type of", name);
        }
    }

    pub(super) fn expr(&mut self, expr: &'a Expr, wanted: Option<&Wanted<'a>>) {
        let renewals = self.context.renewals;
        match &expr.kind {
            // The requirement applies to the final expressions of these.
            ExprKind::Block(block) => return self.block(block, wanted),
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                self.if_expr(condition, then_branch, else_branch.as_deref(), wanted);
                let ends = then_branch.kind.tail.as_deref().into_iter();
                return self.ends_in(expr, ends.chain(else_branch.as_deref()));
            }
            ExprKind::Match { scrutinee, arms } => {
                self.match_expr(scrutinee, arms, wanted);
                return self.ends_in(expr, arms.iter().map(|arm| &arm.body));
            }
            ExprKind::Literal(Literal::Template(text)) => self.template(expr, text),
            ExprKind::Literal(_) | ExprKind::Ident(_) => {}
            ExprKind::Hole(name) => self.hole(expr, name),
            ExprKind::Unary { operand, .. } => self.expr(operand, None),
            ExprKind::Binary { op, left, right } => self.binary(expr, *op, left, right),
            ExprKind::Call { callee, args } => {
                self.expr(callee, None);
                self.arguments(expr, callee, args.iter());
            }
            ExprKind::Index { object, index } => {
                self.expr(object, None);
                self.expr(index, None);
                self.bounds(expr, object, index);
                self.taken_out(expr, object);
            }
            ExprKind::Field { object, .. } => {
                self.expr(object, None);
                self.taken_out(expr, object);
            }
            ExprKind::Lambda { params, body } => {
                let mark = self.context.mark();
                for at in 0..self.context.scope.len() {
                    let binding = self.context.scope.get(at).copied();
                    if let Some(id) = binding
                        && self.typing.names.binding(id).is_some_and(|it| it.mutable)
                    {
                        self.context.renew(id);
                    }
                }
                for param in params {
                    let ty = param.ty.as_ref().and_then(|ty| self.typing.of_node(ty.id));
                    if let Some(term) = self.bind(param.id, &param.name.text)
                        && let Some(refinement) = self.refinement_of(ty)
                    {
                        let name = &param.name.text;
                        let names = self.names_for(refinement).unwrap_or_default();
                        self.know(refinement, &term, &names, "refinement on parameter", name);
                    }
                }
                self.expr(body, None);
                self.context.back_to(mark);
                self.context.renewals = renewals;
            }
            ExprKind::Array(parts) => {
                parts.iter().for_each(|part| self.expr(part, None));
                if self.context.renewals != renewals {
                    self.unsteady.insert(expr.id);
                }
                if let Some(ty) = self.typing.of_node(expr.id) {
                    self.check_coercion(expr, ty);
                }
            }
            ExprKind::Tuple(parts) => {
                parts.iter().for_each(|part| self.expr(part, None));
            }
            ExprKind::Record(fields) => {
                fields
                    .iter()
                    .for_each(|field| self.expr(&field.value, None));
                // A literal of a declared record meets the requirements on its fields anywhere.
                if let Some(ty) = self.typing.of_node(expr.id) {
                    self.check_coercion(expr, ty);
                }
            }
            ExprKind::Range { start, end, .. } => {
                self.expr(start, None);
                self.expr(end, None);
            }
            ExprKind::Propagate(inner) => self.expr(inner, None),
        }
        if self.context.renewals != renewals {
            self.unsteady.insert(expr.id);
        }
        // An expression that never returns has no value to check.
        if let Some(wanted) = wanted
            && !expr_leaves(expr, &self.typing.names)
        {
            let term = self.term(expr);
            let goal = wanted.of(&term);
            let needed_by = wanted.needed_by.unwrap_or(expr.id);
            let about = [(wanted.refinement.var.as_str(), &term)];
            if let Some(text) = self.oblige(expr, needed_by, &goal, &about, false) {
                self.check_wanted(expr.id, wanted, text);
            }
        }
    }

    fn check_wanted(&mut self, value: NodeId, wanted: &Wanted<'_>, text: String) {
        let refinement = wanted.refinement;
        let (node, names) = match &wanted.checked {
            CheckedAt::Value(names) => return self.check_value(value, refinement, *names, text),
            CheckedAt::Call(node, names) | CheckedAt::Field(node, names) => (*node, names),
        };
        let pred = &refinement.predicate;
        let check = match self.predicate(pred, names, TypeNames::Nothing, &text) {
            None => RunTimeCheck::Impossible(text),
            Some(it) if matches!(wanted.checked, CheckedAt::Call(..)) => {
                RunTimeCheck::Arguments(it)
            }
            Some(it) => RunTimeCheck::Fields(it),
        };
        self.check_at_run_time(node, check);
    }

    /// Checks each final expression against the type of the whole.
    fn ends_in(&mut self, whole: &Expr, ends: impl Iterator<Item = &'a Expr>) {
        if let Some(ty) = self.typing.of_node(whole.id) {
            // Facts about one final expression do not hold after the others.
            let mark = self.context.mark();
            ends.for_each(|end| self.check_coercion(end, ty));
            self.context.take_since(mark);
        }
    }

    fn binary(&mut self, expr: &'a Expr, op: BinaryOp, left: &'a Expr, right: &'a Expr) {
        match op {
            BinaryOp::And | BinaryOp::Or => self.short_circuit(expr, op),
            BinaryOp::Pipe => {
                self.expr(right, None);
                self.arguments(expr, right, std::iter::once(left));
            }
            _ => {
                self.expr(left, None);
                self.expr(right, None);
                // The requirements of one side's elements must not get lost in the combined type.
                if op == BinaryOp::Concat
                    && let Some(ty) = self.typing.of_node(expr.id)
                {
                    self.read_as(left, ty);
                    self.read_as(right, ty);
                }
            }
        }
    }
}
