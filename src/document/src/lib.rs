//! JSON, YAML and TOML documents by pointer.
//!
//! A [`Document`] tells what stands where in a text: values, keys and their bytes, for all formats
//! alike.

mod format;
mod number;
mod parse;
mod pointer;
mod toml;
mod tree;
mod value;

pub use format::Format;
pub use number::Number;
pub use pointer::{Pointer, PointerSyntaxError, escape};
pub use tree::{Document, Entry, LookupError, Node, ParseError};
pub use value::{Kind, Value};
