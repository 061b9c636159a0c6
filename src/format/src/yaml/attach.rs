//! Attaches comments to nodes, by the rules of prettier.
//!
//! A comment after content, on the same line, belongs to the node that ends there. Any other comment
//! belongs to the node above it that contains it by its indentation. Without such a node, it belongs
//! to the next node below it, or to the document.

use super::tree::{Comment, CommentId, Kind, NodeId, Tree};

/// Attaches all comments that have no owner, and extends each node to its comments and properties.
pub(super) fn attach(tree: &mut Tree) {
    let order = tree.preorder();
    if tree.comments.iter().any(|comment| comment.owner.is_none()) {
        let lines = Lines::of(tree, &order);
        let documents: Vec<_> = tree.children(NodeId::ROOT).collect();
        for document in &documents {
            attach_to_body(tree, *document);
        }
        let mut documents = documents.into_iter().peekable();
        let mut document = documents.next();
        for comment in 0..tree.comments.len() {
            let line = tree.comments[comment].start.line;
            while let Some(current) = document
                && documents.peek().is_some()
                && line > tree.get(current).end.line
            {
                document = documents.next();
            }
            if tree.comments[comment].owner.is_none()
                && let Some(document) = document
            {
                attach_comment(tree, &lines, document, comment);
            }
        }
    }
    for node in order.into_iter().rev() {
        extend(tree, node);
    }
}

