//! Starlark: printed and checked by our own crate, with the same output as buildifier.

use fixpoint_starlark::{FileKind, Parse, comments as comments_of, format_parsed, parse_nodes};
use fixpoint_text::Span;

use crate::FormatError;
use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};

/// The printer of Starlark.
pub(crate) struct Starlark;

impl Printer for Starlark {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        print_parsed(job, text, parse_nodes(text))
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        parses(text)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        comments_of(text)
    }

    // The printer has checked its own result, and it sorts unordered items.
    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        Ok(Outline {
            comments: comments_of(text),
            meaning: Meaning::Unknown,
        })
    }

    // The parser has its own limit.
    fn check_depth(&self, _: &str) -> Result<(), FormatError> {
        Ok(())
    }

    // The printer merges loads, including duplicates. Printing never adds a syntax node.
    fn may_repeat(&self, body: &str, restored: &str) -> bool {
        size(restored) > size(body)
    }
}

/// Prints `text`, which was parsed to `parsed`.
pub(crate) fn print_parsed(
    job: Job<'_>,
    text: &str,
    parsed: Parse<'_>,
) -> Result<String, FormatError> {
    let kind = FileKind::of_name(job.path);
    format_parsed(kind, job.path, parsed).map_err(|errors| {
        // The printer also rejects a valid text if its own result fails a check.
        match (parses(text), errors.first()) {
            (Err(error), _) => FormatError::Syntax(error),
            (Ok(()), Some(fault)) => FormatError::damaged(fault.message()),
            (Ok(()), None) => FormatError::damaged("no reason given"),
        }
    })
}

fn parses(text: &str) -> Result<(), SyntaxError> {
    errors(text).into_iter().next().map_or(Ok(()), Err)
}

/// All syntax errors of a text, in order.
pub(crate) fn errors(text: &str) -> Vec<SyntaxError> {
    let errors = parse_nodes(text).errors.into_iter();
    errors
        .map(|error| SyntaxError::new(error.message(), error.span()))
        .collect()
}

/// The number of syntax nodes of a text.
fn size(text: &str) -> usize {
    parse_nodes(text).tree.len()
}
