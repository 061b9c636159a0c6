//! Prints literals with the author's spelling, as long as it still has the same value.

use fixpoint_text::Span;

use super::Printer;
use crate::ast::{IntSuffix, Literal};
use crate::lex::{TokenKind, int_value, lex, string_value};

impl Printer<'_> {
    pub(super) fn literal(&mut self, literal: &Literal, span: Span) {
        let spelled = self.source.slice(span);
        if !spelled.is_empty() && says(spelled, literal) {
            self.doc.text(spelled.to_owned());
        } else {
            self.doc.text(literal_text(literal));
        }
    }
}

pub(super) fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Int { value, suffix } => {
            format!("{value}{}", suffix.map_or("", IntSuffix::text))
        }
        Literal::Float(value) => format!("{value:?}"),
        Literal::Str(value) => string_text(value),
        Literal::Template(value) => format!("`{}`", value.as_str().replace('`', "\\`")),
        Literal::Bool(value) => value.to_string(),
        Literal::Unit => "()".to_owned(),
    }
}

/// A string literal with that value.
pub fn string_text(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    text.push('"');
    for char in value.chars() {
        match char {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0' => text.push_str("\\0"),
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

/// Whether a spelling is one of the literal.
fn says(spelled: &str, literal: &Literal) -> bool {
    let tokens = lex(spelled);
    let Some(token) = tokens
        .all
        .first()
        .filter(|token| token.span.len() == spelled.len())
    else {
        return false;
    };
    match (token.kind, literal) {
        (TokenKind::IntLiteral, Literal::Int { value, suffix }) => {
            int_value(spelled).is_some_and(|(it, its)| it == *value && its == *suffix)
        }
        (TokenKind::FloatLiteral, Literal::Float(value)) => {
            let digits: String = spelled.chars().filter(|it| *it != '_').collect();
            digits.parse() == Ok(*value)
        }
        (TokenKind::StringLiteral | TokenKind::TripleString, Literal::Str(value))
        | (TokenKind::TemplateLiteral, Literal::Template(value)) => {
            string_value(token.kind, spelled) == *value
        }
        _ => false,
    }
}
