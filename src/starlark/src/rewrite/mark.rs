//! Comments that control rewrites: `do not sort`, `keep sorted`, `buildifier: leave-alone` and
//! `buildifier: disable=...`.

use crate::tree::{CommentId, Kind, NodeId, Tree};

/// Whether one of these comments contains `needle`, which must be lower case, ignoring case.
fn any_holds(tree: &Tree<'_>, comments: &[CommentId], needle: &str) -> bool {
    comments
        .iter()
        .any(|id| holds(tree.comment_text(*id), needle))
}

/// Whether `text` contains `needle`, which must be lower case, ignoring case.
fn holds(text: &str, needle: &str) -> bool {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let first = needle.first().copied();
    text.windows(needle.len()).any(|window| {
        window.first().map(u8::to_ascii_lowercase) == first && window.eq_ignore_ascii_case(needle)
    })
}

/// Whether any comment of the file contains `needle`, which must be lower case, ignoring case.
pub(super) fn any_comment_holds(tree: &Tree<'_>, needle: &str) -> bool {
    tree.comments
        .iter()
        .any(|comment| holds(tree.slice(comment.start, comment.end), needle))
}

/// Whether the node itself has a comment that contains `needle`.
pub(super) fn marked(tree: &Tree<'_>, id: NodeId, needle: &str) -> bool {
    tree.attached(id).is_some_and(|comments| {
        [&comments.before, &comments.suffix, &comments.after]
            .into_iter()
            .any(|list| any_holds(tree, list, needle))
    })
}

/// Like [`any_comment_holds`], except that comments above a closing bracket or next to an `else`
/// are ignored.
pub(super) fn file_marked(tree: &Tree<'_>, needle: &str) -> bool {
    if !any_comment_holds(tree, needle) {
        return false;
    }
    let asked = |id: &NodeId| !matches!(tree.kind(*id), Kind::End | Kind::Else);
    any_holds(tree, &tree.head, needle)
        || any_holds(tree, &tree.tail, needle)
        || (0..tree.nodes.len() as NodeId)
            .filter(asked)
            .any(|id| marked(tree, id, needle))
}

const LEAVE_ALONE: &str = "buildifier: leave-alone";

/// The parts of a file under a `leave-alone` comment, in order and without nesting.
pub(super) struct LeaveAlone(Vec<(u32, u32)>);

impl LeaveAlone {
    pub fn find(tree: &Tree<'_>) -> Self {
        let mut areas = Vec::new();
        if any_comment_holds(tree, LEAVE_ALONE) {
            if any_holds(tree, &tree.head, LEAVE_ALONE) || any_holds(tree, &tree.tail, LEAVE_ALONE)
            {
                areas.push((0, u32::MAX));
            }
            let ids = (0..tree.nodes.len() as NodeId).filter(|id| marked(tree, *id, LEAVE_ALONE));
            areas.extend(ids.map(|id| (tree.node(id).start, tree.node(id).end)));
            // Nodes are nested or disjoint, so an outer node sorts first and removes the nodes
            // inside it.
            areas.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
            areas.dedup_by(|inner, outer| inner.1 <= outer.1);
        }
        Self(areas)
    }

    /// Whether the node or an enclosing node has a `leave-alone` comment.
    pub fn covers(&self, tree: &Tree<'_>, id: NodeId) -> bool {
        let node = tree.node(id);
        let before = self.0.partition_point(|(start, _)| *start <= node.start);
        before > 0 && node.end <= self.0[before - 1].1
    }

    /// Whether the node itself has a `leave-alone` comment.
    pub fn names(&self, tree: &Tree<'_>, id: NodeId) -> bool {
        !self.0.is_empty() && marked(tree, id, LEAVE_ALONE)
    }
}
