//! Object types, the bodies of interfaces, and their members.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    PropertyKey, TSIndexSignature, TSIndexSignatureName, TSInterfaceBody, TSPropertySignature,
    TSSignature, TSTypeLiteral,
};

use super::super::comments::Role;
use super::super::kind::ToKind;
use super::super::tree::same;
use super::super::{Printer, scan, spans};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(in super::super) fn interface_body(&self, node: &'a TSInterfaceBody<'a>) -> Doc<'a> {
        let members: Vec<_> = node.body.iter().map(ToKind::kind).collect();
        self.class_like_body(AstKind::TSInterfaceBody(node), &members)
    }

    pub(in super::super) fn type_literal(&self, node: &'a TSTypeLiteral<'a>) -> Doc<'a> {
        let kind = AstKind::TSTypeLiteral(node);
        let members: Vec<_> = node.members.iter().map(ToKind::kind).collect();
        let should_break = self.comments.any(kind, |comment| {
            comment.role == Role::Dangling && !comment.is_block
        }) || (self.options.preserve_objects
            && members.first().is_some_and(|first| {
                scan::has_newline_in(self.text, node.span.start as usize, spans::start(*first))
            }));
        let parts = self.members(kind, &members, Doc::LINE);
        if parts.is_nil() {
            return Doc::Text("{}");
        }
        let spacing = if self.options.bracket_spacing && (should_break || !members.is_empty()) {
            Doc::LINE
        } else {
            Doc::SOFTLINE
        };
        let contents = self.concat(&[
            Doc::Text("{"),
            self.indent(self.concat(&[spacing, parts])),
            spacing,
            Doc::Text("}"),
        ]);
        if self.is_type_of_hugged_parameter(kind) {
            contents
        } else {
            self.group_with(contents, None, should_break)
        }
    }

    /// The parentheses of a hugged parameter break with its type, so the type needs no group.
    pub(in super::super) fn is_type_of_hugged_parameter(&self, node: AstKind<'a>) -> bool {
        let annotation = self.parent(node);
        let parameter = self.parent(annotation);
        matches!(annotation, AstKind::TSTypeAnnotation(_))
            && matches!(parameter, AstKind::FormalParameter(_))
            && self.should_hug_the_only_parameter(self.parent(self.parent(parameter)))
    }

    /// The body of a class or an interface.
    pub(in super::super) fn class_like_body(
        &self,
        node: AstKind<'a>,
        members: &[AstKind<'a>],
    ) -> Doc<'a> {
        let parts = self.members(node, members, Doc::HARDLINE);
        if parts.is_nil() {
            return Doc::Text("{}");
        }
        self.concat(&[
            Doc::Text("{"),
            self.indent(self.concat(&[Doc::HARDLINE, parts])),
            Doc::HARDLINE,
            Doc::Text("}"),
        ])
    }

    /// The members with one blank line where the source has blank lines, and the comments after them.
    fn members(&self, node: AstKind<'a>, members: &[AstKind<'a>], separator: Doc<'a>) -> Doc<'a> {
        let mut parts = Vec::with_capacity(members.len() * 2);
        for (index, member) in members.iter().enumerate() {
            let next = members.get(index + 1);
            parts.push(self.print(*member));
            let is_type = matches!(node, AstKind::TSTypeLiteral(_));
            if !is_type && self.needs_semicolon_after(*member, next.copied()) {
                parts.push(Doc::Text(";"));
            }
            if next.is_some() {
                parts.push(separator);
                if self.is_next_line_empty(*member) {
                    parts.push(Doc::HARDLINE);
                }
            }
        }
        parts.push(self.dangling_comments(node));
        self.concat(&parts)
    }

    /// Whether the code would have another meaning without a semicolon, where semicolons are off.
    fn needs_semicolon_after(&self, member: AstKind<'a>, next: Option<AstKind<'a>>) -> bool {
        if self.options.semi {
            return false;
        }
        match member {
            AstKind::PropertyDefinition(node) => {
                (node.value.is_none()
                    && node.type_annotation.is_none()
                    && is_modifier_name(&node.key, node.computed))
                    || next.is_some_and(starts_like_continuation)
            }
            AstKind::AccessorProperty(node) => {
                (node.value.is_none()
                    && node.type_annotation.is_none()
                    && is_modifier_name(&node.key, node.computed))
                    || next.is_some_and(starts_like_continuation)
            }
            AstKind::TSPropertySignature(node) if node.type_annotation.is_none() => {
                is_modifier_name(&node.key, node.computed)
                    || matches!(next, Some(AstKind::TSCallSignatureDeclaration(_)))
            }
            _ => false,
        }
    }

    /// The semicolon after a signature.
    pub(in super::super) fn member_semicolon(&self, node: AstKind<'a>) -> Doc<'a> {
        let AstKind::TSTypeLiteral(parent) = self.parent(node) else {
            return Doc::Text(self.semicolon());
        };
        let position = parent
            .members
            .iter()
            .position(|member| same(member.kind(), node));
        let next = position.and_then(|position| parent.members.get(position + 1));
        match next.map(TSSignature::kind) {
            None if self.options.semi => self.if_break(";", ""),
            None => Doc::NIL,
            next if self.options.semi || self.needs_semicolon_after(node, next) => Doc::Text(";"),
            Some(_) => self.if_break("", ";"),
        }
    }

    pub(in super::super) fn property_signature(
        &self,
        node: &'a TSPropertySignature<'a>,
    ) -> Doc<'a> {
        let kind = AstKind::TSPropertySignature(node);
        self.concat(&[
            self.group(self.concat(&[
                Doc::Text(if node.readonly { "readonly " } else { "" }),
                self.print_property_key(kind, node.key.kind(), node.computed),
                Doc::Text(if node.optional { "?" } else { "" }),
                self.annotation(node.type_annotation.as_deref()),
            ])),
            self.member_semicolon(kind),
        ])
    }

    pub(in super::super) fn index_signature(&self, node: &'a TSIndexSignature<'a>) -> Doc<'a> {
        let kind = AstKind::TSIndexSignature(node);
        let is_static = node.r#static && matches!(self.parent(kind), AstKind::ClassBody(_));
        let parameter = self.group(self.concat(&[
            self.indent(self.concat(&[Doc::SOFTLINE, self.print(node.parameter.kind())])),
            Doc::SOFTLINE,
        ]));
        self.concat(&[
            self.group(self.concat(&[
                Doc::Text(if is_static { "static " } else { "" }),
                Doc::Text(if node.readonly { "readonly " } else { "" }),
                Doc::Text("["),
                parameter,
                Doc::Text("]"),
                self.annotation(Some(&node.type_annotation)),
            ])),
            self.member_semicolon(kind),
        ])
    }

    pub(in super::super) fn index_signature_name(
        &self,
        node: &'a TSIndexSignatureName<'a>,
    ) -> Doc<'a> {
        self.concat(&[
            Doc::Text(node.name.as_str()),
            self.annotation(Some(&node.type_annotation)),
        ])
    }
}

