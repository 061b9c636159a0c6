//! Starlark, as Bazel reads it: a lossless tree with error recovery, and the canonical text of
//! BUILD, WORKSPACE, MODULE.bazel and .bzl files, byte for byte that of buildifier 8.2.1 but for
//! the cases where buildifier loses a comment, breaks the file or does not settle.
//!
//! Text in, text out: nothing here reads a file or the environment.

mod error;
mod format;
mod kind;
mod lex;
mod literal;
mod parse;
mod print;
mod rewrite;
mod tree;

pub use error::SyntaxError;
pub use format::{format, format_parsed};
pub use kind::FileKind;
pub use lex::TokenKind;
pub use parse::{Parse, ParsedOnce, parse, parse_nodes};
pub use tree::{
    CommentRef, Function, Kind, Leaf, LeafKind, Load, NodeRef, Nodes, Op, Shape, Symbol, Tree,
};

use fixpoint_text::Span;

/// The comments of a file in source order, whether it is well-formed or not.
pub fn comments(text: &str) -> Vec<Span> {
    lex::comments(text)
}
