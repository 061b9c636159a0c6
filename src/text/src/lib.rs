//! Basic text types that every other crate uses: byte ranges (`Span`), content hashes (`Digest`),
//! lines (`LineIndex`), and the immutable base that edits refer to (`Snapshot`). The crate also
//! contains text rules that several crates must agree on.

mod digest;
mod escape;
mod line_diff;
mod line_index;
mod snapshot;
mod span;

pub use digest::Digest;
pub use escape::{escape_json, escape_yaml, needs_escape};
pub use line_diff::{LineChange, line_changes};
pub use line_index::{LineColumn, LineIndex};
pub use snapshot::Snapshot;
pub use span::Span;
