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
use crate::printer::Job;
use crate::{FormatError, Language, Style};

pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    printed(job.style, text).map_err(|error| match error {
        // Prefer the error message of the check parser, if it has one.
        FormatError::Syntax(own) => {
            let other = crate::parses(job.language, job.path, text).err();
            FormatError::Syntax(other.unwrap_or(own))
        }
        other => other,
    })
}

fn printed(style: Style, text: &str) -> Result<String, FormatError> {
    let mut document = parser::parse(text)?;
    indent::resolve_levels(&mut document);
    Ok(layout::print(&mut document, style, text.len()))
}

pub(crate) fn parses(text: &str) -> Result<(), SyntaxError> {
    toml_edit::Document::parse(text).map(drop).map_err(|error| {
        let span = error.span().unwrap_or(0..text.len());
        SyntaxError::new(error.message(), Span::from(span))
    })
}

pub(crate) fn comments(text: &str) -> Vec<Span> {
    check::comments(text)
}

pub(crate) fn outline(text: &str) -> Result<Outline, SyntaxError> {
    parses(text)?;
    Ok(Outline {
        comments: check::comments(text),
        meaning: Meaning::Exact(check::meaning(Source::read(Language::Toml, text).body())),
    })
}
