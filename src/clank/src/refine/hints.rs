//! Hints for resolving an unproved obligation.

use fixpoint_report::Confidence;

use super::context::{SHADOWED_LEN, Written};
use super::pred::Pred;
use super::walk::Walker;
use crate::ast::ExprKind;
use crate::diagnostic::{Hint, Strategy};
use crate::names::Origin;
use crate::print::expr_text;
use crate::result::ContextFact;

/// Suggests a guard, a refinement for each parameter in the goal and an assertion, and lists the
/// known facts.
pub(super) fn hints(
    walker: &Walker<'_>,
    goal: &Pred,
    text: &str,
    facts: &[ContextFact],
) -> Vec<Hint> {
    let bare = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let condition = if matches!(goal, Pred::And(..)) {
        bare.unwrap_or(text)
    } else {
        text
    };
    // A guard cannot check what the program cannot express.
    if text.contains(SHADOWED_LEN) || goal.first_name().is_some() {
        return vec![known_here(facts)];
    }
    let mut hints = vec![match unstable_part(walker, goal) {
        Some(UnstablePart { part, name, reason }) => Hint {
            strategy: Strategy::Info,
            description: format!("{reason}; bind it to a name first: `let {name} = {part};`"),
            template: None,
            confidence: Confidence::High,
        },
        None => Hint {
            strategy: Strategy::Guard,
            description: format!("check `{condition}` before"),
            template: Some(format!("if {condition} {{ ... }}")),
            confidence: Confidence::High,
        },
    }];
    let mut params: Vec<(String, String)> = Vec::new();
    goal.each_value(&mut |id, name| {
        let binding = walker.context.value_of(id).and_then(|it| it.binding);
        let Some(id) = binding else { return };
        let is_param = walker
            .typing
            .names
            .binding(id)
            .is_some_and(|it| it.origin == Origin::Param);
        let known = params.iter().any(|(it, _)| it == name);
        if is_param
            && !known
            && let Some(ty) = walker.typing.of_binding(id)
        {
            let base = walker.typing.show(walker.typing.arena.base(ty));
            params.push((name.to_owned(), base));
        }
    });
    hints.extend(params.into_iter().map(|(name, ty)| Hint {
        strategy: Strategy::RefineParam,
        description: format!("ask it of the parameter `{name}`"),
        template: Some(format!("{name}: {ty}{{{condition}}}")),
        confidence: Confidence::Medium,
    }));
    hints.push(Hint {
        strategy: Strategy::Assert,
        description: format!("assert `{condition}` before"),
        template: Some(format!("assert {condition}")),
        confidence: Confidence::Medium,
    });
    hints.push(known_here(facts));
    hints
}

/// A part of a goal whose value may differ on each evaluation.
struct UnstablePart {
    part: String,
    /// The suggested variable name.
    name: String,
    reason: String,
}

/// The first such part: a field or element that may be written to, or a call.
fn unstable_part(walker: &Walker<'_>, goal: &Pred) -> Option<UnstablePart> {
    let mut found = None;
    goal.each_value(&mut |id, _| {
        let Some(Written::Expr(expr)) = walker.context.value_of(id).map(|it| &it.written) else {
            return;
        };
        let name = match &expr.kind {
            ExprKind::Field { field, .. } => field.text.as_str(),
            ExprKind::Index { .. } => "element",
            ExprKind::Call { .. } => "value",
            _ => return,
        };
        let part = expr_text(expr);
        let reason = if matches!(expr.kind, ExprKind::Call { .. }) {
            format!("`{part}` may give another value each time, so a check of it says nothing")
        } else if walker.typing.names.writes_fields {
            format!(
                "the program writes to fields or elements, so what was checked of `{part}` may have changed"
            )
        } else {
            return;
        };
        let name = name.to_owned();
        found.get_or_insert(UnstablePart { part, name, reason });
    });
    found
}

fn known_here(facts: &[ContextFact]) -> Hint {
    let known: Vec<&str> = facts.iter().map(|it| it.proposition.as_str()).collect();
    let description = if known.is_empty() {
        "nothing is known about it here".to_owned()
    } else {
        format!("known here: {}", known.join(", "))
    };
    Hint {
        strategy: Strategy::Info,
        description,
        template: None,
        confidence: Confidence::Low,
    }
}
