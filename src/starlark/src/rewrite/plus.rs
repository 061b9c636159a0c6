//! Formats sums of lists: breaks the lists over several lines instead of the sum.

use crate::tree::{Flags, Kind, NodeId, Op, Tree};

/// Removes the line break after a `+` in a sum with lists, if the adjacent list can be broken
/// instead.
pub(super) fn join(tree: &mut Tree<'_>, sums: &[NodeId]) {
    // Parents come first, so that each chain is processed as a whole.
    for &top in sums.iter().rev() {
        let node = tree.node(top);
        // A sum of two labels may have been joined into a string.
        if node.kind != Kind::Binary || node.flags.has(Flags::SEEN) {
            continue;
        }
        let mut sums = Vec::new();
        let mut id = top;
        while tree.kind(id) == Kind::Binary && tree.node(id).op == Op::Plus {
            tree.node_mut(id).flags.set(Flags::SEEN);
            sums.push(id);
            id = tree.node(id).a;
        }
        let addends = std::iter::once(id).chain(sums.iter().rev().map(|sum| tree.node(*sum).b));
        let addends: Vec<NodeId> = addends.collect();
        if !addends.iter().any(|id| is_list(tree, *id)) {
            continue;
        }
        for (sum, pair) in sums.iter().rev().zip(addends.windows(2)) {
            let broken = tree.node(*sum).flags.has(Flags::BREAK);
            if broken && (spread(tree, pair[1]) || is_spread(tree, pair[0])) {
                tree.node_mut(*sum).flags.set_to(Flags::BREAK, false);
            }
        }
    }
}

/// The only argument of a call such as `glob([...])`.
fn only_argument(tree: &Tree<'_>, id: NodeId) -> Option<NodeId> {
    match tree.list_if_call(id) {
        Some([only]) => Some(*only),
        _ => None,
    }
}

fn is_list(tree: &Tree<'_>, mut id: NodeId) -> bool {
    while let Some(inner) = only_argument(tree, id) {
        id = inner;
    }
    tree.kind(id) == Kind::List
}

/// Breaks a list over several lines and returns whether there was one.
fn spread(tree: &mut Tree<'_>, mut id: NodeId) -> bool {
    loop {
        match tree.kind(id) {
            Kind::List => {
                if let [only] = *tree.list(id)
                    && matches!(tree.kind(only), Kind::List | Kind::Call)
                    && is_list(tree, only)
                {
                    id = only;
                    continue;
                }
                tree.node_mut(id).flags.set(Flags::MULTI_LINE);
                return true;
            }
            Kind::Call => match only_argument(tree, id) {
                Some(inner) => id = inner,
                None => return false,
            },
            _ => return false,
        }
    }
}

fn is_spread(tree: &Tree<'_>, mut id: NodeId) -> bool {
    loop {
        let node = tree.node(id);
        let flagged = node.flags.has(Flags::MULTI_LINE);
        match node.kind {
            Kind::List => return flagged || node.b >= 2,
            Kind::Call if flagged || node.b >= 2 => {
                return flagged || !node.flags.has(Flags::COMPACT);
            }
            Kind::Call if node.b == 1 => id = tree.list(id)[0],
            _ => return false,
        }
    }
}
