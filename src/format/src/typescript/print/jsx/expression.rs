//! Expressions in braces.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, JSXExpressionContainer};

use super::super::Printer;
use super::super::kind::ToKind;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(in super::super) fn jsx_expression_container(
        &self,
        node: &'a JSXExpressionContainer<'a>,
    ) -> Doc<'a> {
        let kind = AstKind::JSXExpressionContainer(node);
        let is_child = matches!(
            self.parent(kind),
            AstKind::JSXElement(_) | AstKind::JSXFragment(_)
        );
        let expression = node.expression.kind();
        let printed = self.print(node.expression.kind());
        if self.hugs_braces(expression, is_child) {
            return self.group(self.concat(&[
                Doc::Text("{"),
                printed,
                Doc::LineSuffixBoundary,
                Doc::Text("}"),
            ]));
        }
        self.group(self.concat(&[
            Doc::Text("{"),
            self.indent(self.concat(&[Doc::SOFTLINE, printed])),
            Doc::SOFTLINE,
            Doc::LineSuffixBoundary,
            Doc::Text("}"),
        ]))
    }

    /// Whether an expression follows its brace on the same line even if it breaks.
    fn hugs_braces(&self, expression: AstKind<'a>, is_child: bool) -> bool {
        if matches!(expression, AstKind::JSXEmptyExpression(_)) {
            return true;
        }
        if self.comments.has(expression) {
            return false;
        }
        match expression {
            AstKind::ArrayExpression(_)
            | AstKind::ObjectExpression(_)
            | AstKind::ArrowFunctionExpression(_)
            | AstKind::Function(_)
            | AstKind::TemplateLiteral(_)
            | AstKind::TaggedTemplateExpression(_)
            | AstKind::CallExpression(_) => true,
            AstKind::AwaitExpression(node) => {
                matches!(node.argument, Expression::JSXElement(_))
                    || self.hugs_braces(node.argument.kind(), false)
            }
            AstKind::ChainExpression(_) | AstKind::TSNonNullExpression(_) => is_call(expression),
            AstKind::ConditionalExpression(_)
            | AstKind::BinaryExpression(_)
            | AstKind::PrivateInExpression(_)
            | AstKind::LogicalExpression(_) => is_child,
            _ => false,
        }
    }

    pub(in super::super) fn jsx_empty_expression(&self, kind: AstKind<'a>) -> Doc<'a> {
        let printed = self.dangling_comments(kind);
        if !self.comments.any(kind, |comment| !comment.is_block) {
            return printed;
        }
        let indented = self.indent(self.concat(&[Doc::HARDLINE, printed]));
        self.concat(&[indented, Doc::HARDLINE])
    }

    pub(in super::super) fn jsx_spread(&self, argument: AstKind<'a>) -> Doc<'a> {
        let mut printed = self.concat(&[Doc::Text("..."), self.print(argument)]);
        if self.comments.has(argument) {
            let commented = self.with_comments(argument, printed);
            printed = self.concat(&[
                self.indent(self.concat(&[Doc::SOFTLINE, commented])),
                Doc::SOFTLINE,
            ]);
        }
        self.concat(&[Doc::Text("{"), printed, Doc::Text("}")])
    }
}

fn is_call(expression: AstKind<'_>) -> bool {
    match expression {
        AstKind::CallExpression(_) => true,
        AstKind::ChainExpression(chain) => is_call(chain.expression.kind()),
        AstKind::TSNonNullExpression(inner) => is_call(inner.expression.kind()),
        _ => false,
    }
}
