//! The tree as others see it: nodes to look at, none to change.

use fixpoint_text::Span;

use super::{Kind, NodeId, Op, Tree};

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct NodeRef<'t, 'a> {
    tree: &'t Tree<'a>,
    id: NodeId,
}

impl<'a> Tree<'a> {
    /// The statements of the file, comment blocks included.
    pub fn statements(&self) -> impl Iterator<Item = NodeRef<'_, 'a>> {
        self.statements.iter().map(|id| NodeRef {
            tree: self,
            id: *id,
        })
    }
}

impl<'t, 'a> NodeRef<'t, 'a> {
    pub fn kind(self) -> Kind {
        self.tree.kind(self.id)
    }

    pub fn op(self) -> Op {
        self.tree.node(self.id).op
    }

    /// Where the node stands; comments above and beside it are not counted.
    pub fn span(self) -> Span {
        self.tree.span(self.id)
    }

    pub fn text(self) -> &'a str {
        self.tree.source(self.id)
    }

    /// The children in source order, closing brackets included.
    pub fn children(self) -> Vec<Self> {
        let tree = self.tree;
        let ids = tree.children(self.id).into_iter();
        ids.map(|id| Self { tree, id }).collect()
    }
}
