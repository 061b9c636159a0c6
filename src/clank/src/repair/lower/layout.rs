//! Queries about the author's layout: tokens, lines, indentation and comments around an offset.

use fixpoint_text::Span;

use crate::lex::{Token, TokenKind, lex};

pub(crate) struct Layout<'a> {
    pub text: &'a str,
    significant: Vec<Token>,
    comments: Vec<Span>,
}

impl<'a> Layout<'a> {
    pub fn of(text: &'a str) -> Self {
        let tokens = lex(text);
        let comments = tokens.all.iter().filter(|it| it.kind.is_comment());
        Self {
            text,
            comments: comments.map(|it| it.span).collect(),
            significant: tokens.significant(),
        }
    }

    fn end(&self) -> Token {
        Token {
            kind: TokenKind::End,
            span: Span::at(self.text.len()),
        }
    }

    /// The first token at or after an offset.
    pub fn next(&self, offset: usize) -> Token {
        let at = self
            .significant
            .partition_point(|it| it.span.start() < offset);
        self.significant.get(at).copied().unwrap_or(self.end())
    }

    /// The last token that ends at or before an offset.
    pub fn previous(&self, offset: usize) -> Token {
        let at = self
            .significant
            .partition_point(|it| it.span.end() <= offset && it.kind != TokenKind::End);
        let token = at.checked_sub(1).and_then(|at| self.significant.get(at));
        token.copied().unwrap_or(self.end())
    }

    /// The tokens of a span.
    pub fn within(&self, span: Span) -> &[Token] {
        let from = self
            .significant
            .partition_point(|it| it.span.start() < span.start());
        let to = self
            .significant
            .partition_point(|it| it.span.start() < span.end() && it.kind != TokenKind::End);
        self.significant.get(from..to).unwrap_or_default()
    }

    fn line_start(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or_default();
        before.rfind('\n').map_or(0, |at| at + 1)
    }

    /// The white space that the line of an offset begins with.
    pub fn indent(&self, offset: usize) -> &'a str {
        let start = self.line_start(offset);
        let line = self.text.get(start..).unwrap_or_default();
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(..width).unwrap_or_default()
    }

    /// Whether only white space comes before an offset on its line.
    pub fn starts_line(&self, offset: usize) -> bool {
        let start = self.line_start(offset);
        let before = self.text.get(start..offset).unwrap_or_default();
        before.chars().all(char::is_whitespace)
    }

    /// Indents the lines after the first one like the line of `offset`.
    pub fn indented(&self, offset: usize, text: &str) -> String {
        text.replace('\n', &format!("\n{}", self.indent(offset)))
    }

    /// The text of an item to insert before the one at an offset. It gets its own line if that item
    /// starts a line.
    pub fn item_before(&self, offset: usize, text: &str, separator: &str) -> String {
        let text = self.indented(offset, text);
        if self.starts_line(offset) {
            format!("{text}{separator}\n{}", self.indent(offset))
        } else {
            format!("{text}{separator} ")
        }
    }

    /// The parts of a span outside its comments.
    pub fn between_comments(&self, span: Span) -> Vec<Span> {
        let mut pieces = Vec::new();
        let mut from = span.start();
        for comment in &self.comments {
            if comment.start() >= from && comment.end() <= span.end() {
                pieces.push(Span::from(from..comment.start()));
                // A line comment needs the newline after it.
                let is_line = self.text.get(comment.range()).unwrap_or_default();
                let keeps_newline = is_line.starts_with("//") && comment.end() < span.end();
                from = comment.end() + usize::from(keeps_newline);
            }
        }
        pieces.push(Span::from(from.min(span.end())..span.end()));
        pieces.retain(|it| !it.is_empty());
        pieces
    }

    /// The end of the line of an offset, if only a comma or semicolon and comments follow on it.
    pub fn rest_of_line(&self, offset: usize) -> Option<usize> {
        let rest = self.text.get(offset..).unwrap_or_default();
        let end = offset + rest.find('\n').unwrap_or(rest.len());
        let next = self.next(offset);
        let next = match next.kind {
            TokenKind::Comma | TokenKind::Semicolon => self.next(next.span.end()),
            _ => next,
        };
        let inside_comment = self
            .comments
            .iter()
            .any(|it| it.start() < end && end < it.end());
        (next.span.start() > end && !inside_comment).then_some(end)
    }
}
