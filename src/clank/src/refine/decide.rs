//! Decides whether a goal follows from the facts, and reports it if not.

use std::collections::BTreeMap;

use fixpoint_report::Confidence;
use fixpoint_solver::{Formula, Model, Verdict, prove_within};

use super::context::MAX_FACTS;
use super::counterexample::{counterexample, shown};
use super::encode::Encoder;
use super::hints::hints;
use super::pred::{Pred, Term};
use super::walk::Walker;
use crate::ast::{Expr, NodeId};
use crate::diagnostic::{Code, Diagnostic, Hint, Payload, Strategy};
use crate::names::{BindingId, Origin};
use crate::result::{ContextBinding, ContextFact, Hole, Obligation};
use crate::types::TyKind;

/// A step limit far above what a hand-written predicate needs.
const STEPS: u64 = 100_000;

/// The maximum number of bindings reported with an obligation or a hole: the innermost ones.
const MAX_BINDINGS: usize = 64;

enum Decision {
    /// The goal contradicts the facts.
    Refuted(BTreeMap<String, String>),
    Unknown {
        reason: String,
        counterexample: Option<BTreeMap<String, String>>,
    },
}

impl<'a> Walker<'a> {
    /// Raises an obligation for an expression and discharges it if possible. `about` names the
    /// terms of the goal, for messages. Returns the text of an obligation that is left unproved.
    pub fn oblige(
        &mut self,
        expr: &Expr,
        needed_by: NodeId,
        goal: &Pred,
        about: &[(&str, &Term)],
        is_bound: bool,
    ) -> Option<String> {
        self.context.index_facts();
        if self.holds_trivially(goal) {
            self.found.discharged += 1;
            return None;
        }
        let decision = if self.deadline.has_time_to_decide() {
            let decision = self.decide(goal, about);
            decision.filter(|_| !self.is_unreachable(goal))
        } else {
            Some(Decision::Unknown {
                reason: "the time was up before it was decided".to_owned(),
                counterexample: None,
            })
        };
        let Some(decision) = decision else {
            self.found.discharged += 1;
            return None;
        };
        let facts = self.context.relevant(goal, MAX_FACTS);
        let facts = self.context.facts_at(facts);
        let goal = self.context.worded(goal);
        let text = goal.to_string();
        match decision {
            Decision::Refuted(counterexample) => {
                let message = format!("`{text}` does not hold here");
                let hint = shown(&counterexample).map(|description| Hint {
                    strategy: Strategy::Info,
                    description,
                    template: None,
                    confidence: Confidence::High,
                });
                let payload = if is_bound {
                    Payload::BoundsError {
                        predicate: text,
                        counterexample,
                    }
                } else {
                    Payload::RefinementViolation {
                        predicate: text,
                        counterexample,
                    }
                };
                let mut diagnostic =
                    Diagnostic::new(Code::E3001, expr.id, expr.span, message, payload);
                diagnostic.hints.extend(hint);
                self.diagnostics.push(diagnostic);
                None
            }
            Decision::Unknown {
                reason,
                counterexample,
            } => {
                let context_facts = facts.iter().map(|fact| ContextFact {
                    proposition: self.context.worded(&fact.pred).to_string(),
                    source: fact.source_text(),
                });
                let context_facts: Vec<ContextFact> = context_facts.collect();
                let hints = hints(self, &goal, &text, &context_facts);
                self.found.obligations.push(Obligation {
                    goal: text.clone(),
                    node: expr.id,
                    span: expr.span,
                    needed_by,
                    bindings: self.bindings(),
                    facts: context_facts,
                    hints,
                    unknown_reason: reason,
                    counterexample,
                    repair_refs: Vec::new(),
                });
                Some(text)
            }
        }
    }