/// Attaches the comments after the content of a document to its body, if all of them are left of
/// the collection in the last entry.
fn attach_to_body(tree: &mut Tree, document: NodeId) {
    let Some((_, body)) = tree.pair(document) else {
        return;
    };
    let Some(content) = tree.first_child(body) else {
        return;
    };
    let outer = *tree.get(content);
    let last = tree.last_child(content).and_then(|item| {
        let owner = match tree.kind(item) {
            Kind::MappingItem => tree.last_child(item)?,
            _ => item,
        };
        tree.last_child(owner)
    });
    let Some(inner) = last.map(|last| *tree.get(last)) else {
        return;
    };
    if !(outer.kind.is_block_collection() && inner.kind.is_block_collection())
        || outer.start.column > 0
    {
        return;
    }
    let end = tree.get(document).end.offset;
    let first = tree
        .comments
        .partition_point(|comment| comment.start.offset < outer.end.offset);
    let count = tree.comments[first..]
        .iter()
        .take_while(|comment| comment.start.offset < end)
        .filter(|comment| comment.start.line > outer.end.line || comment.start.column == 0)
        .count();
    let comments = first..first + count;
    let is_left = |id: CommentId| {
        let comment = &tree.comments[id];
        comment.owner.is_none()
            && comment.start.column < inner.start.column
            && comment.start.line > inner.end.line
    };
    if comments.clone().all(is_left) {
        for id in comments {
            tree.comments[id].owner = Some(body);
            tree.extras_mut(body).end.push(id);
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Line {
    /// The leftmost node that begins on the line.
    leading: Option<NodeId>,
    /// The node that ends last on the line and can have a trailing comment.
    trailing: Option<NodeId>,
    /// The node that begins or ends on the line and ends in the last column.
    last: Option<NodeId>,
    comment: Option<CommentId>,
}

struct Lines {
    lines: Vec<Line>,
    /// For each line, the next line below it with a leading node.
    next_leading: Vec<usize>,
}

impl Lines {
    fn of(tree: &Tree, order: &[NodeId]) -> Self {
        let count = tree.get(NodeId::ROOT).end.line + 1;
        let mut lines = vec![Line::default(); count];
        for (id, comment) in tree.comments.iter().enumerate() {
            lines[comment.start.line].comment = Some(id);
        }
        for id in order {
            enter(tree, &mut lines, *id);
        }
        let mut next_leading = vec![usize::MAX; count];
        for line in (1..count).rev() {
            next_leading[line - 1] = match lines[line].leading {
                Some(_) => line,
                None => next_leading[line],
            };
        }
        Self {
            lines,
            next_leading,
        }
    }
}

fn enter(tree: &Tree, lines: &mut [Line], id: NodeId) {
    let node = tree.get(id);
    if node.start.offset == node.end.offset {
        return;
    }
    let column_of =
        |id: Option<NodeId>, column: fn(&Tree, NodeId) -> usize| id.map(|id| column(tree, id));
    let start_of: fn(&Tree, NodeId) -> usize = |tree, id| tree.get(id).start.column;
    let end_of: fn(&Tree, NodeId) -> usize = |tree, id| tree.get(id).end.column;
    let leading = &mut lines[node.start.line].leading;
    if can_lead(node.kind)
        && column_of(*leading, start_of).is_none_or(|column| node.start.column < column)
    {
        *leading = Some(id);
    }
    let trailing = &mut lines[node.end.line].trailing;
    if can_trail(node.kind)
        && node.end.column > 0
        && column_of(*trailing, end_of).is_none_or(|column| node.end.column >= column)
    {
        *trailing = Some(id);
    }
    if matches!(node.kind, Kind::Document | Kind::Head | Kind::Body) {
        return;
    }
    for line in [node.end.line, node.start.line] {
        let last = &mut lines[line].last;
        if column_of(*last, end_of).is_none_or(|column| node.end.column >= column) {
            *last = Some(id);
        }
    }
}

/// Whether a comment can be on the lines before a node of this kind.
fn can_lead(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Root | Kind::Document | Kind::Head | Kind::Body | Kind::Key | Kind::FlowItem
    )
}

/// Whether a comment can be after a node of this kind, on its line.
fn can_trail(kind: Kind) -> bool {
    kind.is_inline()
        || matches!(
            kind,
            Kind::Directive | Kind::Key | Kind::Value | Kind::SequenceItem
        )
}

fn attach_comment(tree: &mut Tree, lines: &Lines, document: NodeId, id: CommentId) {
    let comment = tree.comments[id].clone();
    let line = comment.start.line;
    if let Some(owner) = lines.lines[line].trailing
        && tree.extras(owner).trailing.is_none()
    {
        tree.extras_mut(owner).trailing = Some(id);
        tree.comments[id].owner = Some(owner);
        return;
    }
    if let Some(owner) = owner_above(tree, lines, document, &comment) {
        tree.extras_mut(owner).end.push(id);
        tree.comments[id].owner = Some(owner);
        return;
    }
    let below = lines.next_leading[line];
    if below <= tree.get(document).end.line
        && let Some(owner) = lines.lines.get(below).and_then(|line| line.leading)
    {
        tree.extras_mut(owner).leading.push(id);
        tree.comments[id].owner = Some(owner);
        return;
    }
    if let Some(body) = tree.last_child(document) {
        tree.extras_mut(body).end.push(id);
        tree.comments[id].owner = Some(body);
    }
}

/// The innermost node above a comment that contains the comment by its indentation.
fn owner_above(tree: &Tree, lines: &Lines, document: NodeId, comment: &Comment) -> Option<NodeId> {
    let first = tree.get(document).start.line;
    let nearest = (first..=comment.start.line).rev().find_map(|line| {
        let Line {
            last,
            comment: other,
            ..
        } = lines.lines[line];
        let is_above = line != comment.start.line;
        last.or_else(|| {
            other
                .filter(|_| is_above)
                .and_then(|id| tree.comments[id].owner)
        })
    })?;
    let nearest = match tree.kind(nearest) {
        Kind::Mapping | Kind::Sequence => tree.first_child(nearest)?,
        _ => nearest,
    };
    let nearest = match tree.kind(nearest) {
        Kind::MappingItem => {
            let (key, value) = tree.pair(nearest)?;
            if is_explicit(tree, key) { key } else { value }
        }
        _ => nearest,
    };
    std::iter::successors(Some(nearest), |node| tree.parent(*node))
        .find(|node| owns_end_comment(tree, *node, comment))
}

fn owns_end_comment(tree: &Tree, id: NodeId, comment: &Comment) -> bool {
    let node = tree.get(id);
    let last_child = tree.last_child(id).map(|child| tree.get(child));
    if node.kind.is_flow_collection()
        && node.start.offset < comment.start.offset
        && node.end.offset > comment.end.offset
    {
        return last_child.is_none_or(|last| comment.start.line > last.end.line);
    }
    if comment.end.offset < node.end.offset {
        return false;
    }
    let column = comment.start.column;
    match node.kind {
        // A comment below a block scalar in its column would become content.
        Kind::SequenceItem => {
            column > node.start.column
                && last_child.is_none_or(|content| !content.kind.is_block_scalar())
        }
        Kind::Key | Kind::Value => {
            let is_indented = node
                .parent
                .is_some_and(|item| column > tree.get(item).start.column);
            is_indented
                && last_child.is_none_or(|content| !content.kind.is_block_scalar())
                && (node.kind == Kind::Value || is_explicit(tree, id))
        }
        _ => false,
    }
}

/// Whether a key begins with a question mark, or has no content.
fn is_explicit(tree: &Tree, key: NodeId) -> bool {
    let start = tree.get(key).start.offset;
    tree.first_child(key)
        .is_none_or(|content| tree.get(content).start.offset != start)
}

/// Extends a node to its children and comments.
fn extend(tree: &mut Tree, id: NodeId) {
    let mut node = *tree.get(id);
    if node.kind == Kind::Document {
        extend_document(tree, id);
        node = *tree.get(id);
    }
    let comment_start = |id: &CommentId| tree.comments[*id].start;
    let comment_end = |id: &CommentId| tree.comments[*id].end;
    let own = &tree.extras(id).end;
    let mut starts = [own.first().map(comment_start), None, None, None];
    let mut ends = [own.last().map(comment_end), None, None];
    if let Some(first) = tree.first_child(id) {
        let extras = tree.extras(first);
        starts[1] = Some(tree.get(first).start);
        starts[2] = extras.properties;
        starts[3] = extras.leading.first().map(comment_start);
    }
    if let Some(last) = tree.last_child(id) {
        ends[1] = Some(tree.get(last).end);
        ends[2] = tree.extras(last).trailing.as_ref().map(comment_end);
    }
    for start in starts.into_iter().flatten() {
        if start.offset < node.start.offset {
            node.start = start;
        }
    }
    for end in ends.into_iter().flatten() {
        if end.offset > node.end.offset {
            node.end = end;
        }
    }
    *tree.get_mut(id) = node;
}

/// Gives an empty head or body the position of the other.
fn extend_document(tree: &mut Tree, document: NodeId) {
    let Some((head, body)) = tree.pair(document) else {
        return;
    };
    let (head_node, body_node) = (*tree.get(head), *tree.get(body));
    if head_node.start.offset == head_node.end.offset {
        tree.get_mut(head).start = body_node.start;
        tree.get_mut(head).end = body_node.start;
    } else if body_node.start.offset == body_node.end.offset {
        tree.get_mut(body).start = head_node.end;
        tree.get_mut(body).end = head_node.end;
    }
}
