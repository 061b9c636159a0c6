//! Names that are spelled almost like a known name: E1001, E1005, E2004.

use std::collections::BTreeSet;

use fixpoint_report::{Confidence, Safety};
use serde_json::json;

use super::Rows;
use crate::ast::{ExprKind, Literal, NodeId};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::distance;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::template::renamed;

impl<'a> Rows<'_, 'a> {
    /// Proposes one repair for all uses of a name. Two functions may misspell different locals the
    /// same way. Uses in several functions are grouped only if the intended name is global.
    pub(super) fn unresolved_names(&mut self) {
        let bindings = self.result.typing.names.bindings.iter();
        let locals: BTreeSet<&str> = bindings.map(|(_, it)| it.name.as_str()).collect();
        let groups = self.grouped(|it| match &it.payload {
            Payload::UnresolvedName {
                name,
                similar_names,
            } if it.code == Code::E1001 => {
                let function = self.tree.decl_of(it.node?).map(|it| it.0);
                let is_local = similar_names.iter().any(|it| locals.contains(it.as_str()));
                Some((
                    name.as_str(),
                    function.filter(|_| is_local),
                    similar_names.as_slice(),
                ))
            }
            _ => None,
        });
        for ((name, _, similar), places) in groups {
            let nodes = places
                .iter()
                .filter_map(|at| self.result.diagnostics.get(*at)?.node);
            // A template that contains the name twice has one diagnostic per use.
            let mut nodes: Vec<NodeId> = nodes.collect();
            nodes.dedup();
            let drafts = similar.iter().map(|known| {
                let edits = nodes.iter().map(|it| self.rename(*it, name, known));
                let edits = edits.collect();
                let why = guess(&format!("'{name}' is not defined"), name, known);
                renaming(name, known, edits)
                    .resolves(Code::E1001, places.iter().copied())
                    .because(why)
            });
            let drafts: Vec<Draft> = drafts.collect();
            self.alternatives(drafts);
        }
    }

    /// Renames the use at a node. A name in a template is not a node, so the whole template is
    /// replaced.
    fn rename(&self, node: NodeId, old: &str, new: &str) -> PatchOp {
        let node_id = self.tree.name(node);
        match self.tree.expr(node).map(|it| &it.kind) {
            Some(ExprKind::Literal(Literal::Template(text))) => PatchOp::ReplaceNode {
                node_id,
                new_node: json!({"kind": "literal", "value":
                    {"kind": "template", "value": renamed(text, old, new)}}),
            },
            _ => PatchOp::RenameSymbol {
                node_id,
                old_name: old.to_owned(),
                new_name: new.to_owned(),
            },
        }
    }

    pub(super) fn unknown_variant(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let (
            Some(node),
            Payload::UnresolvedVariant {
                name,
                type_name,
                similar_names,
            },
        ) = (diagnostic.node, &diagnostic.payload)
        else {
            return;
        };
        let drafts = similar_names.iter().map(|known| {
            let edit = PatchOp::RenameSymbol {
                node_id: self.tree.name(node),
                old_name: name.clone(),
                new_name: known.clone(),
            };
            let what = format!("'{type_name}' has no variant '{name}'");
            renaming(name, known, vec![edit])
                .resolves(Code::E1006, [at])
                .because(guess(&what, name, known))
        });
        let drafts: Vec<Draft> = drafts.collect();
        self.alternatives(drafts);
    }

    pub(super) fn unresolved_type(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let (
            Some(node),
            Payload::UnresolvedType {
                name,
                similar_types,
                ..
            },
        ) = (diagnostic.node, &diagnostic.payload)
        else {
            return;
        };
        let drafts = similar_types.iter().map(|known| {
            let edit = PatchOp::RenameSymbol {
                node_id: self.tree.name(node),
                old_name: name.clone(),
                new_name: known.clone(),
            };
            renaming(name, known, vec![edit])
                .resolves(Code::E1005, [at])
                .because(guess(&format!("There is no type '{name}'"), name, known))
        });
        let drafts: Vec<Draft> = drafts.collect();
        self.alternatives(drafts);
    }

    pub(super) fn unknown_field(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let (
            Some(node),
            Payload::UnknownField {
                field,
                ty,
                similar_fields,
                ..
            },
        ) = (diagnostic.node, &diagnostic.payload)
        else {
            return;
        };
        let drafts = similar_fields.iter().map(|known| {
            let edit = PatchOp::RenameField {
                node_id: self.tree.name(node),
                old_name: field.clone(),
                new_name: known.clone(),
            };
            let mut draft = renaming(field, known, vec![edit])
                .resolves(Code::E2004, [at])
                .because(guess(
                    &format!("'{ty}' has no field '{field}'"),
                    field,
                    known,
                ));
            draft.title = format!("Rename field '{field}' to '{known}'");
            draft
        });
        let drafts: Vec<Draft> = drafts.collect();
        self.alternatives(drafts);
    }
}

fn renaming(name: &str, known: &str, edits: Vec<PatchOp>) -> Draft {
    let title = format!("Rename '{name}' to '{known}'");
    let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
    Draft {
        best_is_high: true,
        may_reveal: true,
        ..Draft::new(title, safety, confidence, edits)
    }
}

fn guess(what: &str, name: &str, known: &str) -> String {
    match distance(name, known) {
        Some(distance) => format!("{what}. Did you mean '{known}'? (edit distance: {distance})"),
        None => format!("{what}. Did you mean '{known}'?"),
    }
}
