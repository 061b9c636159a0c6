//! Attaches each comment inside or next to an expression to a node.
//!
//! A comment above an expression is attached to the outermost node that starts next. A comment at
//! the end of a line is attached to the outermost node that ended last. The nodes are already in
//! search order: children come before parents.

use crate::lex::Place;
use crate::tree::{CommentId, Flags, Kind, NONE, Node, NodeId, Tree};

pub(super) fn attach(tree: &mut Tree<'_>) {
    if tree.comments.iter().all(|c| c.place == Place::Statement) {
        return;
    }
    suffixes(tree);
    lines(tree);
}

fn of_place(tree: &Tree<'_>, place: Place) -> Vec<CommentId> {
    let all = tree.comments.iter().zip(0..);
    all.filter(|(c, _)| c.place == place)
        .map(|(_, id)| id)
        .collect()
}

fn is_visited(node: &Node) -> bool {
    node.kind != Kind::Block && !node.flags.has(Flags::DEAD) && !node.flags.has(Flags::HIDDEN)
}

fn suffixes(tree: &mut Tree<'_>) {
    let mut comments = of_place(tree, Place::Suffix);
    let compound = |kind| matches!(kind, Kind::Def | Kind::If | Kind::For | Kind::CommentBlock);
    let mut owners: Vec<(NodeId, CommentId)> = Vec::with_capacity(comments.len());
    for (node, id) in tree.nodes.iter().zip(0..tree.nodes.len() as NodeId).rev() {
        let Some(last) = comments.last() else {
            break;
        };
        if node.end > tree.comments[*last as usize].start
            || compound(node.kind)
            || !is_visited(node)
        {
            continue;
        }
        while let Some(last) = comments.pop_if(|c| node.end <= tree.comments[*c as usize].start) {
            owners.push((id, last));
        }
    }
    for (node, comment) in owners.into_iter().rev() {
        tree.attached_mut(node).suffix.push(comment);
    }
    tree.head = comments;
}

fn lines(tree: &mut Tree<'_>) {
    let comments = of_place(tree, Place::Line);
    if comments.is_empty() {
        return;
    }
    let starts: Vec<u32> = comments
        .iter()
        .map(|c| tree.comments[*c as usize].start)
        .collect();
    let mut owners: Vec<NodeId> = vec![NONE; comments.len()];
    for (node, id) in tree.nodes.iter().zip(0..) {
        // No comment is attached above an `else`: only the preceding branch may be on the line
        // above it.
        if node.start < starts[0] || !is_visited(node) || node.kind == Kind::Else {
            continue;
        }
        // The latest comment above this node. It is attached to the first node after it, and of
        // those to the outermost.
        let latest = starts.partition_point(|start| *start <= node.start) - 1;
        let best = owners[latest];
        let better = best == NONE || {
            let start = tree.node(best).start;
            // The two names of one symbol start at the same offset, and the local name comes first.
            node.start < start || node.start == start && node.kind != Kind::LoadName
        };
        if better {
            owners[latest] = id;
        }
    }
    let mut next = NONE;
    for owner in owners.iter_mut().rev() {
        if *owner == NONE {
            *owner = next;
        }
        next = *owner;
    }
    for (comment, owner) in comments.into_iter().zip(&owners) {
        match *owner {
            NONE => tree.tail.push(comment),
            owner => tree.attached_mut(owner).before.push(comment),
        }
    }
    // Comment lines above a statement were already attached while parsing it, so the list must be
    // sorted.
    owners.dedup();
    for owner in owners.into_iter().filter(|owner| *owner != NONE) {
        tree.attached_mut(owner).before.sort_unstable();
    }
}
