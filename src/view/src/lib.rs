//! Views of what a report says. They are computed from it and hold nothing it does not.

mod diff;

pub use diff::unified_diff;
