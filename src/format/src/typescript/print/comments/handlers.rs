//! Comments that do not belong to the nearest node.

use oxc_ast::AstKind;
use oxc_ast::ast::{Statement, SwitchCase};
use oxc_span::GetSpan;

use super::super::kind::ToKind;
use super::super::nodes::{
    self, is_call_like, is_call_or_new, is_identifier, is_member, is_object_property, parameters,
};
use super::super::tree::same;
use super::super::{scan, spans};
use super::is_type_cast;
use super::place::{Context, Placement, Target, is_block};
use super::{types, values};

type Handler = for<'a, 'b> fn(&Context<'a, 'b>) -> Option<Target<'a>>;

const OWN_LINE: &[Handler] = &[
    empty_parentheses,
    types::ignored_mapped_type,
    type_cast,
    conditional,
    last_parameter,
    member,
    if_statement,
    while_statement,
    empty_switch,
    try_statement,
    types::class,
    for_statement,
    types::union,
    only_comments,
    specifier,
    default_value,
    types::method_name,
    labeled,
    types::destructuring,
    types::mapped_type,
    types::cast,
    types::first_of_union,
    first_of_sequence,
];

const END_OF_LINE: &[Handler] = &[
    empty_parentheses,
    type_cast,
    last_parameter,
    conditional,
    specifier,
    if_statement,
    while_statement,
    empty_switch,
    try_statement,
    types::class,
    for_statement,
    labeled,
    call,
    property,
    only_comments,
    values::assignment,
    default_case,
    types::last_of_union,
    last_operand,
    types::destructuring,
    types::mapped_type,
    values::arrow_body,
    values::assignment_end,
    types::property_signature,
    types::cast,
    tagged_template,
    first_of_sequence,
];

const REMAINING: &[Handler] = &[
    empty_parentheses,
    types::ignored_mapped_type,
    type_cast,
    if_statement,
    while_statement,
    empty_switch,
    for_statement,
    types::method_name,
    only_comments,
    values::assignment,
    types::mapped_type,
    values::arrow_parameters,
    values::function_name,
    types::signature_end,
    values::assignment_end,
    types::property_signature,
    types::cast,
    types::first_of_union,
    first_of_sequence,
];

/// The node that a comment belongs to, if that is not the nearest one.
pub(super) fn handle<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let handlers = match comment.placement {
        Placement::OwnLine => OWN_LINE,
        Placement::EndOfLine => END_OF_LINE,
        Placement::Remaining => REMAINING,
    };
    handlers.iter().find_map(|handler| handler(comment))
}

fn is_in_empty_parentheses(comment: &Context<'_, '_>, node: AstKind<'_>) -> bool {
    let (start, end) = (spans::start(node), comment.end_of(node));
    start < comment.end
        && comment.start < end
        && comment.code[..comment.start].trim_end().ends_with('(')
        && comment.code[comment.end..].trim_start().starts_with(')')
}

fn empty_parentheses<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let node = comment.enclosing?;
    if is_call_like(node)
        && nodes::arguments(node).is_empty()
        && is_in_empty_parentheses(comment, node)
    {
        return Some(Target::dangling(node));
    }
    let function = match node {
        AstKind::MethodDefinition(method) => method.value.kind(),
        AstKind::ObjectProperty(property) if nodes::is_method(property) => property.value.kind(),
        _ if nodes::is_function_like(node) => node,
        _ => return None,
    };
    (parameters(function).is_empty() && is_in_empty_parentheses(comment, function))
        .then(|| Target::dangling(function))
}

fn type_cast<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let following = comment.following?;
    if !comment.is_block || !is_type_cast(&comment.text[comment.start..comment.end]) {
        return None;
    }
    Some(Target::leading(match (comment.enclosing, following) {
        (Some(AstKind::ConditionalExpression(_)), AstKind::LogicalExpression(logical))
            if logical.operator.is_coalesce() =>
        {
            logical.left.kind()
        }
        _ => following,
    }))
}

