//! Parentheses that a parent decides on, and those of types.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, TSType};
use oxc_syntax::operator::BinaryOperator;

use super::Printer;
use super::kind::ToKind;
use super::nodes::{self, is_return_or_throw, left_side, strip_chain_wrappers};
use super::parens::{ends_with_instantiation, is_function_or_class_expression, is_superclass};
use super::tree::same;

impl<'a> Printer<'a> {
    /// `Some` if the parent decides.
    pub(super) fn parent_needs_parens(
        &self,
        node: AstKind<'a>,
        parent: AstKind<'a>,
    ) -> Option<bool> {
        match parent {
            AstKind::ReturnStatement(_)
            | AstKind::ThrowStatement(_)
            | AstKind::YieldExpression(_) => {
                let will_break = (is_return_or_throw(parent)
                    || matches!(parent, AstKind::YieldExpression(_)))
                    && matches!(
                        node,
                        AstKind::SequenceExpression(_) | AstKind::AssignmentExpression(_)
                    )
                    && self.has_leading_comment_in_argument(node);
                will_break.then_some(false)
            }
            AstKind::ParenthesizedExpression(_) => Some(false),
            AstKind::Class(_) if is_superclass(parent, node) => {
                let superclass = strip_chain_wrappers(node);
                let needs_parens = match superclass {
                    AstKind::ArrowFunctionExpression(_)
                    | AstKind::AssignmentExpression(_)
                    | AstKind::AwaitExpression(_)
                    | AstKind::BinaryExpression(_)
                    | AstKind::PrivateInExpression(_)
                    | AstKind::ConditionalExpression(_)
                    | AstKind::LogicalExpression(_)
                    | AstKind::NewExpression(_)
                    | AstKind::ObjectExpression(_)
                    | AstKind::SequenceExpression(_)
                    | AstKind::TaggedTemplateExpression(_)
                    | AstKind::UnaryExpression(_)
                    | AstKind::UpdateExpression(_)
                    | AstKind::YieldExpression(_) => true,
                    AstKind::Class(class) => !class.decorators.is_empty(),
                    _ => false,
                };
                needs_parens.then_some(true)
            }
            AstKind::ExportDefaultDeclaration(_) => {
                self.wraps_function_of_export(node, parent).then_some(true)
            }
            AstKind::Decorator(_) => (!is_decorator_expression(node)).then_some(true),
            AstKind::VariableDeclarator(declarator) => {
                // The old syntax `for (var a = 1 in b)`.
                let declaration = self.parent(parent);
                let is_init = declarator
                    .init
                    .as_ref()
                    .is_some_and(|init| same(init.kind(), node));
                let is_in_head = matches!(self.parent(declaration), AstKind::ForInStatement(statement)
                    if same(statement.left.kind(), declaration));
                (is_init && is_in_head).then_some(true)
            }
            AstKind::BinaryExpression(binary) => {
                let is_right = same(binary.right.kind(), node);
                let operand = if is_right {
                    &binary.right
                } else {
                    &binary.left
                };
                let is_allowed = is_right
                    && matches!(operand, Expression::TSInstantiationExpression(_))
                    && matches!(
                        binary.operator,
                        BinaryOperator::Instanceof | BinaryOperator::In
                    );
                (!is_allowed && ends_with_instantiation(operand)).then_some(true)
            }
            AstKind::TSInstantiationExpression(_) => matches!(
                node,
                AstKind::AwaitExpression(_) | AstKind::YieldExpression(_)
            )
            .then_some(true),
            _ => None,
        }
    }

    /// Whether `export default` would take the start of the expression for a declaration.
    fn wraps_function_of_export(&self, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
        let is_export = matches!(parent, AstKind::ExportDefaultDeclaration(_));
        if is_function_or_class_expression(node) {
            return is_export || !self.needs_parens(node);
        }
        if matches!(node, AstKind::Function(_) | AstKind::Class(_)) {
            return false;
        }
        let Some(left) = left_side(node) else {
            return false;
        };
        (is_export || !self.needs_parens(node)) && self.wraps_function_of_export(left, node)
    }

