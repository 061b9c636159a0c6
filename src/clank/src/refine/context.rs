//! What is known at a place: the values in scope and the facts about them.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::pred::{Pred, ValueId};
use crate::ast::Text;
use crate::names::BindingId;
use crate::types::Ty;

/// Facts that are handed to the solver at most; more only take time.
const MOST_FACTS: usize = 64;

/// The built-in `len` in a program that has a function of its own by that name.
pub(super) const SHADOWED_LEN: &str = "built-in len";

#[derive(Clone, Debug)]
pub(super) struct Value {
    pub ty: Option<Ty>,
    pub binding: Option<BindingId>,
}

#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub pred: Pred,
    pub source: &'static str,
    /// Whose fact it is, where that is a name.
    pub about: Text,
}

impl Fact {
    /// Where the fact comes from, in words.
    pub fn source_text(&self) -> String {
        if self.about.is_empty() {
            self.source.to_owned()
        } else {
            format!("{} '{}'", self.source, self.about)
        }
    }
}

#[derive(Default)]
pub(super) struct Context {
    values: Vec<Value>,
    facts: Vec<Fact>,
    /// The facts each value occurs in, ascending.
    by_value: HashMap<ValueId, Vec<usize>>,
    /// The facts that no value occurs in, ascending: those about calls without arguments.
    closed: Vec<usize>,
    /// The value each binding stands for now.
    current: HashMap<BindingId, ValueId>,
    /// The bindings in scope, outermost first.
    pub scope: Vec<BindingId>,
    /// What assignments changed, to go back before a branch.
    log: Vec<(BindingId, ValueId)>,
    /// How often a binding came to stand for a new value.
    pub renewals: usize,
}

/// A place to go back to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    facts: usize,
    scope: usize,
    log: usize,
}

impl Context {
    pub fn value(&mut self, ty: Option<Ty>, binding: Option<BindingId>) -> ValueId {
        let id = ValueId(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
        self.values.push(Value { ty, binding });
        id
    }

    pub fn value_of(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.0 as usize)
    }

    /// A binding comes into scope.
    pub fn bind(&mut self, binding: BindingId, ty: Option<Ty>) -> ValueId {
        let value = self.value(ty, Some(binding));
        self.current.insert(binding, value);
        self.scope.push(binding);
        value
    }

    pub fn current(&self, binding: BindingId) -> Option<ValueId> {
        self.current.get(&binding).copied()
    }

    /// A binding stands for a new value from here on.
    pub fn renew(&mut self, binding: BindingId) -> Option<ValueId> {
        let before = self.current(binding)?;
        let ty = self.value_of(before).and_then(|it| it.ty);
        let value = self.value(ty, Some(binding));
        self.current.insert(binding, value);
        self.log.push((binding, before));
        self.renewals += 1;
        Some(value)
    }

    pub fn mark(&self) -> Mark {
        Mark {
            facts: self.facts.len(),
            scope: self.scope.len(),
            log: self.log.len(),
        }
    }

    /// Forgets everything since the mark. Gives the bindings that were assigned in between.
    pub fn back_to(&mut self, mark: Mark) -> Vec<BindingId> {
        while self.facts.len() > mark.facts {
            let Some(fact) = self.facts.pop() else { break };
            let at = self.facts.len();
            let by_value = &mut self.by_value;
            fact.pred.each_value(&mut |id, _| {
                if let Some(list) = by_value.get_mut(&id) {
                    while list.last().is_some_and(|last| *last >= at) {
                        list.pop();
                    }
                }
            });
        }
        while self.closed.last().is_some_and(|last| *last >= mark.facts) {
            self.closed.pop();
        }
        self.scope.truncate(mark.scope);
        let mut assigned = Vec::new();
        while self.log.len() > mark.log {
            if let Some((binding, before)) = self.log.pop() {
                self.current.insert(binding, before);
                assigned.push(binding);
            }
        }
        assigned
    }

    /// The facts that were added since the mark, which are known no more.
    pub fn take_since(&mut self, mark: Mark) -> Vec<Fact> {
        let facts = self.facts.get(mark.facts..).unwrap_or_default().to_vec();
        if !facts.is_empty() {
            self.back_to(mark);
        }
        facts
    }

    pub fn add(&mut self, pred: Pred, source: &'static str, about: &str) {
        // A conjunction is as good as its parts, and its parts can be left out on their own.
        if let Pred::And(left, right) = pred {
            self.add(*left, source, about);
            self.add(*right, source, about);
            return;
        }
        if matches!(pred, Pred::Unknown(_) | Pred::Bool(true)) {
            return;
        }
        let at = self.facts.len();
        let by_value = &mut self.by_value;
        let mut is_closed = true;
        pred.each_value(&mut |id, _| {
            is_closed = false;
            let list = by_value.entry(id).or_default();
            if list.last() != Some(&at) {
                list.push(at);
            }
        });
        if is_closed {
            self.closed.push(at);
        }
        self.facts.push(Fact {
            pred,
            source,
            about: about.into(),
        });
    }

    /// The facts that have to do with a goal, in the order they became known.
    pub fn relevant(&self, goal: &Pred) -> Vec<&Fact> {
        let mut queue = VecDeque::new();
        let mut seen = HashSet::default();
        goal.each_value(&mut |id, _| {
            if seen.insert(id) {
                queue.push_back(id);
            }
        });
        let closed = self.closed.iter().rev().copied();
        let mut chosen: HashSet<usize> = closed.take(MOST_FACTS / 4).collect();
        while let Some(id) = queue.pop_front() {
            for at in self.by_value.get(&id).into_iter().flatten().rev() {
                if chosen.len() >= MOST_FACTS {
                    break;
                }
                if chosen.insert(*at)
                    && let Some(fact) = self.facts.get(*at)
                {
                    fact.pred.each_value(&mut |other, _| {
                        if seen.insert(other) {
                            queue.push_back(other);
                        }
                    });
                }
            }
        }
        let mut chosen: Vec<usize> = chosen.into_iter().collect();
        chosen.sort_unstable();
        chosen.iter().filter_map(|at| self.facts.get(*at)).collect()
    }
}
