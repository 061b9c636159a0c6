//! Checks the order of tokens.

use fixpoint_text::Span;

use super::token::{Kind, Token};
use crate::error::SyntaxError;

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value of an array, a comma without a value, or the end of the array.
    Element,
    /// A key or the end of the object.
    Key,
    Colon,
    /// A comma or the end of the container, or the end of the text.
    Rest,
}

pub(super) struct Grammar {
    /// The open containers: whether each is an object.
    open: Vec<bool>,
    next: Next,
    has_value: bool,
}

impl Grammar {
    pub(super) fn new() -> Self {
        Self {
            open: Vec::new(),
            next: Next::Value,
            has_value: false,
        }
    }

    pub(super) fn push(&mut self, token: &Token<'_>) -> Result<(), SyntaxError> {
        self.has_value = true;
        let innermost = self.open.last().copied();
        let next = match (self.next, token.kind) {
            (Next::Value | Next::Element, Kind::Open) => {
                let is_object = token.text == "{";
                self.open.push(is_object);
                Some(if is_object { Next::Key } else { Next::Element })
            }
            (Next::Value | Next::Element, Kind::String | Kind::Template | Kind::Number) => {
                Some(Next::Rest)
            }
            (Next::Value | Next::Element, Kind::Word) => {
                let word = token.text.trim_start_matches(['+', '-']);
                let is_value = matches!(
                    word,
                    "true" | "false" | "null" | "undefined" | "Infinity" | "NaN"
                );
                is_value.then_some(Next::Rest)
            }
            (Next::Element, Kind::Comma) => Some(Next::Element),
            (Next::Key, Kind::String | Kind::Word | Kind::Number)
                if !token.text.starts_with(['+', '-']) =>
            {
                Some(Next::Colon)
            }
            (Next::Colon, Kind::Colon) => Some(Next::Value),
            (Next::Rest, Kind::Comma) => innermost.map(|is_object| match is_object {
                true => Next::Key,
                false => Next::Element,
            }),
            (Next::Key | Next::Element | Next::Rest, Kind::Close) => {
                let closes = innermost == Some(token.text == "}");
                self.open.pop();
                closes.then_some(Next::Rest)
            }
            _ => None,
        };
        self.next = next.ok_or_else(|| {
            let expected = match self.next {
                Next::Value | Next::Element => "expected a value",
                Next::Key => "expected a key or `}`",
                Next::Colon => "expected `:` after the key",
                Next::Rest if innermost.is_some() => "expected `,` or the end of the container",
                Next::Rest => "text cannot contain more than one value",
            };
            SyntaxError::new(expected, token.span())
        })?;
        Ok(())
    }

    /// An empty text is accepted.
    pub(super) fn end(&self, length: usize) -> Result<(), SyntaxError> {
        if self.next == Next::Rest && self.open.is_empty() || !self.has_value {
            return Ok(());
        }
        let end = Span::from(length..length);
        Err(SyntaxError::new("the text ends too early", end))
    }
}
