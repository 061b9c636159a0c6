//! Numbers the nodes of a tree, so that printing can find the parent and the comments of a node.

use oxc_ast::AstKind;
use oxc_ast::ast::Program;
use oxc_ast_visit::Visit;
use oxc_syntax::node::NodeId;

/// All nodes in the order of a depth-first walk. The id of a node is its position.
pub(super) struct Tree<'a> {
    nodes: Vec<AstKind<'a>>,
    parents: Vec<u32>,
}

impl<'a> Tree<'a> {
    /// Sets the ids of all nodes of `program`.
    pub(super) fn new(program: &'a Program<'a>) -> Self {
        let mut walk = Walk {
            tree: Self {
                nodes: Vec::new(),
                parents: Vec::new(),
            },
            open: Vec::new(),
        };
        walk.visit_program(program);
        walk.tree
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn nodes(&self) -> &[AstKind<'a>] {
        &self.nodes
    }

    pub(super) fn node(&self, id: usize) -> AstKind<'a> {
        self.nodes[id]
    }

    /// The parent, or the node itself at the root.
    pub(super) fn parent_id(&self, id: usize) -> usize {
        self.parents[id] as usize
    }
}

/// The position of a node in its [`Tree`].
pub(super) fn id_of(node: AstKind<'_>) -> usize {
    node.node_id().index()
}

/// Whether both are the same node of a tree.
pub(super) fn same(one: AstKind<'_>, two: AstKind<'_>) -> bool {
    one.node_id() == two.node_id()
}

struct Walk<'a> {
    tree: Tree<'a>,
    open: Vec<u32>,
}

impl<'a> Visit<'a> for Walk<'a> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        let id = self.tree.nodes.len();
        node.set_node_id(NodeId::from_usize(id));
        let number = u32::try_from(id).unwrap_or(u32::MAX);
        self.tree
            .parents
            .push(self.open.last().copied().unwrap_or(number));
        self.tree.nodes.push(node);
        self.open.push(number);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.open.pop();
    }
}
