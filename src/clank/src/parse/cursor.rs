//! The parser's position in the tokens, and its depth limits.

use fixpoint_text::Span;

use super::Parsed;
use crate::ast::{Ids, MAX_DEPTH, MAX_HEIGHT, Name, Node, NodeId};
use crate::lex::{Lexer, Token, TokenKind};
use crate::source::Source;
use crate::syntax::SyntaxError;

pub(crate) struct Parser<'a> {
    text: &'a str,
    /// The lexer, positioned after the next token.
    rest: Lexer<'a>,
    /// The next token that is not trivia.
    token: Token,
    /// The number of tokens read.
    count: usize,
    /// The end of the last token read.
    end: usize,
    ids: &'a mut Ids,
    /// The nesting depth of grammar rules.
    depth: usize,
    /// The height of the tallest tree read since the innermost rule began.
    tallest: usize,
    /// The source of a fragment. Nodes of a fragment have locations but no span in the author's
    /// text.
    fragment: Option<Source>,
}

impl<'a> Parser<'a> {
    /// Starts at the beginning of a text, at the given nesting depth.
    pub fn new(text: &'a str, ids: &'a mut Ids, depth: usize) -> Self {
        let mut rest = Lexer::from(text, 0);
        Self {
            text,
            token: rest.next_significant(),
            rest,
            count: 0,
            end: 0,
            ids,
            depth,
            tallest: 0,
            fragment: None,
        }
    }

    /// Parses a fragment, whose nodes have no span in the author's text.
    pub fn of_fragment(self, file: &str) -> Self {
        Self {
            fragment: Some(Source::new(file, self.text)),
            ..self
        }
    }

    pub(super) fn token(&self) -> Token {
        self.token
    }

    /// The token `ahead` positions after the next one.
    pub(super) fn nth(&self, ahead: usize) -> Token {
        let mut rest = self.rest.ahead();
        let mut token = self.token;
        for _ in 0..ahead {
            token = rest.next_significant();
        }
        token
    }

    /// Whether the lexer has found no errors so far.
    pub(super) fn is_lexical(&self) -> bool {
        self.rest.errors.is_empty()
    }

    /// Reads to the end of the text. Returns the number of tokens and the lexical errors.
    pub(super) fn finish(mut self) -> (usize, Vec<SyntaxError>) {
        while !self.at(TokenKind::End) {
            self.bump();
        }
        (self.count, self.rest.errors)
    }

    pub fn at(&self, kind: TokenKind) -> bool {
        self.token().kind == kind
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        self.text.get(token.span.range()).unwrap_or_default()
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.token;
        if token.kind != TokenKind::End {
            self.count += 1;
            self.end = token.span.end();
            self.token = self.rest.next_significant();
        }
        token
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.at(kind) {
            Ok(self.bump())
        } else {
            Err(self.unexpected(&format!("`{}`", kind.text())))
        }
    }

    /// Parses the name of a value.
    pub(super) fn ident(&mut self, what: &str) -> Parsed<Name> {
        self.name_of(what, |kind| kind == TokenKind::Ident)
    }

    /// Parses the name of a type.
    pub(super) fn type_ident(&mut self, what: &str) -> Parsed<Name> {
        self.name_of(what, |kind| kind == TokenKind::TypeIdent)
    }

    pub(super) fn name_of(&mut self, what: &str, wanted: fn(TokenKind) -> bool) -> Parsed<Name> {
        let token = self.token();
        if !wanted(token.kind) {
            return Err(self.unexpected(what));
        }
        self.bump();
        Ok(Name {
            text: self.text_of(token).into(),
            span: self.bytes_of(token),
        })
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        let token = self.token();
        match token.kind {
            TokenKind::StringLiteral | TokenKind::TripleString => {
                self.bump();
                Ok(crate::lex::string_value(token.kind, self.text_of(token)))
            }
            _ => Err(self.unexpected("a string")),
        }
    }

