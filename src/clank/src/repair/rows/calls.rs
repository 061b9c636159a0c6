//! Calls with too many or too few arguments: E2002.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::types::TyKind;

impl<'a> Rows<'_, 'a> {
    pub(super) fn arity_mismatch(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let Some(call) = diagnostic.node.and_then(|id| self.tree.expr(id)) else {
            return;
        };
        let (callee, args): (&Expr, Vec<&Expr>) = match &call.kind {
            ExprKind::Call { callee, args } => (callee, args.iter().collect()),
            ExprKind::Binary {
                op: BinaryOp::Pipe,
                left,
                right,
            } => (right, vec![left]),
            _ => return,
        };
        let typing = &self.result.typing;
        let Some(function) = typing.of_node(callee.id) else {
            return;
        };
        let TyKind::Function { params, .. } = typing.arena.kind(typing.arena.base(function)) else {
            return;
        };
        let types: Vec<String> = params.iter().map(|it| typing.show(*it)).collect();
        let missing = types.get(args.len()..).unwrap_or_default();
        let (given, wanted) = (args.len(), params.len());
        let title = match wanted.checked_sub(given) {
            Some(missing) => format!("Add {}", arguments(missing)),
            None => format!("Remove {}", arguments(given - wanted)),
        };
        let why = format!("The function takes {}, not {given}", arguments(wanted));
        let drafts = self
            .numbers_for(&missing.concat())
            .into_iter()
            .filter_map(|number| {
                let mut new_args: Vec<Value> = args.iter().map(|it| self.kept(it)).collect();
                new_args.truncate(wanted);
                for ty in missing {
                    new_args.push(self.placeholder(ty, number)?);
                }
                let edit = PatchOp::ReplaceNode {
                    node_id: self.tree.name(call.id),
                    new_node: json!({
                        "kind": "call",
                        "callee": self.kept(callee),
                        "args": new_args,
                    }),
                };
                let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
                let draft = Draft::new(title.clone(), safety, confidence, vec![edit])
                    .resolves(Code::E2002, [at])
                    .because(why.clone());
                Some(Draft {
                    one_is_enough: true,
                    ..draft
                })
            });
        let drafts: Vec<Draft> = drafts.collect();
        self.alternatives(drafts);
    }
}

fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
