//! Random questions, each checked by other means.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests that start z3, and say so when there is none"
)]

mod brute_force;
mod questions;
mod z3;
