//! Drops facts that cannot affect a goal.
//!
//! A fact may define a value that no other fact mentions. Some value satisfies it in any case, so
//! dropping it does not change what follows.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::context::{Fact, MAX_FACTS, Place};
use super::pred::{Cmp, Pred, Term, ValueId};
use super::walk::Walker;

/// The maximum number of facts to search for the relevant ones.
pub(super) const MAX_RELEVANT_FACTS: usize = 1024;

impl Walker<'_> {
    /// The facts that may imply a goal, in the order they became known.
    pub(super) fn needed(&self, goal: &Pred) -> Vec<&Fact> {
        self.needed_of(self.context.relevant(goal, MAX_RELEVANT_FACTS), goal)
    }

    /// The subset of some facts that may imply a goal.
    pub(super) fn needed_of(&self, mut places: Vec<Place>, goal: &Pred) -> Vec<&Fact> {
        let context = &self.context;
        let mut mentions: HashMap<ValueId, usize> = HashMap::default();
        goal.each_value(&mut |id, _| *mentions.entry(id).or_default() += 1);
        for fact in places.iter().filter_map(|at| context.fact(*at)) {
            let pred = &fact.pred;
            pred.each_value(&mut |id, _| *mentions.entry(id).or_default() += 1);
        }
        // Values are usually defined by older ones, so the newest facts are dropped first.
        let mut newest_first = places.clone();
        newest_first.sort_unstable_by(|a, b| b.cmp(a));
        let mut left_out: HashSet<Place> = HashSet::default();
        loop {
            let before = left_out.len();
            newest_first.retain(|at| {
                let Some(fact) = context.fact(*at) else {
                    return false;
                };
                let is_needed = !self.only_defines(&fact.pred, &mentions);
                if !is_needed {
                    left_out.insert(*at);
                    fact.pred.each_value(&mut |id, _| {
                        mentions.entry(id).and_modify(|count| *count -= 1);
                    });
                }
                is_needed
            });
            if left_out.len() == before {
                break;
            }
        }
        places.retain(|at| !left_out.contains(at));
        places.truncate(MAX_FACTS);
        context.facts_at(places)
    }

    /// Whether some value that occurs nowhere else satisfies the predicate in any case.
    fn only_defines(&self, pred: &Pred, mentions: &HashMap<ValueId, usize>) -> bool {
        let occurs = |term: &Term, times: usize| match term {
            Term::Value(id, _) => mentions.get(id) == Some(&times),
            _ => false,
        };
        match pred {
            // Identity does not constrain the two values. Equality implies that they are not NaN,
            // so it needs integers.
            Pred::Compare(Cmp::Same, left, right) => occurs(left, 1) || occurs(right, 1),
            Pred::Compare(_, left, right) => {
                let is_integer = |it| self.primitive(it).is_some_and(|it| it.is_integer());
                (occurs(left, 1) || occurs(right, 1)) && is_integer(left) && is_integer(right)
            }
            // The definition of a boolean: both sides hold, or neither does.
            Pred::Or(both, neither) => match (both.as_ref(), neither.as_ref()) {
                (Pred::And(is, holds), Pred::And(is_not, fails)) => {
                    matches!(
                        (is.as_ref(), is_not.as_ref(), fails.as_ref()),
                        (Pred::Holds(is), Pred::Not(is_not), Pred::Not(fails))
                            if occurs(is, 2)
                                && matches!(is_not.as_ref(), Pred::Holds(it) if it == is)
                                && fails == holds
                                && pred.is_known()
                    )
                }
                _ => false,
            },
            _ => false,
        }
    }
}
