//! Repairs for unproved predicates (E3001) and for holes.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{ExprKind, NodeRef};
use crate::diagnostic::Strategy;
use crate::print::string_text;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::result::Obligation;

/// The maximum number of candidates for a hole.
const MAX_FILLINGS: usize = 3;

impl<'a> Rows<'_, 'a> {
    pub(super) fn obligations(&mut self) {
        for (at, obligation) in self.result.obligations.iter().enumerate() {
            let drafts = obligation.hints.iter().filter_map(|hint| {
                let template = hint.template.as_deref()?;
                let draft = match hint.strategy {
                    Strategy::Guard => {
                        let goal = template.strip_prefix("if ")?.strip_suffix(" { ... }")?;
                        if self.has_own_panic() {
                            return None;
                        }
                        self.guard(obligation, goal)
                    }
                    Strategy::Assert => {
                        self.assertion(obligation, template.strip_prefix("assert ")?)?
                    }
                    _ => return None,
                };
                Some(Draft {
                    obligations: vec![at],
                    ..draft
                })
            });
            let drafts: Vec<Draft> = drafts.collect();
            self.alternatives(drafts);
        }
    }

    fn guard(&self, obligation: &Obligation, goal: &str) -> Draft {
        let needed_by = self.tree.expr(obligation.needed_by).map(|it| &it.kind);
        let (before, message) = match needed_by {
            Some(ExprKind::Index { .. }) => ("the access", "index out of range".to_owned()),
            Some(ExprKind::Call { .. }) => ("the call", broken(goal)),
            _ => ("it is used", broken(goal)),
        };
        let panic = format!("{{ panic({}) }}", string_text(&message));
        let edit = PatchOp::Wrap {
            node_id: self.tree.name(obligation.needed_by),
            wrapper: json!({
                "kind": "if",
                "condition": {"source": goal},
                "thenBranch": {
                    "kind": "block",
                    "statements": [],
                    "expr": {"hole_ref": "wrapped"},
                },
                "elseBranch": {"source": panic},
            }),
            hole_ref: "wrapped".to_owned(),
        };
        let title = format!("Add guard for {goal}");
        let (safety, confidence) = (Safety::LikelyPreserving, Confidence::High);
        let why = format!("Add guard to prove {goal} before {before}");
        Draft::new(title, safety, confidence, vec![edit]).because(why)
    }

    fn assertion(&self, obligation: &Obligation, goal: &str) -> Option<Draft> {
        let item = self.tree.enclosing_item(obligation.needed_by)?;
        let edit = PatchOp::InsertBefore {
            target_id: self.tree.name(item.id()),
            new_statement: json!({"kind": "assert", "condition": {"source": goal}}),
        };
        let title = format!("Assert {goal}");
        let (safety, confidence) = (Safety::LikelyPreserving, Confidence::Medium);
        let before = match item {
            NodeRef::Stmt(_) => "the statement",
            _ => "the value",
        };
        let why = format!("Assert {goal} before {before} that needs it");
        Some(Draft::new(title, safety, confidence, vec![edit]).because(why))
    }

    pub(super) fn holes(&mut self) {
        for (at, hole) in self.result.holes.iter().enumerate() {
            let node_id = self.tree.name(hole.node);
            let names = hole.fill_candidates.iter().take(MAX_FILLINGS);
            let drafts = names.map(|name| {
                let edit = PatchOp::ReplaceNode {
                    node_id: node_id.clone(),
                    new_node: filled_with(name),
                };
                let title = format!("Fill hole '{}' with '{name}'", hole.name);
                let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
                let why = format!(
                    "'{name}' has the type '{}' that is wanted",
                    hole.expected_type
                );
                Draft {
                    holes: vec![at],
                    ..Draft::new(title, safety, confidence, vec![edit]).because(why)
                }
            });
            let drafts: Vec<Draft> = drafts.collect();
            self.alternatives(drafts);
        }
    }
}

/// The node that replaces a hole filled with a name.
pub(in crate::repair) fn filled_with(name: &str) -> Value {
    json!({"kind": "ident", "name": name})
}

/// The panic message for a goal that does not hold.
fn broken(goal: &str) -> String {
    match goal.strip_suffix(" != 0") {
        Some(name) => format!("{name} must not be zero"),
        None => format!("expected {goal}"),
    }
}
