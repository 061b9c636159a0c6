//! Checks documents against JSON Schema and against declarative rules.
//!
//! A finding has a tier (schema, semantic or policy) and a position, as a JSON pointer and as a
//! byte span. It has a fix only if exactly one edit is right. The caller passes schemas and rules
//! as texts: this crate reads no file and fetches nothing.

mod actions;
mod convert;
mod exact;
mod finding;
mod lowering;
mod merge;
mod named;
mod nearest;
mod pack;
mod phase;
mod policy;
mod schema;
mod settings;
mod subject;
mod yaml;

pub use actions::ValidatorOutput;
pub use finding::Tier;
pub use named::{NamedSchema, named_schema};
pub use pack::Pack;
pub use phase::{Checks, Library, ValidatePhase};
pub use policy::{PolicyRule, RulesError, RulesFile};
pub use schema::{Schema, SchemaError, SchemaTexts};
pub use settings::{SchemaSetting, ValidateSettings};
pub use yaml::to_yaml;
