//! Parses values, types, arguments and directives.

use super::{Open, Parsed, Parser};
use crate::graphql::token;
use crate::graphql::tree::{Kind, NodeId, Role};

impl<'t> Parser<'t> {
    pub(super) fn value(&mut self) -> Parsed<NodeId> {
        match self.peek().kind {
            token::Kind::Mark(b'[') => self.list(),
            token::Kind::Mark(b'{') => self.object(),
            token::Kind::Mark(b'$') => self.variable(),
            token::Kind::Name | token::Kind::Number => Ok(self.leaf(Kind::Literal)),
            token::Kind::String => Ok(self.leaf(Kind::String)),
            token::Kind::BlockString => Ok(self.leaf(Kind::BlockString)),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn list(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::List);
        self.expect_mark(b'[')?;
        while !self.take_mark(b']') {
            let value = self.value()?;
            open.push(Role::Item, value);
        }
        Ok(self.close(open))
    }

    fn object(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::Object);
        self.expect_mark(b'{')?;
        while !self.take_mark(b'}') {
            let field = self.argument()?;
            open.push(Role::Item, field);
        }
        Ok(self.close(open))
    }

    pub(super) fn variable(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::Variable);
        self.expect_mark(b'$')?;
        self.push_name(&mut open)?;
        Ok(self.close(open))
    }

    pub(super) fn argument(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::Argument);
        self.push_name(&mut open)?;
        self.expect_mark(b':')?;
        let value = self.value()?;
        open.push(Role::Value, value);
        Ok(self.close(open))
    }

    pub(super) fn push_arguments(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        self.optional_many(open, Role::Argument, (b'(', b')'), Self::argument)
    }

    pub(super) fn push_directives(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        while self.is_mark(b'@') {
            let mut directive = self.open(Kind::Directive);
            self.advance();
            self.push_name(&mut directive)?;
            self.push_arguments(&mut directive)?;
            let directive = self.close(directive);
            open.push(Role::Directive, directive);
        }
        Ok(())
    }

    pub(super) fn push_type(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        let found = self.type_reference()?;
        open.push(Role::Type, found);
        Ok(())
    }

    fn type_reference(&mut self) -> Parsed<NodeId> {
        let mut non_null = self.open(Kind::NonNullType);
        let inner = if self.is_mark(b'[') {
            let mut list = self.open(Kind::ListType);
            self.advance();
            self.push_type(&mut list)?;
            self.expect_mark(b']')?;
            self.close(list)
        } else {
            self.named_type()?
        };
        if !self.take_mark(b'!') {
            return Ok(inner);
        }
        non_null.push(Role::Type, inner);
        Ok(self.close(non_null))
    }

    pub(super) fn named_type(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::NamedType);
        self.push_name(&mut open)?;
        Ok(self.close(open))
    }
}
