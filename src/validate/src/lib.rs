//! Documents against JSON Schema and against declarative rules.
//!
//! A finding says in which tier it stands (schema, semantic, policy) and where, by JSON pointer and by
//! bytes. It has a fix only where exactly one edit is right. Schemas and rules are handed in as texts:
//! nothing here reads a file, and nothing is ever fetched.

mod actions;
mod convert;
mod exact;
mod found;
mod joined;
mod lowering;
mod named;
mod near;
mod pack;
mod phase;
mod policy;
mod schema;
mod subject;
mod yaml;

pub use actions::ValidatorOutput;
pub use found::Tier;
pub use named::{NamedSchema, named_schema};
pub use pack::Pack;
pub use phase::{Checks, Library, ValidatePhase};
pub use policy::{PolicyRule, RulesError, RulesFile};
pub use schema::{Schema, SchemaError, SchemaTexts};
pub use yaml::to_yaml;
