//! Checks documents against JSON Schema.

mod check;
mod compile;
mod former_keys;
pub(crate) mod message;
mod repair;
pub(crate) mod rules;
mod work;

pub(crate) use check::{check, too_much_work};
pub use compile::{Schema, SchemaError, SchemaTexts, beside};
