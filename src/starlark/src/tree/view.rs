//! The public read-only view of the tree.

use std::borrow::Cow;
use std::fmt;

use fixpoint_text::Span;

use super::{CommentId, Flags, Kind, NONE, NodeId, Op, Shape, Tree};

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct NodeRef<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) id: NodeId,
}

/// Several nodes of a tree, in source order.
#[derive(Clone, Copy)]
pub struct Nodes<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) ids: &'t [NodeId],
}

/// A comment with its line number, starting at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentRef<'a> {
    pub span: Span,
    pub line: u32,
    /// The trimmed text.
    pub text: &'a str,
}

impl<'a> Tree<'a> {
    /// The statements of the file, including comment blocks.
    pub fn statements(&self) -> Nodes<'_, 'a> {
        Nodes {
            tree: self,
            ids: &self.statements,
        }
    }

    /// The number of nodes. Indices are smaller than this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node with this index; see [`NodeRef::index`].
    pub fn at(&self, index: usize) -> NodeRef<'_, 'a> {
        NodeRef {
            tree: self,
            id: index as NodeId,
        }
    }

    /// The text that the tree was parsed from.
    pub fn source_text(&self) -> &'a str {
        self.text
    }

    fn comment_ref(&self, id: CommentId) -> CommentRef<'a> {
        let comment = &self.comments[id as usize];
        CommentRef {
            span: Span::from(comment.start as usize..comment.end as usize),
            line: comment.line,
            text: self.comment_text(id),
        }
    }
}

impl<'t, 'a> NodeRef<'t, 'a> {
    /// The index of the node. A child has a smaller index than its parent.
    #[inline]
    pub fn index(self) -> usize {
        self.id as usize
    }

    #[inline]
    pub fn kind(self) -> Kind {
        self.tree.kind(self.id)
    }

    #[inline]
    pub fn op(self) -> Op {
        self.tree.node(self.id).op
    }

    /// The byte range of the node, without the comments above and next to it.
    #[inline]
    pub fn span(self) -> Span {
        self.tree.span(self.id)
    }

    #[inline]
    pub fn start(self) -> usize {
        self.tree.node(self.id).start as usize
    }

    #[inline]
    pub fn end(self) -> usize {
        self.tree.node(self.id).end as usize
    }

    /// The first and last line, starting at 1.
    pub fn lines(self) -> (u32, u32) {
        let node = self.tree.node(self.id);
        (node.line, node.end_line)
    }

    #[inline]
    pub fn text(self) -> &'a str {
        self.tree.source(self.id)
    }

    /// The kind of the node with its parts.
    #[inline]
    pub fn shape(self) -> Shape<'t, 'a> {
        Shape::of(self)
    }

    /// The children in source order, including closing brackets.
    pub fn children(self) -> Vec<Self> {
        let tree = self.tree;
        let ids = tree.children(self.id).into_iter();
        ids.map(|id| Self { tree, id }).collect()
    }

    pub fn each_child(self, mut visit: impl FnMut(Self)) {
        let tree = self.tree;
        tree.each_child(self.id, |id| visit(Self { tree, id }));
    }

    /// The name, if the node is an identifier.
    #[inline]
    pub fn name(self) -> Option<&'a str> {
        (self.kind() == Kind::Ident).then(|| self.text())
    }

    #[inline]
    pub fn is_name(self, name: &str) -> bool {
        self.tree.is_name(self.id, name)
    }

    /// The name of a keyword argument.
    pub fn keyword(self) -> Option<&'a str> {
        self.tree.keyword(self.id)
    }

    /// The value of a string, or of a name in a load.
    pub fn string(self) -> Option<Cow<'t, [u8]>> {
        match self.kind() {
            Kind::String => Some(self.tree.value(self.id)),
            Kind::LoadName => Some(self.tree.name(self.id)),
            _ => None,
        }
    }

    /// Whether this is a tuple without brackets.
    pub fn is_bare_tuple(self) -> bool {
        self.kind() == Kind::Tuple && self.tree.node(self.id).flags.has(Flags::BARE)
    }

    /// Whether this is a comprehension in braces.
    pub fn is_in_braces(self) -> bool {
        self.tree.node(self.id).flags.has(Flags::CURLY)
    }

    /// The comments of the node itself: above it, at the end of its line, below it.
    pub fn comments(self) -> impl Iterator<Item = CommentRef<'a>> + use<'t, 'a> {
        let tree = self.tree;
        let all = tree.attached(self.id).into_iter();
        let ids = all.flat_map(|comments| {
            comments
                .before
                .iter()
                .chain(&comments.suffix)
                .chain(&comments.after)
        });
        ids.map(|id| tree.comment_ref(*id))
    }

    /// The comments above the node.
    pub fn comments_above(self) -> impl Iterator<Item = CommentRef<'a>> + use<'t, 'a> {
        let tree = self.tree;
        tree.before(self.id).iter().map(|id| tree.comment_ref(*id))
    }

    pub(super) fn child(self, id: NodeId) -> Self {
        Self {
            tree: self.tree,
            id,
        }
    }

    pub(super) fn child_if_any(self, id: NodeId) -> Option<Self> {
        (id != NONE).then(|| self.child(id))
    }

    pub(super) fn list(self) -> Nodes<'t, 'a> {
        Nodes {
            tree: self.tree,
            ids: self.tree.list(self.id),
        }
    }
}

impl PartialEq for NodeRef<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl fmt::Debug for NodeRef<'_, '_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} {:?}", self.kind(), self.text())
    }
}

impl<'t, 'a> Nodes<'t, 'a> {
    pub fn iter(self) -> impl DoubleEndedIterator<Item = NodeRef<'t, 'a>> + ExactSizeIterator {
        let tree = self.tree;
        self.ids.iter().map(move |id| NodeRef { tree, id: *id })
    }

    pub fn len(self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(self) -> bool {
        self.ids.is_empty()
    }

    pub fn get(self, at: usize) -> Option<NodeRef<'t, 'a>> {
        self.ids.get(at).map(|id| NodeRef {
            tree: self.tree,
            id: *id,
        })
    }

    pub fn first(self) -> Option<NodeRef<'t, 'a>> {
        self.get(0)
    }

    pub fn last(self) -> Option<NodeRef<'t, 'a>> {
        self.get(self.ids.len().wrapping_sub(1))
    }

    /// The argument with this name.
    pub fn keyword(self, name: &str) -> Option<NodeRef<'t, 'a>> {
        self.iter()
            .find(|argument| argument.keyword() == Some(name))
    }
}
