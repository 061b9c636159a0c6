//! CSS, SCSS and Less: printed as prettier does, compared by a tokenizer that the printer does not use.

mod dialect;
mod front;
mod key;
mod meaning;
mod parser;
mod print;
mod selector;
mod space;
mod statement;
mod token;
mod value;

use fixpoint_text::Span;

use crate::doc::PrintOptions;
use crate::error::SyntaxError;
use crate::outline::{self, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, canonical, comment, depth, pragma};
use dialect::Dialect;
use front::FrontMatter;
use meaning::Meaning;
use print::Sheet;
use token::{Kind, tokens};

/// The printer of CSS, SCSS and Less.
pub(crate) struct Css;

impl Printer for Css {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let dialect = Dialect::of(job.language);
        let front = FrontMatter::of(text);
        let start = front.as_ref().map_or(0, |front| front.end);
        let block = parser::parse(text, start, dialect).map_err(|error| error.within(text))?;
        let options = PrintOptions {
            width: job.style.line_width().into(),
            tab_width: job.style.indent_width(2).into(),
            use_tabs: job.style.tabs(),
        };
        let front_text = front.map(|front| print_front(job, &front));
        let sheet = Sheet {
            text,
            block: &block,
            dialect,
            options,
        };
        let whole = |kept: &[usize]| {
            let mut printed = front_text.clone().unwrap_or_default();
            if !block.is_empty() {
                if !printed.is_empty() {
                    printed.push('\n');
                }
                printed.push_str(&sheet.print(kept));
                printed.push('\n');
            }
            printed
        };
        let printed = whole(&[]);
        if printed == text
            || is_same(
                &text[start..],
                &printed[front_length(&front_text)..],
                dialect,
            )
        {
            return Ok(printed);
        }
        Ok(whole(&sheet.changed()))
    }

    fn parses(&self, variant: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        let start = FrontMatter::of(text).map_or(0, |front| front.end);
        parser::parse(text, start, Dialect::of(variant.language)).map(drop)
    }

    fn comments(&self, variant: Variant<'_>, text: &str) -> Vec<Span> {
        comments(text, Dialect::of(variant.language))
    }

    fn outline(&self, variant: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        let dialect = Dialect::of(variant.language);
        // The printer of its language checks the front matter.
        let start = FrontMatter::of(text).map_or(0, |front| front.end);
        let mut meaning = Meaning::of(&text[start..], dialect).into_bytes();
        meaning.push(u8::from(start > 0));
        Ok(Outline {
            comments: comments(text, dialect),
            meaning: outline::Meaning::Exact(meaning),
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

/// The length of the printed front matter without its line end.
fn front_length(front: &Option<String>) -> usize {
    front.as_ref().map_or(0, |front| front.trim_end().len())
}

/// Whether `after`, printed from `before`, has the same meaning and the same comments, and every
/// comment that a tool reads applies to the same code.
fn is_same(before: &str, after: &str, dialect: Dialect) -> bool {
    if Meaning::of(before, dialect) != Meaning::of(after, dialect) {
        return false;
    }
    let (old, new) = (comments(before, dialect), comments(after, dialect));
    comment::first_lost(before, &old, after, &new).is_none()
        && !pragma::any_moved(before, &old, after, &new)
}

/// The front matter with its contents in canonical form.
fn print_front(job: Job<'_>, front: &FrontMatter<'_>) -> String {
    let contents = match front.language {
        Some(language) => canonical(language, "embedded", front.contents, job.styles).ok(),
        None => None,
    };
    let contents = contents.as_deref().unwrap_or(front.contents).trim_end();
    let line = if contents.is_empty() { "" } else { "\n" };
    format!("{}\n{contents}{line}{}\n", front.open, front.mark)
}

/// The comments outside of the front matter, of strings and of unquoted URLs.
fn comments(text: &str, dialect: Dialect) -> Vec<Span> {
    let start = FrontMatter::of(text).map_or(0, |front| front.end);
    let comments = tokens(&text[start..], dialect).filter(|token| token.kind == Kind::Comment);
    comments
        .map(|token| Span::from(start + token.start..start + token.end))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_in_strings_and_urls_are_not_found() {
        let text = "a{b:url(//x/*y*/z);c:'/*n*/'}/*one*/ d{e:url( \"/*n*/\" )}/* two\n*/";
        let found: Vec<_> = comments(text, Dialect::Scss)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["/*one*/", "/* two\n*/"]);
    }
}
