//! Reads and edits JSON, YAML and TOML documents by JSON pointer.
//!
//! A [`Document`] gives access to the values and keys of a text and their byte ranges, in the same
//! way for all formats. A [`FixAction`] changes documents by pointer. [`lower`] turns a pack of
//! actions into fix reports, whose edits change only what the actions name.

mod action;
mod confirm;
mod duplicate_keys;
mod emit;
mod error;
mod format;
mod lower;
mod number;
mod overlay;
mod pack;
mod parse;
mod pointer;
mod reported;
mod toml;
mod tree;
mod value;

pub use action::{ActionPack, Change, Expects, FixAction, Op, Target};
pub use error::{ApplyError, Problem, Reason};
pub use format::Format;
pub use lower::{Lowered, OpSet, Sources, lower};
pub use number::Number;
pub use pack::PackError;
pub use pointer::{Pointer, PointerSyntaxError, escape};
pub use reported::check_reported;
pub use tree::{Document, Entry, LookupError, Node, ParseError};
pub use value::{Kind, Value};
