//! Finds the parts of an argument's value that contain its strings.

use crate::tree::{Kind, NodeId, Op, Tree};

/// The value itself, both sides of `+`, and the values of a `select`. A sum comes before its sides.
pub(super) fn places(tree: &Tree<'_>, value: NodeId) -> Vec<NodeId> {
    if matches!(tree.kind(value), Kind::String | Kind::List) {
        return vec![value];
    }
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(id) = open.pop() {
        found.push(id);
        open.extend(below(tree, id).into_iter().rev());
    }
    found
}

/// The direct parts of a value.
fn below(tree: &Tree<'_>, id: NodeId) -> Vec<NodeId> {
    let node = tree.node(id);
    match node.kind {
        Kind::Binary if node.op == Op::Plus => vec![node.a, node.b],
        Kind::Call if tree.is_name(node.c, "select") => match tree.list(id).first() {
            Some(dict) if tree.kind(*dict) == Kind::Dict => tree
                .list(*dict)
                .iter()
                .map(|entry| tree.node(*entry).b)
                .collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
