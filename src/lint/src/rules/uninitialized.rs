//! Local variables that may be read before they have a value.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Op, Shape};

use super::flow::ends_block;
use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};
use crate::names::{BindingKind, Meaning, ScopeId};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "uninitialized",
    "Reports local variables that may be read before they have a value.",
    "The variable is assigned only in some branches, or in a loop that may not run. If no assignment runs, Bazel \
     stops with an error.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for node in file.all(Kind::Def) {
        let Shape::Def(def) = node.shape() else {
            continue;
        };
        let Some(scope) = def.body.first().map(|it| file.scope(it)) else {
            continue;
        };
        let locals = file.names().all_of(scope);
        let mut state = State::new(locals.len());
        for local in locals {
            if local
                .bindings
                .iter()
                .any(|it| it.kind == BindingKind::Parameter)
            {
                state.set(local.nth);
            }
        }
        let mut flow = Flow { file, scope, found };
        flow.block(def.body, state);
    }
}

/// The set of locals that certainly have a value at one point of a function.
#[derive(Clone)]
struct State(Vec<u64>);

impl State {
    fn new(locals: usize) -> Self {
        Self(vec![0; locals.div_ceil(64)])
    }

    fn set(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] & (1 << (index % 64)) != 0
    }

    /// The state after two branches. `None` is a branch whose end is never reached.
    fn join(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(mut first), Some(second)) => {
                for (a, b) in first.0.iter_mut().zip(&second.0) {
                    *a &= b;
                }
                Some(first)
            }
            (first, second) => first.or(second),
        }
    }
}

struct Flow<'f, 't, 'a> {
    file: &'f File<'t, 'a>,
    scope: ScopeId,
    found: &'f mut Vec<LintFinding>,
}

impl<'t, 'a> Flow<'_, 't, 'a> {
    /// The state after a block. `None` if its end is never reached.
    fn block(&mut self, block: Nodes<'t, 'a>, mut state: State) -> Option<State> {
        for statement in block.iter() {
            state = self.statement(statement, state)?;
        }
        Some(state)
    }

    fn statement(&mut self, node: NodeRef<'t, 'a>, mut state: State) -> Option<State> {
        match node.shape() {
            Shape::Assign { op, target, value } => {
                self.reads(value, &state);
                if op != Op::Assign && target.kind() == Kind::Ident {
                    self.assign(target, &mut state);
                } else {
                    self.target(target, &mut state);
                }
            }
            Shape::Def(def) => {
                if let Some(local) = self.file.names().lookup(self.scope, def.name) {
                    self.mark_assigned(local, &mut state);
                }
            }
            Shape::For {
                target,
                iterable,
                body,
            } => {
                self.reads(iterable, &state);
                let mut inside = state.clone();
                self.target(target, &mut inside);
                self.block(body, inside);
            }
            Shape::If {
                condition,
                body,
                otherwise,
            } => {
                self.reads(condition, &state);
                let first = self.block(body, state.clone());
                let second = match otherwise {
                    Some(otherwise) => self.block(otherwise, state),
                    None => Some(state),
                };
                return State::join(first, second);
            }
            Shape::Return(value) => {
                if let Some(value) = value {
                    self.reads(value, &state);
                }
                return None;
            }
            _ => {
                self.reads(node, &state);
                if ends_block(node) {
                    return None;
                }
            }
        }
        Some(state)
    }

    /// Marks the names in a target as assigned, and checks the names that the rest of it reads.
    fn target(&mut self, target: NodeRef<'t, 'a>, state: &mut State) {
        match target.shape() {
            Shape::Ident(_) => self.assign(target, state),
            Shape::Tuple(parts) | Shape::List(parts) => {
                parts.iter().for_each(|it| self.target(it, state));
            }
            Shape::Paren(inner) => self.target(inner, state),
            _ => self.reads(target, state),
        }
    }

    fn assign(&self, name: NodeRef<'t, 'a>, state: &mut State) {
        if let Some(local) = self.file.names().meaning(name) {
            self.mark_assigned(local, state);
        }
    }

    fn mark_assigned(&self, local: &Meaning<'t, 'a>, state: &mut State) {
        if local.scope == self.scope {
            state.set(local.nth);
        }
    }

    /// Reports locals that are read before they have a value. A nested function is skipped, because
    /// it runs later.
    fn reads(&mut self, expression: NodeRef<'t, 'a>, state: &State) {
        let mut open = vec![expression];
        while let Some(node) = open.pop() {
            match node.shape() {
                Shape::Ident(name) => {
                    let meaning = self.file.names().meaning(node);
                    let local = meaning.filter(|it| it.scope == self.scope);
                    if local.is_some_and(|it| !state.has(it.nth)) {
                        let message = format!("`{name}` may have no value here");
                        self.found
                            .push(LintFinding::warning(&RULE, message, node.span()));
                    }
                }
                Shape::Lambda { .. } => {}
                // The name of an argument is not a variable.
                Shape::Assign { value, .. } => open.push(value),
                Shape::ForClause { iterable, .. } => open.push(iterable),
                _ => node.each_child(|child| open.push(child)),
            }
        }
    }
}
