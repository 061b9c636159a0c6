//! From tokens to the tree, with recovery at declarations.
//!
//! An error inside a declaration is recorded, and everything is skipped up to a word that begins a
//! declaration, and that stands nowhere else; there reading goes on.

mod cursor;
mod decl;
mod expr;
mod halves;
mod pattern;
mod primary;
mod stmt;
mod types;

use fixpoint_text::Span;

use crate::ast::{Ast, Decl, Ids, Middle, Program, assign_structural_ids};
use crate::lex::TokenKind;
use crate::modules::Links;
use crate::source::Source;
use crate::syntax::SyntaxError;

pub(crate) use cursor::Parser;

/// An error is rare and a node is not, so the one does not make the other larger.
type Parsed<T> = Result<T, Box<SyntaxError>>;

/// A text with its tree. With errors, the tree holds the declarations that could be read.
#[derive(Clone, Debug)]
pub struct Parse {
    pub ast: Ast,
    /// How many tokens mean something, the end included.
    pub token_count: usize,
    pub errors: Vec<SyntaxError>,
    /// Where a large program can be taken apart.
    pub(crate) middle: Option<Middle>,
}

pub fn parse(file: &str, text: &str) -> Parse {
    let mut source = None;
    let (read, middle) = match halves::read(text, || source = Some(Source::new(file, text))) {
        Some((read, middle)) => (read, Some(middle)),
        None => (Read::of(text, 0, 0), None),
    };
    let Read {
        declarations,
        mut ids,
        token_count,
        errors,
    } = read;
    let program = Program {
        id: ids.fresh(),
        span: Span::from(0..text.len()),
        declarations,
    };
    assign_structural_ids(&program, &mut ids, middle);
    Parse {
        ast: Ast {
            program,
            ids,
            source: source.unwrap_or_else(|| Source::new(file, text)),
            links: Links::default(),
        },
        token_count: token_count + 1,
        errors,
        middle,
    }
}

/// What a text is, or a part of it.
#[derive(Default)]
struct Read {
    declarations: Vec<Decl>,
    ids: Ids,
    /// How many tokens mean something, without the end.
    token_count: usize,
    errors: Vec<SyntaxError>,
}

impl Read {
    /// Reads the declarations of a text from byte `start` on. Their nodes are numbered from `first` on.
    /// Where not everything is a token, there are no declarations.
    fn of(text: &str, start: usize, first: usize) -> Self {
        let mut ids = Ids::beyond(first);
        let mut parser = Parser::new(text, start, &mut ids, 0);
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

/// The declarations of a fragment that is a whole program.
pub(crate) fn declarations(parser: &mut Parser<'_>) -> Parsed<Vec<Decl>> {
    let mut declarations = Vec::new();
    while !parser.at(TokenKind::End) {
        declarations.push(parser.declaration()?);
    }
    Ok(declarations)
}

/// Reads the whole of a piece of source that stands for one node, `depth` levels down in a document,
/// by one rule of the grammar.
pub(crate) fn fragment<T>(
    file: &str,
    text: &str,
    ids: &mut Ids,
    depth: usize,
    rule: fn(&mut Parser<'_>) -> Parsed<T>,
) -> Parsed<T> {
    let mut parser = Parser::new(text, 0, ids, depth).of_fragment(file);
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
