//! Expressions with a type: `as`, `satisfies` and type assertions.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, TSTypeAssertion};

use super::super::kind::ToKind;
use super::super::tree::same;
use super::super::{Printer, docs, nodes};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn cast(
        &self,
        node: AstKind<'a>,
        expression: AstKind<'a>,
        operator: &'static str,
        annotation: AstKind<'a>,
    ) -> Doc<'a> {
        let printed = self.print(annotation);
        let is_union = matches!(annotation, AstKind::TSUnionType(_));
        let printed = if !is_union && self.has_leading_own_line_comment(annotation) {
            self.indent(docs!(self, Doc::HARDLINE, printed))
        } else {
            docs!(self, " ", printed)
        };
        let printed = docs!(self, self.print(expression), operator, printed);
        if self.is_callee_or_object(node) {
            let indented = self.indent(docs!(self, Doc::SOFTLINE, printed));
            self.group(docs!(self, indented, Doc::SOFTLINE))
        } else {
            printed
        }
    }

    fn is_callee_or_object(&self, node: AstKind<'a>) -> bool {
        let parent = self.parent(node);
        nodes::callee(parent).is_some_and(|callee| same(callee, node))
            || nodes::member(parent).is_some_and(|member| same(member.object.kind(), node))
    }

    pub(super) fn type_assertion(&self, node: &'a TSTypeAssertion<'a>) -> Doc<'a> {
        let annotation = docs!(self, Doc::SOFTLINE, self.print(node.type_annotation.kind()));
        let cast = self.group(docs!(
            self,
            "<",
            self.indent(annotation),
            Doc::SOFTLINE,
            ">"
        ));
        let expression = self.print(node.expression.kind());
        let on_one_line = docs!(self, cast, expression);
        if matches!(
            node.expression,
            Expression::ArrayExpression(_) | Expression::ObjectExpression(_)
        ) {
            return self.group(on_one_line);
        }
        let in_parens = self.broken_group(docs!(
            self,
            self.if_break("(", ""),
            self.indent(docs!(self, Doc::SOFTLINE, expression)),
            Doc::SOFTLINE,
            self.if_break(")", ""),
        ));
        let states = [on_one_line, docs!(self, cast, in_parens), on_one_line];
        self.conditional_group(&states, false)
    }
}
