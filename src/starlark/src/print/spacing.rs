//! Decides whether there is a blank line between two statements.

use super::Printer;
use crate::kind::FileKind;
use crate::rewrite::is_override;
use crate::tree::{Kind, NodeId, Tree};

impl Printer<'_, '_> {
    /// Whether `second` goes on the line after `first`. Otherwise one blank line separates them.
    pub(super) fn is_next_line(&self, first: NodeId, second: NodeId) -> bool {
        let tree = self.tree;
        if !tree.before(second).is_empty() || !tree.after(first).is_empty() {
            return false;
        }
        let (one, two) = (tree.node(first), tree.node(second));
        let loads = [one, two].map(|node| node.kind == Kind::Load);
        if loads != [false, false] {
            return loads == [true, true];
        }
        if self.kind == FileKind::Module && belongs_together(tree, first, second) {
            return true;
        }
        let either = |kind| one.kind == kind || two.kind == kind;
        if either(Kind::CommentBlock)
            || (self.kind.is_build_family() && self.level == 0)
            || either(Kind::Def)
        {
            return false;
        }
        two.line.saturating_sub(one.end_line) <= 1
    }
}

/// Whether two statements of a MODULE file belong to the same paragraph.
fn belongs_together(tree: &Tree<'_>, first: NodeId, second: NodeId) -> bool {
    let names = (callee(tree, first), callee(tree, second));
    match names {
        (Some("include"), Some("include")) => return true,
        (Some("bazel_dep"), Some("bazel_dep")) => {
            return is_dev(tree, first) == is_dev(tree, second);
        }
        (Some("bazel_dep"), Some(name)) if is_override(name) => {
            let dep = string_argument(tree, first, "name");
            return dep.is_some() && dep == string_argument(tree, second, "module_name");
        }
        _ => {}
    }
    let use_repo = |name| name == Some("use_repo");
    match (proxy(tree, first), proxy(tree, second)) {
        (Some(one), Some(two)) => one == two && (!use_repo(names.0) || use_repo(names.1)),
        _ => false,
    }
}

/// The name that a statement calls, if it is a plain identifier.
fn callee<'a>(tree: &Tree<'a>, id: NodeId) -> Option<&'a str> {
    let node = tree.node(id);
    (node.kind == Kind::Call && tree.kind(node.c) == Kind::Ident).then(|| tree.source(node.c))
}

fn argument(tree: &Tree<'_>, call: NodeId, name: &str) -> Option<NodeId> {
    let named = |id: &&NodeId| tree.keyword(**id) == Some(name);
    tree.list(call)
        .iter()
        .find(named)
        .map(|id| tree.node(*id).b)
}

fn string_argument(tree: &Tree<'_>, call: NodeId, name: &str) -> Option<Vec<u8>> {
    let value = argument(tree, call, name)?;
    (tree.kind(value) == Kind::String).then(|| tree.value(value).into_owned())
}

fn is_dev(tree: &Tree<'_>, call: NodeId) -> bool {
    argument(tree, call, "dev_dependency")
        .is_some_and(|value| tree.kind(value) != Kind::Ident || tree.source(value) == "True")
}

/// The name of the module extension that a statement creates or uses.
fn proxy<'a>(tree: &Tree<'a>, id: NodeId) -> Option<&'a str> {
    let name = |id: NodeId| (tree.kind(id) == Kind::Ident).then(|| tree.source(id));
    let node = tree.node(id);
    match node.kind {
        Kind::Assign => (callee(tree, node.b) == Some("use_extension"))
            .then(|| name(node.a))
            .flatten(),
        Kind::Call if callee(tree, id) == Some("use_repo") => {
            tree.list(id).first().and_then(|id| name(*id))
        }
        Kind::Call if tree.kind(node.c) == Kind::Dot => name(tree.node(node.c).a),
        _ => None,
    }
}
