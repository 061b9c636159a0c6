//! Control flow and assignments of a piece of code.

use crate::ast::{Block, Expr, ExprKind, NodeRef, Stmt, StmtKind};
use crate::names::{BindingId, Def};
use crate::types::{TyKind, Typing};

/// Whether control never reaches the end of a block.
pub(super) fn leaves(block: &Block, typing: &Typing) -> bool {
    let tail = block.tail.as_ref();
    block
        .statements
        .iter()
        .any(|it| statement_leaves(it, typing))
        || tail.is_some_and(|it| expr_leaves(it, typing))
}

fn statement_leaves(statement: &Stmt, typing: &Typing) -> bool {
    match &statement.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Expr(expr) => expr_leaves(expr, typing),
        StmtKind::Loop(body) => !breaks(&body.kind),
        _ => false,
    }
}

pub(super) fn expr_leaves(expr: &Expr, typing: &Typing) -> bool {
    match &expr.kind {
        ExprKind::Block(block) => leaves(block, typing),
        ExprKind::If {
            then_branch,
            else_branch: Some(other),
            ..
        } => leaves(&then_branch.kind, typing) && expr_leaves(other, typing),
        ExprKind::Call { callee, .. } => never_returns(callee, typing),
        _ => false,
    }
}

/// Whether the callee is declared to never return. The type inferred for the call itself does not
/// show that.
fn never_returns(callee: &Expr, typing: &Typing) -> bool {
    let declared = match typing.names.of_use(callee.id) {
        Some(Def::Builtin(_)) => typing.of_node(callee.id),
        _ => None,
    };
    let kind = |ty| typing.arena.kind(typing.arena.base(ty));
    match declared.map(kind) {
        Some(TyKind::Function { result, .. }) => *typing.arena.kind(*result) == TyKind::Never,
        _ => false,
    }
}

/// Whether a loop's body contains a `break`, so that it may leave the loop.
pub(super) fn breaks(block: &Block) -> bool {
    let statements = block.statements.iter().map(NodeRef::Stmt);
    let tail = block.tail.iter().map(|it| NodeRef::Expr(it));
    let is_break = |node: NodeRef<'_>| {
        matches!(
            node,
            NodeRef::Stmt(Stmt {
                kind: StmtKind::Break,
                ..
            })
        )
    };
    statements
        .chain(tail)
        .any(|it| it.any_code(&mut |node| is_break(node)))
}

/// The variables that are assigned somewhere below a node.
pub(super) fn assigned(node: NodeRef<'_>, typing: &Typing) -> Vec<BindingId> {
    let mut bindings = Vec::new();
    node.each_code(&mut |node| {
        if let NodeRef::Stmt(Stmt {
            kind: StmtKind::Assign { target, .. },
            ..
        }) = node
            && let Some(Def::Local(binding)) = typing.names.of_use(target.id)
            && !bindings.contains(&binding)
        {
            bindings.push(binding);
        }
    });
    bindings
}
