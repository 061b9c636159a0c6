//! Documents against JSON Schema.

mod check;
mod compile;
mod former;
pub(crate) mod message;
mod repair;
pub(crate) mod rules;

pub(crate) use check::check;
pub use compile::{Schema, SchemaError, SchemaTexts, beside};
