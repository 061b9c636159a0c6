//! What can be said better where a variable is bound: E2013, W0001.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Map, Value, json};

use super::Rows;
use crate::ast::{ExprKind, NodeRef, PatternKind, Stmt, StmtKind};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::json::node_json;
use crate::names::{Def, Origin};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    /// One repair for all assignments to a variable.
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

    /// A `let` as a new node that keeps what the old one has.
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
            // Parentheses do not belong to the bytes of a type, and make no difference here.
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
        let Some(NodeRef::Stmt(statement)) = self.tree.node(node) else {
            return;
        };
        let marked = format!("_{name}");
        if self.function_uses(statement, &marked) {
            return;
        }
        let Some(mut new_node) = self.let_parts(statement) else {
            return;
        };
        if let Some(Value::Object(pattern)) = new_node.get_mut("pattern") {
            pattern.insert("name".to_owned(), Value::from(marked.as_str()));
        }
        let mut edits = vec![PatchOp::ReplaceNode {
            node_id: self.tree.name(node),
            new_node: Value::Object(new_node),
        }];
        edits.extend(self.writes(statement, name, &marked));
        let title = format!("Rename '{name}' to '{marked}'");
        let (safety, confidence) = (Safety::BehaviorPreserving, Confidence::High);
        let why = format!("Variable '{name}' is never read");
        self.alternatives([Draft::new(title, safety, confidence, edits)
            .resolves(Code::W0001, [at])
            .because(why)]);
    }

    /// Assignments to what a `let` binds go on under the new name.
    fn writes(&self, statement: &Stmt, name: &str, marked: &str) -> Vec<PatchOp> {
        let names = &self.result.typing.names;
        let mut ops = Vec::new();
        let Some((decl, _)) = self.tree.decl_of(statement.id) else {
            return ops;
        };
        let Some(decl) = self.tree.ast.program.declarations.get(decl) else {
            return ops;
        };
        NodeRef::Decl(decl).each(&mut |node| {
            if let NodeRef::Expr(expr) = node
                && let Some(Def::Local(binding)) = names.of_use(expr.id)
                && let Some(binding) = names.binding(binding)
                && matches!(binding.origin, Origin::Let { statement: own, .. } if own == statement.id)
            {
                ops.push(PatchOp::RenameSymbol {
                    node_id: self.tree.name(expr.id),
                    old_name: name.to_owned(),
                    new_name: marked.to_owned(),
                });
            }
        });
        ops
    }

    /// Whether a name already means something in the function a statement is in.
    fn function_uses(&self, statement: &Stmt, name: &str) -> bool {
        let decl = self.tree.decl_of(statement.id);
        let decl = decl.and_then(|it| self.tree.ast.program.declarations.get(it.0));
        let mut found = false;
        if let Some(decl) = decl {
            NodeRef::Decl(decl).each(&mut |node| {
                found |= match node {
                    NodeRef::Expr(it) => matches!(&it.kind, ExprKind::Ident(it) if it == name),
                    NodeRef::Pattern(it) => {
                        matches!(&it.kind, PatternKind::Ident(it) if it == name)
                    }
                    NodeRef::Param(it) => it.name.text == name,
                    _ => false,
                };
            });
        }
        found
    }
}

fn written(source: &str) -> Option<Value> {
    (!source.is_empty()).then(|| json!({ "source": source }))
}
