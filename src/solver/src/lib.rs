//! Decides whether facts imply a goal, for the predicates of refinement types: linear integer
//! arithmetic with booleans, and functions of which nothing is known but that equal arguments give
//! equal results.
//!
//! Within that language the answer is exact: [`Verdict::Proved`] means that no values make the
//! facts true and the goal false, [`Verdict::Refuted`] brings such values. Products and quotients
//! of variables, and problems that outgrow the budget, may end as [`Verdict::Unknown`]. Numbers
//! have no size limit, the work is counted in steps and not in time, and the same question always
//! gets the same answer.
//!
//! A goal that is refuted need not be wrong: its facts may just say too little. Whether the facts
//! exclude the goal is the question whether they prove its negation.

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

/// The steps [`prove`] may take: more than any predicate written by hand needs, and still far
/// below a second.
pub const DEFAULT_STEPS: u64 = 1_000_000;

/// Whether `goal` holds wherever all of `facts` hold.
pub fn prove(facts: &[Formula], goal: &Formula) -> Verdict {
    prove_within(facts, goal, DEFAULT_STEPS)
}

/// [`prove`], giving up after `steps`.
pub fn prove_within(facts: &[Formula], goal: &Formula, steps: u64) -> Verdict {
    search::prove(facts, goal, &mut steps::Steps::new(steps))
}
