//! Where an assignment breaks.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionBody, AssignmentTarget, AssignmentTargetProperty, BindingPattern, Expression,
    TSType,
};

use super::binary::should_inline_logical;
use super::comments::{Role, is_aligned};
use super::kind::ToKind;
use super::nodes::{
    self, arguments, is_binaryish, is_chain_wrapper, is_identifier, is_object_property,
};
use super::{Args, MEMBER_CHAIN, Printer, docs};
use crate::doc::{Doc, text_width};

/// Where an assignment breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// After the operator, and then each side on its own.
    BreakAfterOperator,
    /// In the right side, and then in the left side.
    NeverBreakAfterOperator,
    /// In the right side, and then after the operator.
    Fluid,
    /// In the left side.
    BreakLeft,
    /// A part of `a = b = c` that is not the last one.
    Chain,
    ChainTail,
    ChainTailArrowChain,
}

impl<'a> Printer<'a> {
    /// Prints `node`, which assigns `right` to `left`: an assignment, property, type alias or variable.
    pub(super) fn print_assignment(
        &self,
        node: AstKind<'a>,
        left: Doc<'a>,
        operator: impl Into<Doc<'a>>,
        right: Option<AstKind<'a>>,
    ) -> Doc<'a> {
        let operator = operator.into();
        let Some(right_node) = right else {
            return left;
        };
        let layout = self.choose_layout(node, left, right_node);
        let args = Args {
            layout: Some(layout),
            ..Args::default()
        };
        let right = self.print_with(right_node, args);
        match layout {
            Layout::BreakAfterOperator => {
                let right = self.group(self.indent(docs!(self, Doc::LINE, right)));
                self.group(docs!(self, self.group(left), operator, right))
            }
            Layout::NeverBreakAfterOperator => {
                self.group(docs!(self, self.group(left), operator, " ", right))
            }
            Layout::Fluid => {
                let id = self.group_id();
                let line = self.group_with(self.indent(Doc::LINE), Some(id), false);
                self.group(docs!(
                    self,
                    self.group(left),
                    operator,
                    line,
                    Doc::LineSuffixBoundary,
                    self.indent_if_break(right, id, false),
                ))
            }
            Layout::BreakLeft => self.group(docs!(self, left, operator, " ", self.group(right))),
            Layout::Chain => docs!(self, self.group(left), operator, Doc::LINE, right),
            Layout::ChainTail => {
                let right = self.indent(docs!(self, Doc::LINE, right));
                docs!(self, self.group(left), operator, right)
            }
            Layout::ChainTailArrowChain => docs!(self, self.group(left), operator, right),
        }
    }

    fn choose_layout(&self, node: AstKind<'a>, left: Doc<'a>, right: AstKind<'a>) -> Layout {
        let right_assignment = match right {
            AstKind::AssignmentExpression(assignment) => Some(assignment),
            _ => None,
        };
        if self.is_in_chain(node, right_assignment.is_none()) {
            return match right {
                AstKind::AssignmentExpression(_) => Layout::Chain,
                AstKind::ArrowFunctionExpression(arrow)
                    if matches!(arrow.body, ArrowFunctionBody::ArrowFunctionExpression(_)) =>
                {
                    Layout::ChainTailArrowChain
                }
                _ => Layout::ChainTail,
            };
        }
        let is_long_chain = right_assignment.is_some_and(|assignment| {
            matches!(assignment.right, Expression::AssignmentExpression(_))
        });
        if is_long_chain
            || matches!(right, AstKind::TSUnionType(union) if !self.should_hug_union(union))
            || self.has_leading_own_line_comment(right)
            || self.comments.any(right, |comment| {
                comment.role == Role::Leading
                    && comment.is_block
                    && is_aligned(&self.text[comment.start..comment.end])
            })
        {
            return Layout::BreakAfterOperator;
        }
        let is_require = matches!(right, AstKind::CallExpression(call)
            if nodes::identifier_name(call.callee.kind()) == Some("require"));
        if is_require || matches!(node, AstKind::ImportAttribute(_)) {
            return Layout::NeverBreakAfterOperator;
        }
        let can_break_left = left.can_break();
        if is_complex_destructuring(node)
            || has_complex_type_annotation(node)
            || (can_break_left && is_arrow_variable(node))
        {
            return Layout::BreakLeft;
        }
        let has_short_key = is_object_property(node)
            && plain_width(left).is_some_and(|width| width < self.options.tab_width + 3);
        if self.should_break_after_operator(right, has_short_key) {
            return Layout::BreakAfterOperator;
        }
        if has_complex_type_parameters(node) {
            return Layout::BreakLeft;
        }
        let is_unbreakable = match right {
            AstKind::TemplateLiteral(_)
            | AstKind::TaggedTemplateExpression(_)
            | AstKind::BooleanLiteral(_)
            | AstKind::NumericLiteral(_) => true,
            AstKind::Class(class) => class.is_expression(),
            _ => false,
        };
        if !can_break_left && (has_short_key || is_unbreakable) {
            Layout::NeverBreakAfterOperator
        } else {
            Layout::Fluid
        }
    }

    /// Whether an assignment is a part of a chain of at least three.
    fn is_in_chain(&self, node: AstKind<'a>, is_tail: bool) -> bool {
        if !matches!(node, AstKind::AssignmentExpression(_)) {
            return false;
        }
        let parent = self.parent(node);
        let is_part = matches!(
            parent,
            AstKind::AssignmentExpression(_) | AstKind::VariableDeclarator(_)
        );
        is_part
            && (!is_tail
                || !matches!(
                    self.parent(parent),
                    AstKind::ExpressionStatement(_) | AstKind::VariableDeclaration(_)
                ))
    }

    fn should_break_after_operator(&self, right: AstKind<'a>, has_short_key: bool) -> bool {
        if is_binaryish(right) && !should_inline_logical(right) {
            return true;
        }
        match right {
            AstKind::SequenceExpression(_) => return true,
            AstKind::TSConditionalType(conditional)
                if is_generic(&conditional.check_type) || is_generic(&conditional.extends_type) =>
            {
                return true;
            }
            AstKind::ConditionalExpression(conditional) => {
                let test = conditional.test.kind();
                return is_binaryish(test) && !should_inline_logical(test);
            }
            AstKind::Class(class) => return !class.decorators.is_empty(),
            _ => {}
        }
        if has_short_key {
            return false;
        }
        let mut node = right;
        loop {
            node = match node {
                AstKind::UnaryExpression(it) => it.argument.kind(),
                AstKind::AwaitExpression(it) => it.argument.kind(),
                AstKind::TSNonNullExpression(it) => it.expression.kind(),
                AstKind::YieldExpression(it) => match &it.argument {
                    Some(argument) => argument.kind(),
                    None => break,
                },
                _ => break,
            };
        }
        matches!(node, AstKind::StringLiteral(_)) || self.is_poorly_breakable(node, false)
    }

    /// A chain of members and calls in which no call has arguments that could break.
    fn is_poorly_breakable(&self, node: AstKind<'a>, is_inner: bool) -> bool {
        if is_chain_wrapper(node) {
            let inner = match node {
                AstKind::ChainExpression(it) => it.expression.kind(),
                AstKind::TSNonNullExpression(it) => it.expression.kind(),
                _ => return false,
            };
            return self.is_poorly_breakable(inner, true);
        }
        if let AstKind::CallExpression(call) = node {
            let is_short = match arguments(node).as_slice() {
                [] => true,
                [argument] => self.is_lone_short_argument(*argument),
                _ => false,
            };
            return is_short
                && !self.has_complex_type_arguments(node)
                && self.is_poorly_breakable(call.callee.kind(), true)
                && self.print(node).label() != Some(MEMBER_CHAIN);
        }
        if let Some(member) = nodes::member(node) {
            return self.is_poorly_breakable(member.object.kind(), true);
        }
        is_inner && (is_identifier(node) || matches!(node, AstKind::ThisExpression(_)))
    }

    fn has_complex_type_arguments(&self, call: AstKind<'a>) -> bool {
        let Some(arguments) = nodes::type_arguments(call) else {
            return false;
        };
        match arguments.params.as_slice() {
            [] => false,
            [only] => {
                matches!(
                    only,
                    TSType::TSUnionType(_)
                        | TSType::TSIntersectionType(_)
                        | TSType::TSTypeLiteral(_)
                ) || self.print(arguments.kind()).will_break()
            }
            _ => true,
        }
    }
}

