//! Parses tokens to a tree, with error recovery at declarations.
//!
//! An error inside a declaration is recorded. Tokens are skipped up to a keyword that begins a
//! declaration, which occurs nowhere else. Parsing continues there.

mod cursor;
mod decl;
mod expr;
mod pattern;
mod primary;
mod stmt;
mod types;

use fixpoint_text::Span;

use crate::ast::{Ast, Decl, Ids, Program, assign_structural_ids};
use crate::lex::TokenKind;
use crate::modules::Links;
use crate::source::Source;
use crate::syntax::SyntaxError;

pub(crate) use cursor::Parser;

/// Errors are boxed, because they are rare and would make the common result larger.
type Parsed<T> = Result<T, Box<SyntaxError>>;

/// A text with its tree. If there are errors, the tree contains the declarations that could be
/// parsed.
#[derive(Clone, Debug)]
pub struct Parse {
    pub ast: Ast,
    /// The number of tokens except trivia, including the end token.
    pub token_count: usize,
    pub errors: Vec<SyntaxError>,
}

pub fn parse(file: &str, text: &str) -> Parse {
    let ParsedDecls {
        declarations,
        mut ids,
        token_count,
        errors,
    } = ParsedDecls::of(text);
    let program = Program {
        id: ids.fresh(),
        span: Span::from(0..text.len()),
        declarations,
    };
    assign_structural_ids(&program, &mut ids);
    Parse {
        ast: Ast {
            program,
            ids,
            source: Source::new(file, text),
            links: Links::default(),
        },
        token_count: token_count + 1,
        errors,
    }
}

/// The parsed declarations of a text.
#[derive(Default)]
struct ParsedDecls {
    declarations: Vec<Decl>,
    ids: Ids,
    /// The number of tokens except trivia, without the end token.
    token_count: usize,
    errors: Vec<SyntaxError>,
}

impl ParsedDecls {
    /// Parses the declarations of a text. If there are lexical errors, there are no declarations.
    fn of(text: &str) -> Self {
        let mut ids = Ids::default();
        let mut parser = Parser::new(text, &mut ids, 0);
        let mut declarations = Vec::new();
        let mut errors = Vec::new();
        while !parser.at(TokenKind::End) && parser.is_lexical() {
            let start = parser.here();
            match parser.declaration() {
                Ok(declaration) => declarations.push(declaration),
                Err(error) => {
                    errors.push(*error);
                    parser.recover(start);
                }
            }
        }
        let (token_count, not_tokens) = parser.finish();
        if !not_tokens.is_empty() {
            return Self {
                token_count,
                errors: not_tokens,
                ..Self::default()
            };
        }
        Self {
            declarations,
            ids,
            token_count,
            errors,
        }
    }
}

/// Parses the declarations of a fragment that is a whole program.
pub(crate) fn declarations(parser: &mut Parser<'_>) -> Parsed<Vec<Decl>> {
    let mut declarations = Vec::new();
    while !parser.at(TokenKind::End) {
        declarations.push(parser.declaration()?);
    }
    Ok(declarations)
}

/// Parses a source fragment that replaces one node, `depth` levels deep in a document. The rule
/// must consume all of it.
pub(crate) fn fragment<T>(
    file: &str,
    text: &str,
    ids: &mut Ids,
    depth: usize,
    rule: fn(&mut Parser<'_>) -> Parsed<T>,
) -> Parsed<T> {
    let mut parser = Parser::new(text, ids, depth).of_fragment(file);
    let node = rule(&mut parser).and_then(|node| {
        if parser.at(TokenKind::End) {
            Ok(node)
        } else {
            Err(parser.unexpected("the end of the fragment"))
        }
    });
    let (_, not_tokens) = parser.finish();
    match not_tokens.into_iter().next() {
        Some(error) => Err(Box::new(error)),
        None => node,
    }
}
