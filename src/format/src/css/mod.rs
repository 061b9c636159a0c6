//! CSS: printed by malva, compared by our own tokenizer.

mod key;
mod large;
mod mask;
mod meaning;
mod statement;
mod token;

use fixpoint_text::Span;
use malva::config::{
    BlockSelectorLineBreak, FormatOptions, LanguageOptions, LayoutOptions, Quotes,
};
use malva::{Error, Syntax};

use crate::error::SyntaxError;
use crate::outline::{self, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, comment, depth, pragma};
use mask::{Hide, Masked};
use meaning::Meaning;
use token::{Kind, tokens};

/// The printer of CSS.
pub(crate) struct Css;

impl Printer for Css {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let options = FormatOptions {
            layout: LayoutOptions {
                print_width: job.style.line_width().into(),
                use_tabs: job.style.tabs(),
                indent_width: job.style.indent_width(2).into(),
                ..LayoutOptions::default()
            },
            language: LanguageOptions {
                quotes: Quotes::PreferDouble,
                block_selector_linebreak: BlockSelectorLineBreak::Always,
                ignore_comment_directive: "prettier-ignore".to_owned(),
                ..LanguageOptions::default()
            },
        };
        let printed = format(text, Hide::Needed, &options)?;
        if let Some(printed) = checked(text, &printed) {
            return Ok(printed);
        }
        let apart = large::print_apart(text, &|part| {
            let printed = [Hide::Needed, Hide::Parentheses]
                .into_iter()
                .find_map(|hide| {
                    let printed = format(part, hide, &options).ok()?;
                    checked(part, &printed)
                });
            printed.unwrap_or_else(|| format!("{}\n", part.trim()))
        });
        Ok(apart.unwrap_or(printed))
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        format(text, Hide::Needed, &FormatOptions::default()).map(drop)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        comments(text)
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        Ok(Outline {
            comments: comments(text),
            meaning: outline::Meaning::Exact(Meaning::of(text).into_bytes()),
        })
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::css(text)
    }

    fn check_result(
        &self,
        before: (&str, &Outline),
        after: (&str, &Outline),
    ) -> Result<(), FormatError> {
        pragma::check(before, after)
    }
}

/// Returns `printed` with the letter case of `text` where it is significant. `None` if the meaning
/// changed, a comment is lost, or a pragma applies to other code.
fn checked(text: &str, printed: &str) -> Option<String> {
    if text == printed {
        return Some(printed.to_owned());
    }
    let (old, new) = (Meaning::of(text), Meaning::of(printed));
    let printed = match old.is_same_as(&new) {
        true => printed.to_owned(),
        false => old.with_case_of(text, &new, printed)?,
    };
    let (before, after) = (comments(text), comments(&printed));
    let is_kept = comment::first_lost(text, &before, &printed, &after).is_none()
        && !pragma::any_moved(text, &before, &printed, &after);
    is_kept.then_some(printed)
}

fn format(text: &str, hide: Hide, options: &FormatOptions) -> Result<String, SyntaxError> {
    if large::is_large(text)
        // The positions of an error in a part do not refer to the whole text.
        && let Some(Ok(printed)) = large::print(text, &|part| format_part(part, hide, options))
    {
        return Ok(printed);
    }
    format_part(text, hide, options)
}

fn format_part(text: &str, hide: Hide, options: &FormatOptions) -> Result<String, SyntaxError> {
    let Some(masked) = Masked::new(text, hide) else {
        return format_text(text, options);
    };
    let printed = format_text(&masked.text, options).map_err(|error| {
        error.map_span(|span| {
            let start = masked.original_position(span.start());
            Span::from(start..masked.original_position(span.end()).max(start))
        })
    })?;
    // The comparison reports a part that the printer lost.
    Ok(masked.restore(&printed).unwrap_or(printed))
}

fn format_text(text: &str, options: &FormatOptions) -> Result<String, SyntaxError> {
    malva::format_text(text, Syntax::Css, options).map_err(|error| match error {
        Error::Parser(error, _, _) => SyntaxError::new(
            error.kind.to_string(),
            Span::from(error.span.start..error.span.end),
        )
        .within(text),
    })
}

/// The comments outside of strings and unquoted URLs.
fn comments(text: &str) -> Vec<Span> {
    let comments = tokens(text).filter(|token| token.kind == Kind::Comment);
    comments.map(|token| Span::from(token.range())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_in_strings_and_urls_are_not_found() {
        let text = "a{b:url(//x/*y*/z);c:'/*n*/'}/*one*/ d{e:url( \"/*n*/\" )}/* two\n*/";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["/*one*/", "/* two\n*/"]);
    }
}
