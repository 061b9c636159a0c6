//! Parses everything in brackets: lists, dicts, sets, tuples, comprehensions, call arguments,
//! loads.

use super::{Parsed, Parser};
use crate::lex::{Token, TokenKind};
use crate::tree::{Flags, Kind, NONE, NodeId, Op};

impl Parser<'_> {
    /// Skips commas and returns whether there was one.
    fn commas(&mut self) -> bool {
        let mut found = false;
        while self.eat(TokenKind::Comma) {
            found = true;
        }
        found
    }

    /// Reads the closing bracket that matches `open`.
    fn close(&mut self, open: Token, kind: TokenKind, what: &str) -> Parsed {
        let token = self.expect(kind, what)?;
        let id = self.leaf(Kind::End, token);
        self.tree.node_mut(id).a = open.line;
        Ok(id)
    }

    /// Creates a node for the elements on the stack since `base`, and derives its layout flags from
    /// their lines.
    fn sequence(&mut self, kind: Kind, open: Token, base: usize, end: NodeId) -> NodeId {
        let (a, b) = self.pop_list(base);
        self.tree.extra.push(end);
        let id = self.since(kind, open);
        let end_line = self.tree.node(end).line;
        let list = &self.tree.extra[a as usize..(a + b) as usize];
        let lines = |id: &NodeId| {
            let node = self.tree.node(*id);
            (node.line, node.end_line)
        };
        let multi_line = match list {
            [] => open.line != end_line,
            [only] => {
                let (first, last) = lines(only);
                open.line != first || last != end_line
            }
            _ => false,
        };
        let compact = b >= 2
            && matches!(kind, Kind::Call | Kind::Tuple)
            && list.iter().all(|id| self.is_simple(*id))
            && {
                let mut line = open.line;
                let same_line = |id| {
                    let (first, last) = lines(id);
                    first == std::mem::replace(&mut line, last)
                };
                list.iter().all(same_line) && line == end_line
            };
        let node = self.tree.node_mut(id);
        (node.a, node.b) = (a, b);
        node.flags.set_to(Flags::MULTI_LINE, multi_line);
        node.flags.set_to(Flags::COMPACT, compact);
        id
    }

    /// Whether an element may share a line with others in a BUILD file.
    fn is_simple(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        match node.kind {
            Kind::Number | Kind::String | Kind::Ident => true,
            Kind::Unary => {
                node.a != NONE && matches!(self.tree.kind(node.a), Kind::Number | Kind::Ident)
            }
            Kind::List | Kind::Tuple | Kind::Dict | Kind::Set => node.b == 0,
            _ => false,
        }
    }

    pub(super) fn paren(&mut self) -> Parsed {
        let open = self.bump();
        let base = self.stack.len();
        let mut tuple = true;
        if !self.at(TokenKind::CloseParen) {
            let first = self.test()?;
            self.stack.push(first);
            tuple = self.at(TokenKind::Comma);
            while self.commas() && !self.at(TokenKind::CloseParen) {
                let next = self.test()?;
                self.stack.push(next);
            }
        }
        let end = self.close(open, TokenKind::CloseParen, "`)`")?;
        let kind = if tuple { Kind::Tuple } else { Kind::Paren };
        Ok(self.sequence(kind, open, base, end))
    }

    pub(super) fn list(&mut self) -> Parsed {
        let open = self.bump();
        let base = self.stack.len();
        if !self.at(TokenKind::CloseBracket) {
            let first = self.test()?;
            if self.at(TokenKind::For) {
                return self.comprehension(open, first, TokenKind::CloseBracket, "`]`");
            }
            self.stack.push(first);
            while self.commas() && !self.at(TokenKind::CloseBracket) {
                let next = self.test()?;
                self.stack.push(next);
            }
        }
        let end = self.close(open, TokenKind::CloseBracket, "`,` or `]`")?;
        Ok(self.sequence(Kind::List, open, base, end))
    }

    pub(super) fn brace(&mut self) -> Parsed {
        let open = self.bump();
        let base = self.stack.len();
        let mut kind = Kind::Dict;
        if !self.at(TokenKind::CloseBrace) {
            let first = self.test()?;
            if self.at(TokenKind::Colon) {
                let first = self.entry(first)?;
                if self.at(TokenKind::For) {
                    return self.comprehension(open, first, TokenKind::CloseBrace, "`}`");
                }
                self.stack.push(first);
                while self.commas() && !self.at(TokenKind::CloseBrace) {
                    let key = self.test()?;
                    let next = self.entry(key)?;
                    self.stack.push(next);
                }
            } else {
                kind = Kind::Set;
                self.stack.push(first);
                while self.eat(TokenKind::Comma) && !self.at(TokenKind::CloseBrace) {
                    self.commas();
                    let next = self.test()?;
                    self.stack.push(next);
                }
            }
        }
        let end = self.close(open, TokenKind::CloseBrace, "`,` or `}`")?;
        Ok(self.sequence(kind, open, base, end))
    }

    fn entry(&mut self, key: NodeId) -> Parsed {
        self.expect(TokenKind::Colon, "`:` after the key")?;
        let value = self.test()?;
        Ok(self.binary_node(Kind::Entry, Op::None, key, value))
    }

    fn comprehension(&mut self, open: Token, body: NodeId, close: TokenKind, what: &str) -> Parsed {
        let base = self.stack.len();
        loop {
            let first = self.token;
            if self.eat(TokenKind::For) {
                let variables = self.variables()?;
                self.expect(TokenKind::In, "`in`")?;
                let iterable = self.operators(1)?;
                let id = self.since(Kind::ForClause, first);
                let node = self.tree.node_mut(id);
                (node.a, node.b) = (variables, iterable);
                self.stack.push(id);
            } else if self.eat(TokenKind::If) {
                let condition = self.operators(1)?;
                let id = self.since(Kind::IfClause, first);
                self.tree.node_mut(id).a = condition;
                self.stack.push(id);
            } else {
                break;
            }
        }
        let end = self.close(open, close, what)?;
        let (a, b) = self.pop_list(base);
        self.tree.extra.push(end);
        let id = self.since(Kind::Comprehension, open);
        let mut line = open.line;
        let parts = std::iter::once(&body).chain(&self.tree.extra[a as usize..=(a + b) as usize]);
        let multi_line = parts.into_iter().any(|part| {
            let part = self.tree.node(*part);
            part.line != std::mem::replace(&mut line, part.end_line)
        });
        let node = self.tree.node_mut(id);
        (node.a, node.b, node.c) = (a, b, body);
        node.flags.set_to(Flags::MULTI_LINE, multi_line);
        node.flags
            .set_to(Flags::CURLY, close == TokenKind::CloseBrace);
        Ok(id)
    }

    pub(super) fn call(&mut self, callee: NodeId) -> Parsed {
        let open = self.bump();
        let base = self.stack.len();
        let mut more = self.commas();
        while more || !self.at(TokenKind::CloseParen) {
            more = false;
            let argument = self.argument()?;
            self.stack.push(argument);
            if !self.commas() {
                break;
            }
        }
        let end = self.close(open, TokenKind::CloseParen, "`,` or `)`")?;
        let id = self.sequence(Kind::Call, open, base, end);
        let callee_node = *self.tree.node(callee);
        let node = self.tree.node_mut(id);
        node.c = callee;
        (node.start, node.line) = (callee_node.start, callee_node.line);
        Ok(id)
    }

    fn argument(&mut self) -> Parsed {
        let first = self.token;
        let op = match first.kind {
            TokenKind::Star => Op::Star,
            TokenKind::StarStar => Op::StarStar,
            _ => {
                let value = self.test()?;
                if self.at(TokenKind::Eq) && self.tree.kind(value) == Kind::Ident {
                    self.bump();
                    let right = self.test()?;
                    return Ok(self.binary_node(Kind::Assign, Op::Assign, value, right));
                }
                return Ok(value);
            }
        };
        self.bump();
        let operand = self.test()?;
        Ok(self.unary_node(op, first, operand))
    }

    pub(super) fn load(&mut self) -> Parsed {
        let first = self.bump();
        let open = self.expect(TokenKind::OpenParen, "`(` after `load`")?;
        self.commas();
        if !self.at(TokenKind::String) {
            return Err(self.fail("the module to load, a string"));
        }
        let module = self.string();
        let base = self.stack.len();
        let mut more = self.commas();
        while more && !self.at(TokenKind::CloseParen) {
            let (local, remote) = self.load_symbol()?;
            self.stack.extend([local, remote]);
            more = self.eat(TokenKind::Comma);
            if self.at(TokenKind::Comma) {
                self.commas();
                break;
            }
        }
        if self.stack.len() == base {
            return Err(self.fail("a symbol to load, a string"));
        }
        let end = self.close(open, TokenKind::CloseParen, "`,` or `)`")?;
        let (a, b) = self.pop_list(base);
        self.tree.extra.push(end);
        let compact = open.line == self.tree.node(end).line;
        let id = self.since(Kind::Load, first);
        let node = self.tree.node_mut(id);
        (node.a, node.b, node.c) = (a, b / 2, module);
        node.flags.set_to(Flags::COMPACT, compact);
        Ok(id)
    }

    fn load_symbol(&mut self) -> Parsed<(NodeId, NodeId)> {
        if self.at(TokenKind::Ident) {
            let alias = self.bump();
            let local = self.leaf(Kind::LoadName, alias);
            self.expect(TokenKind::Eq, "`=` after the alias")?;
            if !self.at(TokenKind::String) {
                return Err(self.fail("the symbol to load, a string"));
            }
            let token = self.bump();
            return Ok((local, self.load_name(token)));
        }
        if !self.at(TokenKind::String) {
            return Err(self.fail("a symbol to load, a string"));
        }
        let token = self.bump();
        Ok((self.load_name(token), self.load_name(token)))
    }

    /// The name between the quotes of `token`.
    fn load_name(&mut self, token: Token) -> NodeId {
        let parts = crate::literal::parts(self.tree.slice(token.start, token.end));
        let open = u32::from(parts.raw) + if parts.triple { 3 } else { 1 };
        let length = parts.body.len() as u32;
        let id = self.leaf(Kind::LoadName, token);
        let node = self.tree.node_mut(id);
        node.start = token.start + open;
        node.end = node.start + length;
        (node.b, node.c) = (token.start, token.end);
        node.flags.set_to(Flags::ESCAPES, token.escapes);
        id
    }
}
