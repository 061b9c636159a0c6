//! The `FixReport` and everything about it that needs no file access: its types, the ids of its
//! diagnostics and fixes, the sort orders of its lists, and its two serialized forms.
//!
//! The types are generated from `proto/fixpoint/v1/report.proto`. The constructors in this crate
//! build valid values, and [`read`] rejects invalid reports.

#[allow(
    clippy::doc_markdown,
    unused_qualifications,
    reason = "generated from the schema"
)]
mod wire {
    include!(concat!(env!("OUT_DIR"), "/fixpoint.v1.rs"));
}

mod build;
mod collision;
mod defaults;
mod ids;
mod json_text;
mod orders;
mod path;
mod read;
mod validate;
mod words;

pub use collision::collision;
pub use ids::Names;
pub use orders::{EmitKey, Position, RuleKey, apply_order, emit_order, rank_order, rule_order};
pub use path::is_workspace_path;
pub use read::{ReportError, from_json, from_protobuf, read, to_json, to_protobuf};
pub use wire::*;
pub use words::{UnknownWord, confidence_from_number, parse_word, word};

/// The schema version that this crate reads and writes.
pub const SCHEMA_VERSION: u32 = 1;