fn conditional<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    if !matches!(
        comment.enclosing?,
        AstKind::ConditionalExpression(_) | AstKind::TSConditionalType(_)
    ) {
        return None;
    }
    let is_beside = comment.preceding.is_some_and(|node| {
        !scan::has_newline_in(comment.text, comment.end_of(node), comment.start)
    });
    let following = comment.following?;
    (!is_beside).then(|| Target::leading(following))
}

fn last_parameter<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    if let Some(preceding) = comment.preceding
        && matches!(
            preceding,
            AstKind::FormalParameter(_)
                | AstKind::FormalParameterRest(_)
                | AstKind::TSThisParameter(_)
                | AstKind::BindingIdentifier(_)
                | AstKind::AssignmentPattern(_)
                | AstKind::ObjectPattern(_)
                | AstKind::ArrayPattern(_)
        )
        && (nodes::is_function_like(enclosing) || matches!(enclosing, AstKind::MethodDefinition(_)))
        && comment.next_char() == Some(')')
    {
        return Some(Target::trailing(preceding));
    }
    let following = comment.following?;
    let body = match enclosing {
        AstKind::Function(function) => function.body.as_ref(),
        AstKind::MethodDefinition(method) => method.value.body.as_ref(),
        _ => None,
    }?;
    (!comment.is_block
        && same(body.kind(), following)
        && scan::next_token(comment.text, comment.end) == spans::start(following))
    .then(|| Target::first_in_block(following))
}

fn member<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    (is_member(enclosing) && is_identifier(comment.following?)).then(|| Target::leading(enclosing))
}

fn if_statement<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let AstKind::IfStatement(statement) = comment.enclosing? else {
        return None;
    };
    let following = comment.following?;
    if comment.next_char() == Some(')') {
        return comment.preceding.map(Target::trailing);
    }
    let consequent = statement.consequent.kind();
    if same(following, consequent) {
        return Some(Target::leading(following));
    }
    let alternate = statement.alternate.as_ref().map(ToKind::kind);
    if !comment.is_preceding(Some(consequent)) || !comment.is_following(alternate) {
        return None;
    }
    let otherwise = comment.find("else", comment.end_of(consequent))?;
    Some(if comment.start >= otherwise {
        Target::leading(following)
    } else if !is_block(consequent)
        && comment.is_one_line()
        && !scan::has_newline_in(comment.text, comment.end_of(consequent), comment.start)
    {
        Target::trailing(consequent)
    } else {
        Target::dangling(AstKind::IfStatement(statement))
    })
}

fn while_statement<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let body = match comment.enclosing? {
        AstKind::WhileStatement(statement) => statement.body.kind(),
        AstKind::WithStatement(statement) => statement.body.kind(),
        _ => return None,
    };
    let following = comment.following?;
    if comment.next_char() == Some(')') {
        return comment.preceding.map(Target::trailing);
    }
    same(body, following).then(|| Target::leading(following))
}

fn empty_switch<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let node = comment.enclosing?;
    let AstKind::SwitchStatement(statement) = node else {
        return None;
    };
    (statement.cases.is_empty()
        && comment.following.is_none()
        && comment.is_preceding(Some(statement.discriminant.kind()))
        && comment.next_char() == Some('}'))
    .then(|| Target::dangling(node))
}

fn try_statement<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let following = comment.following?;
    match (enclosing, comment.preceding) {
        (AstKind::CatchClause(_), Some(preceding)) => return Some(Target::trailing(preceding)),
        (AstKind::CatchClause(_) | AstKind::TryStatement(_), _) => {}
        _ => return None,
    }
    match following {
        AstKind::BlockStatement(_) => Some(Target::first_in_block(following)),
        AstKind::CatchClause(clause) => Some(Target::first_in_block_or_before(clause.body.kind())),
        _ => None,
    }
}

fn for_statement<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let following = comment.following?;
    let (header, body) = match comment.enclosing? {
        AstKind::ForInStatement(it) => (Some((it.left.kind(), it.right.kind(), "in")), &it.body),
        AstKind::ForOfStatement(it) => (Some((it.left.kind(), it.right.kind(), "of")), &it.body),
        AstKind::ForStatement(it) => (None, &it.body),
        _ => return None,
    };
    if let Some((left, right, keyword)) = header
        && comment.is_preceding(Some(left))
        && same(right, following)
    {
        let keyword = comment.find(keyword, comment.end_of(left))?;
        return Some(if comment.start > keyword {
            Target::leading(following)
        } else {
            Target::trailing(left)
        });
    }
    if same(body.kind(), following) {
        let parenthesis = comment.find_back(")", spans::start(following))?;
        return (comment.start > parenthesis).then(|| Target::leading(following));
    }
    None
}

