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
        let given = present.iter().map(|it| {
            let mut field = json!({"name": it.name.text, "value": self.kept(&it.value)});
            if self.tree.ast.ids.is_given(it.id)
                && let Value::Object(members) = &mut field
            {
                members.insert("id".to_owned(), Value::from(self.tree.name(it.id)));
            }
            field
        });
        let given: Vec<Value> = given.collect();
        let names: Vec<String> = fields.iter().map(|it| format!("'{it}'")).collect();
        let names = names.join(", ");
        let plural = if fields.len() == 1 { "" } else { "s" };
        let title = format!("Add missing field{plural} {names}");
        let why = format!("Record literal is missing required field{plural} {names}");
        let with = |values: Vec<Value>, confidence: Confidence| {
            let added = fields.iter().zip(values);
            let added = added.map(|(name, value)| json!({"name": name, "value": value}));
            let inits: Vec<Value> = given.iter().cloned().chain(added).collect();
            let edit = PatchOp::ReplaceNode {
                node_id: self.tree.name(record.id),
                new_node: json!({"kind": "record", "fields": inits}),
            };
            Draft {
                one_is_enough: true,
                ..Draft::new(
                    title.clone(),
                    Safety::BehaviorChanging,
                    confidence,
                    vec![edit],
                )
                .resolves(Code::E2003, [at])
                .because(why.clone())
            }
        };
        let mut drafts = Vec::new();
        for number in self.numbers_for(&field_types.concat()) {
            let values = field_types.iter().map(|ty| self.placeholder(ty, number));
            if let Some(values) = values.collect() {
                drafts.push(with(values, Confidence::High));
            }
        }
        // Where no value is known to do, the author has to give one.
        let typed = fields.iter().zip(field_types);
        let values = typed.map(|(name, ty)| {
            let value = match self.numbers_for(ty).as_slice() {
                [only] => self.placeholder(ty, *only),
                _ => None,
            };
            value.unwrap_or_else(|| json!({ "hole_ref": name }))
        });
        drafts.push(Draft {
            may_reveal: true,
            ..with(values.collect(), Confidence::Medium)
        });
        self.alternatives(drafts);
    }
}
