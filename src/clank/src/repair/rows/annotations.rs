//! Types of lambda parameters that are known only after their use: E2010, E2012.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{Expr, ExprKind, NodeRef, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::json::node_json;
use crate::names::{Def, Origin};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    /// Types are inferred in the order of the text, and `for` and `?` need one at once.
    pub(super) fn type_known_too_late(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let operand = diagnostic.node.and_then(|id| match self.tree.node(id)? {
            NodeRef::Stmt(statement) => match &statement.kind {
                StmtKind::For { iterable, .. } => Some(iterable),
                _ => None,
            },
            NodeRef::Expr(expr) => match &expr.kind {
                ExprKind::Propagate(inner) => Some(&**inner),
                _ => None,
            },
            _ => None,
        });
        let Some((title, edit)) = operand.and_then(|it| self.annotated_parameter(it)) else {
            return;
        };
        let (safety, confidence) = (Safety::BehaviorPreserving, Confidence::High);
        let why = "The type follows from a later use, but it is needed here";
        self.alternatives([Draft::new(title, safety, confidence, vec![edit])
            .resolves(diagnostic.code, [at])
            .because(why)]);
    }

    /// If `operand` is a lambda's parameter without a type, the lambda with that type, and a title.
    fn annotated_parameter(&self, operand: &Expr) -> Option<(String, PatchOp)> {
        let typing = &self.result.typing;
        let Some(Def::Local(id)) = typing.names.of_use(operand.id) else {
            return None;
        };
        let binding = typing.names.binding(id)?;
        if binding.origin != Origin::LambdaParam {
            return None;
        }
        let ty = self.shown(typing.of_binding(id)?)?;
        let NodeRef::Expr(lambda) = self.tree.parent(binding.node)? else {
            return None;
        };
        let ExprKind::Lambda { params, body } = &lambda.kind else {
            return None;
        };
        let mut new_params = Vec::new();
        for param in params {
            let mut new_param = node_json(NodeRef::LambdaParam(param), self.tree.ast);
            if param.id == binding.node {
                if param.ty.is_some() {
                    return None;
                }
                let members = new_param.as_object_mut()?;
                members.insert("type".to_owned(), json!({ "source": ty }));
            }
            new_params.push(new_param);
        }
        let new_node: Value = json!({
            "kind": "lambda",
            "params": new_params,
            "body": self.kept(body),
        });
        let node_id = self.tree.name(lambda.id);
        let title = format!("Add the type {ty} to '{}'", binding.name);
        Some((title, PatchOp::ReplaceNode { node_id, new_node }))
    }
}
