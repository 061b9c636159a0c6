//! What the crate promises, through its public interface.

mod actions;
mod bad_input;
mod bridge;
mod golden;
mod harness;
mod ops;
mod property;
mod reading;
mod reference;
mod writers;