fn is_modifier_name(key: &PropertyKey<'_>, computed: bool) -> bool {
    !computed
        && matches!(key, PropertyKey::StaticIdentifier(name)
            if matches!(name.name.as_str(), "static" | "get" | "set"))
}

/// Whether a class member would continue a property without a semicolon before it.
fn starts_like_continuation(member: AstKind<'_>) -> bool {
    let is_operator = |key: &PropertyKey<'_>, computed: bool| {
        !computed
            && matches!(key, PropertyKey::StaticIdentifier(name)
                if matches!(name.name.as_str(), "in" | "instanceof"))
    };
    match member {
        AstKind::PropertyDefinition(node) => {
            !node.r#static
                && node.accessibility.is_none()
                && !node.readonly
                && (node.computed || is_operator(&node.key, node.computed))
        }
        AstKind::AccessorProperty(node) => {
            !node.r#static && node.accessibility.is_none() && is_operator(&node.key, node.computed)
        }
        AstKind::MethodDefinition(node) => {
            !node.r#static
                && node.accessibility.is_none()
                && (is_operator(&node.key, node.computed)
                    || (!node.value.r#async
                        && !node.kind.is_get()
                        && !node.kind.is_set()
                        && (node.computed || node.value.generator)))
        }
        AstKind::TSIndexSignature(node) => !node.r#static && !node.readonly,
        _ => false,
    }
}
