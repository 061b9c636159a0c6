//! TOML: our own printer. Its result is checked by toml_edit and by a scan that is independent of
//! its parser.
//!
//! Existing TOML printers take exponential time on nested values, and ten times as long on all
//! others.

mod check;
mod indent;
mod layout;
mod parser;
mod scalar;
mod token;

#[cfg(test)]
mod tests;

use fixpoint_text::Span;

use crate::error::SyntaxError;
use crate::newline::Source;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Language, Style};
use check::comments;

/// The printer of TOML.
pub(crate) struct Toml;

impl Printer for Toml {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        match printed(job.style, text) {
            // Prefer the error message of the check parser, if it has one.
            Err(FormatError::Syntax(own)) => {
                let other = crate::parses(job.language, job.path, text).err();
                Err(FormatError::Syntax(other.unwrap_or(own)))
            }
            // The printer does not look up keys, but TOML forbids duplicate keys.
            Ok(printed) => parses(text).map(|()| printed).map_err(FormatError::from),
            other => other,
        }
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        parses(text)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        comments(text)
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        outline(text)
    }

    // The parser has its own limit.
    fn check_depth(&self, _: &str) -> Result<(), FormatError> {
        Ok(())
    }
}

fn printed(style: Style, text: &str) -> Result<String, FormatError> {
    let mut document = parser::parse(text)?;
    indent::resolve_levels(&mut document);
    Ok(layout::print(&mut document, style, text.len()))
}

fn parses(text: &str) -> Result<(), SyntaxError> {
    toml_edit::Document::parse(text).map(drop).map_err(|error| {
        let span = error.span().unwrap_or(0..text.len());
        SyntaxError::new(error.message(), Span::from(span))
    })
}

fn outline(text: &str) -> Result<Outline, SyntaxError> {
    parses(text)?;
    Ok(Outline {
        comments: comments(text),
        meaning: Meaning::Exact(check::meaning(Source::read(Language::Toml, text).body())),
    })
}
