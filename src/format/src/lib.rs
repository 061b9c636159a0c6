//! Computes the canonical text of a source file. It does not read or write files.
//!
//! [`canonical`] is the entry point. It prints a text until printing changes nothing and keeps the
//! lines that the author wants to keep. It rejects a result that does not parse, loses a comment or
//! changes the meaning.
//!
//! Each language is a module behind the cargo feature of the same name, with an implementation of
//! `Printer`.

// A build without all languages does not use all of the shared code.
#![cfg_attr(
    not(feature = "default"),
    allow(dead_code, unused_mut, unused_variables)
)]

mod align;
mod canonical;
mod comment;
mod depth;
mod doc;
mod error;
mod keep;
mod newline;
mod outline;
mod phase;
mod pragma;
mod printer;
mod rules;
mod style;
mod suppress;
mod template;
mod text;
mod words;

#[cfg(feature = "clank")]
mod clank;
#[cfg(feature = "css")]
mod css;
#[cfg(feature = "graphql")]
mod graphql;
#[cfg(feature = "html")]
mod html;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "markdown")]
mod markdown;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "starlark")]
mod starlark;
#[cfg(feature = "toml")]
mod toml;
#[cfg(feature = "typescript")]
mod typescript;
#[cfg(feature = "yaml")]
mod yaml;

pub use canonical::{canonical, print_unchecked};
pub use comment::comment_key;
pub use error::{FormatError, SyntaxError};
pub use fixpoint_engine::Indent;
pub use fixpoint_language::Language;
pub use outline::{comments, parses, same_meaning};
pub use phase::{FormatPhase, SourceLanguage};
pub use printer::Styles;
pub use style::Style;
pub use suppress::{Ignore, Suppressions, has_directives};
