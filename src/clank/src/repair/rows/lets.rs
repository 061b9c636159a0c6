//! Repairs of `let` statements: E2013, W0001.

use std::collections::HashSet;
use std::rc::Rc;

use fixpoint_report::{Confidence, Safety};
use rustc_hash::FxHashMap as HashMap;
use serde_json::{Map, Value, json};

use super::Rows;
use crate::ast::{ExprKind, NodeId, NodeRef, PatternKind, Stmt, StmtKind};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::json::node_json;
use crate::names::{Def, Names, Origin};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    /// Proposes one repair for all assignments to a variable.
    pub(super) fn immutable_assignments(&mut self) {
        let groups = self.grouped(|it| match &it.payload {
            Payload::ImmutableAssign {
                name,
                declaration_node_id,
                is_let: true,
            } => Some((declaration_node_id.as_str(), name.as_str())),
            _ => None,
        });
        for ((id, name), places) in groups {
            let Ok(NodeRef::Stmt(statement)) = self.tree.find(id) else {
                continue;
            };
            let Some(mut new_node) = self.let_parts(statement) else {
                continue;
            };
            new_node.insert("mutable".to_owned(), Value::Bool(true));
            let edit = PatchOp::ReplaceNode {
                node_id: id.to_owned(),
                new_node: Value::Object(new_node),
            };
            let title = format!("Make '{name}' mutable");
            let (safety, confidence) = (Safety::BehaviorPreserving, Confidence::High);
            let why = format!("Variable '{name}' is reassigned but declared without 'mut'");
            self.alternatives([Draft::new(title, safety, confidence, vec![edit])
                .resolves(Code::E2013, places)
                .because(why)]);
        }
    }

    /// A `let` as a new node with the same parts.
    fn let_parts(&self, statement: &Stmt) -> Option<Map<String, Value>> {
        let StmtKind::Let {
            pattern,
            ty,
            mutable,
            init,
        } = &statement.kind
        else {
            return None;
        };
        let ast = self.tree.ast;
        let mut parts = Map::new();
        parts.insert("kind".to_owned(), Value::from("let"));
        let pattern = match &pattern.kind {
            PatternKind::Ident(name) if !ast.ids.is_given(pattern.id) => {
                json!({"kind": "ident", "name": name})
            }
            _ => written(ast.source.slice(pattern.span))
                .unwrap_or_else(|| node_json(NodeRef::Pattern(pattern), ast)),
        };
        parts.insert("pattern".to_owned(), pattern);
        if let Some(ty) = ty {
            // The span of a type excludes its parentheses, which make no difference here.
            let ty = written(ast.source.slice(ty.span))
                .unwrap_or_else(|| node_json(NodeRef::Type(ty), ast));
            parts.insert("type".to_owned(), ty);
        }
        if *mutable {
            parts.insert("mutable".to_owned(), Value::Bool(true));
        }
        parts.insert("init".to_owned(), self.kept(init));
        Some(parts)
    }

    pub(super) fn unused(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let (Some(node), Payload::UnusedVariable { name }) = (diagnostic.node, &diagnostic.payload)
        else {
            return;
        };
        let Some(uses) = self.uses_around(node) else {
            return;
        };
        let marked = uses.free(&format!("_{name}"));
        let Some(edit) = self.renamed_binder(node, name, &marked) else {
            return;
        };
        let mut edits = vec![edit];
        // Assignments to the variable use the new name.
        let writes = uses.of_binders.get(&node).into_iter().flatten();
        edits.extend(writes.map(|id| PatchOp::RenameSymbol {
            node_id: self.tree.name(*id),
            old_name: name.to_owned(),
            new_name: marked.clone(),
        }));
        let title = format!("Rename '{name}' to '{marked}'");
        let (safety, confidence) = (Safety::BehaviorPreserving, Confidence::High);
        let why = format!("Variable '{name}' is never read");
        self.alternatives([Draft::new(title, safety, confidence, edits)
            .resolves(Code::W0001, [at])
            .because(why)]);
    }

    /// Renames the variable that a `let`, pattern, field pattern or parameter binds.
    fn renamed_binder(&self, node: NodeId, name: &str, marked: &str) -> Option<PatchOp> {
        let node_id = self.tree.name(node);
        let ident = json!({"kind": "ident", "name": marked});
        let (node_id, new_node) = match self.tree.node(node)? {
            NodeRef::Stmt(statement) => {
                let mut new_node = self.let_parts(statement)?;
                if let Some(Value::Object(pattern)) = new_node.get_mut("pattern") {
                    pattern.insert("name".to_owned(), Value::from(marked));
                }
                (node_id, Value::Object(new_node))
            }
            NodeRef::Pattern(_) => (node_id, ident),
            // `{x}` becomes `{x: _x}`.
            NodeRef::FieldPattern(_) => {
                let NodeRef::Pattern(record) = self.tree.parent(node)? else {
                    return None;
                };
                let mut new_node = node_json(NodeRef::Pattern(record), self.tree.ast);
                let fields = new_node.get_mut("fields").and_then(Value::as_array_mut)?;
                let is_own = |it: &&mut Value| it.get("name").and_then(Value::as_str) == Some(name);
                let field = fields.iter_mut().find(is_own)?.as_object_mut()?;
                field.insert("pattern".to_owned(), ident);
                (self.tree.name(record.id), new_node)
            }
            NodeRef::Param(_) | NodeRef::LambdaParam(_) => {
                let new_name = marked.to_owned();
                let symbol_id = node_id;
                return Some(PatchOp::Rename {
                    symbol_id,
                    new_name,
                });
            }
            _ => return None,
        };
        Some(PatchOp::ReplaceNode { node_id, new_node })
    }

    /// The names that the declaration around a node uses.
    pub(super) fn uses_around(&self, node: NodeId) -> Option<Rc<Uses<'a>>> {
        let (at, _) = self.tree.decl_of(node)?;
        let decl = self.tree.ast.program.declarations.get(at)?;
        let mut known = self.uses.borrow_mut();
        let uses = known.entry(at).or_insert_with(|| {
            let mut uses = Uses::default();
            NodeRef::Decl(decl).each(&mut |node| uses.add(node, &self.result.typing.names));
            Rc::new(uses)
        });
        Some(Rc::clone(uses))
    }
}

