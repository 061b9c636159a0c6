//! Decides whether facts imply a goal, for the predicates of refinement types: linear integer
//! arithmetic with booleans and uninterpreted functions.
//!
//! Within that language the answer is exact. [`Verdict::Proved`] means that no values make the
//! facts true and the goal false; [`Verdict::Refuted`] contains such values. Products and quotients
//! of variables, and questions that exceed the budget, may end as [`Verdict::Unknown`].
//!
//! Numbers have no size limit. Work is counted in steps instead of time, so the same question
//! always gets the same answer.
//!
//! A refuted goal is not necessarily wrong: the facts may be too weak. To find out whether the
//! facts exclude the goal, ask whether they prove its negation.

mod formula;
mod linear;
mod omega;
mod problem;
mod search;
mod steps;
mod verdict;

pub use num_bigint::BigInt;

pub use formula::{Comparison, Formula, Term};
pub use verdict::{Model, Unknown, Value, Verdict};

/// The step limit of [`prove`]: more than any hand-written predicate needs, and far below a second.
pub const DEFAULT_STEPS: u64 = 1_000_000;

/// Whether `goal` holds whenever all `facts` hold.
pub fn prove(facts: &[Formula], goal: &Formula) -> Verdict {
    prove_within(facts, goal, DEFAULT_STEPS)
}

/// Like [`prove`], with a limit of `steps`.
pub fn prove_within(facts: &[Formula], goal: &Formula, steps: u64) -> Verdict {
    search::prove(facts, goal, &mut steps::Steps::new(steps))
}
