//! Walks the tree once, and determines the parent of every node and the scope of every name.

use fixpoint_starlark::{Kind, NodeRef, Nodes, Op, Shape, Tree};

use crate::names::{Binding, BindingKind, FILE, Names, ScopeId, ScopeKind};

pub(crate) struct Walk<'t, 'a> {
    names: Names<'t, 'a>,
    /// The nodes still to visit. The last one is next.
    open: Vec<Step<'t, 'a>>,
}

#[derive(Clone, Copy)]
struct Step<'t, 'a> {
    node: NodeRef<'t, 'a>,
    parent: Option<NodeRef<'t, 'a>>,
    scope: ScopeId,
    /// Whether the node is bound here or names an argument, so that it is not a use.
    is_target: bool,
}

impl<'t, 'a> Walk<'t, 'a> {
    /// Visits every node with its parent in source order, and collects the names. Strings and
    /// numbers are not visited.
    pub fn over(
        tree: &'t Tree<'a>,
        mut visit: impl FnMut(NodeRef<'t, 'a>, Option<NodeRef<'t, 'a>>),
    ) -> Names<'t, 'a> {
        let mut walk = Self {
            names: Names::new(tree.len()),
            open: Vec::new(),
        };
        walk.push_all(tree.statements(), None, FILE);
        while let Some(step) = walk.open.pop() {
            walk.names.set_scope(step.node, step.scope);
            // Most nodes of a tree are leaves that no rule needs by themselves.
            if !matches!(step.node.kind(), Kind::String | Kind::Number | Kind::End) {
                visit(step.node, step.parent);
                walk.enter(step);
            }
        }
        walk.names.resolve()
    }

    fn push(&mut self, node: NodeRef<'t, 'a>, parent: NodeRef<'t, 'a>, scope: ScopeId) {
        self.open.push(Step {
            node,
            parent: Some(parent),
            scope,
            is_target: false,
        });
    }

    fn push_target(&mut self, node: NodeRef<'t, 'a>, parent: NodeRef<'t, 'a>, scope: ScopeId) {
        self.push(node, parent, scope);
        if let Some(step) = self.open.last_mut() {
            step.is_target = true;
        }
    }

    fn push_all(&mut self, nodes: Nodes<'t, 'a>, parent: Option<NodeRef<'t, 'a>>, scope: ScopeId) {
        let steps = nodes.iter().rev().map(|node| Step {
            node,
            parent,
            scope,
            is_target: false,
        });
        self.open.extend(steps);
    }

    /// Adds the names that the node binds, and pushes its children on the stack in reverse order.
    fn enter(&mut self, step: Step<'t, 'a>) {
        let Step {
            node,
            parent,
            scope,
            is_target,
        } = step;
        match node.shape() {
            Shape::Ident(name) => self.names.add_name(node, name, !is_target),
            Shape::Tuple(parts) | Shape::List(parts) if is_target => {
                for part in parts.iter().rev() {
                    self.push_target(part, node, scope);
                }
            }
            Shape::Paren(inner) if is_target => self.push_target(inner, node, scope),
            Shape::Def(def) => {
                self.bind(def.name, scope, BindingKind::Defined, node, None);
                let inner = self.names.open_scope(scope, ScopeKind::Function, node);
                self.push_all(def.body, Some(node), inner);
                if let Some(returns) = def.returns {
                    self.push(returns, node, scope);
                }
                self.parameters(def.parameters, node, scope, inner);
            }
            Shape::Lambda { parameters, body } => {
                let inner = self.names.open_scope(scope, ScopeKind::Function, node);
                self.push(body, node, inner);
                self.parameters(parameters, node, scope, inner);
            }
            Shape::Comprehension { body, clauses } => {
                let inner = self.names.open_scope(scope, ScopeKind::Comprehension, node);
                self.push_all(clauses, Some(node), inner);
                self.push(body, node, inner);
            }
            Shape::ForClause { target, iterable } => {
                self.bind_target(target, scope, BindingKind::Comprehended, None);
                self.push(iterable, node, self.iterable_scope(node, parent, scope));
                self.push_target(target, node, scope);
            }
            Shape::For {
                target,
                iterable,
                body,
            } => {
                self.bind_target(target, scope, BindingKind::Looped, None);
                self.push_all(body, Some(node), scope);
                self.push(iterable, node, scope);
                self.push_target(target, node, scope);
            }
            Shape::Load(load) => {
                for symbol in load.symbols() {
                    self.bind(
                        symbol.local.text(),
                        scope,
                        BindingKind::Loaded,
                        symbol.local,
                        None,
                    );
                }
                self.push(load.module, node, scope);
            }
            Shape::Assign { op, target, value } => {
                let is_argument = parent.is_some_and(|it| matches!(it.shape(), Shape::Call { .. }));
                self.push(value, node, scope);
                if is_argument || op == Op::Assign {
                    self.push_target(target, node, scope);
                } else {
                    self.push(target, node, scope);
                }
                match op {
                    _ if is_argument => {}
                    Op::Assign => {
                        self.bind_target(target, scope, BindingKind::Assigned, Some(value));
                    }
                    _ => self.bind_target(target, scope, BindingKind::Augmented, Some(value)),
                }
            }
            Shape::If {
                condition,
                body,
                otherwise,
            } => {
                if let Some(otherwise) = otherwise {
                    self.push_all(otherwise, Some(node), scope);
                }
                self.push_all(body, Some(node), scope);
                self.push(condition, node, scope);
            }
            _ => {
                let from = self.open.len();
                node.each_child(|child| self.push(child, node, scope));
                self.open[from..].reverse();
            }
        }
    }

