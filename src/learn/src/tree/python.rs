//! Python, parsed by ruff's parser.

use fixpoint_text::Span;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal, walk_body};
use ruff_python_ast::{AnyNodeRef, NodeKind, PySourceType, Stmt};
use ruff_python_parser::{ParseErrorType, parse_unchecked_source};
use ruff_text_size::Ranged;

use super::Kind;
use super::build::{ParseError, Part, Parts};
use super::kind::{KEYWORD, MARK, NAME, NUMBER, Names, STRING};

pub(crate) static NAMES: Names = Names::new();

/// Kinds above those of the parser: the statements of a compound statement, and an expression in parentheses.
const BLOCK: u8 = 250;
const PARENTHESIZED: u8 = 251;

#[derive(Debug)]
enum Added {
    Block,
    Parenthesized,
}

/// How strictly the order of arguments and parameters is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Checked,
    /// In a pattern, a name may stand for any arguments, also for those with a name.
    Free,
}

pub(crate) fn parse(text: &str, order: Order) -> Result<Parts, ParseError> {
    let parsed = parse_unchecked_source(text, PySourceType::Python);
    let mut errors = parsed.errors().iter();
    let first = errors.find(|error| {
        order == Order::Checked
            || !matches!(
                error.error,
                ParseErrorType::PositionalAfterKeywordArgument
                    | ParseErrorType::PositionalAfterKeywordUnpacking
                    | ParseErrorType::NonDefaultParamAfterDefaultParam
            )
    });
    if let Some(error) = first {
        return Err(ParseError::Syntax {
            at: error.range().start().to_usize(),
            message: error.error.to_string(),
        });
    }
    let mut tokens = Vec::new();
    let mut comments = Vec::new();
    for token in parsed.tokens() {
        let (start, end) = (token.start().to_usize(), token.end().to_usize());
        if token.kind() == TokenKind::Comment {
            comments.push(Span::from(start..end));
        } else if let Some(kind) = token_kind(token.kind(), &text[start..end]) {
            tokens.push(Part::new(kind, start, end));
        }
    }
    let mut collector = Collector {
        inner: Vec::with_capacity(tokens.len()),
        tokens: &tokens,
        text,
        open: Vec::new(),
    };
    collector.visit_body(&parsed.syntax().body);
    let inner = collector.inner;
    Ok(Parts {
        root: NAMES.remember(NodeKind::ModModule as u8, &NodeKind::ModModule),
        inner,
        tokens,
        comments,
    })
}

/// The kind of a token; none if it has no text or only white space.
fn token_kind(kind: TokenKind, text: &str) -> Option<Kind> {
    Some(match kind {
        TokenKind::Newline
        | TokenKind::NonLogicalNewline
        | TokenKind::Indent
        | TokenKind::Dedent
        | TokenKind::EndOfFile => return None,
        TokenKind::Name => NAME,
        TokenKind::Int | TokenKind::Float | TokenKind::Complex => NUMBER,
        TokenKind::String
        | TokenKind::FStringStart
        | TokenKind::FStringMiddle
        | TokenKind::FStringEnd
        | TokenKind::TStringStart
        | TokenKind::TStringMiddle
        | TokenKind::TStringEnd => STRING,
        _ if text.is_empty() => return None,
        // A soft keyword that is used as a name.
        TokenKind::Match | TokenKind::Case | TokenKind::Type => NAME,
        _ if text.starts_with(|char: char| char.is_ascii_alphabetic()) => KEYWORD,
        _ => MARK,
    })
}

struct Collector<'a> {
    inner: Vec<Part>,
    tokens: &'a [Part],
    text: &'a str,
    /// The ranges in which the children of each open node may have parentheses of their own.
    open: Vec<(u32, u32)>,
}

impl<'a> SourceOrderVisitor<'a> for Collector<'_> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        let range = node.range();
        let (start, end) = (range.start().to_u32(), range.end().to_u32());
        if node.is_expression() || node.is_pattern() {
            self.add_parentheses(start, end);
        }
        let kind = node.kind();
        self.add(NAMES.remember(kind as u8, &kind), start, end);
        let has_own = matches!(
            kind,
            NodeKind::Arguments | NodeKind::Parameters | NodeKind::PatternArguments
        );
        self.open.push(if has_own {
            (start + 1, end.saturating_sub(1))
        } else {
            (start, end)
        });
        TraversalSignal::Traverse
    }

    fn leave_node(&mut self, _: AnyNodeRef<'a>) {
        self.open.pop();
    }

    fn visit_body(&mut self, body: &'a [Stmt]) {
        if let ([first, ..], [.., last]) = (body, body)
            && !self.open.is_empty()
        {
            let (start, end) = (first.start().to_u32(), last.end().to_u32());
            self.add(NAMES.remember(BLOCK, &Added::Block), start, end);
        }
        walk_body(self, body);
    }
}

impl Collector<'_> {
    fn add(&mut self, kind: Kind, start: u32, end: u32) {
        self.inner.push(Part {
            kind,
            field: 0,
            start,
            end,
        });
    }

    /// Adds a node for each pair of parentheses around an expression. The parser has none for them.
    fn add_parentheses(&mut self, start: u32, end: u32) {
        let Some(&(first, last)) = self.open.last() else {
            return;
        };
        let kind = NAMES.remember(PARENTHESIZED, &Added::Parenthesized);
        let added = self.inner.len();
        let mut before = self.tokens.partition_point(|token| token.start < start);
        let mut after = self.tokens.partition_point(|token| token.start < end);
        while let Some(open) = before.checked_sub(1).and_then(|at| self.tokens.get(at))
            && let Some(close) = self.tokens.get(after)
            && self.text_of(open) == "("
            && self.text_of(close) == ")"
            && first <= open.start
            && close.end <= last
        {
            self.add(kind, open.start, close.end);
            before -= 1;
            after += 1;
        }
        // The outermost pair was found last.
        self.inner[added..].reverse();
    }

    fn text_of(&self, token: &Part) -> &str {
        &self.text[token.start as usize..token.end as usize]
    }
}
