//! The canonical program: a single form for all ways to write the same thing. It is never written
//! to source.
//!
//! Pipes and ranges become calls. Every `if` has an `else`, and an empty block and a bare `return`
//! have a value. External values are validated where they enter.
//!
//! Nodes keep their ids; an added node is named after the node it is added to. Canonicalization is
//! idempotent.

mod effects;
mod validate;

pub use effects::{EffectTable, effects_by_node};

use std::sync::Arc;

use fixpoint_text::Span;

use crate::ast::{
    Ast, BinaryOp, Block, BlockNode, Decl, DeclKind, Expr, ExprKind, Literal, NodeId, NodeRef,
    Program, Stmt, StmtKind, TypeExpr, TypeKind,
};
use crate::names::Names;
use crate::parallel::both;
use validate::Validators;

/// The canonical form of a program. Added nodes get ids in `ast`.
pub fn canonicalize(ast: &mut Ast, names: &Names) -> Program {
    let mut program = ast.program.clone();
    let validators = Validators::of(&program);
    let may_change = |decl: &Decl| may_change(decl, &validators, names);
    let (front, back) = program
        .declarations
        .split_at(program.declarations.len() / 2);
    let changed = |decls: &[Decl]| decls.iter().map(may_change).collect::<Vec<bool>>();
    let (mut changes, rest) = if front.len() < MANY {
        (changed(front), changed(back))
    } else {
        both(|| changed(front), || changed(back))
    };
    changes.extend(rest);
    let mut canoniser = Canonicalizer {
        ast,
        names,
        validators,
    };
    for (decl, changes) in program.declarations.iter_mut().zip(changes) {
        if let DeclKind::Fn(function) = &mut decl.kind
            && changes
        {
            canoniser.block(&mut Arc::make_mut(function).body);
        }
    }
    program
}

/// From this number of declarations in a half on, two threads process one half each.
const MANY: usize = 100;

/// Whether a function may not be canonical yet. A canonical one stays shared with the original
/// program.
fn may_change(decl: &Decl, validators: &Validators, names: &Names) -> bool {
    let DeclKind::Fn(function) = &decl.kind else {
        return false;
    };
    // A body without a tail is not checked against the return type. An added tail would be.
    if is_empty(&function.body.kind) && !is_unit(&function.signature.return_type) {
        return false;
    }
    NodeRef::Block(&function.body).any_code(&mut |node| match node {
        NodeRef::Block(block) => is_empty(&block.kind),
        NodeRef::Stmt(stmt) => matches!(stmt.kind, StmtKind::Return(None)),
        NodeRef::Expr(expr) => match &expr.kind {
            ExprKind::Binary { op, .. } => *op == BinaryOp::Pipe,
            ExprKind::If { else_branch, .. } => else_branch.is_none(),
            ExprKind::Block(block) => is_empty(block),
            ExprKind::Range { .. } => true,
            _ => validators.of_call(expr, names).is_some(),
        },
        _ => false,
    })
}

fn is_empty(block: &Block) -> bool {
    block.statements.is_empty() && block.tail.is_none()
}

fn is_unit(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Named { name, .. } => name.text == "Unit",
        TypeKind::Tuple(parts) => parts.is_empty(),
        TypeKind::Effect { result, .. } => is_unit(result),
        _ => false,
    }
}

struct Canonicalizer<'a> {
    ast: &'a mut Ast,
    names: &'a Names,
    validators: Validators,
}

