//! JSON and JSON with comments: our own tokens, our own printer.
//!
//! Existing JSON printers take exponential time on nested values. JSON with comments may contain literals of
//! JavaScript, such as strings in single quotes. The printer converts them to JSON where possible.

mod ignore;
mod layout;
mod literal;
mod measure;
mod syntax;
mod token;

use fixpoint_text::Span;

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Language, depth};
use layout::Form;
use token::{Kind, Token, Tokens};

/// The printer of JSON, with and without comments.
pub(crate) struct Json;

impl Printer for Json {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let tokens = ignore::merged(text, read(job.language, text)?);
        let form = Form::of(job.variant());
        Ok(layout::print(text, &tokens, job.style, form))
    }

    fn parses(&self, variant: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        read(variant.language, text).map(drop)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        // If a token is invalid, the comments before it are still valid.
        let tokens = Tokens::of(text).map_while(Result::ok);
        comments(tokens)
    }

    fn outline(&self, variant: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        let tokens = read(variant.language, text)?;
        Ok(Outline {
            comments: comments(tokens.iter().copied()),
            meaning: Meaning::Exact(meaning(&tokens)),
        })
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::json(text)
    }
}

/// The tokens of a valid text.
fn read(language: Language, text: &str) -> Result<Vec<Token<'_>>, SyntaxError> {
    let with_comments = language.info().comments.are_allowed;
    let mut tokens = Vec::with_capacity(text.len() / 8);
    let mut grammar = syntax::Grammar::new(language == Language::Json);
    for token in Tokens::of(text) {
        let token = token?;
        if !token.kind.is_comment() {
            grammar.push(&token)?;
        } else if !with_comments {
            return Err(SyntaxError::new("comments are not allowed", token.span()));
        }
        tokens.push(token);
    }
    grammar.end(text.len())?;
    Ok(tokens)
}

fn comments<'t>(tokens: impl Iterator<Item = Token<'t>>) -> Vec<Span> {
    tokens
        .filter(|token| token.kind.is_comment())
        .map(|token| token.span())
        .collect()
}

fn meaning(tokens: &[Token<'_>]) -> Vec<u8> {
    let mut meaning = Vec::new();
    let mut code = tokens
        .iter()
        .filter(|token| !token.kind.is_comment())
        .peekable();
    let mut before = Kind::Open;
    while let Some(token) = code.next() {
        let next = code.peek().map(|next| next.kind);
        // A comma after the last value means nothing. One without a value is an empty element.
        let trails = token.kind == Kind::Comma
            && next == Some(Kind::Close)
            && !matches!(before, Kind::Comma | Kind::Open);
        before = token.kind;
        if !trails {
            literal::add_meaning(token, next == Some(Kind::Colon), &mut meaning);
            meaning.push(0);
        }
    }
    meaning
}
