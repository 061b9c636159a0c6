//! Whether an expression is simple enough for a compact layout, and whether comments prevent it.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, ObjectPropertyKind, TSType, TemplateLiteral};
use oxc_span::GetSpan;
use oxc_syntax::operator::UnaryOperator;

use super::kind::ToKind;
use super::nodes::{
    self, arguments, is_call_like, is_identifier, is_jsx, is_literal, is_signed_number, left_side,
    strip_chain_wrappers,
};
use super::{Printer, scan, spans};
use crate::doc::text_width;

impl<'a> Printer<'a> {
    /// Whether a leading comment of the node ends its line.
    pub(super) fn has_leading_own_line_comment(&self, node: AstKind<'a>) -> bool {
        if is_jsx(node) {
            return self.comments.is_ignored(node);
        }
        self.comments.any(node, |comment| {
            comment.role == super::comments::Role::Leading
                && scan::has_newline(self.text, comment.end)
        })
    }

    /// Whether the argument of `return` starts with a comment that would end the statement.
    pub(super) fn has_leading_comment_in_argument(&self, node: AstKind<'a>) -> bool {
        if self.has_leading_own_line_comment(node)
            || (!is_jsx(node)
                && self.comments.any(node, |comment| {
                    comment.role == super::comments::Role::Leading
                        && scan::has_newline_in(self.text, comment.start, comment.end)
                }))
        {
            return true;
        }
        let mut node = node;
        while let Some(left) = left_side(node) {
            if self.has_leading_own_line_comment(left) {
                return true;
            }
            node = left;
        }
        false
    }

    /// Whether an expression is simple enough for a call that is not broken.
    pub(super) fn is_simple_argument(&self, node: AstKind<'a>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        let is_simple_child = |child: AstKind<'a>| self.is_simple_argument(child, depth - 1);
        let node = strip_chain_wrappers(node);
        if let AstKind::RegExpLiteral(regex) = node {
            return text_width(&regex.regex.pattern.text) <= 5;
        }
        if is_literal(node)
            || is_identifier(node)
            || matches!(
                node,
                AstKind::ThisExpression(_) | AstKind::Super(_) | AstKind::PrivateIdentifier(_)
            )
        {
            return true;
        }
        if is_call_like(node) {
            let arguments = arguments(node);
            let is_simple_callee = match nodes::callee(node) {
                Some(callee) => self.is_simple_argument(callee, depth),
                None => true,
            };
            return is_simple_callee
                && arguments.len() <= depth
                && arguments.into_iter().all(is_simple_child);
        }
        if let Some(member) = nodes::member(node) {
            return self.is_simple_argument(member.object.kind(), depth)
                && self.is_simple_argument(member.property, depth);
        }
        match node {
            AstKind::TemplateLiteral(template) => {
                !has_newline_in_template(template)
                    && template
                        .expressions
                        .iter()
                        .all(|expression| is_simple_child(expression.kind()))
            }
            AstKind::ObjectExpression(object) => {
                object.properties.iter().all(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => {
                        !property.computed
                            && (property.shorthand || is_simple_child(property.value.kind()))
                    }
                    ObjectPropertyKind::SpreadProperty(_) => false,
                })
            }
            AstKind::ArrayExpression(array) => array
                .elements
                .iter()
                .all(|element| element.is_elision() || is_simple_child(element.kind())),
            AstKind::UnaryExpression(unary) => {
                matches!(
                    unary.operator,
                    UnaryOperator::LogicalNot
                        | UnaryOperator::UnaryNegation
                        | UnaryOperator::UnaryPlus
                        | UnaryOperator::BitwiseNot
                ) && self.is_simple_argument(unary.argument.kind(), depth)
            }
            AstKind::UpdateExpression(update) => {
                self.is_simple_argument(update.argument.kind(), depth)
            }
            _ => false,
        }
    }

    /// Whether breaking before this only argument would not help.
    pub(super) fn is_lone_short_argument(&self, node: AstKind<'a>) -> bool {
        if self.comments.has(node) {
            return false;
        }
        let threshold = self.options.width / 4;
        match node {
            AstKind::ThisExpression(_) => true,
            AstKind::IdentifierReference(name) => name.name.len() <= threshold,
            AstKind::UnaryExpression(unary) => {
                let argument = unary.argument.kind();
                (is_signed_number(node) && !self.comments.has(argument))
                    || self.is_lone_short_argument(argument)
            }
            AstKind::RegExpLiteral(regex) => regex.regex.pattern.text.len() <= threshold,
            AstKind::StringLiteral(string) => {
                let span = string.span();
                self.string_text(&self.text[span.start as usize..span.end as usize])
                    .chars()
                    .count()
                    <= threshold
            }
            AstKind::TemplateLiteral(template) => {
                template.expressions.is_empty()
                    && template.quasis.first().is_some_and(|quasi| {
                        let raw = quasi.value.raw.as_str();
                        raw.chars().count() <= threshold && !raw.contains('\n')
                    })
            }
            AstKind::CallExpression(call) => {
                call.arguments.is_empty()
                    && matches!(&call.callee, Expression::Identifier(name)
                        if name.name.len() + 2 <= threshold)
            }
            _ => is_literal(node),
        }
    }

    /// A template over several lines that starts beside other code.
    pub(super) fn is_template_on_its_own_line(&self, node: AstKind<'a>) -> bool {
        let template = match node {
            AstKind::TemplateLiteral(template) => template,
            AstKind::TaggedTemplateExpression(tagged) => &tagged.quasi,
            _ => return false,
        };
        has_newline_in_template(template)
            && !scan::has_newline_before(self.text, spans::start(node))
    }
}

fn has_newline_in_template(template: &TemplateLiteral<'_>) -> bool {
    template
        .quasis
        .iter()
        .any(|quasi| quasi.value.raw.contains('\n'))
}

/// A type that is one word or literal.
pub(super) fn is_simple_type(annotation: &TSType<'_>) -> bool {
    match annotation {
        TSType::TSThisType(_) | TSType::TSLiteralType(_) | TSType::TSTemplateLiteralType(_) => true,
        TSType::TSTypeReference(reference) => reference.type_arguments.is_none(),
        _ => is_keyword_type(annotation),
    }
}

pub(super) fn is_keyword_type(annotation: &TSType<'_>) -> bool {
    matches!(
        annotation,
        TSType::TSAnyKeyword(_)
            | TSType::TSBigIntKeyword(_)
            | TSType::TSBooleanKeyword(_)
            | TSType::TSIntrinsicKeyword(_)
            | TSType::TSNeverKeyword(_)
            | TSType::TSNullKeyword(_)
            | TSType::TSNumberKeyword(_)
            | TSType::TSObjectKeyword(_)
            | TSType::TSStringKeyword(_)
            | TSType::TSSymbolKeyword(_)
            | TSType::TSUndefinedKeyword(_)
            | TSType::TSUnknownKeyword(_)
            | TSType::TSVoidKeyword(_)
    )
}
