//! Parses expressions: operators by precedence climbing, and postfix expressions.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lex::TokenKind as T;

impl Parser<'_> {
    pub(crate) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|it| it.binary(1))
    }

    fn binary(&mut self, loosest: u8) -> Parsed<Expr> {
        let start = self.here();
        let mut left = self.unary()?;
        while let Some(op) = binary_op(self.token().kind) {
            if op.level() < loosest {
                break;
            }
            self.bump();
            let tighter = u8::from(!op.is_right_associative());
            let right = self.nested(|it| it.binary(op.level() + tighter))?;
            self.grow()?;
            let kind = ExprKind::Binary {
                op,
                left: Box::new(left),
                right: Box::new(right),
            };
            left = self.node(start, kind);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.token().kind {
            T::Minus => UnaryOp::Negate,
            T::Not => UnaryOp::Not,
            _ => return self.postfix(),
        };
        let start = self.here();
        self.bump();
        let operand = Box::new(self.nested(Self::unary)?);
        Ok(self.node(start, ExprKind::Unary { op, operand }))
    }

    /// Parses the rest of `a..b` or `a..=b`.
    #[cold]
    fn range(&mut self, place: usize, start: Expr) -> Parsed<Expr> {
        self.bump();
        let inclusive = self.eat(T::Equal);
        let end = self.nested(Self::postfix)?;
        let kind = ExprKind::Range {
            start: Box::new(start),
            end: Box::new(end),
            inclusive,
        };
        Ok(self.node(place, kind))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let mut object = self.primary()?;
        loop {
            let kind = match self.token().kind {
                T::OpenParen => {
                    self.bump();
                    let args = self.list(T::CloseParen, false, Self::expr)?;
                    self.expect(T::CloseParen)?;
                    let callee = Box::new(object);
                    ExprKind::Call { callee, args }
                }
                T::OpenBracket => {
                    self.bump();
                    let index = Box::new(self.expr()?);
                    self.expect(T::CloseBracket)?;
                    let object = Box::new(object);
                    ExprKind::Index { object, index }
                }
                T::Dot => {
                    self.bump();
                    let field = self.ident("a field's name")?;
                    let object = Box::new(object);
                    ExprKind::Field { object, field }
                }
                T::Question => {
                    self.bump();
                    ExprKind::Propagate(Box::new(object))
                }
                T::DotDot => return self.range(start, object),
                _ => return Ok(object),
            };
            self.grow()?;
            object = self.node(start, kind);
        }
    }
}

fn binary_op(kind: T) -> Option<BinaryOp> {
    Some(match kind {
        T::Pipe => BinaryOp::Pipe,
        T::Or => BinaryOp::Or,
        T::And => BinaryOp::And,
        T::EqualEqual => BinaryOp::Equal,
        T::NotEqual => BinaryOp::NotEqual,
        T::Less => BinaryOp::Less,
        T::Greater => BinaryOp::Greater,
        T::LessEqual => BinaryOp::LessEqual,
        T::GreaterEqual => BinaryOp::GreaterEqual,
        T::Concat => BinaryOp::Concat,
        T::Plus => BinaryOp::Add,
        T::Minus => BinaryOp::Subtract,
        T::Star => BinaryOp::Multiply,
        T::Slash => BinaryOp::Divide,
        T::Percent => BinaryOp::Remainder,
        T::Caret => BinaryOp::Power,
        _ => return None,
    })
}
