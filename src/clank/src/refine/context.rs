//! What is known at a place: the values in scope, and the facts about them.

use std::collections::VecDeque;

use rustc_hash::FxHashSet as HashSet;

use super::current::Current;
use super::pred::{Pred, Term, ValueId};
use crate::ast::{Expr, Text};
use crate::names::BindingId;
use crate::types::Ty;

/// The maximum number of facts that are passed to the solver or reported. More facts only take
/// time.
pub(super) const MAX_FACTS: usize = 64;

/// The built-in `len`, in a program that declares its own `len`.
pub(super) const SHADOWED_LEN: &str = "built-in len";

#[derive(Clone, Debug)]
pub(super) struct Value<'a> {
    pub ty: Option<Ty>,
    pub binding: Option<BindingId>,
    pub written: Written<'a>,
    /// Index of the value's newest entry in [`Context::mentions`], counted from 1.
    newest: usize,
}

/// How a value is printed.
#[derive(Clone, Debug)]
pub(super) enum Written<'a> {
    /// By its name.
    Named,
    Expr(&'a Expr),
    Call(Text, Vec<Term>),
}

#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub pred: Pred,
    pub source: &'static str,
    /// The name that the fact is about, if any.
    pub about: Text,
}

impl Fact {
    /// The origin of the fact, for messages.
    pub fn source_text(&self) -> String {
        if self.about.is_empty() {
            self.source.to_owned()
        } else {
            format!("{} '{}'", self.source, self.about)
        }
    }
}

/// The index of a fact, in the order the facts became known.
pub(super) type Place = usize;

/// Records that a value occurs in a fact.
struct Mention {
    value: ValueId,
    fact: usize,
    /// The previous mention of the same value, counted from 1.
    before: usize,
}

#[derive(Default)]
pub(super) struct Context<'a> {
    values: Vec<Value<'a>>,
    facts: Vec<Fact>,
    /// The values that occur in the first facts, in order. Later facts are indexed when the first
    /// goal is decided, because most are dropped before that.
    mentions: Vec<Mention>,
    /// The number of indexed facts.
    indexed: usize,
    /// The indexed facts without values, ascending: facts about calls without arguments.
    closed: Vec<usize>,
    /// The current value of each binding.
    current: Current,
    /// The bindings in scope, outermost first.
    pub scope: Vec<BindingId>,
    /// Earlier values of assigned bindings, for going back to the state before a branch.
    log: Vec<(BindingId, ValueId)>,
    /// The number of times a binding got a new value.
    pub renewals: usize,
}

/// A state to go back to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    facts: usize,
    scope: usize,
    log: usize,
}

impl<'a> Context<'a> {
    /// Resets the context, as at the start of a function.
    pub fn clear(&mut self) {
        self.values.clear();
        self.facts.clear();
        self.mentions.clear();
        self.indexed = 0;
        self.closed.clear();
        self.current.clear();
        self.scope.clear();
        self.log.clear();
    }

    fn add_value(
        &mut self,
        ty: Option<Ty>,
        binding: Option<BindingId>,
        written: Written<'a>,
    ) -> ValueId {
        let id = ValueId(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
        self.values.push(Value {
            ty,
            binding,
            written,
            newest: 0,
        });
        id
    }

    /// Adds a value without a binding.
    pub fn value(&mut self, ty: Option<Ty>, written: Written<'a>) -> ValueId {
        self.add_value(ty, None, written)
    }

    pub fn value_of(&self, id: ValueId) -> Option<&Value<'a>> {
        self.values.get(id.0 as usize)
    }

    /// Brings a binding into scope.
    pub fn bind(&mut self, binding: BindingId, ty: Option<Ty>) -> ValueId {
        let value = self.add_value(ty, Some(binding), Written::Named);
        self.current.set(binding, value);
        self.scope.push(binding);
        value
    }

    pub fn current(&self, binding: BindingId) -> Option<ValueId> {
        self.current.get(binding)
    }

