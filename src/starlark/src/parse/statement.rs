//! Parses simple statements, and the headers of compound statements.

use super::{Parsed, Parser};
use crate::lex::TokenKind;
use crate::tree::{Kind, NONE, NodeId, Op};

impl Parser<'_> {
    /// Reads statements separated by `;` up to the end of the line, and pushes them onto the block
    /// stack.
    pub(super) fn simple_line(&mut self) -> Parsed<()> {
        loop {
            let statement = self.small_statement()?;
            self.blocks.push(statement);
            if !self.eat(TokenKind::Semicolon) || self.at(TokenKind::Newline) {
                break;
            }
        }
        self.expect(TokenKind::Newline, "the end of the line")?;
        Ok(())
    }

    fn small_statement(&mut self) -> Parsed {
        match self.token.kind {
            TokenKind::Pass | TokenKind::Break | TokenKind::Continue => {
                let token = self.bump();
                Ok(self.leaf(Kind::Branch, token))
            }
            TokenKind::Return => {
                let first = self.bump();
                let value = match self.token.kind {
                    TokenKind::Newline | TokenKind::Semicolon => NONE,
                    _ => self.expressions()?,
                };
                let id = self.since(Kind::Return, first);
                self.tree.node_mut(id).a = value;
                Ok(id)
            }
            _ => {
                let target = self.expressions()?;
                let op = match self.token.kind {
                    TokenKind::Eq => Op::Assign,
                    TokenKind::AugAssign => self.augmented(),
                    _ => return Ok(target),
                };
                self.bump();
                let value = self.expressions()?;
                Ok(self.binary_node(Kind::Assign, op, target, value))
            }
        }
    }

    fn augmented(&self) -> Op {
        match self.tree.slice(self.token.start, self.token.end) {
            "-=" => Op::MinusAssign,
            "*=" => Op::StarAssign,
            "/=" => Op::SlashAssign,
            "//=" => Op::SlashSlashAssign,
            "%=" => Op::PercentAssign,
            "&=" => Op::AmpAssign,
            "|=" => Op::PipeAssign,
            "^=" => Op::CaretAssign,
            "<<=" => Op::ShlAssign,
            ">>=" => Op::ShrAssign,
            _ => Op::PlusAssign,
        }
    }

    pub(super) fn for_statement(&mut self) -> Parsed {
        let first = self.bump();
        let variables = self.variables()?;
        self.expect(TokenKind::In, "`in`")?;
        let iterable = self.expressions()?;
        self.expect(TokenKind::Colon, "`:`")?;
        let body = self.suite()?;
        self.move_outer_comments(body);
        let end = *self.tree.node(body);
        let id = self.leaf(Kind::For, first);
        let node = self.tree.node_mut(id);
        (node.a, node.b, node.c) = (variables, iterable, body);
        (node.end, node.end_line) = (end.end, end.end_line);
        Ok(id)
    }

    /// Reads an `if` with all of its branches. A chain of `elif` is read in a loop and its nodes
    /// are created from the last one. So a long chain does not use stack, and parents still come
    /// after their children.
    pub(super) fn if_statement(&mut self) -> Parsed {
        let mut branches = Vec::new();
        let mut first = self.bump();
        let mut otherwise = NONE;
        loop {
            let condition = self.expressions()?;
            self.expect(TokenKind::Colon, "`:`")?;
            let body = self.suite()?;
            let word = self.token;
            match word.kind {
                TokenKind::Elif => {
                    self.bump();
                }
                TokenKind::Else => {
                    self.bump();
                    if !self.at(TokenKind::If) {
                        let marker = self.else_marker(word);
                        self.expect(TokenKind::Colon, "`:`")?;
                        otherwise = self.suite()?;
                        self.tree.node_mut(marker).a = otherwise;
                        branches.push((first, condition, body, marker));
                        break;
                    }
                    self.bump();
                }
                _ => {
                    branches.push((first, condition, body, NONE));
                    break;
                }
            }
            let marker = self.else_marker(word);
            branches.push((first, condition, body, marker));
            first = word;
        }
        let mut last_body = otherwise;
        if last_body == NONE
            && let Some((_, _, body, _)) = branches.last()
        {
            last_body = *body;
        }
        self.move_outer_comments(last_body);
        let mut inner = NONE;
        for (first, condition, body, marker) in branches.into_iter().rev() {
            if inner != NONE {
                let block = self.block_of(inner);
                self.tree.node_mut(marker).a = block;
            }
            let id = self.leaf(Kind::If, first);
            let end = *self.tree.node(last_body);
            let node = self.tree.node_mut(id);
            (node.a, node.b, node.c) = (condition, body, marker);
            (node.end, node.end_line) = (end.end, end.end_line);
            inner = id;
        }
        Ok(inner)
    }

    fn else_marker(&mut self, word: crate::lex::Token) -> NodeId {
        let id = self.leaf(Kind::Else, word);
        let node = self.tree.node_mut(id);
        node.end = node.start + 1;
        id
    }

    /// A block that contains one statement.
    fn block_of(&mut self, statement: NodeId) -> NodeId {
        let a = self.tree.extra.len() as u32;
        self.tree.extra.push(statement);
        let id = self.join(Kind::Block, statement, statement);
        let node = self.tree.node_mut(id);
        (node.a, node.b) = (a, 1);
        id
    }
}
