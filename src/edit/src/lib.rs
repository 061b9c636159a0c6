//! Merges many fixes on one base into one text: decides which fixes can be applied together, and
//! computes the result.
//!
//! This crate does not depend on any language or formatting rule, and does not access files.

mod apply;
mod check;
mod conflict;
mod merge;
mod plan;
mod snapshots;
mod source_map;

pub use apply::{Applied, apply};
pub use check::{EditError, EditProblem};
pub use merge::{Merge, merge};
pub use plan::{Based, Plan, PlannedFile, plan};
pub use snapshots::Snapshots;
pub use source_map::SourceMap;
