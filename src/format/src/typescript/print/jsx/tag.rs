//! Opening and closing tags.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    JSXClosingElement, JSXElement, JSXElementName, JSXMemberExpression, JSXNamespacedName,
    JSXOpeningElement,
};

use super::super::Printer;
use super::super::comments::Role;
use super::super::kind::ToKind;
use super::attribute::string_value;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(in super::super) fn jsx_opening_element(&self, node: &'a JSXOpeningElement<'a>) -> Doc<'a> {
        let kind = AstKind::JSXOpeningElement(node);
        let is_self_closing = matches!(
            self.parent(kind),
            AstKind::JSXElement(JSXElement {
                closing_element: None,
                ..
            })
        );
        let name_has_comments = self.comments.has(node.name.kind())
            || node
                .type_arguments
                .as_deref()
                .is_some_and(|arguments| self.comments.has(arguments.kind()));
        let type_arguments = self.print_option(node.type_arguments.as_deref().map(ToKind::kind));
        if is_self_closing && node.attributes.is_empty() && !name_has_comments {
            let name = self.print(node.name.kind());
            return self.concat(&[Doc::Text("<"), name, type_arguments, Doc::Text(" />")]);
        }
        if let [only] = node.attributes.as_slice()
            && string_value(only).is_some_and(|value| !value.contains('\n'))
            && !name_has_comments
            && !self.comments.has(only.kind())
        {
            return self.group(self.concat(&[
                Doc::Text("<"),
                self.print(node.name.kind()),
                type_arguments,
                Doc::SPACE,
                self.print(only.kind()),
                Doc::Text(if is_self_closing { " />" } else { ">" }),
            ]));
        }
        let should_break = node
            .attributes
            .iter()
            .any(|attribute| string_value(attribute).is_some_and(|value| value.contains('\n')));
        self.group_with(
            self.concat(&[
                Doc::Text("<"),
                self.tag_name(kind, &node.name),
                type_arguments,
                self.indent(self.jsx_attributes(node)),
                self.end_of_opening_tag(node, is_self_closing, name_has_comments),
            ]),
            None,
            should_break,
        )
    }

    fn jsx_attributes(&self, node: &'a JSXOpeningElement<'a>) -> Doc<'a> {
        let line = if self.options.single_attribute_per_line && node.attributes.len() > 1 {
            Doc::HARDLINE
        } else {
            Doc::LINE
        };
        let mut parts = Vec::with_capacity(node.attributes.len() * 2);
        for (index, attribute) in node.attributes.iter().enumerate() {
            if index > 0 && self.is_next_line_empty(node.attributes[index - 1].kind()) {
                parts.extend([Doc::HARDLINE, Doc::HARDLINE]);
            } else {
                parts.push(line);
            }
            parts.push(self.print(attribute.kind()));
        }
        self.concat(&parts)
    }

    fn end_of_opening_tag(
        &self,
        node: &'a JSXOpeningElement<'a>,
        is_self_closing: bool,
        name_has_comments: bool,
    ) -> Doc<'a> {
        if is_self_closing {
            return self.concat(&[Doc::LINE, Doc::Text("/>")]);
        }
        let ends_in_comment = node
            .attributes
            .last()
            .is_some_and(|last| self.comments.has_trailing(last.kind()));
        let on_same_line = if node.attributes.is_empty() {
            !name_has_comments
        } else {
            self.options.bracket_same_line && !ends_in_comment
        };
        if on_same_line {
            Doc::Text(">")
        } else {
            self.concat(&[Doc::SOFTLINE, Doc::Text(">")])
        }
    }

    pub(in super::super) fn jsx_closing_element(&self, node: &'a JSXClosingElement<'a>) -> Doc<'a> {
        let kind = AstKind::JSXClosingElement(node);
        self.concat(&[
            Doc::Text("</"),
            self.tag_name(kind, &node.name),
            Doc::Text(">"),
        ])
    }

    fn tag_name(&self, tag: AstKind<'a>, name: &'a JSXElementName<'a>) -> Doc<'a> {
        let printed = self.print(name.kind());
        let kind = name.kind();
        if !self.comments.has_leading(kind) {
            return printed;
        }
        if !self.comments.any(kind, |comment| {
            comment.role == Role::Leading && !comment.is_block
        }) {
            return self.concat(&[Doc::SPACE, printed]);
        }
        let indented = self.indent(self.concat(&[Doc::HARDLINE, printed]));
        if matches!(tag, AstKind::JSXClosingElement(_)) {
            self.concat(&[indented, Doc::HARDLINE])
        } else {
            indented
        }
    }

    /// The tag of a fragment with the comments in it.
    pub(in super::super) fn jsx_fragment_tag(&self, node: AstKind<'a>) -> Doc<'a> {
        let is_opening = matches!(node, AstKind::JSXOpeningFragment(_));
        let has_line_comment = self.comments.any(node, |comment| !comment.is_block);
        let before = if has_line_comment {
            Doc::HARDLINE
        } else if self.comments.has(node) && !is_opening {
            Doc::SPACE
        } else {
            Doc::NIL
        };
        self.concat(&[
            Doc::Text(if is_opening { "<" } else { "</" }),
            self.indent(self.concat(&[before, self.dangling_comments(node)])),
            if has_line_comment {
                Doc::HARDLINE
            } else {
                Doc::NIL
            },
            Doc::Text(">"),
        ])
    }

    pub(in super::super) fn jsx_namespaced_name(&self, node: &'a JSXNamespacedName<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.namespace.kind()),
            Doc::Text(":"),
            self.print(node.name.kind()),
        ])
    }

    pub(in super::super) fn jsx_member(&self, node: &'a JSXMemberExpression<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.object.kind()),
            Doc::Text("."),
            self.print(node.property.kind()),
        ])
    }
}
