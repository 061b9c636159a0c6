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
use crate::beside::both;
use crate::lex::{Token, TokenKind, Tokens, lex};
use crate::modules::Links;
use crate::source::Source;
use crate::syntax::SyntaxError;

pub(crate) use cursor::Parser;

/// So many bytes take longer to read than a thread to start.
const LARGE: usize = 1 << 17;

/// An error is rare and a node is not, so the one does not make the other larger.
type Parsed<T> = Result<T, Box<SyntaxError>>;

/// A text with its tree and its tokens. With errors, the tree holds the declarations that could be
/// read; the tokens are the whole text in any case.
#[derive(Clone, Debug)]
pub struct Parse {
    pub ast: Ast,
    pub tokens: Tokens,
    pub errors: Vec<SyntaxError>,
    /// Where a large program can be taken apart.
    pub(crate) middle: Option<Middle>,
}

pub fn parse(file: &str, text: &str) -> Parse {
    // A large text is gone through for its lines meanwhile.
    let (tokens, source) = if text.len() < LARGE {
        (lex(text), Source::new(file, text))
    } else {
        both(|| lex(text), || Source::new(file, text))
    };
    let mut read = Read::default();
    let mut middle = None;
    if tokens.errors.is_empty() {
        (read, middle) = match halves::read(text, &tokens.all) {
            Some((read, middle)) => (read, Some(middle)),
            None => (Read::of(text, &tokens.all, 0), None),
        };
    } else {
        read.errors.clone_from(&tokens.errors);
    }
    let Read {
        declarations,
        mut ids,
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
            source,
            links: Links::default(),
        },
        tokens,
        errors,
        middle,
    }
}

/// What some tokens are.
#[derive(Default)]
struct Read {
    declarations: Vec<Decl>,
    ids: Ids,
    errors: Vec<SyntaxError>,
}

impl Read {
    /// Reads declarations up to the end of `tokens`. Their nodes are numbered from `first` on.
    fn of(text: &str, tokens: &[Token], first: usize) -> Self {
        let mut read = Self::default();
        // There are about as many nodes as tokens that mean something.
        read.ids.reserve(first + tokens.len() / 2);
        read.ids.skip_to(first);
        let mut parser = Parser::new(text, tokens, &mut read.ids, 0);
        while !parser.at(TokenKind::End) {
            let start = parser.here();
            match parser.declaration() {
                Ok(declaration) => read.declarations.push(declaration),
                Err(error) => {
                    read.errors.push(*error);
                    parser.recover(start);
                }
            }
        }
        read
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
    let tokens = lex(text);
    if let Some(error) = tokens.errors.first() {
        return Err(Box::new(error.clone()));
    }
    let mut parser = Parser::new(text, &tokens.all, ids, depth).of_fragment(file);
    let node = rule(&mut parser)?;
    if parser.at(TokenKind::End) {
        Ok(node)
    } else {
        Err(parser.unexpected("the end of the fragment"))
    }
}
