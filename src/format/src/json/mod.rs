//! JSON and JSON with comments: our own printer, checked by jsonc-parser.
//!
//! Existing JSON printers take exponential time on nested values.

mod layout;

use fixpoint_text::Span;
use jsonc_parser::errors::ParseError;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, Scanner, ScannerOptions};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Language, depth};

/// The printer of JSON, with and without comments.
pub(crate) struct Json;

impl Printer for Json {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        parses(job.language, text)?;
        let mut tokens = Vec::with_capacity(text.len() / 8);
        let mut end = 0;
        scan(text, |token, span| {
            tokens.push(layout::Token::new(
                token,
                &text[span.range()],
                &text[end..span.start()],
            ));
            end = span.end();
        })?;
        Ok(layout::print(&tokens, job.style))
    }

    fn parses(&self, variant: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        parses(variant.language, text)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        let mut comments = Vec::new();
        // If scanning fails, the comments before the error are still valid.
        let _ = scan(text, |token, span| {
            if is_comment(token) {
                comments.push(span);
            }
        });
        comments
    }

    fn outline(&self, variant: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        parses(variant.language, text)?;
        let mut comments = Vec::new();
        let mut meaning = Vec::with_capacity(text.len());
        scan(text, |token, span| {
            if is_comment(token) {
                comments.push(span);
                return;
            }
            if matches!(token, Token::CloseBrace | Token::CloseBracket)
                && meaning.last() == Some(&b',')
            {
                meaning.pop();
            }
            // Values are compared as written, because a printer must not change strings and numbers.
            meaning.extend_from_slice(text[span.range()].as_bytes());
        })?;
        Ok(Outline {
            comments,
            meaning: Meaning::Exact(meaning),
        })
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::json(text)
    }
}

fn parses(language: Language, text: &str) -> Result<(), SyntaxError> {
    let with_comments = language.info().comments.are_allowed;
    let options = ParseOptions {
        allow_comments: with_comments,
        allow_trailing_commas: with_comments,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let (body, mark) = without_mark(text);
    jsonc_parser::parse_to_ast(body, &CollectOptions::default(), &options)
        .map(drop)
        .map_err(|error| syntax_error(&error, mark))
}

/// The text after the byte order mark, which JSON parsers reject, and the length of the mark.
fn without_mark(text: &str) -> (&str, usize) {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    (body, text.len() - body.len())
}

fn is_comment(token: &Token<'_>) -> bool {
    matches!(token, Token::CommentLine(_) | Token::CommentBlock(_))
}

fn scan(text: &str, mut each: impl FnMut(&Token<'_>, Span)) -> Result<(), SyntaxError> {
    let (body, mark) = without_mark(text);
    let mut scanner = Scanner::new(body, &ScannerOptions::default());
    while let Some(token) = scanner.scan().map_err(|error| syntax_error(&error, mark))? {
        let (start, end) = (scanner.token_start(), scanner.token_end());
        each(&token, Span::from(start + mark..end + mark));
    }
    Ok(())
}

fn syntax_error(error: &ParseError, mark: usize) -> SyntaxError {
    let range = error.range();
    let span = Span::from(range.start + mark..range.end + mark);
    SyntaxError::new(error.kind().to_string(), span)
}
