//! From many fixes on one base to one text: which of them go together, and what the result is.
//!
//! Nothing here knows a language or a formatting rule, and nothing here touches a file.

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
