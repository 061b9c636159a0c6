//! Refinement checking: obligations, the facts known at each place, and whether the facts imply the
//! obligations. Owns E3001, the obligations and the holes, which are reported with the same
//! context.
//!
//! A function is walked once, in execution order. A variable refers to a *value*. An assignment, or
//! a loop or branch that assigns, gives it a new value, so that facts never become stale.

mod bind;
mod branch;
mod calls;
mod coercion;
mod context;
mod counterexample;
mod current;
mod decide;
mod encode;
mod flow;
mod hints;
mod needed;
mod pred;
mod program;
mod quick;
mod repeatable;
mod run_time;
mod siblings;
mod stable;
mod terms;
mod unreachable;
mod walk;
mod words;

pub(crate) use flow::leaves;
pub use pred::{Arith, Cmp, Pred, Term, ValueId, Words};
pub use program::{Declared, Program, Refinements, check};
pub(crate) use repeatable::unrepeatable;
pub use run_time::{Contract, Predicate, RunTimeCheck};
pub use walk::TypeNames;
