//! Rewrite rules: a pattern finds code by its structure, guards limit where it applies, and a template replaces it.
//!
//! [`Tree`] is one lossless syntax tree in front of all languages. Everything here is a function of texts: no files, no
//! clock, no environment.

mod tree;

pub use tree::{Children, Kind, Language, NodeId, ParseError, Tree};
