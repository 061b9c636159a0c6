//! One file, walked once: its nodes by kind, who holds whom, and what its names mean.

use std::cell::{OnceCell, RefCell};

use fixpoint_starlark::{FileKind, Kind, NodeRef, Nodes, Shape, Tree};

use crate::infer::{Type, type_of};
use crate::loaded::Deprecated;
use crate::loads::Loads;
use crate::names::{Binding, Names, ScopeId};
use crate::scope::Walk;

/// A call, with what rules look at first.
#[derive(Clone, Copy)]
pub(crate) struct Call<'t, 'a> {
    pub node: NodeRef<'t, 'a>,
    pub callee: NodeRef<'t, 'a>,
    /// The function, where it is a plain name.
    pub name: Option<&'a str>,
    pub arguments: Nodes<'t, 'a>,
}

impl<'t, 'a> Call<'t, 'a> {
    fn of(node: NodeRef<'t, 'a>) -> Option<Self> {
        match node.shape() {
            Shape::Call { callee, arguments } => Some(Self {
                node,
                callee,
                name: callee.name(),
                arguments,
            }),
            _ => None,
        }
    }
}

pub(crate) struct File<'t, 'a> {
    pub path: &'t str,
    pub kind: FileKind,
    pub tree: &'t Tree<'a>,
    /// Nothing where the files it loads are out of reach.
    pub deprecated: Option<&'t Deprecated>,
    calls: Vec<Call<'t, 'a>>,
    by_kind: Vec<Vec<NodeRef<'t, 'a>>>,
    parents: Vec<u32>,
    names: Names<'t, 'a>,
    types: RefCell<Vec<Option<Type>>>,
    loads: OnceCell<Loads>,
}

impl<'t, 'a> File<'t, 'a> {
    pub fn new(path: &'t str, kind: FileKind, tree: &'t Tree<'a>) -> Self {
        let mut by_kind = vec![Vec::new(); Kind::Else as usize + 1];
        let mut calls = Vec::new();
        let mut parents = vec![u32::MAX; tree.len()];
        let names = Walk::over(tree, |node, parent: Option<NodeRef<'t, 'a>>| {
            match node.kind() {
                Kind::Call => calls.extend(Call::of(node)),
                kind => by_kind[kind as usize].push(node),
            }
            if let Some(parent) = parent {
                parents[node.index()] = parent.index() as u32;
            }
        });
        let types = RefCell::new(vec![None; names.all().len()]);
        Self {
            path,
            kind,
            tree,
            deprecated: None,
            calls,
            by_kind,
            parents,
            names,
            types,
            loads: OnceCell::new(),
        }
    }

    /// Every call, in source order.
    pub fn calls(&self) -> &[Call<'t, 'a>] {
        &self.calls
    }

    /// Every node of a kind but calls, in source order; strings and numbers are found in what holds
    /// them.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = NodeRef<'t, 'a>> + use<'_, 't, 'a> {
        self.by_kind[kind as usize].iter().copied()
    }

    /// What holds a node, other than a string or a number.
    pub fn parent(&self, node: NodeRef<'t, 'a>) -> Option<NodeRef<'t, 'a>> {
        match self.parents[node.index()] {
            u32::MAX => None,
            index => Some(self.tree.at(index as usize)),
        }
    }

    /// What holds the node, from the inside out.
    pub fn ancestors(&self, node: NodeRef<'t, 'a>) -> impl Iterator<Item = NodeRef<'t, 'a>> {
        std::iter::successors(self.parent(node), |node| self.parent(*node))
    }

    /// Its loads, looked for when first asked for.
    pub fn loads(&self) -> &Loads {
        self.loads.get_or_init(|| Loads::of(self.tree))
    }

    pub fn names(&self) -> &Names<'t, 'a> {
        &self.names
    }

    /// Whether nothing in the file binds the name where it stands: it means what Bazel says.
    pub fn is_builtin(&self, name: NodeRef<'t, 'a>) -> bool {
        self.names.meaning(name).is_none()
    }

    /// Whether the node is this name, and the name is Bazel's.
    pub fn is_builtin_named(&self, node: NodeRef<'t, 'a>, name: &str) -> bool {
        node.is_name(name) && self.is_builtin(node)
    }

    /// Whether nothing binds this name where the node stands, so that it is Bazel's there.
    pub fn is_free(&self, at: NodeRef<'t, 'a>, name: &str) -> bool {
        self.names.lookup(self.scope(at), name).is_none()
    }

    /// The bindings of a name where it stands.
    pub fn bindings(&self, name: NodeRef<'t, 'a>) -> &[Binding<'t, 'a>] {
        let meaning = self.names.meaning(name);
        meaning.map_or(&[], |it| it.bindings.as_slice())
    }

    pub fn scope(&self, node: NodeRef<'t, 'a>) -> ScopeId {
        self.names.scope_at(node)
    }

    /// The type of an expression, where the file alone tells it.
    pub fn type_of(&self, node: NodeRef<'t, 'a>) -> Type {
        type_of(self, node)
    }

    /// The types of the names so far, by meaning, for [`type_of`] alone.
    pub(super) fn known_types(&self) -> &RefCell<Vec<Option<Type>>> {
        &self.types
    }

    /// `object.name` where the object is a plain name.
    pub fn dotted(&self, node: NodeRef<'t, 'a>) -> Option<(&'a str, &'a str)> {
        match node.shape() {
            Shape::Dot { object, name, .. } => Some((object.name()?, name)),
            _ => None,
        }
    }
}
