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
        Literal::Template(value) => template_text(value),
        Literal::Bool(value) => value.to_string(),
        Literal::Unit => "()".to_owned(),
    }
}

/// A template literal with that value. What is between `${` and `}` is written as it is.
fn template_text(value: &str) -> String {
    let mut text = String::from("`");
    let mut depth = 0_usize;
    let mut chars = value.chars().peekable();
    while let Some(char) = chars.next() {
        text.push(char);
        match char {
            '\\' if depth > 0 => text.extend(chars.next()),
            '{' if depth > 0 => depth += 1,
            '}' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '$' if chars.next_if_eq(&'{').is_some() => {
                text.push('{');
                depth = 1;
            }
            // An escaped dollar is part of the value.
            '\\' if chars.next_if_eq(&'$').is_some() => text.push('$'),
            '\\' => text.push('\\'),
            '`' => {
                text.pop();
                text.push_str("\\`");
            }
            _ => {}
        }
    }
    text.push('`');
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_read_again_with_its_value() {
        for value in [
            "",
            "a",
            "a ${ `b ${n} c` } d",
            "${if n > 0 { `b ${`${n}`} c` } else { `` }}`",
            "\\${n} $ {n} `${n}` \\ \\q \\` \\\\$ \\\\",
            "${f(\"\\\"}\")} \n ${\\x -> `${x}`}",
            "${ \"}\" } ` ${n}",
        ] {
            let text = template_text(value);
            let tokens = lex(&text);
            let kinds: Vec<TokenKind> = tokens.all.iter().map(|it| it.kind).collect();
            assert_eq!(
                kinds,
                [TokenKind::TemplateLiteral, TokenKind::End],
                "{text}"
            );
            assert_eq!(tokens.errors.len(), 0, "{text}");
            assert_eq!(
                string_value(TokenKind::TemplateLiteral, &text),
                value,
                "{text}"
            );
        }
    }
}
