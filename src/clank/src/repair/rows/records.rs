//! Records with missing fields: E2003.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::similar_names;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    pub(super) fn missing_field(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let Payload::MissingField {
            fields,
            field_types,
            expected,
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
        let mut drafts = Vec::from_iter(self.misspelt(at, record, fields, expected));
        for number in self.numbers_for(&field_types.concat()) {
            let values = field_types.iter().map(|ty| self.placeholder(ty, number));
            if let Some(values) = values.collect() {
                drafts.push(with(values, Confidence::High));
            }
        }
        // If no value is known to work, the author has to provide one.
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

    /// Fields whose names are close to a missing field and that the type does not seem to have.
    /// Verification decides whether they are misspellings.
    fn misspelt(
        &self,
        at: usize,
        record: &Expr,
        missing: &[String],
        expected: &str,
    ) -> Option<Draft> {
        let ExprKind::Record(present) = &record.kind else {
            return None;
        };
        let is_in_type = |name: &str| {
            let fields = [format!("{{{name}: "), format!(" {name}: ")];
            fields.iter().any(|it| expected.contains(it))
        };
        let mut given: Vec<&str> = present.iter().map(|it| it.name.text.as_str()).collect();
        given.retain(|it| !is_in_type(it));
        let mut renamed: Vec<(&str, &str)> = Vec::new();
        for name in missing {
            let similar = similar_names(name, given.iter().copied());
            if let Some(nearest) = similar.first().copied() {
                given.retain(|it| *it != nearest);
                renamed.push((nearest, name));
            }
        }
        let edits = renamed.iter().map(|(old, new)| PatchOp::RenameField {
            node_id: self.tree.name(record.id),
            old_name: (*old).to_owned(),
            new_name: (*new).to_owned(),
        });
        let said = renamed
            .iter()
            .map(|(old, new)| format!("'{old}' to '{new}'"));
        let said: Vec<String> = said.collect();
        let plural = if renamed.len() == 1 { "" } else { "s" };
        let title = format!("Rename field{plural} {}", said.join(", "));
        let (safety, confidence) = (Safety::BehaviorChanging, Confidence::High);
        let draft = Draft::new(title, safety, confidence, edits.collect())
            .resolves(Code::E2003, [at])
            .because("The record lacks a field, and has one of almost the same name");
        (!renamed.is_empty()).then_some(draft)
    }
}
