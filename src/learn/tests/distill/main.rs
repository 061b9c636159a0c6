//! Specifications of learning: which rules come from which pairs, and when there is none.
#![allow(clippy::disallowed_methods)]

mod abstain;
mod families;
mod family;
mod guards;
