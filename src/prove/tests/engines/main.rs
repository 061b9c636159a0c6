//! Engines: one suite that all of them pass, and what is special to one of them.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    reason = "these tests start fake programs and a local server"
)]

mod conformance;
mod fake;
mod openai;
mod patch;
