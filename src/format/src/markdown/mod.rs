//! Markdown: our own printer, checked by pulldown-cmark. Fenced code uses its own printers. Every
//! text is valid Markdown, so there is no parse check.
//!
//! Most of the output is equal to the input, and copying it is several times faster than laying out
//! every word. Therefore the printer is our own.

mod block;
mod code;
mod comments;
mod cursor;
mod emphasis;
mod front;
mod html;
mod ignore;
mod inline;
mod item;
mod layout;
mod link;
mod list;
mod meaning;
mod pairs;
mod paragraph;
mod parser;
mod render;
mod scan;
mod span;
mod table;
mod text;
mod writer;

#[cfg(test)]
mod tests;

use fixpoint_text::Span;

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Language, Style, canonical, depth};
use block::{MAX_DEPTH, TooDeep};
use comments::comments;
use front::FrontMatter;
use layout::{BlockContext, Layout};
use meaning::meaning;

/// The path that is used for code in a fence.
const FENCED: &str = "fenced";

/// The printer of Markdown.
pub(crate) struct Markdown;

impl Printer for Markdown {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let width = job.style.line_width().into();
        let print_code = |tag: &str, code: &str, width: u32| fenced(job, tag, code, width);
        let front = FrontMatter::of(text);
        let start = front.as_ref().map_or(0, |front| front.end);
        let document = parser::parse(text, start).map_err(|TooDeep(at)| FormatError::TooDeep {
            depth: MAX_DEPTH + 1,
            limit: MAX_DEPTH,
            span: Span::from(at..at + 1),
        })?;
        let mut layout = Layout::new(text, &document, width, &print_code);
        layout.has_front_matter = front.is_some();
        if let Some(front) = front {
            let printed = (front.mark == "---" && !front.may_be_rule)
                .then(|| print_code("yaml", front.content, width))
                .flatten();
            front.print(printed, &mut layout.out.text);
            if !document.blocks.is_empty() {
                layout.out.text.push_str("\n\n");
            }
        }
        layout.blocks(0, document.blocks.len(), BlockContext::default());
        Ok(layout.out.text)
    }

    // Every text is valid Markdown.
    fn parses(&self, _: Variant<'_>, _: &str) -> Result<(), SyntaxError> {
        Ok(())
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        comments(text)
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        Ok(Outline {
            comments: comments(text),
            meaning: Meaning::Words(meaning(text)),
        })
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::markdown(text)
    }
}

/// The canonical text of a fenced block. `None` if its language has no printer or it does not
/// parse.
fn fenced(job: Job<'_>, tag: &str, code: &str, width: u32) -> Option<String> {
    // Tags are in lower case. Prettier does not know others.
    let is_lower = !tag.contains(|c: char| c.is_uppercase());
    let language = Language::of_fence_tag(tag).filter(|_| is_lower)?;
    // The outer text is printed several times, and so is every level of Markdown inside of it.
    if language == Language::Markdown && job.path == FENCED {
        return None;
    }
    let styles = |language| (job.styles)(language).map(|style: Style| style.narrowed_to(width));
    let printed = canonical(language, FENCED, code, &styles).ok()?;
    (!printed.is_empty()).then(|| printed.into_owned())
}
