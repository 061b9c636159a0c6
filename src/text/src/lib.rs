//! What every other crate says about text: where (`Span`), which bytes (`Digest`), on which line
//! (`LineIndex`), and the immutable base that edits refer to (`Snapshot`). Rules about text that several
//! crates must agree on are here as well.

mod digest;
mod escape;
mod json_dialect;
mod line_diff;
mod line_index;
mod snapshot;
mod span;

pub use digest::Digest;
pub use escape::{escape_json, escape_yaml, needs_escape};
pub use json_dialect::JsonDialect;
pub use line_diff::{LineChange, line_changes};
pub use line_index::{LineColumn, LineIndex};
pub use snapshot::Snapshot;
pub use span::Span;
