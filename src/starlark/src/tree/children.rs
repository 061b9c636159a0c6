//! Walking down a tree.

use super::{Kind, NONE, NodeId, Tree};

impl Tree<'_> {
    /// The children of a node in source order, closing brackets included.
    pub(crate) fn children(&self, id: NodeId) -> Vec<NodeId> {
        let node = self.node(id);
        let range = |start: u32, count: u32| &self.extra[start as usize..(start + count) as usize];
        let mut found: Vec<NodeId> = Vec::new();
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
                found.extend_from_slice(range(node.a, node.b + 1));
            }
            Kind::Tuple => {
                let bare = node.flags.has(super::Flags::BARE);
                found.extend_from_slice(range(node.a, node.b + u32::from(!bare)));
            }
            Kind::Comprehension | Kind::Call => {
                found.push(node.c);
                found.extend_from_slice(range(node.a, node.b + 1));
            }
            Kind::Load => {
                found.push(node.c);
                found.extend_from_slice(range(node.a, 2 * node.b + 1));
            }
            Kind::Lambda => {
                found.extend_from_slice(range(node.a, node.b));
                found.push(node.c);
            }
            Kind::Dot | Kind::Unary | Kind::Typed | Kind::Return | Kind::IfClause => {
                found.push(node.a);
            }
            Kind::Index | Kind::Binary | Kind::Assign | Kind::Entry | Kind::ForClause => {
                found.extend([node.a, node.b]);
            }
            Kind::Slice => found.extend_from_slice(range(node.a, 4)),
            Kind::Conditional | Kind::For => found.extend([node.a, node.b, node.c]),
            Kind::If => {
                let other = self
                    .nodes
                    .get(node.c as usize)
                    .map_or(NONE, |marker| marker.a);
                found.extend([node.a, node.b, node.c, other]);
            }
            Kind::Def => {
                found.extend_from_slice(range(node.a, node.b));
                let def = self.def(id);
                found.extend([def.returns, def.body]);
            }
            Kind::Block => found.extend_from_slice(range(node.a, node.b)),
        }
        found.retain(|child| *child != NONE);
        found
    }
}
