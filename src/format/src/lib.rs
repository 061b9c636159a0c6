//! Computes the canonical text of a source file. It does not read or write files.
//!
//! [`canonical`] is the entry point. It prints a text until printing changes nothing and keeps the
//! lines that the author wants to keep. It rejects a result that does not parse, loses a comment or
//! changes the meaning.
//!
//! Each language is a module behind the cargo feature of the same name.

// A build without all languages does not use all of the shared code.
#![cfg_attr(
    not(all(
        feature = "clank",
        feature = "css",
        feature = "graphql",
        feature = "html",
        feature = "json",
        feature = "markdown",
        feature = "python",
        feature = "toml",
        feature = "typescript",
        feature = "yaml"
    )),
    allow(dead_code, unused_variables)
)]

mod align;
mod canonical;
mod comment;
mod depth;
mod detect;
mod error;
mod keep;
mod language;
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

pub use canonical::canonical;
pub use comment::comment_key;
pub use error::{FormatError, SyntaxError};
pub use fixpoint_engine::Indent;
pub use language::Language;
pub use outline::{comments, parses, same_meaning};
pub use phase::{FormatPhase, SourceLanguage};
pub use printer::Styles;
pub use style::Style;
pub use suppress::{Ignore, Suppressions};
