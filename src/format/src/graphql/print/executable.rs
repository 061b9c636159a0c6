//! Prints operations and fragments.

use super::Builder;
use crate::doc::Doc;
use crate::graphql::tree::{Node, NodeId, Role};

impl<'a> Builder<'a> {
    pub(super) fn operation(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        let has_name = self.tree.one(id, Role::Name).is_some();
        let has_variables = self.tree.one(id, Role::Variable).is_some();
        let is_short = node.text.is_empty();
        self.b.concat(&[
            self.description(id),
            Doc::Text(node.text),
            self.after(" ", id, Role::Name),
            Doc::Text(if !has_name && has_variables { " " } else { "" }),
            self.variables(id),
            self.directives(id),
            Doc::Text(if is_short { "" } else { " " }),
            self.one(id, Role::Selections),
        ])
    }

    pub(super) fn fragment(&self, id: NodeId) -> Doc<'a> {
        self.b.concat(&[
            self.description(id),
            self.after("fragment ", id, Role::Name),
            self.variables(id),
            self.after(" on ", id, Role::Type),
            self.directives(id),
            self.after(" ", id, Role::Selections),
        ])
    }

    fn variables(&self, id: NodeId) -> Doc<'a> {
        let variables = self.all(id, Role::Variable);
        if variables.is_empty() {
            return Doc::NIL;
        }
        self.in_brackets("(", &variables, ")")
    }

    pub(super) fn variable_definition(&self, id: NodeId) -> Doc<'a> {
        self.b.concat(&[
            self.description(id),
            self.one(id, Role::Variable),
            self.after(": ", id, Role::Type),
            self.after(" = ", id, Role::Value),
            self.directives(id),
        ])
    }

    pub(super) fn selection_set(&self, id: NodeId) -> Doc<'a> {
        let b = &self.b;
        let selections = self.sequence(id, Role::Item);
        let selections = b.concat(&[Doc::HARDLINE, b.join(Doc::HARDLINE, &selections)]);
        b.concat(&["{".into(), b.indent(selections), Doc::HARDLINE, "}".into()])
    }

    pub(super) fn field(&self, id: NodeId) -> Doc<'a> {
        let b = &self.b;
        let alias = self.tree.one(id, Role::Alias);
        let alias = alias.map_or(Doc::NIL, |alias| b.concat(&[self.node(alias), ": ".into()]));
        b.group(b.concat(&[
            alias,
            self.one(id, Role::Name),
            self.arguments(id),
            self.directives(id),
            self.after(" ", id, Role::Selections),
        ]))
    }

    pub(super) fn fragment_spread(&self, id: NodeId) -> Doc<'a> {
        self.b.concat(&[
            self.after("...", id, Role::Name),
            self.arguments(id),
            self.directives(id),
        ])
    }

    pub(super) fn inline_fragment(&self, id: NodeId) -> Doc<'a> {
        self.b.concat(&[
            "...".into(),
            self.after(" on ", id, Role::Type),
            self.directives(id),
            self.after(" ", id, Role::Selections),
        ])
    }
}
