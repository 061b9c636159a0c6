//! GraphQL: our own parser, and a printer on the document algebra that lays out like prettier.
//!
//! A text becomes tokens, the tokens a tree, and comments are attached to the nodes of the tree. The
//! printer visits the tree once.

mod attach;
mod meaning;
mod parse;
mod print;
mod string;
mod token;
mod tree;

use bumpalo::Bump;
use fixpoint_text::Span;

use crate::doc::{self, PrintOptions};
use crate::error::SyntaxError;
use crate::outline::Outline;
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, pragma};

/// The printer of GraphQL.
pub(crate) struct GraphQl;

impl Printer for GraphQl {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let tokens = token::read(text)?;
        let tree = parse::document(text, &tokens)?;
        let comments = attach::attach(text, &tree, &tokens);
        let arena = Bump::new();
        let document = print::document(text, &tree, &comments, &arena);
        let options = PrintOptions {
            width: job.style.line_width().into(),
            tab_width: job.style.indent_width(2).into(),
            use_tabs: job.style.tabs(),
        };
        Ok(doc::print(document, options))
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        parse::document(text, &token::read(text)?).map(drop)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        token::comments(text)
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        meaning::outline(text)
    }

    fn check_result(
        &self,
        before: (&str, &Outline),
        after: (&str, &Outline),
    ) -> Result<(), FormatError> {
        pragma::check(before, after)
    }
}
