//! Local variables that are read before they have a value.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Op, Shape};

use super::flow::ends_block;
use crate::file::File;
use crate::lint::{Found, Lint, everywhere, told};
use crate::names::{How, Meaning, ScopeId};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = told(
    "uninitialized",
    "Tells of local variables that may be read before they have a value.",
    "Only some branches assign it, or a loop that may not run at all; where none does, Bazel stops with an error.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<Found>) {
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
            if local.bindings.iter().any(|it| it.how == How::Parameter) {
                state.set(local.nth);
            }
        }
        let mut flow = Flow { file, scope, found };
        flow.block(def.body, state);
    }
}

/// Which locals have a value for certain; nothing where the place is never reached.
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

    /// What holds whichever of two ways was taken.
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
    found: &'f mut Vec<Found>,
}

impl<'t, 'a> Flow<'_, 't, 'a> {
    /// The state behind a block; nothing where its end is never reached.
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
                    self.give(local, &mut state);
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

    /// Gives the names in a target a value, and reads what else stands in it.
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
            self.give(local, state);
        }
    }

    fn give(&self, local: &Meaning<'t, 'a>, state: &mut State) {
        if local.scope == self.scope {
            state.set(local.nth);
        }
    }

    /// Tells of names of this function that are read without a value. What is read in a function
    /// inside is read later.
    fn reads(&mut self, expression: NodeRef<'t, 'a>, state: &State) {
        let mut open = vec![expression];
        while let Some(node) = open.pop() {
            match node.shape() {
                Shape::Ident(name) => {
                    let meaning = self.file.names().meaning(node);
                    let local = meaning.filter(|it| it.scope == self.scope);
                    if local.is_some_and(|it| !state.has(it.nth)) {
                        let message = format!("`{name}` may have no value here");
                        self.found.push(Found::warning(&RULE, message, node.span()));
                    }
                }
                Shape::Lambda { .. } => {}
                // The name of an argument is no variable.
                Shape::Assign { value, .. } => open.push(value),
                Shape::ForClause { iterable, .. } => open.push(iterable),
                _ => node.each_child(|child| open.push(child)),
            }
        }
    }
}
