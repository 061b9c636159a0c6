//! Predicates on nodes, independent of comments and layout.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, Expression, FormalParameter, FormalParameters, FunctionType, ObjectProperty,
    PropertyKind, TSThisParameter, TSTypeAnnotation, TSTypeParameterDeclaration,
    TSTypeParameterInstantiation,
};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use super::kind::ToKind;

/// A member expression of any form.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) object: &'a Expression<'a>,
    pub(super) property: AstKind<'a>,
    pub(super) is_computed: bool,
    pub(super) is_optional: bool,
}

pub(super) fn member(node: AstKind<'_>) -> Option<Member<'_>> {
    Some(match node {
        AstKind::StaticMemberExpression(it) => Member {
            object: &it.object,
            property: it.property.kind(),
            is_computed: false,
            is_optional: it.optional,
        },
        AstKind::ComputedMemberExpression(it) => Member {
            object: &it.object,
            property: it.expression.kind(),
            is_computed: true,
            is_optional: it.optional,
        },
        AstKind::PrivateFieldExpression(it) => Member {
            object: &it.object,
            property: it.field.kind(),
            is_computed: false,
            is_optional: it.optional,
        },
        _ => return None,
    })
}

pub(super) fn is_member(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::StaticMemberExpression(_)
            | AstKind::ComputedMemberExpression(_)
            | AstKind::PrivateFieldExpression(_)
    )
}

pub(super) fn is_computed_member(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::ComputedMemberExpression(_))
}

pub(super) fn is_call(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::CallExpression(_))
}

pub(super) fn is_call_or_new(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::CallExpression(_) | AstKind::NewExpression(_))
}

pub(super) fn is_call_like(node: AstKind<'_>) -> bool {
    is_call_or_new(node) || matches!(node, AstKind::ImportExpression(_))
}

