//! One lossless tree in front of all languages: an arena of nodes in source order, and the comments beside it.
//!
//! Every byte of the text that is not white space or part of a comment belongs to exactly one token. A module per
//! language runs a parser and lists inner nodes, tokens and comments; [`build`] makes the tree of them.

mod build;
#[cfg(feature = "clank")]
mod clank;
mod kind;
mod language;
mod limits;
mod python;
mod script;
mod starlark;
mod syntax;
#[cfg(test)]
mod tests;

pub use build::ParseError;
pub use kind::Kind;
pub use language::Language;
pub(crate) use python::Order;
pub(crate) use syntax::grammar;

use fixpoint_text::Span;

/// The index of a node in its [`Tree`]. Nodes are numbered in source order, a parent before its children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    /// The number of the field of the parent that contains the node, or 0.
    pub field: u16,
    pub is_token: bool,
    pub start: u32,
    pub end: u32,
    pub parent: u32,
    /// The index after the last descendant.
    pub next: u32,
}

/// A parsed text.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) language: Language,
    pub(crate) text: Box<str>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) comments: Vec<Span>,
}

impl Tree {
    /// Parses a text. A text with a syntax error has no tree.
    pub fn parse(language: Language, text: &str) -> Result<Self, ParseError> {
        Self::parse_with(language, text, Order::Checked)
    }

    pub(crate) fn parse_with(
        language: Language,
        text: &str,
        order: Order,
    ) -> Result<Self, ParseError> {
        limits::check(text)?;
        let parts = match language {
            Language::Python => python::parse(text, order),
            Language::JavaScript | Language::Jsx | Language::TypeScript | Language::Tsx => {
                script::parse(language, text)
            }
            Language::Starlark => starlark::parse(text),
            #[cfg(feature = "clank")]
            Language::Clank => clank::parse(text),
            Language::Rust | Language::Go | Language::Java | Language::C | Language::Cpp => {
                syntax::parse(language, text)
            }
        }?;
        build::build(language, text, parts)
    }

    pub fn language(&self) -> Language {
        self.language
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The number of nodes. There is always a root.
    #[expect(clippy::len_without_is_empty, reason = "a tree is never empty")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in source order, a parent before its children.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    pub fn kind_name(&self, id: NodeId) -> &'static str {
        self.language.kind_name(self.kind(id))
    }

    /// Whether the node is a token, a leaf of the tree.
    pub fn is_token(&self, id: NodeId) -> bool {
        self.node(id).is_token
    }

    pub fn span(&self, id: NodeId) -> Span {
        Span::from(self.start(id)..self.end(id))
    }

    pub fn start(&self, id: NodeId) -> usize {
        self.node(id).start as usize
    }

    pub fn end(&self, id: NodeId) -> usize {
        self.node(id).end as usize
    }

    /// The source text of the node, with the comments inside it.
    pub fn text_of(&self, id: NodeId) -> &str {
        &self.text[self.start(id)..self.end(id)]
    }

    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent;
        (parent != id.0).then_some(NodeId(parent))
    }

    /// The field of the parent that contains the node, in languages whose grammar names fields.
    pub fn field(&self, id: NodeId) -> Option<&'static str> {
        self.language.field_name(self.node(id).field)
    }

    /// The children in source order, tokens included.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            tree: self,
            next: id.0 + 1,
            end: self.node(id).next,
        }
    }

    /// The node and everything below it, in source order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).next).map(NodeId)
    }

    /// The tokens of the node, in source order.
    pub fn tokens(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.subtree(id).filter(|node| self.is_token(*node))
    }

    /// The ancestors, nearest first, without the node itself.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |node| self.parent(*node))
    }

    /// Whether `inner` is `outer` or below it.
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        (outer.0..self.node(outer).next).contains(&inner.0)
    }

    /// The comments of the text, in order.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// The comments that start inside a span, in order.
    pub fn comments_in(&self, span: Span) -> &[Span] {
        let first = self
            .comments
            .partition_point(|comment| comment.start() < span.start());
        let last = self
            .comments
            .partition_point(|comment| comment.start() < span.end());
        &self.comments[first..last.max(first)]
    }

    /// The smallest node that covers a span.
    pub fn covering(&self, span: Span) -> NodeId {
        let mut found = self.root();
        'down: loop {
            for child in self.children(found) {
                if self.start(child) <= span.start() && span.end() <= self.end(child) {
                    found = child;
                    continue 'down;
                }
            }
            return found;
        }
    }

    /// Whether a token is a name or a literal, and not punctuation or a keyword.
    pub(crate) fn is_word(&self, token: NodeId) -> bool {
        let kind = self.kind(token);
        match grammar(self.language) {
            Some(grammar) => grammar.node_kind_is_named(kind.0),
            None => matches!(kind, kind::NAME | kind::NUMBER | kind::STRING),
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

/// The children of a node.
#[derive(Clone)]
pub struct Children<'a> {
    tree: &'a Tree,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        (self.next < self.end).then(|| {
            let id = NodeId(self.next);
            self.next = self.tree.node(id).next;
            id
        })
    }
}
