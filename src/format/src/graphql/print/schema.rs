//! Prints definitions and extensions of schemas, types and directives.

use super::Builder;
use crate::doc::Doc;
use crate::graphql::tree::{Node, NodeId, Role};

impl<'a> Builder<'a> {
    /// The description, `extend` and the keyword.
    fn head(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        self.b.concat(&[self.description(id), self.keyword(node)])
    }

    fn keyword(&self, node: &'a Node<'a>) -> Doc<'a> {
        let extend = Doc::Text(if node.is_extension { "extend " } else { "" });
        self.b.concat(&[extend, Doc::Text(node.text)])
    }

    pub(super) fn schema(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        self.b
            .concat(&[self.head(id, node), self.directives(id), self.block(id)])
    }

    pub(super) fn operation_type(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        let operation = Doc::Text(node.text);
        self.b
            .concat(&[operation, self.after(": ", id, Role::Type)])
    }

    pub(super) fn scalar(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        self.b.concat(&[
            self.head(id, node),
            self.after(" ", id, Role::Name),
            self.directives(id),
        ])
    }

    pub(super) fn fields(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        self.b.concat(&[
            self.head(id, node),
            self.after(" ", id, Role::Name),
            self.interfaces(id),
            self.directives(id),
            self.block(id),
        ])
    }

    fn interfaces(&self, id: NodeId) -> Doc<'a> {
        let interfaces = self.all(id, Role::Interface);
        if interfaces.is_empty() {
            return Doc::NIL;
        }
        let b = &self.b;
        let separator = b.concat(&[" &".into(), Doc::LINE]);
        let interfaces = b.group(b.join(separator, &interfaces));
        b.concat(&[" implements ".into(), b.indent(interfaces)])
    }

    pub(super) fn union(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        let b = &self.b;
        let members = self.all(id, Role::Item);
        let members = if members.is_empty() {
            Doc::NIL
        } else {
            let separator = b.concat(&[Doc::LINE, "| ".into()]);
            let first = b.if_break(separator, "");
            let members = b.indent(b.concat(&[first, b.join(separator, &members)]));
            b.concat(&[" =".into(), b.if_break("", " "), members])
        };
        let definition = b.group(b.concat(&[
            self.keyword(node),
            self.after(" ", id, Role::Name),
            self.directives(id),
            members,
        ]));
        b.group(b.concat(&[self.description(id), definition]))
    }

    pub(super) fn enumeration(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        self.b.concat(&[
            self.head(id, node),
            self.after(" ", id, Role::Name),
            self.directives(id),
            self.block(id),
        ])
    }

    pub(super) fn enum_value(&self, id: NodeId) -> Doc<'a> {
        self.b.concat(&[
            self.description(id),
            self.one(id, Role::Name),
            self.directives(id),
        ])
    }

    pub(super) fn field_definition(&self, id: NodeId) -> Doc<'a> {
        self.b.concat(&[
            self.description(id),
            self.one(id, Role::Name),
            self.arguments(id),
            self.after(": ", id, Role::Type),
            self.directives(id),
        ])
    }

    pub(super) fn input_value(&self, id: NodeId) -> Doc<'a> {
        self.b.concat(&[
            self.description(id),
            self.one(id, Role::Name),
            self.after(": ", id, Role::Type),
            self.after(" = ", id, Role::Value),
            self.directives(id),
        ])
    }

    pub(super) fn directive_definition(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        let b = &self.b;
        let head = b.concat(&[self.head(id, node), self.after(" @", id, Role::Name)]);
        let directives = self.directives(id);
        if node.is_extension {
            return b.concat(&[head, directives]);
        }
        let locations = self.all(id, Role::Item);
        b.concat(&[
            head,
            self.arguments(id),
            directives,
            Doc::Text(if node.is_repeatable {
                " repeatable"
            } else {
                ""
            }),
            " on ".into(),
            b.join(" | ".into(), &locations),
        ])
    }
}