pub(super) fn callee(node: AstKind<'_>) -> Option<AstKind<'_>> {
    match node {
        AstKind::CallExpression(it) => Some(it.callee.kind()),
        AstKind::NewExpression(it) => Some(it.callee.kind()),
        _ => None,
    }
}

/// The arguments of a call or import.
pub(super) fn arguments(node: AstKind<'_>) -> Vec<AstKind<'_>> {
    fn all<'a>(arguments: &'a [Argument<'a>]) -> Vec<AstKind<'a>> {
        arguments.iter().map(ToKind::kind).collect()
    }
    match node {
        AstKind::CallExpression(it) => all(&it.arguments),
        AstKind::NewExpression(it) => all(&it.arguments),
        AstKind::V8IntrinsicExpression(it) => all(&it.arguments),
        AstKind::ImportExpression(it) => std::iter::once(it.source.kind())
            .chain(it.options.iter().map(ToKind::kind))
            .collect(),
        AstKind::TSImportType(it) => std::iter::once(it.source.kind())
            .chain(it.options.iter().map(|options| options.kind()))
            .collect(),
        AstKind::TSExternalModuleReference(it) => vec![it.expression.kind()],
        _ => Vec::new(),
    }
}

pub(super) fn type_arguments(node: AstKind<'_>) -> Option<&TSTypeParameterInstantiation<'_>> {
    match node {
        AstKind::CallExpression(it) => it.type_arguments.as_deref(),
        AstKind::NewExpression(it) => it.type_arguments.as_deref(),
        AstKind::TaggedTemplateExpression(it) => it.type_arguments.as_deref(),
        _ => None,
    }
}

/// The parts of a function, arrow function, method signature or function type.
#[derive(Clone, Copy)]
pub(super) struct Signature<'a> {
    pub(super) type_parameters: Option<&'a TSTypeParameterDeclaration<'a>>,
    pub(super) this: Option<&'a TSThisParameter<'a>>,
    pub(super) parameters: &'a FormalParameters<'a>,
    pub(super) return_type: Option<&'a TSTypeAnnotation<'a>>,
}

pub(super) fn signature(node: AstKind<'_>) -> Option<Signature<'_>> {
    Some(match node {
        AstKind::Function(it) => Signature {
            type_parameters: it.type_parameters.as_deref(),
            this: it.this_param.as_deref(),
            parameters: &it.params,
            return_type: it.return_type.as_deref(),
        },
        AstKind::ArrowFunctionExpression(it) => Signature {
            type_parameters: it.type_parameters.as_deref(),
            this: None,
            parameters: &it.params,
            return_type: it.return_type.as_deref(),
        },
        AstKind::TSFunctionType(it) => Signature {
            type_parameters: it.type_parameters.as_deref(),
            this: it.this_param.as_deref(),
            parameters: &it.params,
            return_type: Some(&it.return_type),
        },
        AstKind::TSConstructorType(it) => Signature {
            type_parameters: it.type_parameters.as_deref(),
            this: None,
            parameters: &it.params,
            return_type: Some(&it.return_type),
        },
        AstKind::TSCallSignatureDeclaration(it) => Signature {
            type_parameters: it.type_parameters.as_deref(),
            this: it.this_param.as_deref(),
            parameters: &it.params,
            return_type: it.return_type.as_deref(),
        },
        AstKind::TSConstructSignatureDeclaration(it) => Signature {
            type_parameters: it.type_parameters.as_deref(),
            this: None,
            parameters: &it.params,
            return_type: it.return_type.as_deref(),
        },
        AstKind::TSMethodSignature(it) => Signature {
            type_parameters: it.type_parameters.as_deref(),
            this: it.this_param.as_deref(),
            parameters: &it.params,
            return_type: it.return_type.as_deref(),
        },
        _ => return None,
    })
}

/// The parameters of a function, with `this` and the rest parameter.
pub(super) fn parameters(node: AstKind<'_>) -> Vec<AstKind<'_>> {
    let Some(signature) = signature(node) else {
        return Vec::new();
    };
    let this = signature.this.map(ToKind::kind);
    let items = signature.parameters.items.iter().map(ToKind::kind);
    let rest = signature.parameters.rest.as_ref().map(|rest| rest.kind());
    this.into_iter().chain(items).chain(rest).collect()
}

pub(super) fn is_function_like(node: AstKind<'_>) -> bool {
    match node {
        AstKind::Function(function) => {
            function.r#type != FunctionType::TSEmptyBodyFunctionExpression
        }
        _ => signature(node).is_some(),
    }
}

pub(super) fn is_function_expression(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::Function(function) if function.r#type == FunctionType::FunctionExpression)
}

pub(super) fn is_function_or_arrow(node: AstKind<'_>) -> bool {
    is_function_expression(node) || matches!(node, AstKind::ArrowFunctionExpression(_))
}

pub(super) fn is_parameter_property(parameter: &FormalParameter<'_>) -> bool {
    parameter.accessibility.is_some() || parameter.readonly || parameter.r#override
}

/// A parameter that is only a name.
pub(super) fn is_plain_name(parameter: AstKind<'_>) -> bool {
    match parameter {
        AstKind::FormalParameter(it) => {
            it.initializer.is_none()
                && !is_parameter_property(it)
                && it.pattern.is_binding_identifier()
        }
        AstKind::TSThisParameter(_) => true,
        _ => false,
    }
}

pub(super) fn is_identifier(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::IdentifierReference(_)
            | AstKind::IdentifierName(_)
            | AstKind::BindingIdentifier(_)
            | AstKind::LabelIdentifier(_)
    )
}

pub(super) fn identifier_name(node: AstKind<'_>) -> Option<&str> {
    match node {
        AstKind::IdentifierReference(it) => Some(it.name.as_str()),
        AstKind::IdentifierName(it) => Some(it.name.as_str()),
        AstKind::BindingIdentifier(it) => Some(it.name.as_str()),
        AstKind::LabelIdentifier(it) => Some(it.name.as_str()),
        _ => None,
    }
}

pub(super) fn is_method(property: &ObjectProperty<'_>) -> bool {
    property.method || property.kind != PropertyKind::Init
}

/// A property of an object or of an object pattern, except a method.
pub(super) fn is_object_property(node: AstKind<'_>) -> bool {
    match node {
        AstKind::ObjectProperty(property) => !is_method(property),
        AstKind::BindingProperty(_)
        | AstKind::AssignmentTargetPropertyIdentifier(_)
        | AstKind::AssignmentTargetPropertyProperty(_) => true,
        _ => false,
    }
}

pub(super) fn is_jsx(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::JSXElement(_) | AstKind::JSXFragment(_))
}

pub(super) fn is_binaryish(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::BinaryExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::PrivateInExpression(_)
    )
}

pub(super) fn is_cast(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::TSAsExpression(_) | AstKind::TSSatisfiesExpression(_)
    )
}

pub(super) fn is_block(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::BlockStatement(_) | AstKind::FunctionBody(_))
}

