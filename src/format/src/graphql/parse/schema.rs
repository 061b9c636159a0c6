//! Parses definitions and extensions of schemas, types and directives.

use super::{Open, Parsed, Parser};
use crate::graphql::token;
use crate::graphql::tree::{Kind, NodeId, Role};

impl<'t> Parser<'t> {
    pub(super) fn type_definition(&mut self, description: Option<NodeId>) -> Parsed<NodeId> {
        let mut open = self.open_described(Kind::Scalar, description);
        open.node.is_extension = self.take_keyword("extend");
        let keyword = self.expect(token::Kind::Name, "a definition")?.text;
        open.node.text = keyword;
        open.node.kind = match keyword {
            "schema" => Kind::Schema,
            "scalar" => Kind::Scalar,
            "type" | "interface" | "input" => Kind::Fields,
            "union" => Kind::Union,
            "enum" => Kind::Enum,
            "directive" => Kind::DirectiveDefinition,
            _ => return Err(self.unexpected("a definition")),
        };
        match open.node.kind {
            Kind::DirectiveDefinition => self.directive_definition(&mut open)?,
            Kind::Schema => {
                self.push_directives(&mut open)?;
                let item = Self::operation_type;
                if open.node.is_extension {
                    self.optional_many(&mut open, Role::Item, (b'{', b'}'), item)?;
                } else {
                    self.many(&mut open, Role::Item, (b'{', b'}'), item)?;
                }
            }
            _ => self.named_definition(&mut open, keyword)?,
        }
        Ok(self.close(open))
    }

    fn named_definition(&mut self, open: &mut Open<'t>, keyword: &str) -> Parsed<()> {
        self.push_name(open)?;
        if matches!(keyword, "type" | "interface") {
            self.push_interfaces(open)?;
        }
        self.push_directives(open)?;
        let braces = (b'{', b'}');
        match keyword {
            "type" | "interface" => {
                self.optional_many(open, Role::Item, braces, Self::field_definition)
            }
            "input" => self.optional_many(open, Role::Item, braces, Self::input_value),
            "enum" => self.optional_many(open, Role::Item, braces, Self::enum_value),
            "union" if self.take_mark(b'=') => self.push_members(open),
            _ => Ok(()),
        }
    }

    fn push_interfaces(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        if !self.take_keyword("implements") {
            return Ok(());
        }
        self.take_mark(b'&');
        loop {
            let interface = self.named_type()?;
            open.push(Role::Interface, interface);
            if !self.take_mark(b'&') {
                return Ok(());
            }
        }
    }

    fn push_members(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        self.take_mark(b'|');
        loop {
            let member = self.named_type()?;
            open.push(Role::Item, member);
            if !self.take_mark(b'|') {
                return Ok(());
            }
        }
    }

    fn operation_type(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::OperationType);
        if !matches!(self.peek().text, "query" | "mutation" | "subscription") {
            return Err(self.unexpected("`query`, `mutation` or `subscription`"));
        }
        open.node.text = self.advance().text;
        self.expect_mark(b':')?;
        let found = self.named_type()?;
        open.push(Role::Type, found);
        Ok(self.close(open))
    }

    fn field_definition(&mut self) -> Parsed<NodeId> {
        let mut open = self.open_member(Kind::FieldDefinition)?;
        self.push_input_values(&mut open)?;
        self.expect_mark(b':')?;
        self.push_type(&mut open)?;
        self.push_directives(&mut open)?;
        Ok(self.close(open))
    }

    fn input_value(&mut self) -> Parsed<NodeId> {
        let mut open = self.open_member(Kind::InputValue)?;
        self.expect_mark(b':')?;
        self.push_type(&mut open)?;
        self.push_default(&mut open)?;
        self.push_directives(&mut open)?;
        Ok(self.close(open))
    }

    fn enum_value(&mut self) -> Parsed<NodeId> {
        let mut open = self.open_member(Kind::EnumValue)?;
        self.push_directives(&mut open)?;
        Ok(self.close(open))
    }

    /// Opens a member of a definition and reads its description and name.
    fn open_member(&mut self, kind: Kind) -> Parsed<Open<'t>> {
        let start = self.peek().start;
        let description = self.description();
        let mut open = self.open_described(kind, description);
        open.node.start = start;
        self.push_name(&mut open)?;
        Ok(open)
    }

    fn push_input_values(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        self.optional_many(open, Role::Argument, (b'(', b')'), Self::input_value)
    }

    fn directive_definition(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        self.expect_mark(b'@')?;
        self.push_name(open)?;
        if open.node.is_extension {
            return self.push_directives(open);
        }
        self.push_input_values(open)?;
        self.push_directives(open)?;
        open.node.is_repeatable = self.take_keyword("repeatable");
        self.expect_keyword("on")?;
        self.take_mark(b'|');
        loop {
            let location = self.name()?;
            open.push(Role::Item, location);
            if !self.take_mark(b'|') {
                return Ok(());
            }
        }
    }
}
