//! Sorts call arguments.

use super::mark::LeaveAlone;
use super::{callee_name, table};
use crate::tree::{Kind, NodeId, Op, Tree};

/// Sorts the named arguments at the end of each call: `name` first, `deps` last, the others by
/// name.
pub(super) fn sort_named(tree: &mut Tree<'_>, calls: &[NodeId], alone: &LeaveAlone) {
    for &call in calls {
        let list = tree.list(call);
        let unnamed = list.iter().rposition(|id| tree.keyword(*id).is_none());
        let first = unnamed.map_or(0, |at| at + 1);
        if list.len() - first < 2 || alone.covers(tree, call) {
            continue;
        }
        let callee = callee_name(tree, call);
        let key = |id: &NodeId| {
            let name = tree.keyword(*id).unwrap_or("");
            (table::argument_info(callee, name).priority, name)
        };
        let tail = &list[first..];
        if tail.is_sorted_by_key(key) {
            continue;
        }
        let mut list = list.to_vec();
        list[first..].sort_by_key(key);
        tree.set_list(call, &list);
    }
}

/// Orders arguments by class: positional, named, `*args`, `**kwargs`. This order is valid for every
/// call.
pub(super) fn order_by_class(tree: &mut Tree<'_>, calls: &[NodeId]) {
    for &call in calls {
        let list = tree.list(call);
        let class = |id: &NodeId| {
            let node = tree.node(*id);
            match (node.kind, node.op) {
                (Kind::Assign, _) => 1,
                (Kind::Unary, Op::Star) => 2,
                (Kind::Unary, Op::StarStar) => 3,
                _ => 0,
            }
        };
        if list.is_sorted_by_key(class) {
            continue;
        }
        let mut list = list.to_vec();
        list.sort_by_key(class);
        tree.set_list(call, &list);
    }
}
