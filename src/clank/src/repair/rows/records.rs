//! Record literals with missing or unknown fields: E2003, E2004.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{DeclKind, Expr, ExprKind, FieldInit, NodeId, Rec};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::similar_names;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::types::TyKind;

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
        let given = self.given(present);
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
        let declared = self.declared_fields(record);
        let is_in_type = |name: &str| match &declared {
            Some(fields) => fields.contains(&name),
            None => {
                let fields = [format!("{{{name}: "), format!(" {name}: ")];
                fields.iter().any(|it| expected.contains(it))
            }
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

    /// The names of the fields of the declared record that a literal has to be.
    fn declared_fields(&self, literal: &Expr) -> Option<Vec<&'a str>> {
        let (_, rec) = self.record_of(literal.id)?;
        let names = rec.fields.iter().map(|it| it.name.text.as_str());
        Some(names.collect())
    }

    /// The declared record that is the type of a node, with its index among the declarations.
    pub(super) fn record_of(&self, node: NodeId) -> Option<(usize, &'a Rec)> {
        let typing = &self.result.typing;
        let ty = typing.arena.base(typing.of_node(node)?);
        let TyKind::Named(name, _) = typing.arena.kind(ty) else {
            return None;
        };
        let name = typing.arena.name(*name);
        let declarations = self.tree.ast.program.declarations.iter().enumerate();
        let mut records = declarations.filter_map(|(at, decl)| match &decl.kind {
            DeclKind::Rec(rec) => Some((at, rec)),
            _ => None,
        });
        records.find(|(_, rec)| rec.name.text == name)
    }

    /// A literal with one more field.
    pub(super) fn with_field(&self, literal: &Expr, name: &str, value: &Value) -> Option<PatchOp> {
        let ExprKind::Record(present) = &literal.kind else {
            return None;
        };
        let mut fields = self.given(present);
        fields.push(json!({"name": name, "value": value}));
        Some(PatchOp::ReplaceNode {
            node_id: self.tree.name(literal.id),
            new_node: json!({"kind": "record", "fields": fields}),
        })
    }

    /// The fields of a literal, for a literal that replaces it.
    fn given(&self, present: &[FieldInit]) -> Vec<Value> {
        let given = present.iter().map(|it| {
            let mut field = json!({"name": it.name.text, "value": self.kept(&it.value)});
            if self.tree.ast.ids.is_given(it.id)
                && let Value::Object(members) = &mut field
            {
                members.insert("id".to_owned(), Value::from(self.tree.name(it.id)));
            }
            field
        });
        given.collect()
    }
}
