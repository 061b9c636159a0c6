//! YAML: printed by pretty_yaml, checked by the lossless tree of yaml_parser, and by what a second
//! parser says of the text before and after.

mod events;
mod meaning;
mod scalar;

use fixpoint_text::Span;
use pretty_yaml::config::{FormatOptions, LanguageOptions, LayoutOptions};
use yaml_parser::{SyntaxKind, SyntaxNode};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::Job;
use crate::{FormatError, Indent};

pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    let options = FormatOptions {
        layout: LayoutOptions {
            print_width: job.style.line_width().into(),
            indent_width: match job.style.indent() {
                Indent::Spaces(count) => count.max(2).into(),
                Indent::Tab => 2,
            },
            ..LayoutOptions::default()
        },
        language: LanguageOptions {
            // At the end of a line of a block scalar it is content.
            trim_trailing_whitespaces: false,
            ignore_comment_directive: "prettier-ignore".to_owned(),
            ..LanguageOptions::default()
        },
    };
    let printed = pretty_yaml::format_text(text, &options)
        .map_err(|error| FormatError::Syntax(syntax_error(&error).within(text)))?;
    refuse_template(text, &printed)?;
    Ok(printed)
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
    parse(text).map(drop)
}

pub(crate) fn comments(text: &str) -> Vec<Span> {
    parse(text).map_or_else(|_| Vec::new(), |tree| comments_of(&tree))
}

pub(crate) fn outline(text: &str) -> Result<Outline, SyntaxError> {
    let tree = parse(text)?;
    let mut meaning = meaning::meaning(&tree);
    meaning.extend(events::events(text));
    Ok(Outline {
        comments: comments_of(&tree),
        meaning: Meaning::Exact(meaning),
    })
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
