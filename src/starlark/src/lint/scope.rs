//! Which names mean what: bindings and uses, as far as rules need them.

use std::collections::BTreeSet;

use crate::tree::{Flags, Kind, NodeId, Op, Tree};

/// The names that statements outside functions bind: assigned, loaded, defined, looped over.
pub(super) fn global_names<'a>(tree: &Tree<'a>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = tree.statements.clone();
    while let Some(id) = open.pop() {
        bind_statement(tree, id, &mut names);
        match tree.kind(id) {
            Kind::If | Kind::For | Kind::Block | Kind::Else => open.extend(tree.children(id)),
            _ => {}
        }
    }
    names
}

/// What one statement binds in the scope it stands in.
fn bind_statement(tree: &Tree<'_>, id: NodeId, names: &mut BTreeSet<String>) {
    let node = tree.node(id);
    match node.kind {
        Kind::Assign => bind_target(tree, node.a, names),
        Kind::For => bind_target(tree, node.a, names),
        Kind::Def => {
            let (start, end) = tree.def(id).name;
            names.insert(tree.slice(start, end).to_owned());
        }
        Kind::Load => {
            let (pairs, _) = tree.load_pairs(id).as_chunks::<2>();
            let local =
                |pair: &[NodeId; 2]| String::from_utf8_lossy(&tree.name(pair[0])).into_owned();
            names.extend(pairs.iter().map(local));
        }
        _ => {}
    }
}

fn bind_target(tree: &Tree<'_>, target: NodeId, names: &mut BTreeSet<String>) {
    let mut open = vec![target];
    while let Some(id) = open.pop() {
        match tree.kind(id) {
            Kind::Ident => {
                names.insert(tree.source(id).to_owned());
            }
            Kind::Tuple | Kind::List | Kind::Paren => open.extend_from_slice(tree.list(id)),
            _ => {}
        }
    }
}

/// The identifiers called `name` that refer to a thing outside the file: not bound at the top level,
/// by a function around them or by a comprehension, and not the name of an argument or a target.
pub(super) fn free_uses(tree: &Tree<'_>, name: &str) -> Vec<NodeId> {
    if global_names(tree).contains(name) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut open = tree.statements.clone();
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        match node.kind {
            Kind::Ident => {
                if tree.source(id) == name {
                    found.push(id);
                }
            }
            Kind::Def | Kind::Lambda | Kind::Comprehension if binds_inside(tree, id, name) => {}
            Kind::Assign if node.op == Op::Assign && tree.kind(node.a) == Kind::Ident => {
                open.push(node.b)
            }
            _ => open.extend(tree.children(id)),
        }
    }
    found.sort_unstable();
    found
}

/// Whether a function or comprehension binds `name` somewhere within itself.
fn binds_inside(tree: &Tree<'_>, id: NodeId, name: &str) -> bool {
    let mut names = BTreeSet::new();
    let mut open = tree.children(id);
    if matches!(tree.kind(id), Kind::Def | Kind::Lambda) {
        for parameter in tree.list(id) {
            names.insert(parameter_name(tree, *parameter).to_owned());
        }
    }
    while let Some(id) = open.pop() {
        bind_statement(tree, id, &mut names);
        if tree.kind(id) == Kind::ForClause {
            bind_target(tree, tree.node(id).a, &mut names);
        }
        open.extend(tree.children(id));
    }
    names.contains(name)
}

fn parameter_name<'a>(tree: &Tree<'a>, id: NodeId) -> &'a str {
    let node = tree.node(id);
    match node.kind {
        Kind::Ident => tree.source(id),
        Kind::Typed => tree.slice(node.start, node.b),
        Kind::Assign | Kind::Unary if node.a != crate::tree::NONE => parameter_name(tree, node.a),
        _ => "",
    }
}

/// Every name that stands for a value somewhere: identifiers but those in loads and the direct left
/// side of `=`.
pub(super) fn used_names<'a>(tree: &Tree<'a>) -> BTreeSet<&'a str> {
    let mut targets = BTreeSet::new();
    let mut used = BTreeSet::new();
    // Backwards, because an assignment comes after its target.
    for (node, id) in tree.nodes.iter().zip(0..tree.nodes.len() as NodeId).rev() {
        match node.kind {
            _ if node.flags.has(Flags::DEAD) => {}
            Kind::Assign if node.op == Op::Assign => {
                targets.insert(node.a);
            }
            Kind::Ident if !targets.contains(&id) => {
                used.insert(tree.source(id));
            }
            _ => {}
        }
    }
    used
}
