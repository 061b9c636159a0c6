//! Parses expressions: operators by precedence, primary expressions and their suffixes.

use super::{Parsed, Parser};
use crate::lex::{Token, TokenKind};
use crate::tree::{Flags, Kind, NONE, NodeId, Op};

/// The precedence of a binary operator, or `None` for other tokens.
fn binary(kind: TokenKind) -> Option<(u8, Op)> {
    use TokenKind as T;
    Some(match kind {
        T::Is => (1, Op::Is),
        T::Or => (2, Op::Or),
        T::And => (3, Op::And),
        T::In => (4, Op::In),
        T::Not => (4, Op::NotIn),
        T::Lt => (4, Op::Lt),
        T::Gt => (4, Op::Gt),
        T::Le => (4, Op::Le),
        T::Ge => (4, Op::Ge),
        T::EqEq => (4, Op::Eq),
        T::Ne => (4, Op::Ne),
        T::Pipe => (5, Op::Pipe),
        T::Caret => (6, Op::Caret),
        T::Amp => (7, Op::Amp),
        T::Shl => (8, Op::Shl),
        T::Shr => (8, Op::Shr),
        T::Plus => (9, Op::Plus),
        T::Minus => (9, Op::Minus),
        T::Star => (10, Op::Star),
        T::Slash => (10, Op::Slash),
        T::SlashSlash => (10, Op::SlashSlash),
        T::Percent => (10, Op::Percent),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Reads one expression, or several separated by commas, which form a tuple without brackets.
    /// After the first comma a conditional needs parentheses.
    pub(super) fn expressions(&mut self) -> Parsed {
        let first = self.test()?;
        if !self.at(TokenKind::Comma) {
            return Ok(first);
        }
        let base = self.stack.len();
        self.stack.push(first);
        while self.eat(TokenKind::Comma) {
            let next = self.operators(1)?;
            self.stack.push(next);
        }
        Ok(self.bare_tuple(base))
    }

    /// Reads the variables of a loop.
    pub(super) fn variables(&mut self) -> Parsed {
        let first = self.deeper(Self::primary)?;
        if !self.at(TokenKind::Comma) {
            return Ok(first);
        }
        let base = self.stack.len();
        self.stack.push(first);
        while self.eat(TokenKind::Comma) {
            let next = self.deeper(Self::primary)?;
            self.stack.push(next);
        }
        Ok(self.bare_tuple(base))
    }

    fn bare_tuple(&mut self, base: usize) -> NodeId {
        let (first, last) = (self.stack[base], self.stack[self.stack.len() - 1]);
        let (a, b) = self.pop_list(base);
        let id = self.join(Kind::Tuple, first, last);
        let node = self.tree.node_mut(id);
        (node.a, node.b) = (a, b);
        node.flags.set(Flags::BARE);
        id
    }

    /// Reads an expression without commas.
    pub(super) fn test(&mut self) -> Parsed {
        self.deeper(|parser| {
            let then = parser.operators(1)?;
            if !parser.eat(TokenKind::If) {
                return Ok(then);
            }
            let test = parser.test()?;
            parser.expect(TokenKind::Else, "`else`")?;
            let other = parser.test()?;
            let id = parser.join(Kind::Conditional, then, other);
            let node = parser.tree.node_mut(id);
            (node.a, node.b, node.c) = (then, test, other);
            Ok(id)
        })
    }

    /// Reads binary operators of at least this precedence, and lambdas.
    pub(super) fn operators(&mut self, least: u8) -> Parsed {
        let mut left = self.unary()?;
        while let Some((precedence, op)) = binary(self.token.kind) {
            if precedence < least {
                break;
            }
            self.bump();
            if op == Op::NotIn {
                self.expect(TokenKind::In, "`in` after `not`")?;
            }
            let right = self.deeper(|parser| parser.operators(precedence + 1))?;
            left = self.binary_node(Kind::Binary, op, left, right);
        }
        Ok(left)
    }

    /// Creates a node with two operands. It records whether there was a line break between them.
    pub(super) fn binary_node(
        &mut self,
        kind: Kind,
        op: Op,
        left: NodeId,
        right: NodeId,
    ) -> NodeId {
        let broken = self.tree.node(right).line > self.tree.node(left).end_line;
        let id = self.join(kind, left, right);
        let node = self.tree.node_mut(id);
        (node.a, node.b, node.op) = (left, right, op);
        node.flags.set_to(Flags::BREAK, broken);
        id
    }

    fn unary(&mut self) -> Parsed {
        let op = match self.token.kind {
            TokenKind::Not => Op::Not,
            TokenKind::Minus => Op::Minus,
            TokenKind::Plus => Op::Plus,
            TokenKind::Tilde => Op::Tilde,
            TokenKind::Lambda => return self.deeper(Self::lambda),
            _ => return self.primary(),
        };
        let first = self.bump();
        let operand = self.deeper(Self::unary)?;
        Ok(self.unary_node(op, first, operand))
    }

    pub(super) fn unary_node(&mut self, op: Op, first: Token, operand: NodeId) -> NodeId {
        let id = self.since(Kind::Unary, first);
        let node = self.tree.node_mut(id);
        (node.a, node.op) = (operand, op);
        id
    }

    /// Reads an operand with its calls, indices and attributes.
    fn primary(&mut self) -> Parsed {
        let mut id = self.operand()?;
        loop {
            id = match self.token.kind {
                TokenKind::Dot => self.dot(id)?,
                TokenKind::OpenParen => self.call(id)?,
                TokenKind::OpenBracket => self.subscript(id)?,
                _ => return Ok(id),
            };
        }
    }

    fn operand(&mut self) -> Parsed {
        match self.token.kind {
            TokenKind::Ident => {
                let token = self.bump();
                Ok(self.leaf(Kind::Ident, token))
            }
            TokenKind::String => Ok(self.string()),
            TokenKind::Number | TokenKind::Dot => self.number(),
            TokenKind::OpenParen => self.paren(),
            TokenKind::OpenBracket => self.list(),
            TokenKind::OpenBrace => self.brace(),
            TokenKind::Load => self.load(),
            _ => Err(self.fail("an expression")),
        }
    }

    pub(super) fn string(&mut self) -> NodeId {
        let token = self.bump();
        let id = self.leaf(Kind::String, token);
        self.tree
            .node_mut(id)
            .flags
            .set_to(Flags::ESCAPES, token.escapes);
        id
    }

    /// Reads `1`, `1.`, `.5` or `1.5`. Blanks are allowed around the dot and are dropped.
    fn number(&mut self) -> Parsed {
        let first = self.token;
        let mut text = String::new();
        let mut joined = true;
        let mut digits = false;
        if self.at(TokenKind::Number) {
            text.push_str(self.tree.slice(first.start, first.end));
            self.bump();
            digits = true;
        }
        if self.at(TokenKind::Dot) {
            joined &= !digits || self.last_end == self.token.start;
            text.push('.');
            self.bump();
            if self.at(TokenKind::Number) {
                joined &= self.last_end == self.token.start;
                text.push_str(self.tree.slice(self.token.start, self.token.end));
                self.bump();
                digits = true;
            }
        }
        if !digits {
            return Err(self.fail("a number"));
        }
        let id = self.since(Kind::Number, first);
        if !joined {
            self.tree.replace(id, text.into_bytes());
        }
        Ok(id)
    }

    fn dot(&mut self, object: NodeId) -> Parsed {
        self.bump();
        let name = self.expect(TokenKind::Ident, "a name after the dot")?;
        let id = self.join(Kind::Dot, object, object);
        let broken = name.line > self.tree.node(object).end_line;
        let node = self.tree.node_mut(id);
        (node.a, node.b, node.c) = (object, name.start, name.end);
        (node.end, node.end_line) = (name.end, name.end_line);
        node.flags.set_to(Flags::BREAK, broken);
        Ok(id)
    }

    /// Reads `x[i]`, `x[a:b]` or `x[a:b:c]`.
    fn subscript(&mut self, object: NodeId) -> Parsed {
        self.bump();
        let mut parts = [object, NONE, NONE, NONE];
        let mut colons = 0;
        if !self.at(TokenKind::Colon) {
            parts[1] = self.expressions()?;
        }
        while colons < 2 && self.eat(TokenKind::Colon) {
            colons += 1;
            if !matches!(self.token.kind, TokenKind::Colon | TokenKind::CloseBracket) {
                parts[1 + colons] = self.test()?;
            }
        }
        let close = self.expect(TokenKind::CloseBracket, "`]`")?;
        let kind = if colons == 0 {
            Kind::Index
        } else {
            Kind::Slice
        };
        let id = self.join(kind, object, object);
        let a = self.tree.extra.len() as u32;
        if colons > 0 {
            self.tree.extra.extend(parts);
        }
        let node = self.tree.node_mut(id);
        (node.end, node.end_line) = (close.end, close.end_line);
        if colons == 0 {
            (node.a, node.b) = (object, parts[1]);
        } else {
            node.a = a;
            node.flags.set_to(Flags::SECOND_COLON, colons == 2);
        }
        Ok(id)
    }
}
