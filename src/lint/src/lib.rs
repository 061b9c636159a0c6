//! Lint rules for Starlark. They have the names of buildifier's warnings, and a fix if it can be
//! trusted.
//!
//! Each rule is in a file under `rules/`. It is a pure function of the syntax tree and of facts
//! about loaded files. Its edits apply to the source text; formatting runs afterwards.

mod edit;
mod file;
mod infer;
mod lint;
mod loaded;
mod loads;
mod names;
mod phase;
mod rules;
mod scope;
mod settings;
mod suppress;

pub use loaded::{Deprecated, deprecated_functions, loaded_labels, local_label, possible_labels};
pub use phase::LintPhase;
pub use settings::LintSettings;
