//! From tokens to the tree, with recovery at declarations.
//!
//! An error inside a declaration is recorded, one token is skipped, then everything up to a token that
//! may begin a declaration or end a block; there reading goes on.

mod cursor;
mod decl;
mod expr;
mod pattern;
mod primary;
mod stmt;
mod types;

use fixpoint_text::Span;

use crate::ast::{Ast, Decl, Ids, Program, assign_structural_ids};
use crate::lex::{TokenKind, Tokens, lex};
use crate::source::Source;
use crate::syntax::SyntaxError;

pub(crate) use cursor::Parser;

type Parsed<T> = Result<T, SyntaxError>;

/// A text with its tree and its tokens. With errors, the tree holds the declarations that could be
/// read; the tokens are the whole text in any case.
#[derive(Clone, Debug)]
pub struct Parse {
    pub ast: Ast,
    pub tokens: Tokens,
    pub errors: Vec<SyntaxError>,
}

pub fn parse(file: &str, text: &str) -> Parse {
    let tokens = lex(text);
    let mut ids = Ids::default();
    let mut errors = tokens.errors.clone();
    let mut declarations = Vec::new();
    if errors.is_empty() {
        let significant = tokens.significant();
        let mut parser = Parser::new(text, &significant, &mut ids, 0);
        declarations = program(&mut parser, &mut errors);
    }
    let program = Program {
        id: ids.fresh(),
        span: Span::from(0..text.len()),
        declarations,
    };
    assign_structural_ids(&program, &mut ids);
    let source = Source::new(file, text);
    Parse {
        ast: Ast {
            program,
            ids,
            source,
        },
        tokens,
        errors,
    }
}

fn program(parser: &mut Parser<'_>, errors: &mut Vec<SyntaxError>) -> Vec<Decl> {
    let mut declarations = Vec::new();
    while !parser.at(TokenKind::End) {
        match parser.declaration() {
            Ok(declaration) => declarations.push(declaration),
            Err(error) => {
                errors.push(error);
                parser.recover();
            }
        }
    }
    declarations
}

/// A piece of source that stands for one node of an AST JSON document.
pub(crate) struct Fragment<'a> {
    pub text: &'a str,
    pub ids: &'a mut Ids,
    /// How deep the node lies in the document.
    pub depth: usize,
}

impl Fragment<'_> {
    /// Reads the whole text by one rule of the grammar.
    pub fn read<T>(self, rule: fn(&mut Parser<'_>) -> Parsed<T>) -> Parsed<T> {
        let tokens = lex(self.text);
        if let Some(error) = tokens.errors.into_iter().next() {
            return Err(error);
        }
        let significant: Vec<_> = tokens
            .all
            .into_iter()
            .filter(|token| !token.kind.is_trivia())
            .collect();
        let mut parser = Parser::new(self.text, &significant, self.ids, self.depth);
        let node = rule(&mut parser)?;
        if parser.at(TokenKind::End) {
            Ok(node)
        } else {
            Err(parser.unexpected("the end of the fragment"))
        }
    }
}
