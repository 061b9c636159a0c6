//! Effects that a function has and does not declare: E4001, E4002.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_report::{Confidence, Safety};

use super::Rows;
use crate::ast::{BinaryOp, DeclKind, ExprKind, NodeRef};
use crate::diagnostic::{Code, Payload};
use crate::names::Def;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::types::Effects;

impl<'a> Rows<'_, 'a> {
    /// One repair for each effect a function lacks. Callers that would lack it then are widened with
    /// it, so that the repair trades no error for another.
    pub(super) fn effects(&mut self) {
        let groups = self.grouped(|it| match &it.payload {
            Payload::EffectNotAllowed {
                effect,
                function_node_id,
                ..
            }
            | Payload::UnhandledEffect {
                effect,
                function_node_id,
                ..
            } => Some((function_node_id.as_str(), effect.as_str())),
            _ => None,
        });
        if groups.is_empty() {
            return;
        }
        let callers = self.callers();
        for ((id, effect), places) in groups {
            let Ok(node) = self.tree.find(id) else {
                continue;
            };
            let Some((decl, _)) = self.tree.decl_of(node.id()) else {
                continue;
            };
            let functions = self.lacking(decl, effect, &callers);
            let edits: Vec<PatchOp> = functions
                .iter()
                .map(|it| PatchOp::WidenEffect {
                    fn_id: it.clone(),
                    add_effects: vec![effect.to_owned()],
                })
                .collect();
            let title = match edits.len() {
                1 => format!("Add {effect} effect to function"),
                count => format!("Add {effect} effect to function and {} callers", count - 1),
            };
            let (safety, confidence) = (Safety::LikelyPreserving, Confidence::Medium);
            let mut draft = Draft::new(title, safety, confidence, edits);
            let mut codes: Vec<Code> = Vec::new();
            let mut reasons: Vec<String> = Vec::new();
            for at in &places {
                let Some(diagnostic) = self.result.diagnostics.get(*at) else {
                    continue;
                };
                if !codes.contains(&diagnostic.code) {
                    codes.push(diagnostic.code);
                }
                let reason = match &diagnostic.payload {
                    Payload::EffectNotAllowed {
                        callee: Some(callee),
                        ..
                    } => format!("calls {callee}()"),
                    Payload::EffectNotAllowed { .. } => "calls a function".to_owned(),
                    _ => "uses '?'".to_owned(),
                };
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
            draft.diagnostics = places;
            draft.codes = codes;
            let which = if reasons.len() == 1 {
                "requires"
            } else {
                "require"
            };
            let reasons = reasons.join(" and ");
            self.alternatives([
                draft.because(format!("Function {reasons} which {which} {effect} effect"))
            ]);
        }
    }

    /// The functions that call each function.
    fn callers(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut callers: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let names = &self.result.typing.names;
        for (caller, decl) in self.tree.ast.program.declarations.iter().enumerate() {
            NodeRef::Decl(decl).each(&mut |node| {
                let NodeRef::Expr(expr) = node else {
                    return;
                };
                let called = match &expr.kind {
                    ExprKind::Call { callee, .. } => callee,
                    ExprKind::Binary {
                        op: BinaryOp::Pipe,
                        right,
                        ..
                    } => right,
                    _ => return,
                };
                if let Some(Def::Function(at)) = names.of_use(called.id) {
                    callers.entry(at).or_default().insert(caller);
                }
            });
        }
        callers
    }

    /// The function and all that call it, however far away, and do not declare the effect.
    fn lacking(
        &self,
        function: usize,
        effect: &str,
        callers: &BTreeMap<usize, BTreeSet<usize>>,
    ) -> Vec<String> {
        let declarations = &self.tree.ast.program.declarations;
        let typing = &self.result.typing;
        let mut found = vec![function];
        let mut at = 0;
        while let Some(here) = found.get(at).copied() {
            at += 1;
            for caller in callers.get(&here).into_iter().flatten() {
                let Some(decl) = declarations.get(*caller) else {
                    continue;
                };
                let declared = typing.of_node(decl.id).map(|it| typing.effects_of(it));
                let lacks = !declared.unwrap_or_default().contains(Effects::of(effect));
                let is_function = matches!(decl.kind, DeclKind::Fn(_));
                if lacks && is_function && !found.contains(caller) {
                    found.push(*caller);
                }
            }
        }
        let decls = found.into_iter().filter_map(|it| declarations.get(it));
        decls.map(|it| self.tree.name(it.id)).collect()
    }
}