    /// Gives a binding a new value from here on.
    pub fn renew(&mut self, binding: BindingId) -> Option<ValueId> {
        let before = self.current(binding)?;
        let ty = self.value_of(before).and_then(|it| it.ty);
        let value = self.add_value(ty, Some(binding), Written::Named);
        self.current.set(binding, value);
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

    /// Forgets everything since the mark. Returns the bindings that were assigned since then.
    pub fn back_to(&mut self, mark: Mark) -> Vec<BindingId> {
        self.facts.truncate(mark.facts);
        self.indexed = self.indexed.min(mark.facts);
        while let Some(last) = self.mentions.pop_if(|last| last.fact >= mark.facts) {
            if let Some(value) = self.values.get_mut(last.value.0 as usize) {
                value.newest = last.before;
            }
        }
        while self.closed.last().is_some_and(|last| *last >= mark.facts) {
            self.closed.pop();
        }
        self.scope.truncate(mark.scope);
        let mut assigned = Vec::new();
        while self.log.len() > mark.log {
            if let Some((binding, before)) = self.log.pop() {
                self.current.set(binding, before);
                assigned.push(binding);
            }
        }
        assigned
    }

    /// Removes and returns the facts added since the mark.
    pub fn take_since(&mut self, mark: Mark) -> Vec<Fact> {
        let facts = self.facts.get(mark.facts..).unwrap_or_default().to_vec();
        if !facts.is_empty() {
            self.back_to(mark);
        }
        facts
    }

    pub fn add(&mut self, pred: Pred, source: &'static str, about: &str) {
        // A conjunction is equivalent to its parts, and each part can be dropped separately.
        if let Pred::And(left, right) = pred {
            self.add(*left, source, about);
            self.add(*right, source, about);
            return;
        }
        if matches!(pred, Pred::Unknown(_) | Pred::Bool(true)) {
            return;
        }
        self.facts.push(Fact {
            pred,
            source,
            about: about.into(),
        });
    }

    /// Indexes the facts, so that goals can be decided.
    pub fn index_facts(&mut self) {
        let Self {
            values,
            facts,
            mentions,
            indexed,
            closed,
            ..
        } = self;
        for (at, fact) in facts.iter().enumerate().skip(*indexed) {
            let before = mentions.len();
            fact.pred.each_value(&mut |id, _| {
                let Some(value) = values.get_mut(id.0 as usize) else {
                    return;
                };
                let newest = value.newest.checked_sub(1);
                if newest.is_none_or(|newest| newest < before) {
                    mentions.push(Mention {
                        value: id,
                        fact: at,
                        before: value.newest,
                    });
                    value.newest = mentions.len();
                }
            });
            if mentions.len() == before {
                closed.push(at);
            }
        }
        *indexed = facts.len();
    }

    /// The facts that mention a value, newest first.
    pub fn about(&self, value: ValueId) -> impl Iterator<Item = &Fact> {
        let places = self.places(value);
        places.filter_map(|at| self.facts.get(at))
    }

    fn places(&self, value: ValueId) -> impl Iterator<Item = usize> {
        let mut next = self.value_of(value).map_or(0, |it| it.newest);
        std::iter::from_fn(move || {
            let mention = self.mentions.get(next.checked_sub(1)?)?;
            next = mention.before;
            Some(mention.fact)
        })
    }

    /// At most `most` facts that are related to a goal: first those without values, then the
    /// nearest ones.
    pub fn relevant(&self, goal: &Pred, most: usize) -> Vec<Place> {
        let mut queue = VecDeque::new();
        let mut seen = HashSet::default();
        goal.each_value(&mut |id, _| {
            if seen.insert(id) {
                queue.push_back(id);
            }
        });
        let closed = self.closed.iter().rev().copied();
        let mut chosen: Vec<usize> = closed.take(MAX_FACTS / 4).collect();
        let mut is_chosen: HashSet<usize> = chosen.iter().copied().collect();
        while let Some(id) = queue.pop_front() {
            for at in self.places(id) {
                if chosen.len() >= most {
                    return chosen;
                }
                if is_chosen.insert(at)
                    && let Some(fact) = self.facts.get(at)
                {
                    chosen.push(at);
                    fact.pred.each_value(&mut |other, _| {
                        if seen.insert(other) {
                            queue.push_back(other);
                        }
                    });
                }
            }
        }
        chosen
    }

    pub fn fact(&self, place: Place) -> Option<&Fact> {
        self.facts.get(place)
    }

    /// All fact indices, newest first.
    pub fn places_from_newest(&self) -> impl Iterator<Item = Place> {
        (0..self.facts.len()).rev()
    }

    /// The facts at these indices, in the order they became known.
    pub fn facts_at(&self, mut places: Vec<Place>) -> Vec<&Fact> {
        places.sort_unstable();
        places.iter().filter_map(|at| self.facts.get(*at)).collect()
    }
}
