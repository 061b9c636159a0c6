//! What the crate promises, through its public interface.

mod harness;
mod property;
mod reference;
mod writers;
