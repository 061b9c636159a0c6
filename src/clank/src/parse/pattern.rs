//! Parses patterns.

use super::{Parsed, Parser};
use crate::ast::{FieldPattern, Literal, Pattern, PatternKind};
use crate::lex::{MAX_DIGITS, TokenKind as T};

impl Parser<'_> {
    pub(crate) fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(Self::pattern_here)
    }

    fn pattern_here(&mut self) -> Parsed<Pattern> {
        let start = self.here();
        let token = self.token();
        let kind = match token.kind {
            T::Underscore => {
                self.bump();
                PatternKind::Wildcard
            }
            T::IntLiteral | T::StringLiteral | T::TripleString | T::True | T::False => {
                PatternKind::Literal(self.literal()?)
            }
            T::Ident => {
                self.bump();
                PatternKind::Ident(self.text_of(token).into())
            }
            T::OpenParen => {
                self.bump();
                let elements = self.list(T::CloseParen, false, Self::pattern)?;
                self.expect(T::CloseParen)?;
                PatternKind::Tuple(elements)
            }
            T::OpenBrace => {
                self.bump();
                let fields = self.list(T::CloseBrace, false, Self::field_pattern)?;
                self.expect(T::CloseBrace)?;
                PatternKind::Record(fields)
            }
            kind if kind == T::TypeIdent || kind.is_builtin_type() => {
                let name = self.variant_name()?;
                let payload = if self.eat(T::OpenParen) {
                    let list = self.list(T::CloseParen, false, Self::pattern)?;
                    self.expect(T::CloseParen)?;
                    Some(list)
                } else {
                    None
                };
                PatternKind::Variant { name, payload }
            }
            _ => return Err(self.unexpected("a pattern")),
        };
        Ok(self.node(start, kind))
    }

    fn field_pattern(&mut self) -> Parsed<FieldPattern> {
        let name = self.ident("a field's name")?;
        let pattern = self.eat(T::Colon).then(|| self.pattern()).transpose()?;
        Ok(FieldPattern {
            id: self.fresh(),
            name,
            pattern,
        })
    }

    /// Parses the next token as a literal.
    pub(super) fn literal(&mut self) -> Parsed<Literal> {
        let token = self.token();
        let text = self.text_of(token);
        let literal = match token.kind {
            T::IntLiteral => match crate::lex::int_value(text) {
                Some((value, suffix)) => Literal::Int { value, suffix },
                None => {
                    let wanted = format!("a number of at most {MAX_DIGITS} digits");
                    return Err(self.unexpected(&wanted));
                }
            },
            T::FloatLiteral => {
                let digits: String = text.chars().filter(|it| *it != '_').collect();
                match digits.parse::<f64>() {
                    Ok(value) if value.is_finite() => Literal::Float(value),
                    _ => return Err(self.unexpected("a number that a Float can hold")),
                }
            }
            T::StringLiteral | T::TripleString => {
                Literal::Str(crate::lex::string_value(token.kind, text).into())
            }
            T::TemplateLiteral => {
                Literal::Template(crate::lex::string_value(token.kind, text).into())
            }
            T::True => Literal::Bool(true),
            T::False => Literal::Bool(false),
            _ => return Err(self.unexpected("a literal")),
        };
        self.bump();
        Ok(literal)
    }
}
