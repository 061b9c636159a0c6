//! Declarative rules. Each has a pattern of places, a condition, a message and optionally a fix.

mod check;
mod condition;
mod file;
mod fix;
mod pattern;
mod read;

pub(crate) use check::check;
pub(crate) use file::file_globs;
pub use file::{PolicyRule, RulesFile};
pub use read::RulesError;
