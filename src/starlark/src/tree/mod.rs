//! The syntax tree of a Starlark file. Nodes are in one vector, children before parents, each with
//! its byte range and lines. Comments are stored separately.
//!
//! The tree is lossless: the leaves in order are the text. A rewrite changes nodes, never the text.

mod children;
mod leaf;
mod node;
mod shape;
mod view;

pub use leaf::{Leaf, LeafKind};
pub(crate) use node::{Flags, NONE, Node, NodeId};
pub use node::{Kind, Op};
pub use shape::{Function, Load, Shape, Symbol};
pub use view::{CommentRef, NodeRef, Nodes};

use std::borrow::Cow;

use fixpoint_text::Span;

use crate::lex::{Comment, TokenKind};
use crate::literal;

/// The index of a comment in the tree.
pub(crate) type CommentId = u32;

/// The comments of one node. Each list is in source order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attached {
    /// On whole lines above.
    pub before: Vec<CommentId>,
    /// At the end of its line.
    pub suffix: Vec<CommentId>,
    /// On whole lines below; only for statements.
    pub after: Vec<CommentId>,
}

/// A token of the text. Only blanks, line breaks and comments are between two of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenRecord {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug)]
pub struct Tree<'a> {
    pub(crate) text: &'a str,
    pub(crate) nodes: Vec<Node>,
    pub(crate) extra: Vec<u32>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) attached: Vec<Attached>,
    /// Texts and values that rewrites have replaced.
    pub(crate) texts: Vec<Vec<u8>>,
    /// Top-level statements.
    pub(crate) statements: Vec<NodeId>,
    /// Comments without a node before them. `tail` has those without a node after them.
    pub(crate) head: Vec<CommentId>,
    pub(crate) tail: Vec<CommentId>,
    pub(crate) tokens: Vec<TokenRecord>,
}

impl<'a> Tree<'a> {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The byte range of the node, without its comments.
    pub(crate) fn span(&self, id: NodeId) -> Span {
        let node = self.node(id);
        Span::from(node.start as usize..node.end as usize)
    }

    pub(crate) fn slice(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The source text of a node.
    pub(crate) fn source(&self, id: NodeId) -> &'a str {
        let node = self.node(id);
        self.slice(node.start, node.end)
    }

    /// The children in a node's list.
    pub(crate) fn list(&self, id: NodeId) -> &[NodeId] {
        let node = self.node(id);
        &self.extra[node.a as usize..(node.a + node.b) as usize]
    }

    /// The closing bracket of a node that has a list and brackets.
    pub(crate) fn end_of(&self, id: NodeId) -> NodeId {
        let node = self.node(id);
        let width = if node.kind == Kind::Load { 2 } else { 1 };
        self.extra[(node.a + width * node.b) as usize]
    }

    /// Sets the list of children of a node with brackets. For a load, the list contains pairs.
    pub(crate) fn set_list(&mut self, id: NodeId, list: &[NodeId]) {
        let node = *self.node(id);
        let width = if node.kind == Kind::Load { 2 } else { 1 };
        let (start, length) = (node.a as usize, (width * node.b) as usize);
        let end = self.end_of(id);
        if list.len() <= length {
            self.extra[start..start + list.len()].copy_from_slice(list);
            self.extra[start + list.len()] = end;
        } else {
            self.node_mut(id).a = self.extra.len() as u32;
            self.extra.extend_from_slice(list);
            self.extra.push(end);
        }
        self.node_mut(id).b = list.len() as u32 / width;
    }

    /// The arguments of a call.
    pub(crate) fn list_if_call(&self, id: NodeId) -> Option<&[NodeId]> {
        (self.kind(id) == Kind::Call).then(|| self.list(id))
    }

    /// The `if` inside an `else`, if the two can be printed as `elif`. A comment on either of them
    /// prevents that.
    pub(crate) fn elif(&self, id: NodeId) -> Option<NodeId> {
        let marker = self.node(id).c;
        if marker == NONE {
            return None;
        }
        let [next] = *self.list(self.node(marker).a) else {
            return None;
        };
        let free = self.kind(next) == Kind::If
            && self.suffix(marker).is_empty()
            && self.before(next).is_empty()
            && self.after(next).is_empty();
        free.then_some(next)
    }

    /// The pairs of local and remote names of a load.
    pub(crate) fn load_pairs(&self, id: NodeId) -> &[u32] {
        let node = self.node(id);
        &self.extra[node.a as usize..(node.a + 2 * node.b) as usize]
    }