pub(super) fn is_return_or_throw(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::ReturnStatement(_) | AstKind::ThrowStatement(_)
    )
}

pub(super) fn is_literal(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::StringLiteral(_)
            | AstKind::NumericLiteral(_)
            | AstKind::BigIntLiteral(_)
            | AstKind::BooleanLiteral(_)
            | AstKind::NullLiteral(_)
            | AstKind::RegExpLiteral(_)
    )
}

pub(super) fn is_object_type(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::TSTypeLiteral(_) | AstKind::TSMappedType(_))
}

/// `+1` or `-1`.
pub(super) fn is_signed_number(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::UnaryExpression(unary)
        if matches!(unary.operator, UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation)
            && matches!(unary.argument, Expression::NumericLiteral(_)))
}

/// The expression inside of `a!` and optional chains.
pub(super) fn strip_chain_wrappers(node: AstKind<'_>) -> AstKind<'_> {
    match node {
        AstKind::ChainExpression(it) => strip_chain_wrappers(it.expression.kind()),
        AstKind::TSNonNullExpression(it) => strip_chain_wrappers(it.expression.kind()),
        _ => node,
    }
}

pub(super) fn is_chain_wrapper(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::ChainExpression(_) | AstKind::TSNonNullExpression(_)
    )
}

/// The first operand of an expression that starts with one.
pub(super) fn left_side(node: AstKind<'_>) -> Option<AstKind<'_>> {
    Some(match node {
        AstKind::AssignmentExpression(it) => it.left.kind(),
        AstKind::BinaryExpression(it) => it.left.kind(),
        AstKind::LogicalExpression(it) => it.left.kind(),
        AstKind::PrivateInExpression(it) => it.left.kind(),
        AstKind::ConditionalExpression(it) => it.test.kind(),
        AstKind::CallExpression(it) => it.callee.kind(),
        AstKind::SequenceExpression(it) => it.expressions.first()?.kind(),
        AstKind::TaggedTemplateExpression(it) => it.tag.kind(),
        AstKind::UpdateExpression(it) if !it.prefix => it.argument.kind(),
        AstKind::TSAsExpression(it) => it.expression.kind(),
        AstKind::TSSatisfiesExpression(it) => it.expression.kind(),
        AstKind::TSNonNullExpression(it) => it.expression.kind(),
        AstKind::TSInstantiationExpression(it) => it.expression.kind(),
        AstKind::ChainExpression(it) => it.expression.kind(),
        _ => member(node)?.object.kind(),
    })
}

/// The leftmost operand, unless the expression is a called function, which has parentheses anyway.
pub(super) fn starts_with<'a>(node: AstKind<'a>, test: &impl Fn(AstKind<'a>) -> bool) -> bool {
    let callee = match node {
        AstKind::TaggedTemplateExpression(it) => Some(it.tag.kind()),
        _ => callee(node).filter(|_| is_call(node)),
    };
    if callee.is_some_and(is_function_expression) {
        return false;
    }
    match node {
        AstKind::UpdateExpression(it) if it.prefix => false,
        AstKind::TSInstantiationExpression(_) => test(node),
        _ => match left_side(node) {
            Some(left) => starts_with(left, test),
            None => test(node),
        },
    }
}

/// The operator of a binary or logical expression.
pub(super) fn binary_operator(node: AstKind<'_>) -> Option<&'static str> {
    match node {
        AstKind::BinaryExpression(it) => Some(it.operator.as_str()),
        AstKind::LogicalExpression(it) => Some(it.operator.as_str()),
        AstKind::PrivateInExpression(_) => Some(BinaryOperator::In.as_str()),
        _ => None,
    }
}

pub(super) fn is_coalesce(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::LogicalExpression(it) if it.operator == LogicalOperator::Coalesce)
}

/// The path `a.b.c`, if the expression consists of `names`.
pub(super) fn is_path(node: AstKind<'_>, names: &str) -> bool {
    match names.rsplit_once('.') {
        None => identifier_name(node) == Some(names),
        Some((object, name)) => match node {
            AstKind::StaticMemberExpression(it) => {
                !it.optional && it.property.name == name && is_path(it.object.kind(), object)
            }
            AstKind::ImportMeta(_) => names == "import.meta",
            _ => false,
        },
    }
}
