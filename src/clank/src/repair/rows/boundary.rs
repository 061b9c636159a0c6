//! Repairs for predicates on values of external functions: they add a check where the value enters
//! the program.

use fixpoint_report::{Confidence, Kind, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{BinaryOp, DeclKind, Expr, ExprKind, NodeId, NodeRef, StmtKind};
use crate::diagnostic::Strategy;
use crate::json::node_json;
use crate::names::{Def, Origin};
use crate::print::expr_text;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::repair::tree::block_of;
use crate::result::Obligation;

/// A variable that an external function initializes and that a goal mentions.
struct Entry<'a> {
    statement: NodeId,
    variable: &'a str,
    function: &'a str,
    goal: &'a str,
    /// Indices of the obligations with that goal.
    places: Vec<usize>,
}

impl<'a> Rows<'_, 'a> {
    /// Proposes one check for all obligations with the same goal on an external value.
    pub(super) fn boundaries(&mut self) {
        let mut entries: Vec<Entry<'a>> = Vec::new();
        for (at, obligation) in self.result.obligations.iter().enumerate() {
            let found = self.entries(at, obligation);
            if found.is_empty() {
                let draft = self.bound_first(at, obligation);
                self.alternatives(draft);
            }
            for found in found {
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
            // Here an assertion before the next statement would be the same repair.
            if !matches!(&entry.places[..], [at] if self.needs_next(&entry, *at)) {
                let draft = self.validation(entry);
                self.alternatives([draft]);
            }
        }
    }

    /// Binds the result of an external call to a variable and checks that variable. A second call
    /// could return another value.
    fn bound_first(&mut self, at: usize, obligation: &'a Obligation) -> Option<Draft> {
        let goal = asserted(obligation)?;
        let item = self.tree.enclosing_item(obligation.needed_by)?;
        let (call, function) = self.first_call(item)?;
        let written = expr_text(unvalidated(call));
        let NodeRef::Expr(user) = self.tree.parent(call.id)? else {
            return None;
        };
        let mut above = self.tree.upwards(call.id);
        if !goal.contains(&written) || !above.any(|it| it.id() == obligation.needed_by) {
            return None;
        }
        let uses = self.uses_around(call.id)?;
        let name = uses.free("value");
        let goal = goal.replace(&written, &name);
        let before = |statement: Value| PatchOp::InsertBefore {
            target_id: self.tree.name(item.id()),
            new_statement: statement,
        };
        let pattern = json!({"kind": "ident", "name": name});
        let edits = vec![
            before(json!({"kind": "let", "pattern": pattern, "init": self.kept(call)})),
            before(json!({"kind": "assert", "condition": {"source": goal}})),
            // The canonical form validates the call. The variable needs no further validation.
            PatchOp::ReplaceNode {
                node_id: self.tree.name(user.id),
                new_node: self.with_name_for(user, call, &name)?,
            },
        ];
        let title = format!("Validate {goal} for what {function}() gives");
        let (safety, confidence) = (Safety::LikelyPreserving, Confidence::Medium);
        let why = format!("What {function}() gives is only known outside");
        Some(Draft {
            kind: Kind::BoundaryValidation,
            obligations: vec![at],
            ..Draft::new(title, safety, confidence, edits).because(why)
        })
    }

    /// An expression in which a variable replaces one part.
    fn with_name_for(&self, user: &Expr, part: &Expr, name: &str) -> Option<Value> {
        let written = self.tree.ast.source.slice(user.span);
        if written.is_empty() {
            let mut node = node_json(NodeRef::Expr(user), self.tree.ast);
            put_name(&mut node, &self.tree.name(part.id), name);
            return Some(node);
        }
        let start = part.span.start().checked_sub(user.span.start())?;
        let (before, rest) = written.split_at_checked(start)?;
        let after = rest.get(part.span.len()..)?;
        Some(json!({ "source": format!("{before}{name}{after}") }))
    }

    /// The external call that a statement or a value evaluates first. Nothing runs before it, and
    /// it runs exactly once.
    fn first_call(&self, item: NodeRef<'a>) -> Option<(&'a Expr, &'a str)> {
        let mut expr = match item {
            NodeRef::Expr(expr) => expr,
            NodeRef::Stmt(statement) => match &statement.kind {
                StmtKind::Let { init, .. } => init,
                StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => expr,
                StmtKind::Assign { target, value } => match target.kind {
                    ExprKind::Ident(_) => value,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        loop {
            let called = self.validated(expr).unwrap_or(expr);
            if let ExprKind::Call { args, .. } = &called.kind
                && let Some(function) = self.external(called)
            {
                return args.iter().all(is_simple).then_some((expr, function));
            }
            let mut parts: Vec<&Expr> = match &expr.kind {
                ExprKind::Call { callee, args } => match callee.kind {
                    ExprKind::Ident(_) => args.iter().collect(),
                    _ => return None,
                },
                ExprKind::Binary { op, left, right } => match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Pipe => vec![left],
                    _ => vec![left, right],
                },
                ExprKind::Unary { operand, .. } => vec![operand],
                ExprKind::Index { object, index } => vec![object, index],
                ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.iter().collect(),
                _ => return None,
            };
            // Evaluating names and literals has no effect.
            parts.retain(|it| !is_simple(it));
            expr = parts.first()?;
        }
    }

    fn entries(&self, at: usize, obligation: &'a Obligation) -> Vec<Entry<'a>> {
        let user = self.tree.node(obligation.needed_by);
        let (Some(goal), Some(user)) = (asserted(obligation), user) else {
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
        let expr = self.validated(expr).unwrap_or(expr);
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

    /// The argument of a validator call in a canonical program.
    fn validated(&self, expr: &'a Expr) -> Option<&'a Expr> {
        let ExprKind::Call { callee, args } = &expr.kind else {
            return None;
        };
        match self.result.typing.names.of_use(callee.id)? {
            Def::Validator => args.first(),
            _ => None,
        }
    }

    /// Whether the obligation belongs to the item right after the entry's statement.
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

fn is_simple(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Ident(_) | ExprKind::Literal(_))
}

/// Replaces the node with an id by a variable.
fn put_name(value: &mut Value, id: &str, name: &str) {
    match value {
        Value::Object(members) => {
            if members.get("id").and_then(Value::as_str) == Some(id) {
                *value = json!({"kind": "ident", "name": name});
                return;
            }
            members.values_mut().for_each(|it| put_name(it, id, name));
        }
        Value::Array(items) => items.iter_mut().for_each(|it| put_name(it, id, name)),
        _ => {}
    }
}

/// The goal as the condition of an `assert` statement, if it can be written as one.
fn asserted(obligation: &Obligation) -> Option<&str> {
    let mut hints = obligation.hints.iter();
    let hint = hints.find(|it| it.strategy == Strategy::Assert)?;
    hint.template.as_deref()?.strip_prefix("assert ")
}

fn is_word_of(name: &str, goal: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    goal.split(|it| !is_part(it)).any(|it| it == name)
}

/// A call without the validator that the canonical form adds. Goals do not mention it.
fn unvalidated(call: &Expr) -> &Expr {
    match &call.kind {
        ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
            (ExprKind::Ident(name), [inner]) if name.starts_with("__validate_") => inner,
            _ => call,
        },
        _ => call,
    }
}
