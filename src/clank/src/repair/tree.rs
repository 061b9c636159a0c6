//! Index of a program's nodes: looks up nodes by id and finds their ancestors.

use std::collections::HashMap;
use std::sync::{OnceLock, RwLock};

use super::error::PatchError;
use crate::ast::{Ast, Block, DeclKind, Expr, ExprKind, NodeId, NodeRef, Step};

pub(super) struct Tree<'a> {
    pub ast: &'a Ast,
    places: Vec<Option<Place<'a>>>,
    /// Nodes whose names were requested. Most lookups by name hit one of them.
    named: RwLock<HashMap<String, NodeId>>,
    /// Every node by its name. Built on the first lookup that `named` does not answer.
    by_name: OnceLock<HashMap<String, NodeId>>,
}

#[derive(Clone, Copy)]
struct Place<'a> {
    node: NodeRef<'a>,
    parent: Option<NodeId>,
    step: Step,
    /// The index of the declaration that contains the node.
    decl: usize,
    in_body: bool,
}

impl<'a> Tree<'a> {
    pub fn of(ast: &'a Ast) -> Self {
        let mut tree = Self {
            ast,
            places: vec![None; ast.ids.len()],
            named: RwLock::default(),
            by_name: OnceLock::new(),
        };
        let root = NodeRef::Program(&ast.program);
        tree.put(root, None, Step::Only("program"), usize::MAX, false);
        for (at, decl) in ast.program.declarations.iter().enumerate() {
            let step = Step::Among("declarations");
            tree.add(NodeRef::Decl(decl), Some(root.id()), step, at, false);
        }
        tree
    }

    fn put(
        &mut self,
        node: NodeRef<'a>,
        parent: Option<NodeId>,
        step: Step,
        decl: usize,
        in_body: bool,
    ) {
        if let Some(slot) = self.places.get_mut(node.id().index()) {
            *slot = Some(Place {
                node,
                parent,
                step,
                decl,
                in_body,
            });
        }
    }

    fn add(
        &mut self,
        node: NodeRef<'a>,
        parent: Option<NodeId>,
        step: Step,
        decl: usize,
        in_body: bool,
    ) {
        self.put(node, parent, step, decl, in_body);
        let is_decl = matches!(node, NodeRef::Decl(_));
        node.children(&mut |step, child| {
            let in_body = in_body || (is_decl && step == Step::Only("body"));
            self.add(child, Some(node.id()), step, decl, in_body);
        });
    }

    fn place(&self, id: NodeId) -> Option<Place<'a>> {
        self.places.get(id.index()).copied().flatten()
    }

    pub fn find(&self, name: &str) -> Result<NodeRef<'a>, PatchError> {
        let known = self.named.read().ok().and_then(|it| it.get(name).copied());
        let id = known.or_else(|| self.by_name().get(name).copied());
        let place = id.and_then(|id| self.place(id));
        place
            .map(|it| it.node)
            .ok_or_else(|| PatchError::UnknownNode {
                id: name.to_owned(),
            })
    }

    fn by_name(&self) -> &HashMap<String, NodeId> {
        self.by_name.get_or_init(|| {
            let there = self.places.iter().flatten();
            let named = there.map(|it| (self.ast.ids.name(it.node.id()), it.node.id()));
            named.collect()
        })
    }

    pub fn node(&self, id: NodeId) -> Option<NodeRef<'a>> {
        self.place(id).map(|it| it.node)
    }

    pub fn expr(&self, id: NodeId) -> Option<&'a Expr> {
        match self.node(id)? {
            NodeRef::Expr(expr) => Some(expr),
            _ => None,
        }
    }

    pub fn name(&self, id: NodeId) -> String {
        let name = self.ast.ids.name(id);
        if let Ok(mut named) = self.named.write()
            && !named.contains_key(&name)
        {
            named.insert(name.clone(), id);
        }
        name
    }

    pub fn parent(&self, id: NodeId) -> Option<NodeRef<'a>> {
        self.node(self.place(id)?.parent?)
    }

    pub fn step(&self, id: NodeId) -> Option<Step> {
        self.place(id).map(|it| it.step)
    }

    /// The index of the declaration that contains a node, and whether the node is inside its body.
    pub fn decl_of(&self, id: NodeId) -> Option<(usize, bool)> {
        let place = self.place(id)?;
        (place.decl != usize::MAX).then_some((place.decl, place.in_body))
    }

    /// The node and its ancestors.
    pub fn upwards(&self, id: NodeId) -> impl Iterator<Item = NodeRef<'a>> {
        std::iter::successors(self.node(id), |it| self.parent(it.id()))
    }

    /// The enclosing statement of a node, or the enclosing tail expression of a block.
    pub fn enclosing_item(&self, id: NodeId) -> Option<NodeRef<'a>> {
        self.upwards(id).find(|it| match it {
            NodeRef::Stmt(_) => true,
            NodeRef::Expr(expr) => {
                let above = self.parent(expr.id).and_then(block_of);
                above.is_some_and(|it| it.tail.as_ref().is_some_and(|it| it.id == expr.id))
            }
            _ => false,
        })
    }

    /// The id of the function that contains a node.
    pub fn function_of(&self, id: NodeId) -> Option<NodeId> {
        let (at, _) = self.decl_of(id)?;
        let decl = self.ast.program.declarations.get(at)?;
        matches!(decl.kind, DeclKind::Fn(_)).then_some(decl.id)
    }
}

pub(super) fn block_of(node: NodeRef<'_>) -> Option<&Block> {
    match node {
        NodeRef::Block(block) => Some(&block.kind),
        NodeRef::Expr(Expr {
            kind: ExprKind::Block(block),
            ..
        }) => Some(block),
        _ => None,
    }
}
