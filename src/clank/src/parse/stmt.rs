//! Parses statements and blocks.

use super::cursor::push;
use super::{Parsed, Parser};
use crate::ast::{Block, BlockNode, Expr, ExprKind, Stmt, StmtKind};
use crate::lex::TokenKind as T;
use crate::syntax::SyntaxError;

impl Parser<'_> {
    pub(crate) fn block(&mut self) -> Parsed<BlockNode> {
        self.nested(|it| {
            let start = it.here();
            it.expect(T::OpenBrace)?;
            let block = it.block_items()?;
            it.expect(T::CloseBrace)?;
            Ok(it.node(start, block))
        })
    }

    /// The items between a block's braces. The last item is the block's value if it is an
    /// expression without `;`.
    fn block_items(&mut self) -> Parsed<Block> {
        let mut block = Block::default();
        while !self.at(T::CloseBrace) && !self.at(T::End) {
            let item = self.statement_here()?;
            let ended = self.eat(T::Semicolon);
            let last = self.at(T::CloseBrace) || self.at(T::End);
            match item.kind {
                StmtKind::Expr(tail) if last && !ended => block.tail = Some(Box::new(tail)),
                kind => push(&mut block.statements, Stmt { kind, ..item }),
            }
        }
        Ok(block)
    }

    /// Parses a block in a fragment, with or without braces.
    pub(crate) fn bare_block(&mut self) -> Parsed<BlockNode> {
        let mut items = self.bare_items()?;
        let has_braces = |tail: &Expr| !tail.parens && matches!(tail.kind, ExprKind::Block(_));
        if items.kind.statements.is_empty()
            && items.kind.tail.as_deref().is_some_and(has_braces)
            && let Some(tail) = items.kind.tail.take()
            && let ExprKind::Block(block) = tail.kind
        {
            return Ok(BlockNode::new(tail.id, tail.span, block));
        }
        Ok(items)
    }

    fn bare_items(&mut self) -> Parsed<BlockNode> {
        self.nested(|it| {
            let start = it.here();
            let block = it.block_items()?;
            Ok(it.node(start, block))
        })
    }

    /// Parses exactly one statement in a fragment. An expression needs its `;`.
    pub(crate) fn one_statement(&mut self) -> Parsed<Stmt> {
        let block = self.bare_items()?;
        let mut statements = block.kind.statements;
        match (statements.pop(), statements.is_empty(), block.kind.tail) {
            (Some(statement), true, None) => Ok(statement),
            _ => Err(Box::new(SyntaxError::new(
                block.span,
                "a statement fragment holds exactly one statement; end an expression with `;`",
            ))),
        }
    }

    fn statement_here(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        let kind = match self.token().kind {
            T::Let => {
                self.bump();
                let mutable = self.eat(T::Mut);
                let pattern = self.pattern()?;
                let ty = self.eat(T::Colon).then(|| self.type_expr()).transpose()?;
                self.expect(T::Equal)?;
                let init = self.expr()?;
                StmtKind::Let {
                    pattern,
                    ty: ty.map(Box::new),
                    mutable,
                    init,
                }
            }
            T::For => {
                self.bump();
                let pattern = self.pattern()?;
                self.expect(T::In)?;
                let iterable = self.expr()?;
                let body = Box::new(self.block()?);
                StmtKind::For {
                    pattern,
                    iterable,
                    body,
                }
            }
            T::While => {
                self.bump();
                let condition = self.expr()?;
                let body = Box::new(self.block()?);
                StmtKind::While { condition, body }
            }
            T::Loop => {
                self.bump();
                StmtKind::Loop(self.block()?)
            }
            T::Return => {
                self.bump();
                let bare = matches!(self.token().kind, T::CloseBrace | T::Semicolon | T::End);
                let value = if bare { None } else { Some(self.expr()?) };
                StmtKind::Return(value)
            }
            T::Break => {
                self.bump();
                StmtKind::Break
            }
            T::Continue => {
                self.bump();
                StmtKind::Continue
            }
            T::Assert => {
                self.bump();
                let condition = self.expr()?;
                let message = self.eat(T::Colon).then(|| self.string()).transpose()?;
                StmtKind::Assert { condition, message }
            }
            _ => {
                let target = self.expr()?;
                if self.eat(T::Equal) {
                    let value = self.expr()?;
                    StmtKind::Assign { target, value }
                } else {
                    StmtKind::Expr(target)
                }
            }
        };
        Ok(self.node(start, kind))
    }
}
