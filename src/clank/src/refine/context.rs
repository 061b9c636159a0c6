//! What is known at a place: the values in scope and the facts about them.

use std::collections::VecDeque;

use rustc_hash::FxHashSet as HashSet;

use super::current::Current;
use super::pred::{Pred, Term, ValueId};
use crate::ast::{Expr, Text};
use crate::names::BindingId;
use crate::types::Ty;

/// Facts that are handed to the solver, or told, at most; more only take time.
pub(super) const MOST_FACTS: usize = 64;

/// The built-in `len` in a program that has a function of its own by that name.
pub(super) const SHADOWED_LEN: &str = "built-in len";

#[derive(Clone, Debug)]
pub(super) struct Value<'a> {
    pub ty: Option<Ty>,
    pub binding: Option<BindingId>,
    pub written: Written<'a>,
    /// Its place in the newest of [`Context::mentions`], counted from 1.
    newest: usize,
}

/// How a value is told of.
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

/// A fact, by how many became known before it.
pub(super) type Place = usize;

/// That a value occurs in a fact.
struct Mention {
    value: ValueId,
    fact: usize,
    /// The mention of the same value before this one, counted from 1.
    before: usize,
}

#[derive(Default)]
pub(super) struct Context<'a> {
    values: Vec<Value<'a>>,
    facts: Vec<Fact>,
    /// Which values occur in the first facts, in their order. The others are looked at when the first
    /// question comes up; most are forgotten before.
    mentions: Vec<Mention>,
    /// How many facts those are.
    looked_at: usize,
    /// Those of them that no value occurs in, ascending: the facts about calls without arguments.
    closed: Vec<usize>,
    /// The value each binding stands for now.
    current: Current,
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

impl<'a> Context<'a> {
    /// Nothing is known, as at the start of a function.
    pub fn clear(&mut self) {
        self.values.clear();
        self.facts.clear();
        self.mentions.clear();
        self.looked_at = 0;
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

    /// A value that no binding stands for.
    pub fn value(&mut self, ty: Option<Ty>, written: Written<'a>) -> ValueId {
        self.add_value(ty, None, written)
    }

    pub fn value_of(&self, id: ValueId) -> Option<&Value<'a>> {
        self.values.get(id.0 as usize)
    }

    /// A binding comes into scope.
    pub fn bind(&mut self, binding: BindingId, ty: Option<Ty>) -> ValueId {
        let value = self.add_value(ty, Some(binding), Written::Named);
        self.current.set(binding, value);
        self.scope.push(binding);
        value
    }

    pub fn current(&self, binding: BindingId) -> Option<ValueId> {
        self.current.get(binding)
    }

    /// A binding stands for a new value from here on.
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

    /// Forgets everything since the mark. Gives the bindings that were assigned in between.
    pub fn back_to(&mut self, mark: Mark) -> Vec<BindingId> {
        self.facts.truncate(mark.facts);
        self.looked_at = self.looked_at.min(mark.facts);
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
        self.facts.push(Fact {
            pred,
            source,
            about: about.into(),
        });
    }

    /// Makes what is known ready for questions.
    pub fn look_at_facts(&mut self) {
        let Self {
            values,
            facts,
            mentions,
            looked_at,
            closed,
            ..
        } = self;
        for (at, fact) in facts.iter().enumerate().skip(*looked_at) {
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
        *looked_at = facts.len();
    }

    /// The facts a value occurs in, the newest first.
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

    /// The facts that have to do with a goal: first those without values, then the nearest, but not more
    /// than so many.
    pub fn relevant(&self, goal: &Pred, most: usize) -> Vec<Place> {
        let mut queue = VecDeque::new();
        let mut seen = HashSet::default();
        goal.each_value(&mut |id, _| {
            if seen.insert(id) {
                queue.push_back(id);
            }
        });
        let closed = self.closed.iter().rev().copied();
        let mut chosen: Vec<usize> = closed.take(MOST_FACTS / 4).collect();
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

    /// Where there are facts, the newest first.
    pub fn places_from_newest(&self) -> impl Iterator<Item = Place> {
        (0..self.facts.len()).rev()
    }

    /// The facts at these places, in the order they became known.
    pub fn facts_at(&self, mut places: Vec<Place>) -> Vec<&Fact> {
        places.sort_unstable();
        places.iter().filter_map(|at| self.facts.get(*at)).collect()
    }
}