fn only_comments<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let program = comment.program;
    if !program.body.is_empty() || !program.directives.is_empty() {
        return None;
    }
    Some(Target::dangling(AstKind::Program(program)))
}

fn specifier<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    if matches!(
        enclosing,
        AstKind::ImportSpecifier(_) | AstKind::ExportSpecifier(_)
    ) {
        return Some(Target::leading(enclosing));
    }
    let is_list = matches!(
        (comment.preceding?, enclosing),
        (AstKind::ImportSpecifier(_), AstKind::ImportDeclaration(_))
            | (
                AstKind::ExportSpecifier(_),
                AstKind::ExportNamedDeclaration(_) | AstKind::ExportFromDeclaration(_),
            )
    );
    (is_list && scan::has_newline(comment.text, comment.end))
        .then(|| comment.preceding.map(Target::trailing))
        .flatten()
}

fn default_value<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let is_default = match enclosing {
        AstKind::AssignmentPattern(_) | AstKind::AssignmentTargetWithDefault(_) => true,
        AstKind::FormalParameter(parameter) => {
            parameter.initializer.is_some() && !nodes::is_parameter_property(parameter)
        }
        _ => false,
    };
    is_default.then(|| Target::leading(enclosing))
}

fn labeled<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    matches!(enclosing, AstKind::LabeledStatement(_)).then(|| Target::leading(enclosing))
}

fn call<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let node = comment.enclosing?;
    if !is_call_or_new(node) {
        return None;
    }
    let first = *nodes::arguments(node).first()?;
    let callee = nodes::callee(node)?;
    let end = spans::full_end(node);
    if !comment.is_preceding(Some(callee)) || !comment.code[..end].ends_with(')') {
        return None;
    }
    let after = nodes::type_arguments(node).map_or(comment.end_of(callee), |arguments| {
        arguments.span.end as usize
    });
    let open = comment.find("(", after)?;
    (comment.start > open && comment.end < end).then(|| Target::leading(first))
}

fn property<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    is_object_property(enclosing).then(|| Target::leading(enclosing))
}

fn default_case<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let (enclosing, following) = (comment.enclosing?, comment.following?);
    let AstKind::SwitchCase(SwitchCase {
        test: None,
        consequent,
        ..
    }) = enclosing
    else {
        return None;
    };
    let first = consequent.first().map(ToKind::kind);
    if !comment.is_following(first) {
        return None;
    }
    Some(
        if matches!(consequent.first(), Some(Statement::BlockStatement(_))) && !comment.is_block {
            Target::first_in_block(following)
        } else {
            Target::dangling(enclosing)
        },
    )
}

fn last_operand<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let AstKind::UnaryExpression(unary) = comment.enclosing? else {
        return None;
    };
    let right = match comment.preceding? {
        AstKind::LogicalExpression(logical) => logical.right.kind(),
        AstKind::BinaryExpression(binary) => binary.right.kind(),
        _ => return None,
    };
    let right_start = spans::start(right);
    (comment.following.is_none()
        && scan::has_newline_in(
            comment.text,
            unary.argument.span().start as usize,
            right_start,
        )
        && comment.is_one_line()
        && !scan::has_newline_in(comment.text, right_start, comment.start))
    .then(|| Target::trailing(right))
}

fn tagged_template<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let AstKind::TaggedTemplateExpression(tagged) = comment.enclosing? else {
        return None;
    };
    let quasi = tagged.quasi.kind();
    comment
        .is_following(Some(quasi))
        .then(|| Target::leading(quasi))
}

fn first_of_sequence<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let AstKind::SequenceExpression(sequence) = enclosing else {
        return None;
    };
    (comment.preceding.is_none()
        && comment.is_following(sequence.expressions.first().map(ToKind::kind)))
    .then(|| Target::leading(enclosing))
}
