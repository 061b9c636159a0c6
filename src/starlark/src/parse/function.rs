//! Parses `def` and `lambda` with parameters and types.

use super::{Parsed, Parser};
use crate::lex::{Token, TokenKind};
use crate::tree::{Flags, Kind, NONE, NodeId, Op};

impl Parser<'_> {
    pub(super) fn lambda(&mut self) -> Parsed {
        let first = self.bump();
        let base = self.stack.len();
        self.parameters(TokenKind::Colon, false)?;
        self.expect(TokenKind::Colon, "`:`")?;
        let (a, b) = self.pop_list(base);
        let body = self.test()?;
        let id = self.since(Kind::Lambda, first);
        let node = self.tree.node_mut(id);
        (node.a, node.b, node.c) = (a, b, body);
        Ok(id)
    }

    /// Reads parameters up to `close` and pushes them onto the stack.
    fn parameters(&mut self, close: TokenKind, typed: bool) -> Parsed<()> {
        while !self.at(close) {
            let parameter = self.parameter(typed)?;
            self.stack.push(parameter);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(())
    }

    fn parameter(&mut self, typed: bool) -> Parsed {
        let first = self.token;
        let op = match first.kind {
            TokenKind::Star => Op::Star,
            TokenKind::StarStar => Op::StarStar,
            _ => {
                let name = self.parameter_name(typed)?;
                if !self.eat(TokenKind::Eq) {
                    return Ok(name);
                }
                let default = self.test()?;
                return Ok(self.binary_node(Kind::Assign, Op::Assign, name, default));
            }
        };
        self.bump();
        if op == Op::Star && !self.at(TokenKind::Ident) {
            let id = self.unary_node(op, first, NONE);
            let node = self.tree.node_mut(id);
            node.end = node.start;
            return Ok(id);
        }
        let operand = self.parameter_name(typed)?;
        Ok(self.unary_node(op, first, operand))
    }

    fn parameter_name(&mut self, typed: bool) -> Parsed {
        let name = self.expect(TokenKind::Ident, "a parameter")?;
        if !typed || !self.at(TokenKind::Colon) {
            return Ok(self.leaf(Kind::Ident, name));
        }
        self.bump();
        let kind = self.type_expression(Flags::IN_TYPE)?;
        let id = self.since(Kind::Typed, name);
        let node = self.tree.node_mut(id);
        (node.a, node.b) = (kind, name.end);
        Ok(id)
    }

    /// Reads a type and marks all of its nodes.
    fn type_expression(&mut self, mark: Flags) -> Parsed {
        let before = self.tree.nodes.len();
        let id = self.test()?;
        for node in &mut self.tree.nodes[before..] {
            node.flags.set(mark);
        }
        Ok(id)
    }

    /// Reads a `def` with its body.
    pub(super) fn def(&mut self) -> Parsed {
        let first = self.bump();
        let name = self.expect(TokenKind::Ident, "the name of the function")?;
        let base = self.stack.len();
        self.expect(TokenKind::OpenParen, "`(`")?;
        self.parameters(TokenKind::CloseParen, true)?;
        self.expect(TokenKind::CloseParen, "`,` or `)`")?;
        let mut returns = NONE;
        if self.eat(TokenKind::Arrow) {
            let mut mark = Flags::IN_TYPE;
            mark.set(Flags::HIDDEN);
            returns = self.type_expression(mark)?;
        }
        self.expect(TokenKind::Colon, "`:`")?;
        let body = self.suite()?;
        self.move_outer_comments(body);
        Ok(self.def_node(first, name, base, body, returns))
    }

    fn def_node(
        &mut self,
        first: Token,
        name: Token,
        base: usize,
        body: NodeId,
        returns: NodeId,
    ) -> NodeId {
        let (a, b) = self.pop_list(base);
        self.tree
            .extra
            .extend([body, returns, name.start, name.end]);
        let end = *self.tree.node(body);
        let id = self.leaf(Kind::Def, first);
        let node = self.tree.node_mut(id);
        (node.a, node.b) = (a, b);
        (node.end, node.end_line) = (end.end, end.end_line);
        id
    }
}
