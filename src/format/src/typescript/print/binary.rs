//! Binary and logical expressions.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;

use super::comments::Role;
use super::kind::ToKind;
use super::nodes::{
    binary_operator, is_binaryish, is_call_or_new, is_computed_member, is_jsx, is_member,
    is_object_property, is_return_or_throw,
};
use super::operators::should_flatten;
use super::parens::is_callee;
use super::tree::same;
use super::{Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_binary(&self, node: AstKind<'a>) -> Doc<'a> {
        let parent = self.parent(node);
        let is_in_parentheses = matches!(
            parent,
            AstKind::IfStatement(_)
                | AstKind::WhileStatement(_)
                | AstKind::SwitchStatement(_)
                | AstKind::DoWhileStatement(_)
        );
        let parts = self.print_operands(node, is_in_parentheses);
        if is_in_parentheses {
            return self.concat(&parts);
        }
        if (is_call_or_new(parent) && is_callee(parent, node))
            || (matches!(parent, AstKind::UnaryExpression(_)) && !self.comments.has(node))
            || (is_member(parent) && !is_computed_member(parent))
        {
            let contents = self.indent(docs!(self, Doc::SOFTLINE, self.concat(&parts)));
            return self.group(docs!(self, contents, Doc::SOFTLINE));
        }
        let should_not_indent = self.is_operand_indented_by_parent(node, parent);
        let is_value = match parent {
            AstKind::AssignmentExpression(_)
            | AstKind::VariableDeclarator(_)
            | AstKind::PropertyDefinition(_) => true,
            _ => is_object_property(parent),
        };
        if should_not_indent || is_inlined_alone(node) || (!should_inline_logical(node) && is_value)
        {
            return self.group(self.concat(&parts));
        }
        let has_jsx = right_of(node).is_some_and(is_jsx);
        let first_group = parts.iter().position(|part| matches!(part, Doc::Group(_)));
        let head = first_group.map_or(1, |index| index + 1).min(parts.len());
        let rest_end = match has_jsx {
            true => parts.len() - 1,
            false => parts.len(),
        };
        let id = self.group_id();
        let rest = self.indent(self.concat(&parts[head..rest_end.max(head)]));
        let chain = docs!(self, self.concat(&parts[..head]), rest);
        let chain = self.group_with(chain, Some(id), false);
        match (has_jsx, parts.last()) {
            (true, Some(jsx)) => {
                self.group(docs!(self, chain, self.indent_if_break(*jsx, id, false)))
            }
            _ => chain,
        }
    }

    /// Whether the parent already indents the operands after the first one.
    fn is_operand_indented_by_parent(&self, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
        match parent {
            AstKind::ReturnStatement(_)
            | AstKind::ThrowStatement(_)
            | AstKind::YieldExpression(_)
            | AstKind::UnaryExpression(_)
            | AstKind::TemplateLiteral(_)
            | AstKind::ArrowFunctionExpression(_) => true,
            AstKind::JSXExpressionContainer(_) => {
                matches!(self.parent(parent), AstKind::JSXAttribute(_))
            }
            AstKind::ForStatement(statement) => !same(statement.body.kind(), node),
            AstKind::ConditionalExpression(_) => {
                let outer = self.parent(parent);
                !is_return_or_throw(outer) && !is_call_or_new(outer)
            }
            AstKind::CallExpression(call) => {
                call.arguments.len() == 1
                    && !call.optional
                    && !same(call.callee.kind(), node)
                    && super::nodes::identifier_name(call.callee.kind()) == Some("Boolean")
            }
            _ => false,
        }
    }

    /// The operands and operators of nested expressions with the same precedence.
    fn print_operands(&self, node: AstKind<'a>, is_in_parentheses: bool) -> Vec<Doc<'a>> {
        let mut nested = vec![node];
        while let Some(innermost) = nested.last()
            && let Some(left) = left_of(*innermost)
            && is_binaryish(left)
            && let (Some(outer), Some(inner)) = (binary_operator(*innermost), binary_operator(left))
            && should_flatten(outer, inner)
        {
            nested.push(left);
        }
        let mut parts = Vec::new();
        for (index, inner) in nested.iter().enumerate().rev() {
            parts = self.print_operand(*inner, parts, index > 0, is_in_parentheses);
        }
        parts
    }

    fn print_operand(
        &self,
        node: AstKind<'a>,
        mut parts: Vec<Doc<'a>>,
        is_nested: bool,
        is_in_parentheses: bool,
    ) -> Vec<Doc<'a>> {
        let (Some(left), Some(right), Some(operator)) =
            (left_of(node), right_of(node), binary_operator(node))
        else {
            return parts;
        };
        if parts.is_empty() {
            parts.push(self.group(self.print(left)));
        }
        let right_core = match right {
            AstKind::ChainExpression(chain) => chain.expression.kind(),
            _ => right,
        };
        let printed = self.print(right);
        let mut doc = if should_inline_logical(node) {
            if self.has_leading_own_line_comment(right_core) {
                docs!(self, operator, self.indent(docs!(self, Doc::LINE, printed)))
            } else {
                docs!(self, operator, " ", printed)
            }
        } else {
            docs!(self, operator, Doc::LINE, printed)
        };
        let breaks = self.comments.any(left, |comment| {
            comment.role == Role::Trailing && !comment.is_block
        });
        let is_logical = matches!(node, AstKind::LogicalExpression(_));
        let is_same = |other: AstKind<'a>| {
            is_binaryish(other) && matches!(other, AstKind::LogicalExpression(_)) == is_logical
        };
        let is_part = (is_in_parentheses && is_logical)
            || [self.parent(node), left, right].into_iter().any(is_same);
        if breaks || !is_part {
            doc = self.group_with(doc, None, breaks);
        }
        parts.extend([Doc::SPACE, doc]);
        if is_nested && self.comments.has(node) {
            let around = self.comments_around(node);
            if !around.leading.is_nil() {
                parts.insert(0, around.leading);
            }
            if !around.trailing.is_nil() {
                parts.push(around.trailing);
            }
        }
        parts
    }
}

