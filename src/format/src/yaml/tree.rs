//! The tree of a YAML stream, with positions and comments.

use fixpoint_text::Span;

/// A position in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Point {
    pub(super) offset: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Point {
    /// The position `count` bytes later on the same line.
    pub(super) fn plus(self, count: usize) -> Self {
        Self {
            offset: self.offset + count,
            column: self.column + count,
            ..self
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Root,
    /// Its children are a head and a body.
    Document,
    Head,
    Body,
    Directive,
    Mapping,
    /// An entry of a block mapping. Its children are a key and a value.
    MappingItem,
    Key,
    Value,
    Sequence,
    SequenceItem,
    FlowMapping,
    FlowSequence,
    /// An entry of a flow mapping, or a pair in a flow sequence. Its children are a key and a value.
    FlowPair,
    /// An entry of a flow sequence.
    FlowItem,
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
    Alias,
}

impl Kind {
    pub(super) fn is_block_collection(self) -> bool {
        matches!(self, Self::Mapping | Self::Sequence)
    }

    pub(super) fn is_flow_collection(self) -> bool {
        matches!(self, Self::FlowMapping | Self::FlowSequence)
    }

    pub(super) fn is_block_scalar(self) -> bool {
        matches!(self, Self::Literal | Self::Folded)
    }

    pub(super) fn is_flow_scalar(self) -> bool {
        matches!(self, Self::Plain | Self::SingleQuoted | Self::DoubleQuoted)
    }

    pub(super) fn is_inline(self) -> bool {
        self.is_flow_scalar() || self.is_flow_collection() || self == Self::Alias
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub(super) const ROOT: Self = Self(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of a comment in [`Tree::comments`].
pub(super) type CommentId = usize;

#[derive(Clone, Debug)]
pub(super) struct Comment {
    pub(super) start: Point,
    /// The end of its text, without blanks at the end of the line.
    pub(super) end: Point,
    /// The node to which it is attached.
    pub(super) owner: Option<NodeId>,
}

impl Comment {
    pub(super) fn span(&self) -> Span {
        Span::from(self.start.offset..self.end.offset)
    }
}

/// What only few nodes have.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    pub(super) tag: Option<Span>,
    pub(super) anchor: Option<Span>,
    /// The start of the tag or the anchor, whichever is first.
    pub(super) properties: Option<Point>,
    /// Comments on the lines before the node.
    pub(super) leading: Vec<CommentId>,
    /// Comments between the properties and the content of the node.
    pub(super) middle: Vec<CommentId>,
    /// A comment on the line of the header of a block scalar.
    pub(super) header: Option<CommentId>,
    /// The column in which the content of a block scalar begins, if its header has an indentation.
    pub(super) content_column: Option<usize>,
    /// A comment after the node, on its last line.
    pub(super) trailing: Option<CommentId>,
    /// Comments on the lines after the last child.
    pub(super) end: Vec<CommentId>,
}

static NO_EXTRAS: Extras = Extras {
    tag: None,
    anchor: None,
    properties: None,
    leading: Vec::new(),
    middle: Vec::new(),
    header: None,
    content_column: None,
    trailing: None,
    end: Vec::new(),
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) start: Point,
    pub(super) end: Point,
    pub(super) parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    pub(super) next: Option<NodeId>,
    extras: Option<u32>,
}

impl Node {
    pub(super) fn is_one_line(&self) -> bool {
        self.start.line == self.end.line
    }
}

/// The markers of a document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Markers {
    /// Whether `---` is before its content.
    pub(super) start: bool,
    /// Whether `...` is after its content.
    pub(super) end: bool,
}

#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    extras: Vec<Extras>,
    pub(super) comments: Vec<Comment>,
    /// The markers of each document, in order.
    pub(super) markers: Vec<Markers>,
    /// Whether a block scalar contains a line that ends in blanks.
    pub(super) has_blanks_in_block_scalar: bool,
}

impl Tree {
    pub(super) fn new() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            extras: Vec::new(),
            comments: Vec::new(),
            markers: Vec::new(),
            has_blanks_in_block_scalar: false,
        };
        tree.add(Kind::Root, Point::default(), Point::default());
        tree
    }

    pub(super) fn add(&mut self, kind: Kind, start: Point, end: Point) -> NodeId {
        // The parser rejects longer texts.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            kind,
            start,
            end,
            parent: None,
            first_child: None,
            last_child: None,
            next: None,
            extras: None,
        });
        id
    }

    pub(super) fn append(&mut self, parent: NodeId, child: NodeId) {
        self.get_mut(child).parent = Some(parent);
        match self.get_mut(parent).last_child.replace(child) {
            Some(last) => self.get_mut(last).next = Some(child),
            None => self.get_mut(parent).first_child = Some(child),
        }
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(super) fn kind(&self, id: NodeId) -> Kind {
        self.get(id).kind
    }

    /// Whether a node may have properties or comments.
    pub(super) fn has_extras(&self, id: NodeId) -> bool {
        self.get(id).extras.is_some()
    }

    pub(super) fn extras(&self, id: NodeId) -> &Extras {
        match self.get(id).extras {
            Some(index) => &self.extras[index as usize],
            None => &NO_EXTRAS,
        }
    }

    pub(super) fn extras_mut(&mut self, id: NodeId) -> &mut Extras {
        let index = match self.get(id).extras {
            Some(index) => index as usize,
            None => {
                let index = self.extras.len();
                self.extras.push(Extras::default());
                self.get_mut(id).extras = u32::try_from(index).ok();
                index
            }
        };
        &mut self.extras[index]
    }

    pub(super) fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.get(id).first_child
    }

    pub(super) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.get(id).last_child
    }

    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |child| self.get(*child).next)
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.get(id).parent
    }

    /// The key and the value of an entry.
    pub(super) fn pair(&self, item: NodeId) -> Option<(NodeId, NodeId)> {
        let key = self.first_child(item)?;
        Some((key, self.get(key).next?))
    }

    /// The last of its children, their last children, and so on.
    pub(super) fn last_descendant(&self, id: NodeId) -> NodeId {
        let mut last = id;
        while let Some(child) = self.last_child(last) {
            last = child;
        }
        last
    }

    pub(super) fn properties(&self, id: NodeId) -> Vec<Span> {
        let extras = self.extras(id);
        let mut properties: Vec<_> = [extras.tag, extras.anchor].into_iter().flatten().collect();
        properties.sort_unstable();
        properties
    }

    /// All nodes except the root, parents first.
    pub(super) fn preorder(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut next = self.first_child(NodeId::ROOT);
        while let Some(id) = next {
            order.push(id);
            next = self.first_child(id).or_else(|| {
                let mut up = id;
                while self.get(up).next.is_none() {
                    up = self.parent(up)?;
                }
                self.get(up).next
            });
        }
        order
    }
}
