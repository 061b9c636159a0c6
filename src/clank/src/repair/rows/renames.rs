//! `rename`: a declaration that is never used gets the unknown name that is used instead.

use std::collections::BTreeMap;

use fixpoint_report::{Confidence, Safety};

use super::Rows;
use super::declarations::Calls;
use crate::ast::{DeclKind, NodeId};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Def, TypeDef};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    pub(super) fn renamed_declarations(&mut self, calls: &Calls<'a>) {
        let groups = self.grouped(|it| unknown_name(it).map(|(name, _)| name));
        let unused = self.unused_declarations(calls);
        for (name, places) in groups {
            // One use is more likely misspelled than the declaration.
            if places.len() < 2 {
                continue;
            }
            let diagnostics = &self.result.diagnostics;
            let found = places.iter().filter_map(|at| diagnostics.get(*at));
            let mut similar = found.filter_map(unknown_name).flat_map(|it| it.1);
            let Some((known, id)) = similar.find_map(|it| Some((it, *unused.get(it.as_str())?)))
            else {
                continue;
            };
            let edit = PatchOp::Rename {
                symbol_id: self.tree.name(id),
                new_name: name.to_owned(),
            };
            let title = format!("Rename the declaration of '{known}' to '{name}'");
            let why = format!("'{known}' is never used, and '{name}' is used instead of it");
            let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
            let mut draft = Draft::new(title, safety, confidence, vec![edit]).because(why);
            for at in places {
                if let Some(diagnostic) = diagnostics.get(at) {
                    draft = draft.resolves(diagnostic.code, [at]);
                }
            }
            draft.codes.sort_unstable();
            draft.codes.dedup();
            self.alternatives([draft]);
        }
    }

    /// Functions and types of this program that nothing refers to, by name. Variables are left out:
    /// there the uses are more likely misspelled than the declaration.
    fn unused_declarations(&self, calls: &Calls<'a>) -> BTreeMap<&'a str, NodeId> {
        let ast = self.tree.ast;
        let mut unused = BTreeMap::new();
        let declarations = ast.program.declarations.iter().enumerate();
        for (at, decl) in declarations.skip(ast.links.imported()) {
            let def = TypeDef {
                in_prelude: false,
                at,
            };
            let is_type_used = calls.used_types.contains(&def);
            let (name, is_used) = match &decl.kind {
                DeclKind::Fn(function) => {
                    let name = &function.signature.name;
                    let is_main = name.text == "main";
                    (name, is_main || calls.used.contains(&Def::Function(at)))
                }
                DeclKind::Rec(it) => {
                    let is_made = calls.used.contains(&Def::Record(at));
                    (&it.name, is_type_used || is_made)
                }
                DeclKind::Sum(it) => (&it.name, is_type_used),
                DeclKind::TypeAlias(it) => (&it.name, is_type_used),
                _ => continue,
            };
            if !is_used {
                unused.insert(name.text.as_str(), decl.id);
            }
        }
        unused
    }
}

/// The unknown name of a diagnostic, and similar names.
fn unknown_name(diagnostic: &Diagnostic) -> Option<(&str, &[String])> {
    match &diagnostic.payload {
        Payload::UnresolvedName {
            name,
            similar_names,
        } if diagnostic.code == Code::E1001 => Some((name, similar_names)),
        Payload::UnresolvedType {
            name,
            similar_types,
            ..
        } if diagnostic.code == Code::E1005 => Some((name, similar_types)),
        _ => None,
    }
}
