//! Which expressions need parentheses.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, Expression};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator, UpdateOperator};

use super::Printer;
use super::comments::is_type_cast;
use super::kind::ToKind;
use super::nodes::{
    self, binary_operator, is_call_or_new, is_cast, is_object_property, is_return_or_throw,
    starts_with,
};
use super::operators::{is_bitwise, precedence, should_flatten};
use super::spans;
use super::tree::same;

/// Whether `node` is the callee of `parent`.
pub(super) fn is_callee(parent: AstKind<'_>, node: AstKind<'_>) -> bool {
    nodes::callee(parent).is_some_and(|callee| same(callee, node))
}

/// Whether `node` is the object of the member expression `parent`.
pub(super) fn is_object(parent: AstKind<'_>, node: AstKind<'_>) -> bool {
    nodes::member(parent).is_some_and(|member| same(member.object.kind(), node))
}

pub(super) fn is_superclass(parent: AstKind<'_>, node: AstKind<'_>) -> bool {
    matches!(parent, AstKind::Class(class)
        if class.heritage.as_ref().is_some_and(|heritage| same(heritage.expression.kind(), node)))
}

fn is_test(parent: AstKind<'_>, node: AstKind<'_>) -> bool {
    matches!(parent, AstKind::ConditionalExpression(it) if same(it.test.kind(), node))
}

fn is_left(parent: AstKind<'_>, node: AstKind<'_>) -> bool {
    match parent {
        AstKind::BinaryExpression(it) => same(it.left.kind(), node),
        AstKind::LogicalExpression(it) => same(it.left.kind(), node),
        AstKind::PrivateInExpression(it) => same(it.left.kind(), node),
        AstKind::AssignmentExpression(it) => same(it.left.kind(), node),
        AstKind::AssignmentTargetWithDefault(it) => same(it.binding.kind(), node),
        _ => false,
    }
}

fn is_tag(parent: AstKind<'_>, node: AstKind<'_>) -> bool {
    matches!(parent, AstKind::TaggedTemplateExpression(it) if same(it.tag.kind(), node))
}

