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
    let survey = Survey::of(tree);
    if build {
        let alone = mark::Alone::find(tree);
        arguments::sort_named(tree, &survey.calls, &alone);
        label::shorten(tree, &survey.calls, &alone);
        list::sort_arguments(tree, &survey.calls, &alone);
    }
    list::keep_sorted(tree);
    if build {
        plus::join(tree, &survey.sums);
    }
    if kind != FileKind::Workspace {
        load::to_top(tree);
    }
    load::merge(tree);
    load::sort(tree);
    symbol::sort(tree, &survey.loads);
    if kind == FileKind::Module {
        list::sort_use_repo(tree, &survey.calls);
    }
    docstring::indent(tree);
    arguments::order_by_class(tree, &survey.calls);
    number::normalize(tree, &survey.numbers);
}

/// The nodes that rewrites process, children before parents. Nodes inside types and removed nodes
/// are excluded.
struct Survey {
    calls: Vec<NodeId>,
    loads: Vec<NodeId>,
    numbers: Vec<NodeId>,
    sums: Vec<NodeId>,
}

impl Survey {
    fn of(tree: &Tree<'_>) -> Self {
        let mut survey = Self {
            calls: Vec::new(),
            loads: Vec::new(),
            numbers: Vec::new(),
            sums: Vec::new(),
        };
        for (node, id) in tree.nodes.iter().zip(0..) {
            let list = match node.kind {
                Kind::Call => &mut survey.calls,
                Kind::Load => &mut survey.loads,
                Kind::Number => &mut survey.numbers,
                Kind::Binary if node.op == Op::Plus => &mut survey.sums,
                _ => continue,
            };
            if !node.flags.has(Flags::DEAD) && !node.flags.has(Flags::IN_TYPE) {
                list.push(id);
            }
        }
        survey
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
