//! Unions and intersections.

use oxc_ast::AstKind;
use oxc_ast::ast::{TSIntersectionType, TSUnionType};

use super::super::assignment::Layout;
use super::super::kind::ToKind;
use super::super::nodes;
use super::super::tree::same;
use super::super::{Args, Printer};
use crate::doc::{Align, Doc};

impl<'a> Printer<'a> {
    /// A union of one object or name with `null` and `void`, which stays on one line: the object breaks.
    pub(in super::super) fn should_hug_union(&self, node: &'a TSUnionType<'a>) -> bool {
        let is_empty = |kind| matches!(kind, AstKind::TSVoidKeyword(_) | AstKind::TSNullKeyword(_));
        let is_object = |kind| {
            matches!(
                kind,
                AstKind::TSTypeLiteral(_) | AstKind::TSTypeReference(_)
            )
        };
        let mut objects = 0;
        for member in &node.types {
            let kind = member.kind();
            if self.comments.has(kind) {
                return false;
            }
            if is_object(kind) {
                objects += 1;
            } else if !is_empty(kind) {
                return false;
            }
        }
        objects == 1
    }

    /// Whether the union itself prints its comments, between the indentation and the first `|`.
    pub(in super::super) fn union_prints_own_comments(&self, node: &'a TSUnionType<'a>) -> bool {
        let kind = AstKind::TSUnionType(node);
        !self.should_hug_union(node)
            && !matches!(
                self.parent(kind),
                AstKind::TSUnionType(_) | AstKind::TSIntersectionType(_)
            )
            && !self.is_among_tuple_elements(kind)
    }

    fn is_among_tuple_elements(&self, node: AstKind<'a>) -> bool {
        matches!(self.parent(node), AstKind::TSTupleType(tuple) if tuple.element_types.len() > 1)
    }

    pub(super) fn union_type(&self, node: &'a TSUnionType<'a>, args: Args) -> Doc<'a> {
        let kind = AstKind::TSUnionType(node);
        if self.should_hug_union(node) {
            let types: Vec<_> = node
                .types
                .iter()
                .map(|member| self.print(member.kind()))
                .collect();
            return self.join(Doc::Text(" | "), &types);
        }
        let mut parts = Vec::with_capacity(node.types.len() * 2);
        for (index, member) in node.types.iter().enumerate() {
            parts.push(if index == 0 {
                self.if_break("| ", "")
            } else {
                self.concat(&[Doc::LINE, Doc::Text("| ")])
            });
            let (kind, printed) = (member.kind(), self.print(member.kind()));
            parts.push(if self.comments.has_leading(kind) {
                self.align(Align::Spaces(2), self.with_comments(kind, printed))
            } else {
                self.with_comments(kind, self.align(Align::Spaces(2), printed))
            });
        }
        let mut printed = self.group(self.concat(&parts));
        if self.union_prints_own_comments(node) {
            printed = self.with_comments(kind, printed);
        }
        let on_own_lines = |printed| {
            self.concat(&[
                self.indent(self.concat(&[Doc::SOFTLINE, printed])),
                Doc::SOFTLINE,
            ])
        };
        if self.needs_parens(kind) {
            self.group(on_own_lines(printed))
        } else if self.is_among_tuple_elements(kind) {
            let open = self.if_break(self.concat(&[Doc::Text("("), Doc::SOFTLINE]), Doc::NIL);
            self.group(self.concat(&[
                self.indent(self.concat(&[open, printed])),
                Doc::SOFTLINE,
                self.if_break(")", ""),
            ]))
        } else if args.layout == Some(Layout::BreakAfterOperator)
            || self.is_indented_by_parent(kind)
        {
            printed
        } else {
            self.group(self.indent(self.concat(&[Doc::SOFTLINE, printed])))
        }
    }

    fn is_indented_by_parent(&self, node: AstKind<'a>) -> bool {
        match self.parent(node) {
            AstKind::TSTypeAssertion(_)
            | AstKind::TSTupleType(_)
            | AstKind::TSTypeParameterInstantiation(_) => true,
            AstKind::TSConditionalType(parent) => {
                same(parent.true_type.kind(), node) || same(parent.false_type.kind(), node)
            }
            _ => false,
        }
    }

    pub(in super::super) fn intersection_type(&self, node: &'a TSIntersectionType<'a>) -> Doc<'a> {
        let mut parts = Vec::with_capacity(node.types.len());
        let mut was_indented = false;
        let mut previous_is_object = false;
        for (index, member) in node.types.iter().enumerate() {
            let kind = member.kind();
            let printed = self.print(member.kind());
            let is_object = nodes::is_object_type(kind);
            parts.push(if index == 0 {
                printed
            } else if previous_is_object && is_object {
                let printed = if was_indented {
                    self.indent(printed)
                } else {
                    printed
                };
                self.concat(&[Doc::Text(" & "), printed])
            } else if (!previous_is_object && !is_object) || self.has_leading_own_line_comment(kind)
            {
                self.indent(self.concat(&[Doc::Text(" &"), Doc::LINE, printed]))
            } else {
                was_indented |= index > 1;
                let printed = if index > 1 {
                    self.indent(printed)
                } else {
                    printed
                };
                self.concat(&[Doc::Text(" & "), printed])
            });
            previous_is_object = is_object;
        }
        self.group(self.concat(&parts))
    }
}
