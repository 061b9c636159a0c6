//! Tests of the crate's guarantees through its public interface.

mod actions;
mod bad_input;
mod bridge;
mod combined;
mod golden;
mod guarded;
mod harness;
mod kept;
mod ops;
mod property;
mod reading;
mod reasons;
mod reference;
mod removed;
mod writers;
