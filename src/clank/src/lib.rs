//! The Clank language: compiles text or AST JSON to diagnostics, obligations and a canonical
//! program.
//!
//! [`compile`] is the entry point. Each phase is a pure function of the tree and the results of
//! earlier phases. It owns its diagnostic codes and is in a module of its name.
//!
//! Syntax is in [`lex`] and [`parse`]. Then follow names, types with exhaustiveness, effects,
//! refinements, unused variables and the canonical form. All information about a node is keyed by
//! its [`NodeId`](ast::NodeId).

pub mod ast;
pub mod canonical;
mod compile;
pub mod diagnostic;
mod effects;
pub mod emit;
mod host;
pub mod json;
pub mod lex;
pub mod modules;
pub mod names;
mod parallel;
pub mod parse;
mod phase;
pub mod print;
pub mod refine;
pub mod repair;
pub mod result;
pub mod source;
pub mod syntax;
mod table;
mod template;
pub mod types;
mod unused;

pub use compile::{Deadline, Input, Options, compile};
pub use phase::{ClankPhase, reference, repair_of};
