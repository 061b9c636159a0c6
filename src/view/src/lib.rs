//! Views that are computed from a report and contain no additional data.

mod diff;
mod line_map;

pub use diff::unified_diff;
pub use line_map::LineMap;
