//! Where white space is significant.

use super::meaning::{Bracket, Mode, Reader};
use super::token::Kind;

impl Reader<'_> {
    /// Whether white space before a token is significant.
    pub(super) fn separates(&self, at: usize, mode: Mode, bracket: Option<&Bracket>) -> bool {
        let (before, after) = (self.lexemes[at - 1].token, self.lexemes[at].token);
        let is_edge = matches!(before.kind, Kind::Open | Kind::Function | Kind::Comma)
            || matches!(after.kind, Kind::Close | Kind::Comma);
        if is_edge {
            return false;
        }
        let sources = [self.source(at - 1), self.source(at)];
        if bracket.is_some_and(|bracket| bracket.is_attribute) {
            let is_match = |source: &str| source.ends_with('=');
            return !sources.iter().any(|source| is_match(source))
                && !self.is_attribute_value(at - 1);
        }
        match mode {
            Mode::Selector => {
                let is_combinator = |source: &&str| matches!(*source, ">" | "+" | "~" | "||");
                !sources.iter().any(is_combinator)
            }
            Mode::Unknown => true,
            Mode::Range => true,
            Mode::Value | Mode::Query(_) => {
                let is_joined = |at: usize| self.lexemes[at].token.kind == Kind::Delimiter;
                let is_loose = self.is_operator(at - 1) || self.is_operator(at);
                !is_loose && !self.is_ellipsis(at) && (is_joined(at - 1) || is_joined(at))
            }
        }
    }

    /// Whether white space around a token is layout.
    fn is_operator(&self, at: usize) -> bool {
        match self.lexemes[at].token.kind {
            Kind::Colon => true,
            Kind::Delimiter => matches!(
                self.source(at),
                "/" | "*" | "!" | "+" | "-" | "=" | "<" | ">" | "<=" | ">="
            ),
            _ => false,
        }
    }

    /// Whether the three points of an argument list start at a token.
    fn is_ellipsis(&self, at: usize) -> bool {
        (at..at + 3).all(|point| self.source(point) == ".")
    }

    /// Adds a sign, also that of a number. A sign between two operands belongs to the second one if
    /// it has white space before it, and none after it.
    pub(super) fn add_operator(&mut self, at: usize, mode: Mode) -> bool {
        let source = self.source(at);
        let token = self.lexemes[at].token;
        let is_number = matches!(
            token.kind,
            Kind::Number | Kind::Percentage | Kind::Dimension
        );
        let has_sign = match token.kind {
            Kind::Delimiter => matches!(source, "+" | "-"),
            _ => is_number && source.starts_with(['+', '-']),
        };
        if !has_sign {
            return false;
        }
        let is_between = mode == Mode::Value
            && at
                .checked_sub(1)
                .is_some_and(|before| self.is_operand(before));
        let is_before_space =
            !is_number && self.lexemes.get(at + 1).is_some_and(|next| next.is_spaced);
        let is_sign = self.lexemes[at].is_spaced && !is_before_space;
        let kind = match is_between {
            true if is_sign => b'-',
            true => b'+',
            false => b'.',
        };
        self.add(kind, &source.as_bytes()[..1]);
        if is_number {
            self.add_number(token.kind, &source[1..]);
        }
        true
    }

    fn is_operand(&self, at: usize) -> bool {
        matches!(
            self.lexemes[at].token.kind,
            Kind::Ident
                | Kind::Number
                | Kind::Percentage
                | Kind::Dimension
                | Kind::Hash
                | Kind::String
                | Kind::Close
        )
    }
}
