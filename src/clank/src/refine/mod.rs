//! Refinements: what must hold where, what is known there, and whether the one follows from the other.
//! Owns E3001, the obligations, and the holes, which are told with the same context.
//!
//! A function is walked once, in the order it runs. A variable stands for a *value*; an assignment, a
//! loop or a branch that assigns makes it stand for another one, so that facts never go stale.

mod bind;
mod branch;
mod calls;
mod context;
mod counterexample;
mod current;
mod decide;
mod encode;
mod flow;
mod handed;
mod hints;
mod lasting;
mod needed;
mod pred;
mod program;
mod quick;
mod repeatable;
mod siblings;
mod terms;
mod unreachable;
mod walk;
mod words;

pub use pred::{Arith, Cmp, Pred, Term, ValueId, Words};
pub use program::{Declared, Program, Refinements, check};
pub(crate) use repeatable::unrepeatable;
