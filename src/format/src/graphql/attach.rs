//! Attaches comments to nodes, by the rules of prettier.

use super::token::{Kind as TokenKind, Token};
use super::tree::{NodeId, Tree};

/// A comment, and where it is printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) node: NodeId,
    pub(super) place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    Leading,
    /// In a node without children.
    Inside,
    Trailing,
}

/// The comments of a text, ordered by node.
pub(super) struct Comments<'t> {
    sorted: Vec<Comment<'t>>,
}

impl<'t> Comments<'t> {
    pub(super) fn of(&self, node: NodeId) -> &[Comment<'t>] {
        let from = self.sorted.partition_point(|comment| comment.node < node);
        let count = self.sorted[from..].partition_point(|comment| comment.node == node);
        &self.sorted[from..from + count]
    }
}

pub(super) fn attach<'t>(text: &'t str, tree: &Tree<'t>, tokens: &[Token<'t>]) -> Comments<'t> {
    let comments = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Comment);
    let mut sorted: Vec<_> = comments
        .map(|token| {
            let (node, place) = target(text, tree, token);
            Comment {
                text: token.text,
                start: token.start,
                end: token.end(),
                node,
                place,
            }
        })
        .collect();
    sorted.sort_by_key(|comment| (comment.node, comment.place, comment.start));
    Comments { sorted }
}

/// The node that a comment is printed with. A comment always ends its line, so it belongs to the node
/// before it, unless it is on a line of its own.
fn target(text: &str, tree: &Tree<'_>, comment: &Token<'_>) -> (NodeId, Place) {
    let mut enclosing = tree.root();
    loop {
        let children = &tree.node(enclosing).children;
        let next = children.partition_point(|(_, child)| tree.node(*child).end <= comment.start);
        let before = next.checked_sub(1).map(|index| children[index].1);
        let after = children.get(next).map(|(_, child)| *child);
        if let Some(child) = after.filter(|child| tree.node(*child).start < comment.start) {
            enclosing = child;
            continue;
        }
        let line = text[..comment.start].trim_end_matches([' ', '\t']);
        let is_own_line = line.is_empty() || line.ends_with(['\n', '\r']);
        let leading = after.map(|node| (node, Place::Leading));
        let trailing = before.map(|node| (node, Place::Trailing));
        let found = if is_own_line {
            leading.or(trailing)
        } else {
            trailing.or(leading)
        };
        return found.unwrap_or((enclosing, Place::Inside));
    }
}
