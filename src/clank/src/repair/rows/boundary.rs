//! Predicates on what comes from outside, checked where it comes in.

use fixpoint_report::{Confidence, Kind, Safety};
use serde_json::json;

use super::Rows;
use crate::ast::{BinaryOp, DeclKind, Expr, ExprKind, NodeId, NodeRef, StmtKind};
use crate::diagnostic::Strategy;
use crate::names::{Def, Origin};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::repair::tree::block_of;
use crate::result::Obligation;

/// What an external function gave to a variable that a goal is about.
struct Entry<'a> {
    statement: NodeId,
    variable: &'a str,
    function: &'a str,
    goal: &'a str,
    /// The obligations with that goal.
    places: Vec<usize>,
}

impl<'a> Rows<'_, 'a> {
    /// One check for all that need the same of a value from outside.
    pub(super) fn boundaries(&mut self) {
        let mut entries: Vec<Entry<'a>> = Vec::new();
        for (at, obligation) in self.result.obligations.iter().enumerate() {
            for found in self.entries(at, obligation) {
                let known = entries
                    .iter_mut()
                    .find(|it| it.statement == found.statement && it.goal == found.goal);
                match known {
                    Some(known) => known.places.push(at),
                    None => entries.push(found),
                }
            }
        }
        for entry in entries {
            // An assertion before the next statement would be the same.
            if !matches!(&entry.places[..], [at] if self.needs_next(&entry, *at)) {
                let draft = self.validation(entry);
                self.alternatives([draft]);
            }
        }
    }

    fn entries(&self, at: usize, obligation: &'a Obligation) -> Vec<Entry<'a>> {
        let asserts = |it: &&crate::diagnostic::Hint| it.strategy == Strategy::Assert;
        let hint = obligation.hints.iter().find(asserts);
        let goal = hint.and_then(|it| it.template.as_deref()?.strip_prefix("assert "));
        let (Some(goal), Some(user)) = (goal, self.tree.node(obligation.needed_by)) else {
            return Vec::new();
        };
        let names = &self.result.typing.names;
        let mut entries: Vec<Entry<'a>> = Vec::new();
        user.each(&mut |node| {
            if let NodeRef::Expr(expr) = node
                && let Some(Def::Local(binding)) = names.of_use(expr.id)
                && let Some(binding) = names.binding(binding)
                && let Origin::Let {
                    statement,
                    plain: true,
                } = binding.origin
                && is_word_of(&binding.name, goal)
                && entries.iter().all(|it| it.statement != statement)
                && let Some(NodeRef::Stmt(bound)) = self.tree.node(statement)
                && let StmtKind::Let { init, .. } = &bound.kind
                && let Some(function) = self.external(init)
            {
                entries.push(Entry {
                    statement,
                    variable: &binding.name,
                    function,
                    goal,
                    places: vec![at],
                });
            }
        });
        entries
    }

    /// The external function that an expression calls.
    fn external(&self, expr: &'a Expr) -> Option<&'a str> {
        let callee = match &expr.kind {
            ExprKind::Propagate(inner) => return self.external(inner),
            ExprKind::Call { callee, .. } => callee,
            ExprKind::Binary {
                op: BinaryOp::Pipe,
                right,
                ..
            } => right,
            _ => return None,
        };
        let Def::Function(at) = self.result.typing.names.of_use(callee.id)? else {
            return None;
        };
        match &self.tree.ast.program.declarations.get(at)?.kind {
            DeclKind::ExternalFn(it) => Some(&it.signature.name.text),
            _ => None,
        }
    }

    /// Whether an obligation is that of what follows the statement.
    fn needs_next(&self, entry: &Entry<'_>, at: usize) -> bool {
        let obligation = self.result.obligations.get(at);
        let user = obligation.and_then(|it| self.tree.enclosing_item(it.needed_by));
        let block = self.tree.parent(entry.statement).and_then(block_of);
        let (Some(user), Some(block)) = (user, block) else {
            return false;
        };
        let statements = block.statements.iter().map(|it| it.id);
        let items = statements.chain(block.tail.iter().map(|it| it.id));
        let mut items = items.skip_while(|it| *it != entry.statement).skip(1);
        items.next() == Some(user.id())
    }

    fn validation(&self, entry: Entry<'_>) -> Draft {
        let Entry {
            variable,
            function,
            goal,
            ..
        } = entry;
        let edit = PatchOp::InsertAfter {
            target_id: self.tree.name(entry.statement),
            new_statement: json!({"kind": "assert", "condition": {"source": goal}}),
        };
        let title = format!("Validate {goal} where '{variable}' comes in");
        let (safety, confidence) = (Safety::LikelyPreserving, Confidence::Medium);
        let why = format!("'{variable}' is what {function}() gives, which is only known outside");
        Draft {
            kind: Kind::BoundaryValidation,
            obligations: entry.places,
            ..Draft::new(title, safety, confidence, vec![edit]).because(why)
        }
    }
}

fn is_word_of(name: &str, goal: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    goal.split(|it| !is_part(it)).any(|it| it == name)
}