/// The width of a document that is only text.
fn plain_width(doc: Doc<'_>) -> Option<usize> {
    match doc {
        Doc::Text(text) => Some(text_width(text)),
        Doc::Concat(_, parts) => parts.iter().map(|part| plain_width(*part)).sum(),
        _ => None,
    }
}

/// A pattern with more than two properties, of which one has a default or another name.
fn is_complex_destructuring(node: AstKind<'_>) -> bool {
    match node {
        AstKind::VariableDeclarator(declarator) => {
            let BindingPattern::ObjectPattern(pattern) = &declarator.id else {
                return false;
            };
            let count = pattern.properties.len() + usize::from(pattern.rest.is_some());
            count > 2
                && pattern
                    .properties
                    .iter()
                    .any(|property| !property.shorthand || property.value.is_assignment_pattern())
        }
        AstKind::AssignmentExpression(assignment) => {
            let AssignmentTarget::ObjectAssignmentTarget(pattern) = &assignment.left else {
                return false;
            };
            let count = pattern.properties.len() + usize::from(pattern.rest.is_some());
            count > 2
                && pattern.properties.iter().any(|property| match property {
                    AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                        it.init.is_some()
                    }
                    AssignmentTargetProperty::AssignmentTargetPropertyProperty(_) => true,
                })
        }
        _ => false,
    }
}