fn left_of(node: AstKind<'_>) -> Option<AstKind<'_>> {
    match node {
        AstKind::BinaryExpression(it) => Some(it.left.kind()),
        AstKind::LogicalExpression(it) => Some(it.left.kind()),
        AstKind::PrivateInExpression(it) => Some(it.left.kind()),
        _ => None,
    }
}

fn right_of(node: AstKind<'_>) -> Option<AstKind<'_>> {
    match node {
        AstKind::BinaryExpression(it) => Some(it.right.kind()),
        AstKind::LogicalExpression(it) => Some(it.right.kind()),
        AstKind::PrivateInExpression(it) => Some(it.right.kind()),
        _ => None,
    }
}

/// Whether the right operand starts on the line of the operator: an object, array or JSX element.
pub(super) fn should_inline_logical(node: AstKind<'_>) -> bool {
    let AstKind::LogicalExpression(logical) = node else {
        return false;
    };
    match &logical.right {
        Expression::ObjectExpression(object) => !object.properties.is_empty(),
        Expression::ArrayExpression(array) => !array.elements.is_empty(),
        Expression::JSXElement(_) | Expression::JSXFragment(_) => true,
        _ => false,
    }
}

/// Like [`should_inline_logical`], for an expression whose left operands are not of the same chain.
fn is_inlined_alone(node: AstKind<'_>) -> bool {
    if !should_inline_logical(node) {
        return false;
    }
    let (Some(left), Some(operator)) = (left_of(node), binary_operator(node)) else {
        return false;
    };
    match binary_operator(left) {
        Some(inner) if should_flatten(operator, inner) => is_inlined_alone(left),
        _ => true,
    }
}
