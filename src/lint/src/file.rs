//! One parsed file. A single walk collects its nodes by kind, their parents, and the scopes of its
//! names.

use std::cell::{OnceCell, RefCell};

use fixpoint_starlark::{FileKind, Kind, NodeRef, Nodes, Shape, Tree};

use crate::infer::{Type, type_of};
use crate::loaded::Deprecated;
use crate::loads::Loads;
use crate::names::{Binding, Names, ScopeId};
use crate::scope::Walk;

/// A call, with the parts that most rules examine.
#[derive(Clone, Copy)]
pub(crate) struct Call<'t, 'a> {
    pub node: NodeRef<'t, 'a>,
    pub callee: NodeRef<'t, 'a>,
    /// The name of the function, if the callee is a plain name.
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
    /// `None` if the loaded files are not available.
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

    /// Every node of a kind, in source order. Calls are not included: see [`Self::calls`]. Strings
    /// and numbers are not collected; read them through their parents.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = NodeRef<'t, 'a>> + use<'_, 't, 'a> {
        self.by_kind[kind as usize].iter().copied()
    }

    /// The parent of a node. Strings and numbers have none here.
    pub fn parent(&self, node: NodeRef<'t, 'a>) -> Option<NodeRef<'t, 'a>> {
        match self.parents[node.index()] {
            u32::MAX => None,
            index => Some(self.tree.at(index as usize)),
        }
    }

    /// The ancestors of the node, innermost first.
    pub fn ancestors(&self, node: NodeRef<'t, 'a>) -> impl Iterator<Item = NodeRef<'t, 'a>> {
        std::iter::successors(self.parent(node), |node| self.parent(*node))
    }

    /// The loads of the file, collected on first use.
    pub fn loads(&self) -> &Loads {
        self.loads.get_or_init(|| Loads::of(self.tree))
    }

    pub fn names(&self) -> &Names<'t, 'a> {
        &self.names
    }

    /// Whether the file does not bind the name in its scope, so that it refers to Bazel's built-in.
    pub fn is_builtin(&self, name: NodeRef<'t, 'a>) -> bool {
        self.names.meaning(name).is_none()
    }

    /// Whether the node is this name and refers to Bazel's built-in.
    pub fn is_builtin_named(&self, node: NodeRef<'t, 'a>, name: &str) -> bool {
        node.is_name(name) && self.is_builtin(node)
    }

    /// Whether `name` is not bound in the scope of `at`, so that it would refer to Bazel's
    /// built-in.
    pub fn is_free(&self, at: NodeRef<'t, 'a>, name: &str) -> bool {
        self.names.lookup(self.scope(at), name).is_none()
    }

    /// The bindings that a name refers to.
    pub fn bindings(&self, name: NodeRef<'t, 'a>) -> &[Binding<'t, 'a>] {
        let meaning = self.names.meaning(name);
        meaning.map_or(&[], |it| it.bindings.as_slice())
    }

    pub fn scope(&self, node: NodeRef<'t, 'a>) -> ScopeId {
        self.names.scope_at(node)
    }

    /// The type of an expression, as far as this file alone determines it.
    pub fn type_of(&self, node: NodeRef<'t, 'a>) -> Type {
        type_of(self, node)
    }

    /// The types of names that were inferred so far, by the index of their meaning. Only
    /// [`type_of`] uses it.
    pub(super) fn known_types(&self) -> &RefCell<Vec<Option<Type>>> {
        &self.types
    }

    /// The parts of `object.name`, if the object is a plain name.
    pub fn dotted(&self, node: NodeRef<'t, 'a>) -> Option<(&'a str, &'a str)> {
        match node.shape() {
            Shape::Dot { object, name, .. } => Some((object.name()?, name)),
            _ => None,
        }
    }
}