fn is_arrow_variable(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::VariableDeclarator(declarator)
        if matches!(declarator.init, Some(Expression::ArrowFunctionExpression(_))))
}

/// A variable whose type has several type arguments, of which one has type arguments too.
fn has_complex_type_annotation(node: AstKind<'_>) -> bool {
    fn arguments<'a>(annotation: &'a TSType<'a>) -> &'a [TSType<'a>] {
        match annotation {
            TSType::TSTypeReference(reference) => reference
                .type_arguments
                .as_ref()
                .map_or(&[], |arguments| arguments.params.as_slice()),
            _ => &[],
        }
    }
    let AstKind::VariableDeclarator(declarator) = node else {
        return false;
    };
    let Some(annotation) = &declarator.type_annotation else {
        return false;
    };
    let arguments_of_type = arguments(&annotation.type_annotation);
    arguments_of_type.len() > 1
        && arguments_of_type.iter().any(|argument| {
            !arguments(argument).is_empty() || matches!(argument, TSType::TSConditionalType(_))
        })
}

fn has_complex_type_parameters(node: AstKind<'_>) -> bool {
    let AstKind::TSTypeAliasDeclaration(alias) = node else {
        return false;
    };
    alias.type_parameters.as_ref().is_some_and(|parameters| {
        parameters.params.len() > 1
            && parameters
                .params
                .iter()
                .any(|parameter| parameter.constraint.is_some() || parameter.default.is_some())
    })
}

fn is_generic(annotation: &TSType<'_>) -> bool {
    match annotation {
        TSType::TSFunctionType(it) => it.type_parameters.is_some(),
        TSType::TSConstructorType(it) => it.type_parameters.is_some(),
        TSType::TSTypeReference(it) => it.type_arguments.is_some(),
        _ => false,
    }
}
