//! Parses and formats Starlark as Bazel accepts it. The tree is lossless and supports error
//! recovery.
//!
//! Formats BUILD, WORKSPACE, MODULE.bazel and .bzl files. The canonical text is identical to the
//! output of buildifier 8.2.1, except where buildifier loses a comment, breaks the file or is not
//! stable.
//!
//! This crate works on texts only. It does not read files or the environment.

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

/// The comments of a file in source order, even if the file has syntax errors.
pub fn comments(text: &str) -> Vec<Span> {
    lex::comments(text)
}