/// The names that a declaration uses.
#[derive(Default)]
pub(super) struct Uses<'a> {
    /// Names that resolve to something.
    names: HashSet<&'a str>,
    /// The uses of each binding, by its `let`, or by the node that binds it.
    of_binders: HashMap<NodeId, Vec<NodeId>>,
}

impl<'a> Uses<'a> {
    fn add(&mut self, node: NodeRef<'a>, names: &Names) {
        match node {
            NodeRef::Expr(expr) => {
                if let ExprKind::Ident(name) = &expr.kind {
                    self.names.insert(name);
                }
                if let Some(Def::Local(binding)) = names.of_use(expr.id)
                    && let Some(binding) = names.binding(binding)
                {
                    let binder = match binding.origin {
                        Origin::Let {
                            statement,
                            plain: true,
                        } => statement,
                        _ => binding.node,
                    };
                    self.of_binders.entry(binder).or_default().push(expr.id);
                }
            }
            NodeRef::Pattern(pattern) => {
                if let PatternKind::Ident(name) = &pattern.kind {
                    self.names.insert(name);
                }
            }
            NodeRef::Param(param) => {
                self.names.insert(&param.name.text);
            }
            NodeRef::LambdaParam(param) => {
                self.names.insert(&param.name.text);
            }
            _ => {}
        }
    }

    /// `name`, or `name` with the first number that makes it unused.
    pub fn free(&self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 0;
        while self.names.contains(free.as_str()) {
            number += 1;
            free = format!("{name}{number}");
        }
        free
    }
}

fn written(source: &str) -> Option<Value> {
    (!source.is_empty()).then(|| json!({ "source": source }))
}
