//! Control flow and assignments of a piece of code.

use crate::ast::{Block, Expr, ExprKind, NodeRef, Stmt, StmtKind, TypeKind};
use crate::names::{BindingId, Def, Names, prelude};
use crate::types::Typing;

/// Whether control never reaches the end of a block.
pub fn leaves(block: &Block, names: &Names) -> bool {
    let tail = block.tail.as_ref();
    block
        .statements
        .iter()
        .any(|it| statement_leaves(it, names))
        || tail.is_some_and(|it| expr_leaves(it, names))
}

fn statement_leaves(statement: &Stmt, names: &Names) -> bool {
    match &statement.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Expr(expr) | StmtKind::Let { init: expr, .. } => expr_leaves(expr, names),
        StmtKind::Loop(body) => !breaks(&body.kind),
        _ => false,
    }
}

pub(super) fn expr_leaves(expr: &Expr, names: &Names) -> bool {
    match &expr.kind {
        ExprKind::Block(block) => leaves(block, names),
        ExprKind::If {
            then_branch,
            else_branch: Some(other),
            ..
        } => leaves(&then_branch.kind, names) && expr_leaves(other, names),
        ExprKind::Match { arms, .. } => {
            !arms.is_empty() && arms.iter().all(|arm| expr_leaves(&arm.body, names))
        }
        ExprKind::Call { callee, .. } => never_returns(callee, names),
        _ => false,
    }
}

/// Whether the callee is built in and never returns.
fn never_returns(callee: &Expr, names: &Names) -> bool {
    let Some(Def::Builtin(at)) = names.of_use(callee.id) else {
        return false;
    };
    let returned = prelude().function(at).map(|it| &it.return_type.kind);
    matches!(returned, Some(TypeKind::Named { name, .. }) if name.text == "Never")
}

/// Whether a loop's body contains a `break` of this loop, so that it may leave the loop.
pub(super) fn breaks(block: &Block) -> bool {
    let statements = block.statements.iter().map(NodeRef::Stmt);
    let tail = block.tail.iter().map(|it| NodeRef::Expr(it));
    statements.chain(tail).any(breaks_out)
}

fn breaks_out(node: NodeRef<'_>) -> bool {
    match node {
        NodeRef::Stmt(statement) => match &statement.kind {
            StmtKind::Break => return true,
            // A `break` in there belongs to that loop.
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Loop(_) => return false,
            _ => {}
        },
        NodeRef::Expr(expr) if matches!(expr.kind, ExprKind::Lambda { .. }) => return false,
        _ => {}
    }
    let mut found = false;
    node.children(&mut |_, child| found = found || breaks_out(child));
    found
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