    /// The scope of a comprehension's iterable. The first one is evaluated in the enclosing scope.
    fn iterable_scope(
        &self,
        clause: NodeRef<'t, 'a>,
        parent: Option<NodeRef<'t, 'a>>,
        scope: ScopeId,
    ) -> ScopeId {
        let is_first = parent.is_some_and(|it| match it.shape() {
            Shape::Comprehension { clauses, .. } => clauses.first() == Some(clause),
            _ => false,
        });
        self.names
            .outer(scope)
            .filter(|_| is_first)
            .unwrap_or(scope)
    }

    /// Binds parameters in the inner scope. Their defaults and types belong to the outer scope.
    /// They are pushed after the body, so that they are visited before it.
    fn parameters(
        &mut self,
        parameters: Nodes<'t, 'a>,
        function: NodeRef<'t, 'a>,
        outer: ScopeId,
        inner: ScopeId,
    ) {
        for parameter in parameters.iter() {
            let (name, default) = match parameter.shape() {
                Shape::Assign { target, value, .. } => (target, Some(value)),
                Shape::Unary {
                    operand: Some(operand),
                    ..
                } => (operand, None),
                _ => (parameter, None),
            };
            let annotation = match name.shape() {
                Shape::Typed {
                    name: text,
                    annotation,
                } => {
                    self.bind(text, inner, BindingKind::Parameter, parameter, default);
                    Some(annotation)
                }
                Shape::Ident(text) => {
                    self.bind(text, inner, BindingKind::Parameter, parameter, default);
                    None
                }
                _ => None,
            };
            for read in default.into_iter().chain(annotation) {
                self.push(read, function, outer);
            }
        }
    }

    fn bind_target(
        &mut self,
        target: NodeRef<'t, 'a>,
        scope: ScopeId,
        kind: BindingKind,
        value: Option<NodeRef<'t, 'a>>,
    ) {
        match target.shape() {
            Shape::Ident(name) => self.bind(name, scope, kind, target, value),
            Shape::Tuple(parts) | Shape::List(parts) => {
                for part in parts.iter() {
                    self.bind_target(part, scope, kind, None);
                }
            }
            Shape::Paren(inner) => self.bind_target(inner, scope, kind, value),
            _ => {}
        }
    }

    fn bind(
        &mut self,
        name: &'a str,
        scope: ScopeId,
        kind: BindingKind,
        node: NodeRef<'t, 'a>,
        value: Option<NodeRef<'t, 'a>>,
    ) {
        self.names.bind(Binding {
            name,
            scope,
            kind,
            node,
            value,
        });
    }
}
