//! Comments beside assigned values and in functions that do not belong to the nearest node.

use oxc_ast::AstKind;

use super::super::kind::ToKind;
use super::super::tree::same;
use super::super::{scan, spans};
use super::place::{Context, Placement, Target};
use super::{Marker, types};

pub(super) fn assignment<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let (enclosing, following) = (comment.enclosing?, comment.following?);
    let is_assignment = matches!(
        enclosing,
        AstKind::VariableDeclarator(_)
            | AstKind::AssignmentExpression(_)
            | AstKind::TSTypeAliasDeclaration(_)
    );
    let is_complex = matches!(
        following,
        AstKind::ObjectExpression(_)
            | AstKind::ArrayExpression(_)
            | AstKind::TemplateLiteral(_)
            | AstKind::TaggedTemplateExpression(_)
            | AstKind::TSTypeLiteral(_)
    );
    if is_assignment
        && comment.placement == Placement::EndOfLine
        && (is_complex || comment.is_block)
    {
        return Some(types::before_type(comment, following));
    }
    if let AstKind::TSTypeAliasDeclaration(alias) = enclosing {
        let operator = comment.find("=", alias.id.span.end as usize)?;
        return (comment.start >= operator).then(|| types::before_type(comment, following));
    }
    None
}

pub(super) fn arrow_body<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let AstKind::ArrowFunctionExpression(arrow) = comment.enclosing? else {
        return None;
    };
    comment.preceding?;
    let following = comment.following?;
    let operator = comment.find_back("=>", spans::start(arrow.body.kind()))?;
    (comment.end >= operator).then(|| Target::first_in_block_or_before(following))
}

pub(super) fn arrow_parameters<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    if !matches!(enclosing, AstKind::ArrowFunctionExpression(_)) {
        return None;
    }
    let next = scan::next_token(comment.text, comment.end);
    comment.text[next..]
        .starts_with("=>")
        .then(|| Target::marked(enclosing, Marker::BeforeArrow))
}

pub(super) fn function_name<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let is_function = matches!(
        comment.enclosing?,
        AstKind::Function(_) | AstKind::MethodDefinition(_)
    );
    (is_function && comment.next_char() == Some('('))
        .then(|| comment.preceding.map(Target::trailing))
        .flatten()
}

/// A comment after the value of an assignment or arrow function belongs to the whole statement.
pub(super) fn assignment_end<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let (enclosing, preceding) = (comment.enclosing?, comment.preceding?);
    if comment.following.is_some() {
        return None;
    }
    if let AstKind::ExpressionStatement(statement) = enclosing
        && same(statement.expression.kind(), preceding)
    {
        return Some(Target::trailing(enclosing));
    }
    let is_value = |node: AstKind<'a>, value: AstKind<'a>| match node {
        AstKind::AssignmentExpression(assignment) => same(assignment.right.kind(), value),
        AstKind::ArrowFunctionExpression(arrow) => same(arrow.body.kind(), value),
        _ => false,
    };
    let is_chain = match (preceding, enclosing) {
        (AstKind::AssignmentExpression(_), AstKind::AssignmentExpression(_))
        | (AstKind::ArrowFunctionExpression(_), AstKind::ArrowFunctionExpression(_)) => {
            is_value(enclosing, preceding)
        }
        _ => false,
    };
    if is_chain {
        let mut node = enclosing;
        let mut parent = comment.parent(node);
        while is_value(parent, node) {
            node = parent;
            parent = comment.parent(node);
        }
        if let AstKind::ExpressionStatement(_) = parent {
            return Some(Target::trailing(parent));
        }
    }
    let last = match preceding {
        AstKind::SequenceExpression(sequence) => sequence.expressions.last()?.kind(),
        AstKind::AssignmentExpression(assignment) => assignment.right.kind(),
        _ => return None,
    };
    let is_end = match enclosing {
        AstKind::VariableDeclarator(declarator) => {
            matches!(&declarator.init, Some(init) if same(init.kind(), preceding))
        }
        AstKind::ReturnStatement(statement) => {
            matches!(&statement.argument, Some(argument) if same(argument.kind(), preceding))
        }
        _ => is_value(enclosing, preceding),
    };
    is_end.then(|| Target::trailing(last))
}