    /// The parts of a function except its parameters, which are in its list.
    pub(crate) fn def(&self, id: NodeId) -> Def {
        let node = self.node(id);
        let at = (node.a + node.b) as usize;
        Def {
            body: self.extra[at],
            returns: self.extra[at + 1],
            name: (self.extra[at + 2], self.extra[at + 3]),
        }
    }

    /// The name of an identifier or of a name in a load.
    pub(crate) fn name(&self, id: NodeId) -> Cow<'a, [u8]> {
        let node = self.node(id);
        let text = self.slice(node.start, node.end);
        if node.flags.has(Flags::ESCAPES) {
            // This is a name in a load; its span does not include the quotes.
            let token = self.slice(node.b, node.c);
            return literal::value(token);
        }
        Cow::Borrowed(text.as_bytes())
    }

    /// Whether the node is the identifier `name`.
    pub(crate) fn is_name(&self, id: NodeId, name: &str) -> bool {
        self.kind(id) == Kind::Ident && self.source(id) == name
    }

    /// The name of a keyword argument.
    pub(crate) fn keyword(&self, id: NodeId) -> Option<&'a str> {
        let node = self.node(id);
        let named =
            node.kind == Kind::Assign && node.op == Op::Assign && self.kind(node.a) == Kind::Ident;
        named.then(|| self.source(node.a))
    }

    /// The value of a string.
    pub(crate) fn value(&self, id: NodeId) -> Cow<'_, [u8]> {
        let node = self.node(id);
        if node.flags.has(Flags::REPLACED) {
            return Cow::Borrowed(&self.texts[node.a as usize]);
        }
        let token = self.slice(node.start, node.end);
        if node.flags.has(Flags::ESCAPES) {
            literal::value(token)
        } else {
            Cow::Borrowed(literal::parts(token).body.as_bytes())
        }
    }

    /// Replaces the text of a number or the value of a string.
    pub(crate) fn replace(&mut self, id: NodeId, text: Vec<u8>) {
        let a = self.texts.len() as u32;
        self.texts.push(text);
        let node = self.node_mut(id);
        node.a = a;
        node.flags.set(Flags::REPLACED);
    }

    pub(crate) fn attached(&self, id: NodeId) -> Option<&Attached> {
        self.attached.get(self.node(id).comments as usize)
    }

    pub(crate) fn attached_mut(&mut self, id: NodeId) -> &mut Attached {
        if self.node(id).comments == NONE {
            self.node_mut(id).comments = self.attached.len() as u32;
            self.attached.push(Attached::default());
        }
        let index = self.node(id).comments as usize;
        &mut self.attached[index]
    }

    /// Removes and returns the comments of a node.
    pub(crate) fn take_attached(&mut self, id: NodeId) -> Attached {
        let index = self.node(id).comments as usize;
        self.node_mut(id).comments = NONE;
        self.attached
            .get_mut(index)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Moves the comments of a removed node to another one.
    pub(crate) fn move_comments(&mut self, from: NodeId, to: NodeId) {
        if self.attached(from).is_none() {
            return;
        }
        let comments = self.take_attached(from);
        let all = self.attached_mut(to);
        all.before.extend(comments.before);
        all.suffix.extend(comments.suffix);
        all.after.extend(comments.after);
    }

    pub(crate) fn before(&self, id: NodeId) -> &[CommentId] {
        self.attached(id).map_or(&[], |c| &c.before)
    }

    pub(crate) fn suffix(&self, id: NodeId) -> &[CommentId] {
        self.attached(id).map_or(&[], |c| &c.suffix)
    }

    pub(crate) fn after(&self, id: NodeId) -> &[CommentId] {
        self.attached(id).map_or(&[], |c| &c.after)
    }

    /// The text of a comment, trimmed.
    pub(crate) fn comment_text(&self, id: CommentId) -> &'a str {
        let comment = &self.comments[id as usize];
        self.slice(comment.start, comment.end).trim()
    }

    /// The comments that start inside a span, in order.
    pub fn comments_in(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let before = |at: usize| move |c: &Comment| (c.start as usize) < at;
        let first = self.comments.partition_point(before(span.start()));
        let last = self.comments.partition_point(before(span.end()));
        let inside = self.comments[first..last].iter();
        inside
            .filter(|c| c.start < c.end)
            .map(|c| Span::from(c.start as usize..c.end as usize))
    }

    /// Every comment of the source, in order.
    pub fn comments(&self) -> impl Iterator<Item = Span> + '_ {
        self.comments
            .iter()
            .filter(|c| c.start < c.end)
            .map(|c| Span::from(c.start as usize..c.end as usize))
    }
}

/// The parts of a function definition.
pub(crate) struct Def {
    pub body: NodeId,
    pub returns: NodeId,
    pub name: (u32, u32),
}
