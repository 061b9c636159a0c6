//! Removes redundant parentheses.

use crate::tree::{Flags, Kind, NONE, NodeId, Tree};

/// Removes parentheses on one line around a name, a literal, a bracketed expression or a plain
/// call.
pub(super) fn remove(tree: &mut Tree<'_>) {
    // Children come first, so that inner parentheses are already removed when the outer ones are
    // checked.
    for id in 0..tree.nodes.len() as NodeId {
        let node = *tree.node(id);
        if node.kind != Kind::Paren || node.flags.has(Flags::IN_TYPE) {
            continue;
        }
        let [inner] = *tree.list(id) else {
            continue;
        };
        let end = tree.end_of(id);
        let commented = node.comments != NONE || tree.attached(end).is_some();
        let inside = *tree.node(inner);
        let plain = match inside.kind {
            Kind::Ident
            | Kind::Number
            | Kind::String
            | Kind::List
            | Kind::Dict
            | Kind::Set
            | Kind::Comprehension
            | Kind::Paren => true,
            Kind::Call => tree.node(inside.c).line == tree.node(inside.c).end_line,
            _ => false,
        };
        if plain && !commented && !node.flags.has(Flags::MULTI_LINE) {
            *tree.node_mut(id) = inside;
            tree.node_mut(inner).flags.set(Flags::DEAD);
        }
    }
}
