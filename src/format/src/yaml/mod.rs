//! YAML: most of it printed in one walk over its lines, the rest by pretty_yaml, with the same
//! result; checked by what a second parser says of the text before and after.

mod events;
mod everyday;
mod meaning;
mod scalar;

use fixpoint_text::Span;
use pretty_yaml::config::{FormatOptions, LanguageOptions, LayoutOptions};
use yaml_parser::{SyntaxKind, SyntaxNode};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::Job;
use crate::{FormatError, Indent};
use everyday::Layout;

pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    let layout = Layout {
        line_width: job.style.line_width().into(),
        indent_width: match job.style.indent() {
            Indent::Spaces(count) => count.max(2).into(),
            Indent::Tab => 2,
        },
    };
    if let Some(printed) = everyday::print(text, layout) {
        return Ok(printed.into_owned());
    }
    let printed = print_any(text, layout)
        .map_err(|error| FormatError::Syntax(syntax_error(&error).within(text)))?;
    refuse_template(text, &printed)?;
    Ok(printed)
}

/// Prints whatever pretty_yaml takes.
fn print_any(text: &str, layout: Layout) -> Result<String, yaml_parser::SyntaxError> {
    let options = FormatOptions {
        layout: LayoutOptions {
            print_width: layout.line_width,
            indent_width: layout.indent_width,
            ..LayoutOptions::default()
        },
        language: LanguageOptions {
            // At the end of a line of a block scalar it is content.
            trim_trailing_whitespaces: false,
            ignore_comment_directive: everyday::IGNORE.to_owned(),
            ..LanguageOptions::default()
        },
    };
    pretty_yaml::format_text(text, &options)
}

/// `{{ name }}` is a legal mapping, but what authors mean by it is a placeholder, and a printed
/// `{ { name } }` is none.
fn refuse_template(text: &str, printed: &str) -> Result<(), SyntaxError> {
    let opens = |text: &str| memchr::memmem::find_iter(text.as_bytes(), b"{{").count();
    match memchr::memmem::find(text.as_bytes(), b"{{") {
        Some(at) if opens(text) != opens(printed) => Err(SyntaxError::new(
            "a template placeholder, which is not YAML",
            Span::from(at..at + 2),
        )),
        _ => Ok(()),
    }
}

pub(crate) fn parses(text: &str) -> Result<(), SyntaxError> {
    match known_comments(text) {
        Some(_) => Ok(()),
        None => parse(text).map(drop),
    }
}

pub(crate) fn comments(text: &str) -> Vec<Span> {
    known_comments(text)
        .or_else(|| parse(text).ok().map(|tree| comments_of(&tree)))
        .unwrap_or_default()
}

pub(crate) fn outline(text: &str) -> Result<Outline, SyntaxError> {
    let events = events::events(text);
    let comments = known_comments(text);
    let needs_tree = !events.is_whole() || has_directives(text);
    let tree = match comments {
        Some(_) if !needs_tree => None,
        _ => Some(parse(text)?),
    };
    let mut meaning = events.into_bytes();
    if let Some(tree) = tree.as_ref().filter(|_| needs_tree) {
        meaning.extend(meaning::meaning(tree));
    }
    Ok(Outline {
        comments: comments
            .or_else(|| tree.as_ref().map(comments_of))
            .unwrap_or_default(),
        meaning: Meaning::Exact(meaning),
    })
}

fn known_comments(text: &str) -> Option<Vec<Span>> {
    let comments = everyday::comments(text)?;
    Some(comments.into_iter().map(Span::from).collect())
}

/// Whether there may be `%YAML` or `%TAG`, which are no events.
fn has_directives(text: &str) -> bool {
    text.starts_with('%') || memchr::memmem::find(text.as_bytes(), b"\n%").is_some()
}

fn parse(text: &str) -> Result<SyntaxNode, SyntaxError> {
    yaml_parser::parse(text).map_err(|error| syntax_error(&error))
}

fn comments_of(tree: &SyntaxNode) -> Vec<Span> {
    tree.descendants_with_tokens()
        .filter_map(|element| element.into_token())
        .filter(|token| token.kind() == SyntaxKind::COMMENT)
        .map(|token| {
            let range = token.text_range();
            Span::from(usize::from(range.start())..usize::from(range.end()))
        })
        .collect()
}

fn syntax_error(error: &yaml_parser::SyntaxError) -> SyntaxError {
    let message = error.message().trim();
    let message = if message.is_empty() {
        "invalid YAML"
    } else {
        message
    };
    SyntaxError::new(message, Span::at(error.offset()))
}