    /// The error for an unexpected token.
    pub fn unexpected(&self, wanted: &str) -> Box<SyntaxError> {
        let token = self.token();
        let found = match token.kind {
            TokenKind::End => token.kind.text().to_owned(),
            _ => format!("`{}`", shortened(self.text_of(token))),
        };
        Box::new(SyntaxError::expected(token.span, wanted, &found))
    }

    /// The span from an offset to the last token read.
    fn since(&self, start: usize) -> Span {
        Span::from(start..self.end.max(start))
    }

    pub(super) fn here(&self) -> usize {
        self.token().span.start()
    }

    pub(super) fn fresh(&mut self) -> NodeId {
        self.ids.fresh()
    }

    /// A node that spans from an offset to the last token read.
    pub(super) fn node<K>(&mut self, start: usize, kind: K) -> Node<K> {
        let (id, span) = self.placed(start);
        Node::new(id, span, kind)
    }

    /// A new id, and the span from an offset to the last token read.
    pub(super) fn placed(&mut self, start: usize) -> (NodeId, Span) {
        let id = self.fresh();
        let span = self.since(start);
        match &self.fragment {
            Some(source) => {
                self.ids.set_location(id, source.location(span));
                (id, Span::at(0))
            }
            None => (id, span),
        }
    }

    /// The span of a token in the author's text.
    pub(super) fn bytes_of(&self, token: Token) -> Span {
        match self.fragment {
            Some(_) => Span::at(0),
            None => token.span,
        }
    }

    /// Parses one nesting level deeper, unless that exceeds the limit.
    pub(super) fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::take(&mut self.tallest);
        self.depth += 1;
        let result = if self.depth > MAX_DEPTH {
            Err(self.too_deep("nested", MAX_DEPTH))
        } else {
            rule(self)
        };
        self.depth -= 1;
        let result = result.and_then(|node| self.grow().map(|()| node));
        self.tallest = self.tallest.max(outer);
        result
    }

    /// Counts a node above all trees read since the innermost rule began.
    pub(super) fn grow(&mut self) -> Parsed<()> {
        self.tallest += 1;
        self.fits(self.tallest)
    }

    /// Checks that a tree of that height is allowed here.
    pub(super) fn fits(&self, height: usize) -> Parsed<()> {
        if height + self.depth > MAX_HEIGHT {
            return Err(self.too_deep("chained", MAX_HEIGHT));
        }
        Ok(())
    }

    fn too_deep(&self, how: &str, limit: usize) -> Box<SyntaxError> {
        let message = format!(
            "{how} more than {limit} levels deep; name a part of it with `let` or a function"
        );
        Box::new(SyntaxError::new(self.token().span, message))
    }

    /// Skips to a token that may begin the declaration after the one at `start`.
    pub(super) fn recover(&mut self, start: usize) {
        // A keyword in place of a name does not begin a declaration, except at the start of a line.
        if self.here() == start || !self.is_first_of_its_line() {
            self.bump();
        }
        while !matches!(
            self.token().kind,
            TokenKind::Fn
                | TokenKind::Type
                | TokenKind::Rec
                | TokenKind::Sum
                | TokenKind::Mod
                | TokenKind::Use
                | TokenKind::External
                | TokenKind::End
        ) {
            self.bump();
        }
    }

    fn is_first_of_its_line(&self) -> bool {
        let before = self.text.get(..self.here()).unwrap_or_default();
        let before = before.trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Parses `item`s separated by commas, up to but not including `close`.
    pub(super) fn list<T>(
        &mut self,
        close: TokenKind,
        trailing_comma: bool,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.at(close) {
            return Ok(items);
        }
        loop {
            push(&mut items, item(self)?);
            if !self.eat(TokenKind::Comma) || (trailing_comma && self.at(close)) {
                return Ok(items);
            }
        }
    }
}

/// Appends an item to a list. Most lists stay short, so a short list reserves room for only one
/// more item.
pub(super) fn push<T>(list: &mut Vec<T>, item: T) {
    const SHORT: usize = 4;
    if list.len() < SHORT {
        list.reserve_exact(1);
    }
    list.push(item);
}

/// The start of a token, short enough for a message.
fn shortened(text: &str) -> String {
    const ROOM: usize = 60;
    match text.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
