//! Parses primary expressions.

use super::{Parsed, Parser};
use crate::ast::{Arm, Expr, ExprKind, FieldInit, LambdaParam, Literal, Name};
use crate::lex::TokenKind as T;
use crate::syntax::SyntaxError;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let token = self.token();
        let kind = match token.kind {
            T::IntLiteral
            | T::FloatLiteral
            | T::StringLiteral
            | T::TripleString
            | T::TemplateLiteral
            | T::True
            | T::False => ExprKind::Literal(self.literal()?),
            T::Ident => {
                self.bump();
                ExprKind::Ident(self.text_of(token).into())
            }
            T::TypeIdent => {
                if self.nth(1).kind == T::OpenBrace
                    && self.nth(2).kind == T::Ident
                    && self.nth(3).kind == T::Colon
                {
                    let name = self.text_of(token);
                    let message = format!(
                        "a record literal has no name before it: write `{{...}}`, or build the record by position: `{name}(...)`"
                    );
                    return Err(Box::new(SyntaxError::new(token.span, message)));
                }
                self.bump();
                ExprKind::Ident(self.text_of(token).into())
            }
            T::Lambda => return self.lambda(),
            T::If => return self.if_expr(),
            T::Match => return self.match_expr(),
            T::OpenBrace if self.begins_record() => return self.record(),
            T::Question => return self.hole(),
            T::OpenBrace => {
                let block = self.block()?;
                return Ok(Expr::new(block.id, block.span, ExprKind::Block(block.kind)));
            }
            T::OpenBracket => {
                self.bump();
                let elements = self.list(T::CloseBracket, false, Self::expr)?;
                self.expect(T::CloseBracket)?;
                ExprKind::Array(elements)
            }
            T::OpenParen => return self.paren(),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(self.node(start, kind))
    }

    /// Whether `{` begins a record literal. No statement begins with `name:`.
    fn begins_record(&self) -> bool {
        self.nth(1).kind == T::Ident && self.nth(2).kind == T::Colon
    }

    fn record(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.bump();
        let fields = self.list(T::CloseBrace, true, Self::field_init)?;
        self.expect(T::CloseBrace)?;
        Ok(self.node(start, ExprKind::Record(fields)))
    }

    fn hole(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.bump();
        let name = self.ident("the name of a hole")?;
        Ok(self.node(start, ExprKind::Hole(name.text)))
    }

    fn field_init(&mut self) -> Parsed<FieldInit> {
        let name = self.ident("a field's name")?;
        self.expect(T::Colon)?;
        let value = self.expr()?;
        let id = self.fresh();
        Ok(FieldInit { id, name, value })
    }

    fn paren(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.bump();
        if self.eat(T::CloseParen) {
            return Ok(self.node(start, ExprKind::Literal(Literal::Unit)));
        }
        let mut first = self.expr()?;
        if self.eat(T::CloseParen) {
            first.parens = true;
            return Ok(first);
        }
        let mut elements = vec![first];
        while self.eat(T::Comma) {
            elements.push(self.expr()?);
        }
        self.expect(T::CloseParen)?;
        Ok(self.node(start, ExprKind::Tuple(elements)))
    }

    fn lambda(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.bump();
        let params = match self.token().kind {
            T::Ident => {
                let name = self.ident("a parameter's name")?;
                vec![self.lambda_param(name, false)?]
            }
            T::OpenParen => {
                self.bump();
                let params = self.list(T::CloseParen, false, |it| {
                    let name = it.ident("a parameter's name")?;
                    it.lambda_param(name, true)
                })?;
                self.expect(T::CloseParen)?;
                params
            }
            _ => Vec::new(),
        };
        self.expect(T::Arrow)?;
        let body = Box::new(self.expr()?);
        Ok(self.node(start, ExprKind::Lambda { params, body }))
    }

    fn lambda_param(&mut self, name: Name, annotated: bool) -> Parsed<LambdaParam> {
        let ty = (annotated && self.eat(T::Colon)).then(|| self.type_expr());
        let ty = ty.transpose()?;
        let id = self.fresh();
        Ok(LambdaParam { id, name, ty })
    }

    /// A chain of `else if` may be long, so it is parsed in a loop and built from its end.
    fn if_expr(&mut self) -> Parsed<Expr> {
        let mut branches = Vec::new();
        let mut else_branch = None;
        loop {
            let start = self.here();
            self.expect(T::If)?;
            let condition = Box::new(self.expr()?);
            let then_branch = Box::new(self.block()?);
            branches.push((start, condition, then_branch));
            self.fits(branches.len())?;
            if !self.eat(T::Else) {
                break;
            }
            if !self.at(T::If) {
                let block = self.block()?;
                let kind = ExprKind::Block(block.kind);
                else_branch = Some(Box::new(Expr::new(block.id, block.span, kind)));
                break;
            }
        }
        let mut chain: Option<Expr> = None;
        for (start, condition, then_branch) in branches.into_iter().rev() {
            self.grow()?;
            let kind = ExprKind::If {
                condition,
                then_branch,
                else_branch: chain.map(Box::new).or_else(|| else_branch.take()),
            };
            chain = Some(self.node(start, kind));
        }
        chain.ok_or_else(|| self.unexpected("an expression"))
    }

    fn match_expr(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.bump();
        let scrutinee = Box::new(self.expr()?);
        self.expect(T::OpenBrace)?;
        let arms = self.list(T::CloseBrace, true, Self::arm)?;
        self.expect(T::CloseBrace)?;
        Ok(self.node(start, ExprKind::Match { scrutinee, arms }))
    }

    pub(crate) fn arm(&mut self) -> Parsed<Arm> {
        let start = self.here();
        let pattern = self.pattern()?;
        let guard = self.eat(T::If).then(|| self.expr()).transpose()?;
        self.expect(T::Arrow)?;
        let body = self.expr()?;
        let (id, span) = self.placed(start);
        Ok(Arm {
            id,
            span,
            pattern,
            guard: guard.map(Box::new),
            body,
        })
    }
}
