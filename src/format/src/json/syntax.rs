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

/// Checks a text token by token.
pub(super) struct Grammar {
    /// Whether only standard JSON is accepted. Otherwise literals of JavaScript are accepted too, and commas without a value.
    is_standard: bool,
    /// The open containers: whether each is an object.
    open: Vec<bool>,
    next: Next,
    has_value: bool,
    follows_comma: bool,
}

impl Grammar {
    pub(super) fn new(is_standard: bool) -> Self {
        Self {
            is_standard,
            open: Vec::new(),
            next: Next::Value,
            has_value: false,
            follows_comma: false,
        }
    }

    pub(super) fn push(&mut self, token: &Token<'_>) -> Result<(), SyntaxError> {
        if self.is_standard {
            self.check_standard(token)?;
        }
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

    /// Rejects what a reader of standard JSON rejects.
    fn check_standard(&mut self, token: &Token<'_>) -> Result<(), SyntaxError> {
        let fail = |message: &str| Err(SyntaxError::new(message, token.span()));
        match token.kind {
            Kind::Template => fail("strings must be in double quotes"),
            Kind::String if !token.text.starts_with('"') => {
                fail("strings must be in double quotes")
            }
            Kind::Word | Kind::Number if self.next == Next::Key => {
                fail("keys must be strings in double quotes")
            }
            Kind::Word if !matches!(token.text, "true" | "false" | "null") => {
                fail("expected a value")
            }
            Kind::Number if !is_standard_number(token.text) => fail("not a number of JSON"),
            Kind::Comma if self.next == Next::Element => fail("expected a value"),
            Kind::Close if self.follows_comma => fail("a comma after the last value"),
            kind => {
                self.follows_comma = kind == Kind::Comma;
                Ok(())
            }
        }
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

/// Whether a number has a form of standard JSON: no plus sign, no leading zeros, digits around the point.
fn is_standard_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.map(|part| part.strip_prefix(['+', '-']).unwrap_or(part));
    are_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(are_digits)
        && exponent.is_none_or(are_digits)
}