    pub(super) fn type_needs_parens(&self, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
        let is_function_type = matches!(node, AstKind::TSFunctionType(_));
        let is_conditional = matches!(node, AstKind::TSConditionalType(_));
        if is_function_type
            && matches!(parent, AstKind::TSTypeAnnotation(_))
            && matches!(self.parent(parent), AstKind::ArrowFunctionExpression(arrow)
                if arrow.return_type.as_ref().is_some_and(|it| same(it.kind(), parent)))
        {
            return true;
        }
        if is_function_type || is_conditional || matches!(node, AstKind::TSConstructorType(_)) {
            if let AstKind::TSTypeParameter(parameter) = parent
                && is_conditional
                && parameter
                    .constraint
                    .as_ref()
                    .is_some_and(|it| same(it.kind(), node))
            {
                return true;
            }
            if let AstKind::TSConditionalType(outer) = parent {
                if same(outer.check_type.kind(), node) {
                    return true;
                }
                if same(outer.extends_type.kind(), node)
                    && (is_conditional || returns_constrained_infer(node))
                {
                    return true;
                }
            }
        }
        let is_list = matches!(
            parent,
            AstKind::TSUnionType(_) | AstKind::TSIntersectionType(_)
        );
        match node {
            AstKind::TSFunctionType(_)
            | AstKind::TSConditionalType(_)
            | AstKind::TSConstructorType(_)
            | AstKind::TSUnionType(_)
            | AstKind::TSIntersectionType(_)
                if is_list =>
            {
                true
            }
            AstKind::TSInferType(_) if matches!(parent, AstKind::TSRestType(_)) => false,
            AstKind::TSInferType(infer) if is_list && infer.type_parameter.constraint.is_some() => {
                true
            }
            AstKind::TSFunctionType(_)
            | AstKind::TSConditionalType(_)
            | AstKind::TSConstructorType(_)
            | AstKind::TSUnionType(_)
            | AstKind::TSIntersectionType(_)
            | AstKind::TSInferType(_)
            | AstKind::TSTypeOperator(_) => match parent {
                AstKind::TSArrayType(_)
                | AstKind::TSOptionalType(_)
                | AstKind::TSRestType(_)
                | AstKind::TSTypeOperator(_)
                | AstKind::JSDocNullableType(_)
                | AstKind::JSDocNonNullableType(_) => true,
                AstKind::TSIndexedAccessType(access) => same(access.object_type.kind(), node),
                _ => false,
            },
            AstKind::TSTypeQuery(_) => match parent {
                AstKind::TSArrayType(_) => true,
                AstKind::TSIndexedAccessType(access) => same(access.object_type.kind(), node),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a function type returns `infer T extends U`.
fn returns_constrained_infer(node: AstKind<'_>) -> bool {
    let Some(annotation) = nodes::signature(node).and_then(|it| it.return_type) else {
        return false;
    };
    let mut returned = &annotation.type_annotation;
    if let TSType::TSTypePredicate(predicate) = returned
        && let Some(annotation) = &predicate.type_annotation
    {
        returned = &annotation.type_annotation;
    }
    matches!(returned, TSType::TSInferType(infer) if infer.type_parameter.constraint.is_some())
}

/// Whether a decorator can be written without parentheses: `@a.b` or `@a.b()`.
fn is_decorator_expression(node: AstKind<'_>) -> bool {
    fn is_path(node: AstKind<'_>) -> bool {
        match node {
            AstKind::StaticMemberExpression(member) => {
                !member.optional && is_path(member.object.kind())
            }
            _ => nodes::is_identifier(node),
        }
    }
    let node = match node {
        AstKind::ChainExpression(chain) => chain.expression.kind(),
        _ => node,
    };
    match node {
        AstKind::CallExpression(call) => !call.optional && is_path(call.callee.kind()),
        _ => is_path(node),
    }
}
