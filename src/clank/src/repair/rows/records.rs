//! Records that lack fields: E2003.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::ExprKind;
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    pub(super) fn missing_field(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let Payload::MissingField {
            fields,
            field_types,
            ..
        } = &diagnostic.payload
        else {
            return;
        };
        let Some(record) = diagnostic.node.and_then(|id| self.tree.expr(id)) else {
            return;
        };
        let ExprKind::Record(present) = &record.kind else {
            return;
        };
        let mut inits: Vec<Value> = present
            .iter()
            .map(|it| {
                let mut field = json!({"name": it.name.text, "value": self.kept(&it.value)});
                if self.tree.ast.ids.is_given(it.id)
                    && let Value::Object(members) = &mut field
                {
                    members.insert("id".to_owned(), Value::from(self.tree.name(it.id)));
                }
                field
            })
            .collect();
        for (name, ty) in fields.iter().zip(field_types) {
            let Some(value) = self.placeholder(ty, "0") else {
                return;
            };
            inits.push(json!({"name": name, "value": {"source": value}}));
        }
        let names: Vec<String> = fields.iter().map(|it| format!("'{it}'")).collect();
        let names = names.join(", ");
        let plural = if fields.len() == 1 { "" } else { "s" };
        let edit = PatchOp::ReplaceNode {
            node_id: self.tree.name(record.id),
            new_node: json!({"kind": "record", "fields": inits}),
        };
        let title = format!("Add missing field{plural} {names}");
        let (safety, confidence) = (Safety::BehaviorChanging, Confidence::High);
        let why = format!("Record literal is missing required field{plural} {names}");
        self.alternatives([Draft::new(title, safety, confidence, vec![edit])
            .resolves(Code::E2003, [at])
            .because(why)]);
    }
}
