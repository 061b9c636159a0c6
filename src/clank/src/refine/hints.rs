//! The ways out of an obligation that could not be settled.

use super::context::SHADOWED_LEN;
use super::pred::Pred;
use super::walk::Walker;
use crate::diagnostic::{Confidence, Hint, Strategy};
use crate::names::Origin;
use crate::result::ContextFact;

/// A guard, a refinement for each parameter the goal is about, an assertion, and what is known.
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
    // What the program cannot write, no guard can check.
    if text.contains(SHADOWED_LEN) || goal.first_name().is_some() {
        return vec![known_here(facts)];
    }
    let mut hints = vec![Hint {
        strategy: Strategy::Guard,
        description: format!("check `{condition}` before"),
        template: Some(format!("if {condition} {{ ... }}")),
        confidence: Confidence::High,
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
