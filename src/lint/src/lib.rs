//! Rules for Starlark beyond layout: what buildifier warns of, under the same names, with a fix where
//! there is one that can be trusted.
//!
//! A rule is a pure function of the tree, and of what is handed over about loaded files, in a file of its
//! own under `rules/`. It says what it found;
//! edits are on the source text, and formatting comes after them.

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
mod suppress;

pub use loaded::{Deprecated, deprecated_functions, loaded_labels};
pub use phase::LintPhase;
