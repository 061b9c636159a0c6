//! Computes the effects of evaluating each node.

use crate::ast::{BinaryOp, DeclKind, ExprKind, NodeId, NodeRef, Program, StmtKind};
use crate::types::{Effects, Typing};

/// The effects by node: those of calls, `Err` for `?`, `Mut` for an assignment. Creating a lambda
/// has none.
#[derive(Clone, Debug, Default)]
pub struct EffectTable {
    nodes: Vec<Effects>,
}

impl EffectTable {
    pub fn of_node(&self, node: NodeId) -> Effects {
        self.nodes.get(node.index()).copied().unwrap_or_default()
    }
}

pub fn effects_by_node(program: &Program, count: usize, typing: &Typing) -> EffectTable {
    let mut table = EffectTable {
        nodes: vec![Effects::NONE; count],
    };
    for decl in &program.declarations {
        if let DeclKind::Fn(function) = &decl.kind {
            annotate(NodeRef::Block(&function.body), typing, &mut table);
        }
    }
    table
}

fn annotate(node: NodeRef<'_>, typing: &Typing, table: &mut EffectTable) -> Effects {
    let mut below = Effects::NONE;
    node.children(&mut |_, child| below = below.with(annotate(child, typing, table)));
    let called = |id| {
        typing
            .of_node(id)
            .map(|ty| typing.effects_of(ty))
            .unwrap_or_default()
    };
    let own = match node {
        NodeRef::Expr(expr) => match &expr.kind {
            ExprKind::Call { callee, .. } => called(callee.id),
            ExprKind::Binary {
                op: BinaryOp::Pipe,
                right,
                ..
            } => called(right.id),
            ExprKind::Propagate(_) => Effects::of("Err"),
            ExprKind::Lambda { .. } => {
                below = Effects::NONE;
                Effects::NONE
            }
            _ => Effects::NONE,
        },
        NodeRef::Stmt(stmt) if matches!(stmt.kind, StmtKind::Assign { .. }) => Effects::of("Mut"),
        _ => Effects::NONE,
    };
    let all = own.with(below);
    if let Some(slot) = table.nodes.get_mut(node.id().index()) {
        *slot = all;
    }
    all
}
