//! Clank: printed and checked by our own crate.

use fixpoint_clank::lex::lex;
use fixpoint_clank::parse::parse;
use fixpoint_clank::print::format;
use fixpoint_text::Span;

use crate::FormatError;
use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};

/// The printer of Clank.
pub(crate) struct Clank;

impl Printer for Clank {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        format(job.path, text).map_err(|errors| match errors.into_iter().next() {
            Some(error) => FormatError::Syntax(SyntaxError::new(&error.message, error.span)),
            None => FormatError::damaged("no reason given"),
        })
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        parses(text)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        comments(text)
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        parses(text)?;
        Ok(Outline {
            comments: comments(text),
            meaning: Meaning::Exact(fixpoint_clank::json::meaning(&parse("", text).ast)),
        })
    }

    // The parser has its own limit.
    fn check_depth(&self, _: &str) -> Result<(), FormatError> {
        Ok(())
    }
}

fn parses(text: &str) -> Result<(), SyntaxError> {
    let errors = parse("", text).errors;
    errors.first().map_or(Ok(()), |error| {
        Err(SyntaxError::new(&error.message, error.span))
    })
}

fn comments(text: &str) -> Vec<Span> {
    let tokens = lex(text).all.into_iter();
    let comments = tokens.filter(|token| token.kind.is_comment());
    comments.map(|token| token.span).collect()
}
