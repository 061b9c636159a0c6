//! Refinements: what must hold where, what is known there, and whether the one follows from the other.
//! Owns E3001 and the obligations.

mod pred;

pub use pred::{Arith, Cmp, Pred, Term, ValueId};
