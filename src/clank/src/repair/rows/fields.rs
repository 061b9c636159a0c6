//! Repairs that change the fields of a declared record: `add_field`, and `rename_field` on the
//! declaration.

use std::collections::BTreeSet;

use fixpoint_report::{Confidence, Kind, Safety};
use serde_json::{Value, json};

use super::Rows;
use super::declarations::Calls;
use crate::ast::{DeclKind, ExprKind, NodeId};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Def, similar_names};
use crate::repair::draft::Draft;
use crate::repair::op::{NamedType, PatchOp};

impl<'a> Rows<'_, 'a> {
    /// An unknown field is added to a record of the program, with a placeholder wherever such a
    /// record is made.
    pub(super) fn added_fields(&mut self, calls: &Calls<'a>) {
        let groups = self.grouped(|it| match &it.payload {
            Payload::UnknownField { field, .. } => Some((self.owner(it.node?)?, field.as_str())),
            _ => None,
        });
        for ((place, field), found) in groups {
            let draft = self.added_field(place, field, &found, calls);
            self.alternatives(draft);
        }
    }

    /// The record whose field an expression reads or sets, as the index of its declaration. Records of other
    /// modules do not count.
    fn owner(&self, node: NodeId) -> Option<usize> {
        let of = match &self.tree.expr(node)?.kind {
            ExprKind::Field { object, .. } => object.id,
            ExprKind::Record(_) => node,
            _ => return None,
        };
        let (place, _) = self.record_of(of)?;
        (place >= self.tree.ast.links.imported()).then_some(place)
    }

    fn added_field(
        &self,
        place: usize,
        field: &str,
        found: &[usize],
        calls: &Calls<'a>,
    ) -> Option<Draft> {
        let mut types = BTreeSet::new();
        let mut is_read = false;
        for at in found {
            let expr = self.tree.expr(self.result.diagnostics.get(*at)?.node?)?;
            types.extend(match &expr.kind {
                ExprKind::Record(fields) => {
                    let own = fields.iter().find(|it| it.name.text == field)?;
                    self.known_type(own.value.id)
                }
                _ => {
                    is_read = true;
                    self.expected_at(expr)
                }
            });
        }
        let ty = types.pop_first().filter(|_| types.is_empty())?;
        let decl = self.tree.ast.program.declarations.get(place)?;
        let mut edits = vec![PatchOp::AddField {
            type_id: self.tree.name(decl.id),
            field: NamedType {
                name: field.to_owned(),
                ty: json!({ "source": ty }),
            },
        }];
        let value = self.placeholder(&ty, 0)?;
        for call in calls.of(Def::Record(place)) {
            let ExprKind::Call { callee, args } = &call.kind else {
                return None;
            };
            let mut args: Vec<Value> = args.iter().map(|it| self.kept(it)).collect();
            args.push(value.clone());
            edits.push(PatchOp::ReplaceNode {
                node_id: self.tree.name(call.id),
                new_node: json!({"kind": "call", "callee": self.kept(callee), "args": args}),
            });
        }
        for literal in &calls.literals {
            let ExprKind::Record(present) = &literal.kind else {
                continue;
            };
            let is_own = self.record_of(literal.id).is_some_and(|it| it.0 == place);
            if is_own && present.iter().all(|it| it.name.text != field) {
                edits.push(self.with_field(literal, field, &value)?);
            }
        }
        let DeclKind::Rec(rec) = &decl.kind else {
            return None;
        };
        let record = &rec.name.text;
        let title = format!("Add field '{field}' to '{record}'");
        let what = match is_read {
            true => "is read from it here",
            false => "is given for it here",
        };
        let why = format!("'{record}' has no field '{field}', and a '{ty}' {what}");
        let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Low);
        let draft = Draft::new(title, safety, confidence, edits)
            .resolves(Code::E2004, found.iter().copied())
            .because(why);
        Some(Draft {
            kind: Kind::SemanticsChange,
            ..draft
        })
    }

    /// A declared field is renamed if it is used under another name several times. Verification drops
    /// the repair if the declared name is used as well.
    pub(super) fn renamed_fields(&mut self) {
        let groups = self.grouped(|it| {
            let owner = self.owner(it.node?)?;
            let (declared, used) = self.other_name(it)?;
            Some((owner, declared, used))
        });
        for ((place, declared, used), found) in groups {
            // One use is more likely misspelled than the declaration.
            let decl = self.tree.ast.program.declarations.get(place);
            let Some(decl) = decl.filter(|_| found.len() > 1) else {
                continue;
            };
            let edit = PatchOp::RenameField {
                node_id: self.tree.name(decl.id),
                old_name: declared.clone(),
                new_name: used.clone(),
            };
            let title = format!("Rename the declared field '{declared}' to '{used}'");
            let why = format!("The field is called '{used}' wherever it is used");
            let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
            let mut draft = Draft::new(title, safety, confidence, vec![edit]).because(why);
            for at in found {
                if let Some(diagnostic) = self.result.diagnostics.get(at) {
                    draft = draft.resolves(diagnostic.code, [at]);
                }
            }
            draft.codes.dedup();
            self.alternatives([Draft {
                kind: Kind::Refactor,
                ..draft
            }]);
        }
    }

    /// A declared field and the similar name under which a diagnostic says that it is used.
    fn other_name(&self, diagnostic: &Diagnostic) -> Option<(String, String)> {
        match &diagnostic.payload {
            Payload::UnknownField {
                field,
                similar_fields,
                ..
            } => Some((similar_fields.first()?.clone(), field.clone())),
            Payload::MissingField { fields, .. } => {
                let literal = self.tree.expr(diagnostic.node?)?;
                let ExprKind::Record(present) = &literal.kind else {
                    return None;
                };
                let (_, rec) = self.record_of(literal.id)?;
                let is_declared = |name: &str| rec.fields.iter().any(|it| it.name.text == name);
                let unknown = present.iter().map(|it| it.name.text.as_str());
                let unknown = unknown.filter(|it| !is_declared(it));
                let [missing] = fields.as_slice() else {
                    return None;
                };
                let used = similar_names(missing, unknown).first().copied()?.to_owned();
                Some((missing.clone(), used))
            }
            _ => None,
        }
    }
}
