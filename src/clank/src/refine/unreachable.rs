//! Unreachable places: if the facts contradict each other, every goal holds, even if the facts are
//! unrelated to it.

use fixpoint_solver::{Formula, Verdict, prove_within};
use rustc_hash::FxHashSet as HashSet;

use super::context::{Fact, Place};
use super::encode::Encoder;
use super::needed::MAX_RELEVANT_FACTS;
use super::pred::Pred;
use super::walk::Walker;

/// The maximum number of fact groups to check, newest first: a nearby condition usually makes a
/// place unreachable.
const MAX_GROUPS: usize = 32;

/// A step limit that is enough for hand-written contradictions.
const STEPS: u64 = 10_000;

impl Walker<'_> {
    /// Whether facts that are unrelated to a goal contradict each other.
    pub(super) fn is_unreachable(&self, goal: &Pred) -> bool {
        let context = &self.context;
        let related = context.relevant(goal, MAX_RELEVANT_FACTS);
        let mut seen: HashSet<Place> = related.into_iter().collect();
        let mut groups = 0;
        for place in context.places_from_newest() {
            if groups == MAX_GROUPS {
                break;
            }
            if !seen.contains(&place)
                && let Some(fact) = context.fact(place)
            {
                let group = context.relevant(&fact.pred, MAX_RELEVANT_FACTS);
                seen.extend(&group);
                let facts = self.needed_of(group, &Pred::Bool(false));
                if !facts.is_empty() {
                    groups += 1;
                    if self.contradict(&facts) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn contradict(&self, facts: &[&Fact]) -> bool {
        let mut encoder = Encoder::new(self, facts.iter().map(|fact| &fact.pred));
        let mut known: Vec<Formula> = facts.iter().map(|it| encoder.formula(&it.pred)).collect();
        known.append(&mut encoder.lemmas);
        prove_within(&known, &Formula::Bool(false), STEPS) == Verdict::Proved
    }
}
