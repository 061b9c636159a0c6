//! The rewrites of the canonical form besides layout. Their order matters, because a later one sees
//! the result of an earlier one.
//!
//! Each rewrite is a function on the tree in its own file. Comments are never lost: the comments of
//! a removed node move to a node that remains.

mod arguments;
mod docstring;
mod label;
mod list;
mod load;
mod mark;
mod number;
mod paren;
mod place;
mod plus;
mod symbol;
mod table;

use crate::kind::FileKind;
use crate::tree::{Flags, Kind, NodeId, Op, Tree};

pub(crate) use table::is_override;

pub(crate) fn rewrite(tree: &mut Tree<'_>, kind: FileKind) {
    let build = kind.is_build_family();
    if build {
        paren::remove(tree);
    }
    let nodes = NodesByKind::of(tree);
    if build {
        let alone = mark::LeaveAlone::find(tree);
        arguments::sort_named(tree, &nodes.calls, &alone);
        label::shorten(tree, &nodes.calls, &alone);
        list::sort_arguments(tree, &nodes.calls, &alone);
    }
    list::keep_sorted(tree);
    if build {
        plus::join(tree, &nodes.sums);
    }
    if kind != FileKind::Workspace {
        load::to_top(tree);
    }
    load::merge(tree);
    load::sort(tree);
    symbol::sort(tree, &nodes.loads);
    if kind == FileKind::Module {
        list::sort_use_repo(tree, &nodes.calls);
    }
    docstring::indent(tree);
    arguments::order_by_class(tree, &nodes.calls);
    number::normalize(tree, &nodes.numbers);
}

/// The nodes that rewrites process, children before parents. Nodes inside types and removed nodes
/// are excluded.
struct NodesByKind {
    calls: Vec<NodeId>,
    loads: Vec<NodeId>,
    numbers: Vec<NodeId>,
    sums: Vec<NodeId>,
}

impl NodesByKind {
    fn of(tree: &Tree<'_>) -> Self {
        let mut nodes = Self {
            calls: Vec::new(),
            loads: Vec::new(),
            numbers: Vec::new(),
            sums: Vec::new(),
        };
        for (node, id) in tree.nodes.iter().zip(0..) {
            let list = match node.kind {
                Kind::Call => &mut nodes.calls,
                Kind::Load => &mut nodes.loads,
                Kind::Number => &mut nodes.numbers,
                Kind::Binary if node.op == Op::Plus => &mut nodes.sums,
                _ => continue,
            };
            if !node.flags.has(Flags::DEAD) && !node.flags.has(Flags::IN_TYPE) {
                list.push(id);
            }
        }
        nodes
    }
}

/// The name of the called function: identifiers separated by dots.
fn callee_name<'a>(tree: &Tree<'a>, call: NodeId) -> Option<&'a str> {
    let callee = tree.node(call).c;
    let mut id = callee;
    loop {
        let node = tree.node(id);
        match node.kind {
            Kind::Ident => break,
            Kind::Dot => id = node.a,
            _ => return None,
        }
    }
    Some(tree.source(callee))
}
