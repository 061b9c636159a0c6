//! Matches that do not cover everything: E2015.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{Arm, ExprKind, NodeRef, PatternKind};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::json::node_json;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    pub(super) fn non_exhaustive(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let Payload::NonExhaustiveMatch { missing_patterns } = &diagnostic.payload else {
            return;
        };
        let Some(expr) = diagnostic.node.and_then(|id| self.tree.expr(id)) else {
            return;
        };
        let ExprKind::Match { scrutinee, arms } = &expr.kind else {
            return;
        };
        // A misspelled variant is the reason why a case is missing.
        if self.has_own_panic() || arms.iter().any(|it| self.is_misspelled(it)) {
            return;
        }
        let mut new_arms: Vec<Value> = arms.iter().map(|it| self.arm(it)).collect();
        new_arms.push(json!({
            "pattern": {"kind": "wildcard"},
            "body": {"source": "panic(\"case not handled\")"},
        }));
        let edit = PatchOp::ReplaceNode {
            node_id: self.tree.name(expr.id),
            new_node: json!({
                "kind": "match",
                "scrutinee": self.kept(scrutinee),
                "arms": new_arms,
            }),
        };
        let missing = missing_patterns.iter().map(|it| it.description.as_str());
        let missing: Vec<&str> = missing.collect();
        let (safety, confidence) = (Safety::LikelyPreserving, Confidence::Medium);
        let title = "Add wildcard arm to match".to_owned();
        let why = format!("The match does not cover {}", missing.join(", "));
        self.alternatives([Draft::new(title, safety, confidence, vec![edit])
            .resolves(Code::E2015, [at])
            .because(why)]);
    }

    /// Whether a variant in the arm's pattern is unknown, and similar to one that exists.
    fn is_misspelled(&self, arm: &Arm) -> bool {
        let mut patterns = Vec::new();
        NodeRef::Pattern(&arm.pattern).each(&mut |node| patterns.push(Some(node.id())));
        self.result.diagnostics.iter().any(|it| {
            matches!(&it.payload, Payload::UnresolvedVariant { similar_names, .. }
                if !similar_names.is_empty())
                && patterns.contains(&it.node)
        })
    }

    fn arm(&self, arm: &Arm) -> Value {
        let ast = self.tree.ast;
        let pattern = ast.source.slice(arm.pattern.span);
        let pattern = match &arm.pattern.kind {
            PatternKind::Wildcard => json!({"kind": "wildcard"}),
            _ if !pattern.is_empty() => json!({ "source": pattern }),
            _ => node_json(NodeRef::Pattern(&arm.pattern), ast),
        };
        let mut json = json!({"pattern": pattern, "body": self.kept(&arm.body)});
        if let Value::Object(members) = &mut json {
            if let Some(guard) = &arm.guard {
                members.insert("guard".to_owned(), self.kept(guard));
            }
            if ast.ids.is_given(arm.id) {
                members.insert("id".to_owned(), Value::from(self.tree.name(arm.id)));
            }
        }
        json
    }
}