impl Canonicalizer<'_> {
    /// A new node at the position of another one, named by its role.
    fn added(&mut self, from: NodeId, span: Span, role: &str, kind: ExprKind) -> Expr {
        let id = self.ast.ids.derived(from, role);
        let location = self.ast.location(Some(from), span);
        self.ast.ids.set_location(id, location);
        Expr::new(id, Span::at(0), kind)
    }

    fn unit(&mut self, from: NodeId, span: Span) -> Expr {
        self.added(from, span, "unit", ExprKind::Literal(Literal::Unit))
    }

    fn block(&mut self, block: &mut BlockNode) {
        self.items(block.id, block.span, &mut block.kind);
    }

    fn items(&mut self, id: NodeId, span: Span, block: &mut Block) {
        for statement in &mut block.statements {
            self.statement(statement);
        }
        match &mut block.tail {
            Some(tail) => self.expr(tail),
            None if block.statements.is_empty() => block.tail = Some(Box::new(self.unit(id, span))),
            None => {}
        }
    }

    fn statement(&mut self, statement: &mut Stmt) {
        match &mut statement.kind {
            StmtKind::Let { init, .. } => self.expr(init),
            StmtKind::Assign { target, value } => {
                self.expr(target);
                self.expr(value);
            }
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::For { iterable, body, .. } => {
                self.expr(iterable);
                self.block(body);
            }
            StmtKind::While { condition, body } => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::Loop(body) => self.block(body),
            StmtKind::Return(value) => match value {
                Some(value) => self.expr(value),
                None => *value = Some(self.unit(statement.id, statement.span)),
            },
            StmtKind::Assert { condition, .. } => self.expr(condition),
            StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        self.inside(expr);
        if let Some(validator) = self.validators.of_call(expr, self.names) {
            self.validate(expr, validator);
        }
    }

    /// Canonicalizes an expression, except for the validator around it.
    fn inside(&mut self, expr: &mut Expr) {
        let (id, span) = (expr.id, expr.span);
        match &mut expr.kind {
            ExprKind::Literal(_) | ExprKind::Ident(_) | ExprKind::Hole(_) => {}
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Call { callee, args } => {
                self.expr(callee);
                if validate::is_validator(callee) {
                    args.iter_mut().for_each(|arg| self.inside(arg));
                } else {
                    args.iter_mut().for_each(|arg| self.expr(arg));
                }
            }
            ExprKind::Index { object, index } => {
                self.expr(object);
                self.expr(index);
            }
            ExprKind::Field { object, .. } => self.expr(object),
            ExprKind::Lambda { body, .. } => self.expr(body),
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                self.expr(condition);
                self.block(then_branch);
                match else_branch {
                    Some(branch) => self.expr(branch),
                    None => {
                        let unit = self.unit(id, span);
                        let block = ExprKind::Block(Block {
                            statements: Vec::new(),
                            tail: Some(Box::new(unit)),
                        });
                        *else_branch = Some(Box::new(self.added(id, span, "else", block)));
                    }
                }
            }
            ExprKind::Match { scrutinee, arms } => {
                self.expr(scrutinee);
                for arm in arms {
                    arm.guard.iter_mut().for_each(|guard| self.expr(guard));
                    self.expr(&mut arm.body);
                }
            }
            ExprKind::Block(block) => self.items(id, span, block),
            ExprKind::Array(parts) | ExprKind::Tuple(parts) => {
                parts.iter_mut().for_each(|part| self.expr(part));
            }
            ExprKind::Record(fields) => {
                fields
                    .iter_mut()
                    .for_each(|field| self.expr(&mut field.value));
            }
            ExprKind::Range { start, end, .. } => {
                self.expr(start);
                self.expr(end);
            }
            ExprKind::Propagate(inner) => self.expr(inner),
        }
        self.desugar(expr);
    }

    fn desugar(&mut self, expr: &mut Expr) {
        let (id, span) = (expr.id, expr.span);
        let placeholder = ExprKind::Literal(Literal::Unit);
        expr.kind = match std::mem::replace(&mut expr.kind, placeholder) {
            ExprKind::Binary {
                op: BinaryOp::Pipe,
                left,
                right,
            } => ExprKind::Call {
                callee: right,
                args: vec![*left],
            },
            ExprKind::Range {
                start,
                end,
                inclusive,
            } => {
                let callee = ExprKind::Ident("__range".into());
                let callee = self.added(id, span, "callee", callee);
                let inclusive = ExprKind::Literal(Literal::Bool(inclusive));
                let inclusive = self.added(id, span, "inclusive", inclusive);
                ExprKind::Call {
                    callee: Box::new(callee),
                    args: vec![*start, *end, inclusive],
                }
            }
            other => other,
        };
    }

    fn validate(&mut self, expr: &mut Expr, validator: String) {
        let (id, span) = (expr.id, expr.span);
        let callee = self.added(id, span, "validator", ExprKind::Ident(validator.into()));
        let outer = self.added(id, span, "validated", ExprKind::Literal(Literal::Unit));
        let inner = std::mem::replace(expr, outer);
        expr.kind = ExprKind::Call {
            callee: Box::new(callee),
            args: vec![inner],
        };
    }
}
