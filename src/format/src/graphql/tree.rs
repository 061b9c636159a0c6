//! The syntax tree.

/// Index of a node in [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(pub(super) usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Document,
    Operation,
    Fragment,
    SelectionSet,
    Field,
    FragmentSpread,
    InlineFragment,
    /// An argument, or a field of an object value.
    Argument,
    Directive,
    VariableDefinition,
    Name,
    Variable,
    /// A number, a boolean, `null` or an enum value.
    Literal,
    String,
    BlockString,
    List,
    Object,
    NamedType,
    ListType,
    NonNullType,
    Schema,
    OperationType,
    Scalar,
    /// `type`, `interface` or `input`.
    Fields,
    Union,
    Enum,
    EnumValue,
    FieldDefinition,
    /// An argument of a field definition, or a field of an input type.
    InputValue,
    DirectiveDefinition,
}

/// What a node is for its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Description,
    Alias,
    Name,
    Variable,
    /// A type, or the type that a fragment applies to.
    Type,
    Value,
    Argument,
    Directive,
    Interface,
    /// A member of a document, a selection set, a list, an object or a definition.
    Item,
    Selections,
}

#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The keyword of a definition, or the text of a leaf.
    pub(super) text: &'t str,
    /// An `extend` or `repeatable` before or after the keyword.
    pub(super) is_extension: bool,
    pub(super) is_repeatable: bool,
    pub(super) children: Vec<(Role, NodeId)>,
}

#[derive(Debug, Default)]
pub(super) struct Tree<'t> {
    pub(super) nodes: Vec<Node<'t>>,
}

impl<'t> Tree<'t> {
    /// The document. It is stored last, after its parts.
    pub(super) fn root(&self) -> NodeId {
        NodeId(self.nodes.len().saturating_sub(1))
    }

    pub(super) fn node(&self, id: NodeId) -> &Node<'t> {
        &self.nodes[id.0]
    }

    pub(super) fn all(&self, id: NodeId, role: Role) -> impl Iterator<Item = NodeId> {
        let children = self.node(id).children.iter();
        children
            .filter(move |(found, _)| *found == role)
            .map(|(_, child)| *child)
    }

    pub(super) fn one(&self, id: NodeId, role: Role) -> Option<NodeId> {
        self.all(id, role).next()
    }
}
