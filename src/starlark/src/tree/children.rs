//! Tree traversal.

use super::{Kind, NONE, NodeId, Tree};

impl Tree<'_> {
    /// The children of a node in source order, including closing brackets.
    pub(crate) fn children(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.each_child(id, |child| found.push(child));
        found
    }

    pub(crate) fn each_child(&self, id: NodeId, mut visit: impl FnMut(NodeId)) {
        let node = self.node(id);
        let range = |start: u32, count: u32| &self.extra[start as usize..(start + count) as usize];
        let mut all = |children: &[NodeId]| {
            let present = children.iter().filter(|child| **child != NONE);
            present.for_each(|child| visit(*child));
        };
        match node.kind {
            Kind::Error
            | Kind::CommentBlock
            | Kind::Ident
            | Kind::Number
            | Kind::String
            | Kind::LoadName
            | Kind::Branch
            | Kind::End
            | Kind::Else => {}
            Kind::List | Kind::Set | Kind::Dict | Kind::Paren => {
                all(range(node.a, node.b + 1));
            }
            Kind::Tuple => {
                let bare = node.flags.has(super::Flags::BARE);
                all(range(node.a, node.b + u32::from(!bare)));
            }
            Kind::Comprehension | Kind::Call => {
                all(&[node.c]);
                all(range(node.a, node.b + 1));
            }
            Kind::Load => {
                all(&[node.c]);
                all(range(node.a, 2 * node.b + 1));
            }
            Kind::Lambda => {
                all(range(node.a, node.b));
                all(&[node.c]);
            }
            Kind::Dot | Kind::Unary | Kind::Typed | Kind::Return | Kind::IfClause => {
                all(&[node.a]);
            }
            Kind::Index | Kind::Binary | Kind::Assign | Kind::Entry | Kind::ForClause => {
                all(&[node.a, node.b]);
            }
            Kind::Slice => all(range(node.a, 4)),
            Kind::Conditional | Kind::For => all(&[node.a, node.b, node.c]),
            Kind::If => {
                let other = self
                    .nodes
                    .get(node.c as usize)
                    .map_or(NONE, |marker| marker.a);
                all(&[node.a, node.b, node.c, other]);
            }
            Kind::Def => {
                all(range(node.a, node.b));
                let def = self.def(id);
                all(&[def.returns, def.body]);
            }
            Kind::Block => all(range(node.a, node.b)),
        }
    }
}
