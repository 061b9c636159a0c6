//! GraphQL: printed by pretty_graphql, checked by the parser and the lexer that it uses.

use apollo_parser::{Lexer, Parser, TokenKind};
use fixpoint_text::Span;
use pretty_graphql::config::{FormatOptions, LanguageOptions, LayoutOptions};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant, rejection};
use crate::{FormatError, pragma};

/// The printer of GraphQL.
pub(crate) struct GraphQl;

impl Printer for GraphQl {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
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
            .map_err(|_| rejection(job, text, "not a GraphQL document"))
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

    fn check_result(
        &self,
        before: (&str, &Outline),
        after: (&str, &Outline),
    ) -> Result<(), FormatError> {
        pragma::check(before, after)
    }
}

fn parses(text: &str) -> Result<(), SyntaxError> {
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

fn outline(text: &str) -> Result<Outline, SyntaxError> {
    let (tokens, errors) = Lexer::new(text).lex();
    if !errors.is_empty() {
        parses(text)?;
    }
    let mut meaning = Vec::with_capacity(text.len());
    let mut last = "";
    for token in tokens {
        let source = token.data();
        match token.kind() {
            TokenKind::Whitespace | TokenKind::Comment | TokenKind::Comma | TokenKind::Eof => {
                continue;
            }
            // A separator before the first member is optional.
            TokenKind::Pipe | TokenKind::Amp if matches!(last, "=" | "on" | "implements") => {
                continue;
            }
            TokenKind::StringValue if source.starts_with("\"\"\"") => {
                add_block(&mut meaning, source)
            }
            _ => meaning.extend_from_slice(source.as_bytes()),
        }
        meaning.push(0);
        last = source;
    }
    Ok(Outline {
        comments: comments(text),
        meaning: Meaning::Exact(meaning),
    })
}

/// Adds a block string without its common indentation and the blank lines around it.
fn add_block(meaning: &mut Vec<u8>, source: &str) {
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    let indent_of = |line: &&str| {
        let content = line.trim_start_matches(is_blank);
        (!content.is_empty()).then_some(line.len() - content.len())
    };
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let content = source.strip_prefix("\"\"\"").unwrap_or(&source);
    let content = content.strip_suffix("\"\"\"").unwrap_or(content);
    let lines: Vec<&str> = content.split('\n').collect();
    let indent = lines
        .iter()
        .skip(1)
        .filter_map(indent_of)
        .min()
        .unwrap_or(0);
    let filled = |line: &&str| indent_of(line).is_some();
    let first = lines.iter().position(filled).unwrap_or(lines.len());
    let end = lines
        .iter()
        .rposition(filled)
        .map_or(first, |last| last + 1);
    meaning.extend_from_slice(b"\"\"\"");
    for (index, line) in lines.iter().enumerate().take(end).skip(first) {
        let removed = if index == 0 {
            0
        } else {
            indent.min(line.len())
        };
        meaning.extend_from_slice(&line.as_bytes()[removed..]);
        meaning.push(b'\n');
    }
}

/// Everything from `#` to the end of its line that is not inside a string.
fn comments(text: &str) -> Vec<Span> {
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

    fn same(one: &str, two: &str) -> Option<bool> {
        outline(one).ok()?.meaning.same(&outline(two).ok()?.meaning)
    }

    #[test]
    fn documents_are_compared_by_their_tokens() {
        let equal = [
            ("{a,b,}", "{\n  a\n  b # c\n}"),
            ("union A = B | C", "union A =\n  | B\n  | C"),
            ("type A implements & B", "type A implements B"),
            (
                "\"\"\"\n a\n  b\n\n\"\"\" type A",
                "\"\"\"\n   a\n    b\n\"\"\"\ntype A",
            ),
        ];
        for (one, two) in equal {
            assert_eq!(same(one, two), Some(true), "{one}");
        }
        let different = [
            ("{a(b: 1)}", "{a(b: 10)}"),
            ("{a}", "{A}"),
            ("{a b}", "{ab}"),
            ("{a(b: \"c \")}", "{a(b: \"c\")}"),
            (
                "\"\"\"\n a\n  b\n\"\"\" type A",
                "\"\"\"\n a\n b\n\"\"\" type A",
            ),
            ("union A = B | C", "union A = B C"),
        ];
        for (one, two) in different {
            assert_eq!(same(one, two), Some(false), "{one}");
        }
    }

    #[test]
    fn a_hash_in_a_string_is_not_a_comment() {
        let text = "\"\"\"a # \\\"\"\" # \"\"\" # one\nf(a: \"# \\\" #\") # two\r\n";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["# one", "# two"]);
    }
}
