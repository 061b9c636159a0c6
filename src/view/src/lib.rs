//! Views of what a report says. They are computed from it and hold nothing it does not.

mod diff;
mod line_map;

pub use diff::unified_diff;
pub use line_map::LineMap;