impl<'a> Printer<'a> {
    pub(super) fn needs_parens(&self, node: AstKind<'a>) -> bool {
        let parent = self.parent(node);
        match node {
            AstKind::Program(_) => return false,
            AstKind::IdentifierReference(_) => return self.name_needs_parens(node, parent),
            AstKind::ObjectExpression(_)
                if self.starts_statement(node) || self.starts_arrow_body(node) =>
            {
                return true;
            }
            AstKind::Function(function) => {
                if !function.is_expression() {
                    return false;
                }
                if self.starts_statement(node) {
                    return true;
                }
            }
            AstKind::Class(class) => {
                if !class.is_expression() {
                    return false;
                }
                if self.starts_statement(node) {
                    return true;
                }
            }
            _ => {}
        }
        if let Some(needed) = self.parent_needs_parens(node, parent) {
            return needed;
        }
        match node {
            AstKind::UpdateExpression(_) | AstKind::UnaryExpression(_) => {
                unary_needs_parens(node, parent)
            }
            AstKind::BinaryExpression(_)
            | AstKind::PrivateInExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_) => self.binary_needs_parens(node, parent),
            AstKind::SequenceExpression(_) => !matches!(parent, AstKind::ForStatement(_)),
            AstKind::YieldExpression(_) | AstKind::AwaitExpression(_) => {
                await_needs_parens(node, parent)
            }
            AstKind::StringLiteral(_) => {
                matches!(parent, AstKind::ExpressionStatement(_))
                    && matches!(
                        self.parent(parent),
                        AstKind::Program(_) | AstKind::BlockStatement(_) | AstKind::FunctionBody(_)
                    )
            }
            AstKind::NumericLiteral(_) => is_object(parent, node),
            AstKind::AssignmentExpression(assignment) => {
                let is_pattern =
                    matches!(assignment.left, AssignmentTarget::ObjectAssignmentTarget(_));
                !(self.is_in_for_head(node, parent)
                    || (!is_pattern && matches!(parent, AstKind::ExpressionStatement(_)))
                    || matches!(
                        parent,
                        AstKind::AssignmentExpression(_) | AstKind::TSPropertySignature(_)
                    )
                    || (matches!(parent, AstKind::SequenceExpression(_))
                        && self.is_in_for_head(parent, self.parent(parent))))
            }
            AstKind::ConditionalExpression(_) => match parent {
                AstKind::TaggedTemplateExpression(_)
                | AstKind::UnaryExpression(_)
                | AstKind::SpreadElement(_)
                | AstKind::BinaryExpression(_)
                | AstKind::PrivateInExpression(_)
                | AstKind::LogicalExpression(_)
                | AstKind::AwaitExpression(_)
                | AstKind::JSXSpreadAttribute(_)
                | AstKind::TSTypeAssertion(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSSatisfiesExpression(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::TSInstantiationExpression(_) => true,
                _ => is_callee(parent, node) || is_test(parent, node) || is_object(parent, node),
            },
            AstKind::Function(_) => match parent {
                AstKind::TaggedTemplateExpression(_) | AstKind::ExportDefaultDeclaration(_) => true,
                _ => is_callee(parent, node),
            },
            AstKind::ArrowFunctionExpression(_) => match parent {
                AstKind::BinaryExpression(_)
                | AstKind::PrivateInExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSSatisfiesExpression(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::TaggedTemplateExpression(_)
                | AstKind::UnaryExpression(_)
                | AstKind::LogicalExpression(_)
                | AstKind::AwaitExpression(_)
                | AstKind::TSTypeAssertion(_)
                | AstKind::TSInstantiationExpression(_) => true,
                _ => is_callee(parent, node) || is_object(parent, node) || is_test(parent, node),
            },
            AstKind::Class(_) => match parent {
                AstKind::NewExpression(_) => is_callee(parent, node),
                AstKind::ExportDefaultDeclaration(_) => true,
                _ => false,
            },
            AstKind::ChainExpression(_) => {
                is_required_chain(node, parent) || is_call_in_new(node, parent)
            }
            AstKind::TSNonNullExpression(_)
            | AstKind::CallExpression(_)
            | AstKind::TaggedTemplateExpression(_)
            | AstKind::ImportExpression(_) => is_call_in_new(node, parent),
            AstKind::StaticMemberExpression(_)
            | AstKind::ComputedMemberExpression(_)
            | AstKind::PrivateFieldExpression(_) => {
                is_call_in_new(node, parent) || self.is_cast_target(node, parent)
            }
            AstKind::JSXFragment(_) | AstKind::JSXElement(_) => jsx_needs_parens(node, parent),
            AstKind::TSInstantiationExpression(_) => {
                is_object(parent, node)
                    || is_callee(parent, node)
                    || is_tag(parent, node)
                    || matches!(
                        parent,
                        AstKind::TSNonNullExpression(_) | AstKind::TSInstantiationExpression(_)
                    )
                    || is_superclass(parent, node)
            }
            _ => self.type_needs_parens(node, parent),
        }
    }

    /// The target of an assignment with a JSDoc type cast. The tree does not contain its parentheses.
    fn is_cast_target(&self, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
        if self.options.is_typescript
            || !matches!(parent, AstKind::AssignmentExpression(_))
            || !is_left(parent, node)
        {
            return false;
        }
        let before = self.text[..spans::start(node)].trim_end();
        let Some(before) = before.strip_suffix('(').map(str::trim_end) else {
            return false;
        };
        before.ends_with("*/")
            && before
                .rfind("/*")
                .is_some_and(|start| is_type_cast(&before[start..]))
    }

    /// Whether the expression statement around `node` starts with it.
    fn starts_statement(&self, node: AstKind<'a>) -> bool {
        let statement = self.ancestors(node).find_map(|ancestor| match ancestor {
            AstKind::ExpressionStatement(statement) => Some(statement),
            _ => None,
        });
        statement.is_some_and(|statement| {
            starts_with(statement.expression.kind(), &|left| same(left, node))
        })
    }

    /// Whether the body of the arrow function around `node` starts with it.
    fn starts_arrow_body(&self, node: AstKind<'a>) -> bool {
        let arrow = self.ancestors(node).find_map(|ancestor| match ancestor {
            AstKind::ArrowFunctionExpression(arrow) => Some(arrow),
            _ => None,
        });
        arrow.is_some_and(|arrow| {
            let body = arrow.body.kind();
            !matches!(
                body,
                AstKind::SequenceExpression(_)
                    | AstKind::AssignmentExpression(_)
                    | AstKind::FunctionBody(_)
            ) && starts_with(body, &|left| same(left, node))
        })
    }

    fn name_needs_parens(&self, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
        let Some(
            name @ ("let" | "async" | "await" | "interface" | "module" | "using" | "yield"
            | "component" | "hook" | "type"),
        ) = nodes::identifier_name(node)
        else {
            return false;
        };
        if let AstKind::ForOfStatement(statement) = parent
            && same(statement.left.kind(), node)
            && ((name == "async" && !statement.r#await) || name == "let")
        {
            return true;
        }
        let is_first = |left: AstKind<'a>| starts_with(left, &|left| same(left, node));
        if name == "let" {
            let head = self.ancestors(node).find_map(|ancestor| match ancestor {
                AstKind::ForOfStatement(statement) => Some(statement.left.kind()),
                AstKind::ForInStatement(statement) => Some(statement.left.kind()),
                _ => None,
            });
            if head.is_some_and(is_first) {
                return true;
            }
            if let AstKind::ComputedMemberExpression(member) = parent
                && !member.optional
                && same(member.object.kind(), node)
            {
                let start = self.ancestors(node).find_map(|ancestor| match ancestor {
                    AstKind::ExpressionStatement(statement) => Some(statement.expression.kind()),
                    AstKind::ForStatement(statement) => statement.init.as_ref().map(ToKind::kind),
                    AstKind::ForInStatement(statement) => Some(statement.left.kind()),
                    _ => None,
                });
                if start.is_some_and(is_first) {
                    return true;
                }
            }
        }
        if name == "await" && self.starts_statement(node) {
            return true;
        }
        is_cast(parent)
            && name != "async"
            && matches!(
                self.ancestors(node).find(|ancestor| !is_cast(*ancestor)),
                Some(AstKind::ExpressionStatement(_))
            )
    }

    fn is_in_for_head(&self, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
        let AstKind::ForStatement(statement) = parent else {
            return false;
        };
        let is = |part: Option<AstKind<'a>>| part.is_some_and(|part| same(part, node));
        is(statement.init.as_ref().map(ToKind::kind))
            || is(statement.update.as_ref().map(ToKind::kind))
    }

    /// Whether the node is the declaration in the head of a `for`.
    pub(super) fn is_in_for(&self, node: AstKind<'a>) -> bool {
        match self.parent(node) {
            AstKind::ForStatement(statement) => {
                matches!(&statement.init, Some(init) if same(init.kind(), node))
            }
            AstKind::ForInStatement(statement) => same(statement.left.kind(), node),
            AstKind::ForOfStatement(statement) => same(statement.left.kind(), node),
            _ => false,
        }
    }

    fn is_in_for_initializer(&self, node: AstKind<'a>) -> bool {
        let mut child = node;
        for ancestor in self.ancestors(node) {
            if let AstKind::ForStatement(statement) = ancestor
                && let Some(init) = &statement.init
                && same(init.kind(), child)
            {
                return true;
            }
            child = ancestor;
        }
        false
    }

    fn binary_needs_parens(&self, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
        let is_in = match node {
            AstKind::BinaryExpression(binary) => binary.operator == BinaryOperator::In,
            AstKind::PrivateInExpression(_) => true,
            _ => false,
        };
        if is_in && self.is_in_for_initializer(node) {
            return true;
        }
        let is_assertion = matches!(node, AstKind::TSTypeAssertion(_));
        match parent {
            AstKind::TSAsExpression(_) | AstKind::TSSatisfiesExpression(_) => !is_cast(node),
            AstKind::ConditionalExpression(_) => is_cast(node) || nodes::is_coalesce(node),
            AstKind::CallExpression(_) | AstKind::NewExpression(_) => is_callee(parent, node),
            AstKind::Class(_) => is_superclass(parent, node),
            AstKind::TSTypeAssertion(_)
            | AstKind::TaggedTemplateExpression(_)
            | AstKind::JSXSpreadAttribute(_)
            | AstKind::SpreadElement(_)
            | AstKind::AwaitExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::TSInstantiationExpression(_)
            | AstKind::UpdateExpression(_) => true,
            AstKind::UnaryExpression(_) => !self.comments.has(node),
            AstKind::AssignmentExpression(_) | AstKind::AssignmentTargetWithDefault(_) => {
                is_left(parent, node) && (is_assertion || is_cast(node))
            }
            AstKind::LogicalExpression(logical) if let AstKind::LogicalExpression(inner) = node => {
                logical.operator != inner.operator
            }
            AstKind::LogicalExpression(_)
            | AstKind::BinaryExpression(_)
            | AstKind::PrivateInExpression(_) => {
                let outer = binary_operator(parent).unwrap_or_default();
                let Some(operator) = binary_operator(node) else {
                    return !is_assertion || is_bitwise(outer);
                };
                let (inner_rank, outer_rank) = (precedence(operator), precedence(outer));
                outer_rank > inner_rank
                    || (outer_rank == inner_rank && !is_left(parent, node))
                    || (outer_rank == inner_rank && !should_flatten(outer, operator))
                    || (outer_rank < inner_rank
                        && operator == "%"
                        && (outer == "+" || outer == "-"))
                    || is_bitwise(outer)
            }
            _ => is_object(parent, node),
        }
    }
}

fn unary_needs_parens(node: AstKind<'_>, parent: AstKind<'_>) -> bool {
    match (node, parent) {
        (AstKind::UpdateExpression(update), AstKind::UnaryExpression(outer)) => {
            update.prefix
                && matches!(
                    (update.operator, outer.operator),
                    (UpdateOperator::Increment, UnaryOperator::UnaryPlus)
                        | (UpdateOperator::Decrement, UnaryOperator::UnaryNegation)
                )
        }
        (AstKind::UnaryExpression(unary), AstKind::UnaryExpression(outer)) => {
            unary.operator == outer.operator
                && matches!(
                    unary.operator,
                    UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation
                )
        }
        (
            _,
            AstKind::TaggedTemplateExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::TSInstantiationExpression(_),
        ) => true,
        (_, AstKind::BinaryExpression(binary)) => {
            is_left(parent, node)
                && (binary.operator == BinaryOperator::Exponential
                    || (matches!(node, AstKind::UnaryExpression(_))
                        && matches!(
                            binary.operator,
                            BinaryOperator::In | BinaryOperator::Instanceof
                        )))
        }
        _ => is_callee(parent, node) || is_object(parent, node),
    }
}

fn await_needs_parens(node: AstKind<'_>, parent: AstKind<'_>) -> bool {
    let is_yield = matches!(node, AstKind::YieldExpression(_));
    match parent {
        AstKind::AwaitExpression(_) | AstKind::TSTypeAssertion(_) => is_yield,
        AstKind::TaggedTemplateExpression(_)
        | AstKind::UnaryExpression(_)
        | AstKind::LogicalExpression(_)
        | AstKind::SpreadElement(_)
        | AstKind::TSAsExpression(_)
        | AstKind::TSSatisfiesExpression(_)
        | AstKind::TSNonNullExpression(_)
        | AstKind::PrivateInExpression(_)
        | AstKind::BinaryExpression(_) => true,
        _ => is_callee(parent, node) || is_object(parent, node) || is_test(parent, node),
    }
}

/// Whether an optional chain ends before `parent`, so that parentheses keep its end.
fn is_required_chain(node: AstKind<'_>, parent: AstKind<'_>) -> bool {
    match parent {
        AstKind::CallExpression(call) => !call.optional && is_callee(parent, node),
        AstKind::NewExpression(_) => is_callee(parent, node),
        AstKind::TaggedTemplateExpression(_) => is_tag(parent, node),
        AstKind::TSNonNullExpression(_) => true,
        _ => nodes::member(parent)
            .is_some_and(|member| !member.is_optional && same(member.object.kind(), node)),
    }
}

/// Whether the callee of `new` contains a call.
fn is_call_in_new(node: AstKind<'_>, parent: AstKind<'_>) -> bool {
    if !matches!(parent, AstKind::NewExpression(_)) || !is_callee(parent, node) {
        return false;
    }
    let mut node = node;
    loop {
        node = match node {
            AstKind::CallExpression(_) | AstKind::ImportExpression(_) => return true,
            AstKind::TaggedTemplateExpression(tagged) => tagged.tag.kind(),
            AstKind::TSNonNullExpression(it) => it.expression.kind(),
            _ => match nodes::member(node) {
                Some(member) => member.object.kind(),
                None => return false,
            },
        };
    }
}

fn jsx_needs_parens(node: AstKind<'_>, parent: AstKind<'_>) -> bool {
    if is_callee(parent, node) {
        return true;
    }
    match parent {
        AstKind::BinaryExpression(binary) => {
            binary.operator == BinaryOperator::LessThan && is_left(parent, node)
        }
        AstKind::ArrayExpression(_)
        | AstKind::ArrowFunctionExpression(_)
        | AstKind::AssignmentExpression(_)
        | AstKind::AssignmentPattern(_)
        | AstKind::AssignmentTargetWithDefault(_)
        | AstKind::FormalParameter(_)
        | AstKind::ConditionalExpression(_)
        | AstKind::ExpressionStatement(_)
        | AstKind::JSXAttribute(_)
        | AstKind::JSXElement(_)
        | AstKind::JSXExpressionContainer(_)
        | AstKind::JSXFragment(_)
        | AstKind::LogicalExpression(_)
        | AstKind::VariableDeclarator(_)
        | AstKind::YieldExpression(_)
        | AstKind::ExportDefaultDeclaration(_) => false,
        _ => !is_call_or_new(parent) && !is_object_property(parent) && !is_return_or_throw(parent),
    }
}

/// Whether a node is an expression that would be wrong after `export default` without parentheses.
pub(super) fn is_function_or_class_expression(node: AstKind<'_>) -> bool {
    match node {
        AstKind::Function(function) => function.is_expression(),
        AstKind::Class(class) => class.is_expression(),
        _ => false,
    }
}

/// `a<b>` at the end of a unary expression.
pub(super) fn ends_with_instantiation(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::UnaryExpression(it) => ends_with_instantiation(&it.argument),
        Expression::AwaitExpression(it) => ends_with_instantiation(&it.argument),
        Expression::YieldExpression(it) => {
            it.argument.as_ref().is_some_and(ends_with_instantiation)
        }
        Expression::TSTypeAssertion(it) => ends_with_instantiation(&it.expression),
        Expression::TSInstantiationExpression(_) => true,
        _ => false,
    }
}
