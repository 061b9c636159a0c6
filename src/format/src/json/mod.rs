//! JSON and JSON with comments: printed by dprint, checked by jsonc-parser.

use std::path::Path;

use dprint_plugin_json::configuration::{ConfigurationBuilder, TrailingCommaKind};
use fixpoint_text::Span;
use jsonc_parser::errors::ParseError;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, Scanner, ScannerOptions};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, refused};
use crate::{FormatError, Language};

pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    // The printer reads anything up to JSON5 and would turn it into JSON without a word.
    parses(job.language, text)?;
    let config = ConfigurationBuilder::new()
        .line_width(job.style.line_width().into())
        .indent_width(job.style.indent_width(2))
        .use_tabs(job.style.tabs())
        .comment_line_force_space_after_slashes(false)
        .package_json_apply_conventions(false)
        .trailing_commas(match job.language {
            Language::Json => TrailingCommaKind::Never,
            _ => TrailingCommaKind::Maintain,
        })
        .ignore_node_comment_text("prettier-ignore")
        .build();
    dprint_plugin_json::format_text(Path::new("file.json"), text, &config)
        .map(|printed| printed.unwrap_or_else(|| text.to_owned()))
        .map_err(|error| refused(job, text, &error.message()))
}

pub(crate) fn parses(language: Language, text: &str) -> Result<(), SyntaxError> {
    let with_comments = language == Language::Jsonc;
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
    jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options)
        .map(drop)
        .map_err(|error| syntax_error(&error))
}

pub(crate) fn comments(text: &str) -> Vec<Span> {
    let mut comments = Vec::new();
    // The comments before a place that does not scan are still comments.
    let _ = scan(text, |token, span| {
        if is_comment(token) {
            comments.push(span);
        }
    });
    comments
}

pub(crate) fn outline(language: Language, text: &str) -> Result<Outline, SyntaxError> {
    parses(language, text)?;
    let mut comments = Vec::new();
    let mut meaning = Vec::with_capacity(text.len());
    scan(text, |token, span| {
        if is_comment(token) {
            comments.push(span);
            return;
        }
        if matches!(token, Token::CloseBrace | Token::CloseBracket) && meaning.last() == Some(&b',') {
            meaning.pop();
        }
        // As written: a printer has no business with the spelling of strings and numbers.
        meaning.extend_from_slice(text[span.range()].as_bytes());
    })?;
    Ok(Outline {
        comments,
        meaning: Meaning::Exact(meaning),
    })
}

fn is_comment(token: &Token<'_>) -> bool {
    matches!(token, Token::CommentLine(_) | Token::CommentBlock(_))
}

fn scan(text: &str, mut each: impl FnMut(&Token<'_>, Span)) -> Result<(), SyntaxError> {
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    while let Some(token) = scanner.scan().map_err(|error| syntax_error(&error))? {
        each(&token, Span::from(scanner.token_start()..scanner.token_end()));
    }
    Ok(())
}

fn syntax_error(error: &ParseError) -> SyntaxError {
    let range = error.range();
    SyntaxError::new(error.kind().to_string(), Span::from(range.start..range.end))
}
