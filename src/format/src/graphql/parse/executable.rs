//! Parses operations and fragments.

use super::{Open, Parsed, Parser};
use crate::graphql::token;
use crate::graphql::tree::{Kind, NodeId, Role};

impl<'t> Parser<'t> {
    pub(super) fn operation(&mut self, description: Option<NodeId>) -> Parsed<NodeId> {
        let mut open = self.open_described(Kind::Operation, description);
        if !self.is_mark(b'{') {
            open.node.text = self.advance().text;
            if self.peek().kind == token::Kind::Name {
                self.push_name(&mut open)?;
            }
            self.push_variables(&mut open)?;
            self.push_directives(&mut open)?;
        }
        self.push_selections(&mut open)?;
        Ok(self.close(open))
    }

    pub(super) fn fragment(&mut self, description: Option<NodeId>) -> Parsed<NodeId> {
        let mut open = self.open_described(Kind::Fragment, description);
        self.expect_keyword("fragment")?;
        if self.is_keyword("on") {
            return Err(self.unexpected("the name of the fragment"));
        }
        self.push_name(&mut open)?;
        self.push_variables(&mut open)?;
        self.expect_keyword("on")?;
        let applies_to = self.named_type()?;
        open.push(Role::Type, applies_to);
        self.push_directives(&mut open)?;
        self.push_selections(&mut open)?;
        Ok(self.close(open))
    }

    pub(super) fn open_described(&self, kind: Kind, description: Option<NodeId>) -> Open<'t> {
        let mut open = self.open(kind);
        if let Some(description) = description {
            open.push(Role::Description, description);
        }
        open
    }

    fn push_variables(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        self.optional_many(
            open,
            Role::Variable,
            (b'(', b')'),
            Self::variable_definition,
        )
    }

    fn variable_definition(&mut self) -> Parsed<NodeId> {
        let start = self.peek().start;
        let description = self.description();
        let mut open = self.open_described(Kind::VariableDefinition, description);
        open.node.start = start;
        let variable = self.variable()?;
        open.push(Role::Variable, variable);
        self.expect_mark(b':')?;
        self.push_type(&mut open)?;
        self.push_default(&mut open)?;
        self.push_directives(&mut open)?;
        Ok(self.close(open))
    }

    pub(super) fn push_default(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        if self.take_mark(b'=') {
            let value = self.value()?;
            open.push(Role::Value, value);
        }
        Ok(())
    }

    fn push_selections(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        let mut set = self.open(Kind::SelectionSet);
        self.many(&mut set, Role::Item, (b'{', b'}'), Self::selection)?;
        let set = self.close(set);
        open.push(Role::Selections, set);
        Ok(())
    }

    fn selection(&mut self) -> Parsed<NodeId> {
        if self.peek().kind == token::Kind::Spread {
            self.spread()
        } else {
            self.field()
        }
    }

    fn field(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::Field);
        let name = self.name()?;
        if self.take_mark(b':') {
            open.push(Role::Alias, name);
            self.push_name(&mut open)?;
        } else {
            open.push(Role::Name, name);
        }
        self.push_arguments(&mut open)?;
        self.push_directives(&mut open)?;
        if self.is_mark(b'{') {
            self.push_selections(&mut open)?;
        }
        Ok(self.close(open))
    }

    fn spread(&mut self) -> Parsed<NodeId> {
        let mut open = self.open(Kind::InlineFragment);
        self.advance();
        let is_named = self.peek().kind == token::Kind::Name;
        if is_named && !self.is_keyword("on") {
            open.node.kind = Kind::FragmentSpread;
            self.push_name(&mut open)?;
            self.push_arguments(&mut open)?;
            self.push_directives(&mut open)?;
            return Ok(self.close(open));
        }
        if self.take_keyword("on") {
            let applies_to = self.named_type()?;
            open.push(Role::Type, applies_to);
        }
        self.push_directives(&mut open)?;
        self.push_selections(&mut open)?;
        Ok(self.close(open))
    }
}
