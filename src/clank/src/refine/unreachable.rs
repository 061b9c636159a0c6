//! Places that nothing reaches: where facts contradict one another, anything holds, whether or not they
//! have to do with what is asked.

use fixpoint_solver::{Formula, Verdict, prove_within};
use rustc_hash::FxHashSet as HashSet;

use super::context::{Fact, Place};
use super::encode::Encoder;
use super::needed::MOST_LOOKED_AT;
use super::pred::Pred;
use super::walk::Walker;

/// Groups of facts that are looked at, the newest first: it is a condition nearby that excludes a place.
const MOST_GROUPS: usize = 32;

/// What a contradiction somebody wrote needs at most.
const STEPS: u64 = 10_000;

impl Walker<'_> {
    /// Whether facts that have nothing to do with a goal contradict one another.
    pub(super) fn is_unreachable(&self, goal: &Pred) -> bool {
        let context = &self.context;
        let related = context.relevant(goal, MOST_LOOKED_AT);
        let mut seen: HashSet<Place> = related.into_iter().collect();
        let mut groups = 0;
        for place in context.places_from_newest() {
            if groups == MOST_GROUPS {
                break;
            }
            if !seen.contains(&place)
                && let Some(fact) = context.fact(place)
            {
                let group = context.relevant(&fact.pred, MOST_LOOKED_AT);
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