    /// Returns `None` if the goal is proved.
    fn decide(&self, goal: &Pred, about: &[(&str, &Term)]) -> Option<Decision> {
        let facts = self.needed(goal);
        let preds = facts.iter().map(|fact| &fact.pred).chain([goal]);
        let mut encoder = Encoder::new(self, preds);
        let mut known: Vec<Formula> = facts.iter().map(|it| encoder.formula(&it.pred)).collect();
        let wanted = encoder.formula(goal);
        known.append(&mut encoder.lemmas);
        let model = match prove_within(&known, &wanted, STEPS) {
            Verdict::Proved => return None,
            Verdict::Refuted(model) => Ok(model),
            Verdict::Unknown(reason) => Err(reason.to_string()),
        };
        let goal = &self.context.worded(goal);
        let excluded = prove_within(&known, &wanted.negate(), STEPS) == Verdict::Proved;
        if excluded && goal.is_known() {
            // Whenever the facts hold, the goal does not. So any values for which they hold are a
            // counterexample.
            let example = match &model {
                Ok(model) => model.clone(),
                Err(_) => any_model(&known),
            };
            let mut values = counterexample(goal, about, &example, &mut encoder);
            if let Some(fact) = facts.last() {
                let pred = self.context.worded(&fact.pred);
                let contradicted = format!("{pred} ({})", fact.source_text());
                values.insert("_contradicts".to_owned(), contradicted);
            }
            return Some(Decision::Refuted(values));
        }
        let values = model.as_ref().ok();
        let values = values.map(|model| counterexample(goal, &[], model, &mut encoder));
        let reason = match model {
            Err(reason) => reason,
            Ok(_) => format!("what is known here does not imply `{goal}`"),
        };
        Some(Decision::Unknown {
            reason,
            counterexample: values,
        })
    }

    /// The reported bindings in scope, outermost first.
    fn visible(&self) -> impl DoubleEndedIterator<Item = BindingId> {
        let skipped = self.context.scope.len().saturating_sub(MAX_BINDINGS);
        self.context.scope.iter().skip(skipped).copied()
    }

    fn bindings(&self) -> Vec<ContextBinding> {
        let bindings = self.visible().filter_map(|id| {
            let binding = self.typing.names.binding(id)?;
            let ty = self.typing.of_binding(id)?;
            Some(ContextBinding {
                name: binding.name.to_string(),
                ty: self.typing.show(ty),
                mutable: binding.mutable,
                source: match binding.origin {
                    Origin::Param => "parameter",
                    Origin::Result => "result",
                    Origin::LambdaParam => "lambda parameter",
                    Origin::Let { .. } => "let",
                    Origin::For => "for",
                    Origin::Match => "match",
                }
                .to_owned(),
            })
        });
        bindings.collect()
    }

    /// Records a hole with the names that could fill it.
    pub fn hole(&mut self, expr: &Expr, name: &str) {
        let ty = self.typing.of_node(expr.id);
        let expected = ty.map(|ty| self.typing.show(ty)).unwrap_or_default();
        let base = ty.map(|ty| self.typing.show(self.typing.arena.base(ty)));
        let open = ty.is_none_or(|ty| {
            let base = self.typing.arena.base(ty);
            matches!(self.typing.arena.kind(base), TyKind::Var(_))
        });
        // Refinements are not compared here. Verification of each repair checks them.
        let fitting = self.visible().rev().filter(|id| {
            let own = self.typing.of_binding(*id);
            let own = own.map(|ty| self.typing.show(self.typing.arena.base(ty)));
            !open && own == base
        });
        let names = fitting.filter_map(|id| self.typing.names.binding(id));
        let fill_candidates = names.map(|it| it.name.to_string()).collect();
        let allowed = self.declared_effects.names();
        self.found.holes.push(Hole {
            node: expr.id,
            span: expr.span,
            name: name.to_owned(),
            is_refined: base.is_some_and(|it| it != expected),
            expected_type: expected,
            bindings: self.bindings(),
            allowed_effects: allowed.into_iter().map(str::to_owned).collect(),
            fill_candidates,
            repair_refs: Vec::new(),
        });
    }
}

/// Values for which the facts hold; empty if the solver finds none.
fn any_model(facts: &[Formula]) -> Model {
    match prove_within(facts, &Formula::Bool(false), STEPS) {
        Verdict::Refuted(model) => model,
        Verdict::Proved | Verdict::Unknown(_) => Model::default(),
    }
}
