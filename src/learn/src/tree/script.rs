//! JavaScript and TypeScript, parsed by oxc's parser.

use fixpoint_text::Span;
use oxc_allocator::Allocator;
use oxc_ast::{AstKind, AstType};
use oxc_ast_visit::Visit;
use oxc_parser::config::TokensParserConfig;
use oxc_parser::{Kind as TokenKind, ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType};

use super::build::{ParseError, Part, Parts};
use super::kind::{KEYWORD, MARK, NAME, NUMBER, Names, STRING};
use super::{Kind, Language};

pub(crate) static NAMES: Names = Names::new();

pub(crate) fn parse(language: Language, text: &str) -> Result<Parts, ParseError> {
    let (first, second) = match language {
        Language::Tsx => (SourceType::tsx(), None),
        Language::TypeScript => (SourceType::ts(), Some(SourceType::tsx())),
        _ => (
            SourceType::unambiguous().with_jsx(true),
            Some(SourceType::script().with_jsx(true)),
        ),
    };
    parse_as(first, text).or_else(|error| match second {
        Some(second) => parse_as(second, text).map_err(|_| error),
        None => Err(error),
    })
}

fn parse_as(source_type: SourceType, text: &str) -> Result<Parts, ParseError> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, text, source_type)
        .with_options(options)
        .with_config(TokensParserConfig)
        .parse();
    if let Some(error) = parsed.diagnostics.first() {
        let at = error.labels.first().map_or(0, |label| label.offset());
        return Err(ParseError::Syntax {
            at: at as usize,
            message: error.message.to_string(),
        });
    }
    if parsed.panicked {
        return Err(ParseError::Syntax {
            at: 0,
            message: "the parser stopped".to_owned(),
        });
    }
    let mut tokens = Vec::with_capacity(parsed.tokens.len());
    for token in &parsed.tokens {
        let (start, end) = (token.start() as usize, token.end() as usize);
        if let Some(kind) = token_kind(token.kind(), &text[start..end]) {
            tokens.push(Part::new(kind, start, end));
        }
    }
    // The line `#!` runs a script; like a comment it has no meaning in the language.
    let hashbang = parsed.program.hashbang.iter().map(|line| span(line.span));
    let comments = parsed.program.comments.iter();
    let comments = hashbang.chain(comments.map(|comment| span(comment.span)));
    let comments = comments.collect();
    let mut collector = Collector {
        inner: Vec::with_capacity(tokens.len()),
    };
    collector.visit_program(&parsed.program);
    let mut inner = collector.inner;
    // The program itself is the root.
    inner.remove(0);
    Ok(Parts {
        root: NAMES.remember(AstType::Program as u8, &AstType::Program),
        inner,
        tokens,
        comments,
    })
}

/// The kind of a token; none if it has no text or only white space.
fn token_kind(kind: TokenKind, text: &str) -> Option<Kind> {
    if text.trim().is_empty() {
        return None;
    }
    let first = text.as_bytes()[0];
    Some(match kind {
        TokenKind::JSXText => STRING,
        _ if kind.is_number() => NUMBER,
        TokenKind::Ident | TokenKind::PrivateIdentifier => NAME,
        _ if matches!(first, b'"' | b'\'' | b'`') => STRING,
        TokenKind::RegExp | TokenKind::TemplateMiddle | TokenKind::TemplateTail => STRING,
        _ if first.is_ascii_alphabetic() => KEYWORD,
        _ => MARK,
    })
}

struct Collector {
    inner: Vec<Part>,
}

impl<'a> Visit<'a> for Collector {
    fn enter_node(&mut self, node: AstKind<'a>) {
        if matches!(node, AstKind::Hashbang(_)) {
            return;
        }
        let kind = node.ty();
        let span = node.span();
        self.inner.push(Part {
            kind: NAMES.remember(kind as u8, &kind),
            field: 0,
            start: span.start,
            end: span.end,
        });
    }
}

fn span(span: oxc_span::Span) -> Span {
    Span::from(span.start as usize..span.end as usize)
}
