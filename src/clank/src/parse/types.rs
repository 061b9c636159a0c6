//! Parses types.

use super::{Parsed, Parser};
use crate::ast::{Name, TypeExpr, TypeKind};
use crate::lex::TokenKind as T;

impl Parser<'_> {
    pub(crate) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.nested(|it| it.sum_of_types(true))
    }

    /// Parses a type that is followed by a body, so `{` does not begin a refinement.
    pub(super) fn return_type(&mut self) -> Parsed<TypeExpr> {
        self.nested(|it| it.sum_of_types(false))
    }

    /// Parses types joined by `+`, which form an effect type: all operands except the last are
    /// effects.
    fn sum_of_types(&mut self, refinable: bool) -> Parsed<TypeExpr> {
        let start = self.here();
        let mut effects = Vec::new();
        let mut last = self.operand_type(refinable)?;
        while self.eat(T::Plus) {
            let next = self.operand_type(refinable)?;
            effects.push(std::mem::replace(&mut last, next));
        }
        if effects.is_empty() {
            return Ok(last);
        }
        let result = Box::new(last);
        Ok(self.node(start, TypeKind::Effect { effects, result }))
    }

    fn operand_type(&mut self, refinable: bool) -> Parsed<TypeExpr> {
        let start = self.here();
        match self.token().kind {
            T::OpenParen => self.paren_type(refinable),
            T::OpenBracket => {
                self.bump();
                let element = Box::new(self.type_expr()?);
                self.expect(T::CloseBracket)?;
                let array = self.node(start, TypeKind::Array(element));
                self.refinement(start, array, refinable)
            }
            T::OpenBrace => self.record_type(start, refinable),
            kind if kind.is_builtin_type() || kind == T::TypeIdent => {
                let named = self.named_type()?;
                if self.eat(T::Question) {
                    let name = Name::made("Option");
                    let args = vec![named];
                    return Ok(self.node(start, TypeKind::Named { name, args }));
                }
                self.refinement(start, named, refinable)
            }
            _ => Err(self.unexpected("a type")),
        }
    }

    /// Parses `{a: A, b: B}`, or `{a: A, ..}` for records with more fields.
    fn record_type(&mut self, start: usize, refinable: bool) -> Parsed<TypeExpr> {
        self.bump();
        let mut fields = Vec::new();
        let mut open = false;
        while !self.at(T::CloseBrace) && !open {
            if self.eat(T::DotDot) {
                open = true;
            } else {
                fields.push(self.field()?);
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.expect(T::CloseBrace)?;
        let record = self.node(start, TypeKind::Record { fields, open });
        self.refinement(start, record, refinable)
    }

    fn named_type(&mut self) -> Parsed<TypeExpr> {
        let token = self.bump();
        let text = match token.kind {
            T::TypeIdent => self.text_of(token),
            builtin => builtin.text(),
        };
        let name = Name {
            text: text.into(),
            span: self.bytes_of(token),
        };
        let mut args = Vec::new();
        if token.kind == T::TypeIdent && self.eat(T::OpenBracket) {
            args.push(self.type_expr()?);
            while self.eat(T::Comma) {
                args.push(self.type_expr()?);
            }
            self.expect(T::CloseBracket)?;
        }
        Ok(self.node(token.span.start(), TypeKind::Named { name, args }))
    }

    fn paren_type(&mut self, refinable: bool) -> Parsed<TypeExpr> {
        let start = self.here();
        self.bump();
        let mut elements = self.list(T::CloseParen, false, Self::type_expr)?;
        self.expect(T::CloseParen)?;
        if self.eat(T::Arrow) {
            let result = Box::new(self.nested(|it| it.sum_of_types(refinable))?);
            let params = elements;
            return Ok(self.node(start, TypeKind::Function { params, result }));
        }
        match elements.len() {
            0 => {
                let name = Name::made("Unit");
                let args = Vec::new();
                Ok(self.node(start, TypeKind::Named { name, args }))
            }
            1 => match elements.pop() {
                Some(mut inner) => {
                    inner.parens = true;
                    Ok(inner)
                }
                None => Err(self.unexpected("a type")),
            },
            _ => Ok(self.node(start, TypeKind::Tuple(elements))),
        }
    }

    fn refinement(&mut self, start: usize, base: TypeExpr, refinable: bool) -> Parsed<TypeExpr> {
        if !refinable || !self.at(T::OpenBrace) {
            return Ok(base);
        }
        self.bump();
        let var = if self.at(T::Ident) && self.nth(1).kind == T::Bar {
            let name = self.ident("a name")?;
            self.bump();
            Some(name)
        } else {
            None
        };
        let predicate = Box::new(self.expr()?);
        self.expect(T::CloseBrace)?;
        let base = Box::new(base);
        let kind = TypeKind::Refined {
            base,
            var,
            predicate,
        };
        Ok(self.node(start, kind))
    }
}
