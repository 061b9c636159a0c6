//! GraphQL: printed by pretty_graphql, checked by the parser it stands on.

use apollo_parser::Parser;
use fixpoint_text::Span;
use pretty_graphql::config::{FormatOptions, LanguageOptions, LayoutOptions};

use crate::FormatError;
use crate::error::SyntaxError;
use crate::printer::{Job, refused};

pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    let options = FormatOptions {
        layout: LayoutOptions {
            print_width: job.style.line_width().into(),
            use_tabs: job.style.tabs(),
            indent_width: job.style.indent_width(2).into(),
            ..LayoutOptions::default()
        },
        language: LanguageOptions {
            ignore_comment_directive: "prettier-ignore".to_owned(),
            ..LanguageOptions::default()
        },
    };
    pretty_graphql::format_text(text, &options)
        .map_err(|_| refused(job, text, "not a GraphQL document"))
}

pub(crate) fn parses(text: &str) -> Result<(), SyntaxError> {
    let tree = Parser::new(text).parse();
    match tree.errors().next() {
        None => Ok(()),
        Some(error) => {
            let start = error.index();
            Err(SyntaxError::new(
                error.message(),
                Span::from(start..start + error.data().len()),
            ))
        }
    }
}

/// Everything from `#` to the end of its line that is not inside a string.
pub(crate) fn comments(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'#', b'"', rest))
    {
        at += found;
        at = if bytes[at] == b'#' {
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
            let comment = text[at..end].trim_end_matches('\r');
            comments.push(Span::from(at..at + comment.len()));
            end
        } else if bytes[at..].starts_with(b"\"\"\"") {
            after_block_string(bytes, at)
        } else {
            after_string(bytes, at)
        };
    }
    comments
}

fn after_string(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            b'"' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn after_block_string(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 3;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"\\\"\"\"") {
            at += 4;
        } else if bytes[at..].starts_with(b"\"\"\"") {
            return at + 3;
        } else {
            at += 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_in_a_string_is_no_comment() {
        let text = "\"\"\"a # \\\"\"\" # \"\"\" # one\nf(a: \"# \\\" #\") # two\r\n";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["# one", "# two"]);
    }
}
