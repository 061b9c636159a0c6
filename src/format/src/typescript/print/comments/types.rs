//! Comments in classes, patterns and types that do not belong to the nearest node.

use oxc_ast::AstKind;
use oxc_ast::ast::MethodDefinitionType;
use oxc_span::GetSpan;

use super::super::kind::ToKind;
use super::super::nodes::{self, is_identifier};
use super::super::tree::same;
use super::super::{scan, spans};
use super::Marker;
use super::place::{Context, Placement, Target};

pub(super) fn ignored_mapped_type<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let AstKind::TSMappedType(mapped) = enclosing else {
        return None;
    };
    if !comment.ignores || !comment.is_following(Some(mapped.key.kind())) {
        return None;
    }
    comment.ignored_node.set(Some(enclosing));
    Some(Target::dangling(enclosing))
}

pub(super) fn mapped_type<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let AstKind::TSMappedType(mapped) = enclosing else {
        return None;
    };
    let bracket = comment.find("[", mapped.span.start as usize)?;
    (comment.end < bracket).then(|| Target::dangling(enclosing))
}

pub(super) fn class<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let following = comment.following;
    let body = match enclosing {
        AstKind::Class(class) => Some(class.body.kind()),
        AstKind::TSInterfaceDeclaration(interface) => Some(interface.body.kind()),
        AstKind::TSEnumDeclaration(declaration) => Some(declaration.body.kind()),
        AstKind::TSNamespaceDeclaration(namespace) => Some(namespace.body.kind()),
        AstKind::TSExternalModuleDeclaration(module) => {
            module.body.as_ref().map(|body| body.kind())
        }
        AstKind::TSGlobalDeclaration(global) => Some(global.body.kind()),
        _ => return None,
    };
    if let Some(body) = body
        && comment.is_following(Some(body))
    {
        return Some(Target::first_in_block(body));
    }
    let heritage = match enclosing {
        AstKind::Class(class) => {
            if let Some(decorator) = class.decorators.last()
                && !matches!(following, Some(AstKind::Decorator(_)))
            {
                return Some(Target::trailing(decorator.kind()));
            }
            let id = class.id.as_ref().map(ToKind::kind);
            let parameters = class.type_parameters.as_ref().map(|it| it.kind());
            let superclass = class.heritage.as_ref().map(|it| it.expression.kind());
            let is_before = comment.is_preceding(id) || comment.is_preceding(parameters);
            if is_before && comment.is_following(superclass) {
                return comment.preceding.map(Target::trailing);
            }
            (
                class.implements.first().map(ToKind::kind),
                is_before || comment.is_preceding(superclass),
                "implements",
                Marker::Implements,
            )
        }
        AstKind::TSInterfaceDeclaration(interface) => (
            interface.extends.first().map(ToKind::kind),
            comment.is_preceding(Some(interface.id.kind()))
                || comment.is_preceding(interface.type_parameters.as_ref().map(|it| it.kind())),
            "extends",
            Marker::Extends,
        ),
        _ => return None,
    };
    let (first, is_before, keyword, marker) = heritage;
    comment.preceding?;
    if !comment.is_following(first) {
        return None;
    }
    if !is_before {
        return Some(Target::marked(enclosing, marker));
    }
    let between = comment.code.get(comment.end..spans::start(first?))?;
    (between.trim() == keyword)
        .then(|| comment.preceding.map(Target::trailing))
        .flatten()
}

pub(super) fn union<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    match (comment.enclosing, comment.following) {
        (Some(AstKind::TSUnionType(_)), following) => {
            if comment.ignores {
                comment.ignored_node.set(following);
            }
            comment.preceding.map(Target::trailing)
        }
        (_, Some(AstKind::TSUnionType(union))) if comment.ignores => {
            comment
                .ignored_node
                .set(union.types.first().map(ToKind::kind));
            None
        }
        _ => None,
    }
}

/// A comment on one line directly before a union belongs to its first member.
fn first_member<'a>(comment: &Context<'a, '_>, node: AstKind<'a>) -> Option<AstKind<'a>> {
    let AstKind::TSUnionType(union) = node else {
        return None;
    };
    let is_before_union = comment.is_one_line_block()
        && !comment.ignores
        && comment
            .code
            .get(comment.end..spans::start(node))
            .is_some_and(|gap| gap.bytes().all(|byte| matches!(byte, b' ' | b'\t')));
    is_before_union
        .then(|| union.types.first().map(ToKind::kind))
        .flatten()
}

/// Before a type, or before the first member of a union that starts on the same line.
pub(super) fn before_type<'a>(comment: &Context<'a, '_>, node: AstKind<'a>) -> Target<'a> {
    Target::leading(first_member(comment, node).unwrap_or(node))
}

pub(super) fn first_of_union<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    first_member(comment, comment.following?).map(Target::leading)
}

pub(super) fn last_of_union<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let AstKind::TSUnionType(union) = comment.preceding? else {
        return None;
    };
    let is_operand = match comment.enclosing? {
        AstKind::TSArrayType(_) => comment.following.is_none(),
        AstKind::TSIntersectionType(_) | AstKind::TSUnionType(_) => true,
        _ => false,
    };
    is_operand
        .then(|| union.types.last().map(|last| Target::trailing(last.kind())))
        .flatten()
}

pub(super) fn method_name<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let (enclosing, preceding) = (comment.enclosing?, comment.preceding?);
    let is_before_parameters = comment.next_char() == Some('(');
    let key = match enclosing {
        AstKind::ObjectProperty(property) => Some(property.key.kind()),
        AstKind::MethodDefinition(method)
            if method.r#type == MethodDefinitionType::TSAbstractMethodDefinition =>
        {
            Some(method.key.kind())
        }
        _ => None,
    };
    if is_before_parameters
        && is_identifier(preceding)
        && comment.is_preceding(key)
        && scan::next_char(comment.text, comment.end_of(preceding)) != Some(':')
    {
        return Some(Target::trailing(preceding));
    }
    let is_member = match enclosing {
        AstKind::FormalParameter(parameter) => nodes::is_parameter_property(parameter),
        AstKind::MethodDefinition(_)
        | AstKind::PropertyDefinition(_)
        | AstKind::AccessorProperty(_) => true,
        _ => false,
    };
    if !is_member {
        return None;
    }
    if comment.following.is_none() && comment.placement == Placement::Remaining {
        return Some(Target::trailing(match is_before_parameters {
            true => preceding,
            false => enclosing,
        }));
    }
    (matches!(preceding, AstKind::Decorator(_))
        && (!comment.is_block || comment.placement == Placement::OwnLine))
        .then(|| Target::trailing(preceding))
}

pub(super) fn destructuring<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let (enclosing, following) = (comment.enclosing?, comment.following?);
    if !matches!(following, AstKind::TSTypeAnnotation(_)) {
        return None;
    }
    let (pattern, close) = match enclosing {
        AstKind::ObjectPattern(_) => (enclosing, '}'),
        AstKind::ArrayPattern(_) => (enclosing, ']'),
        _ => return None,
    };
    Some(if comment.next_char() == Some(close) {
        comment
            .preceding
            .map_or_else(|| Target::dangling(pattern), Target::trailing)
    } else {
        Target::leading(following)
    })
}

pub(super) fn cast<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let expression = match enclosing {
        AstKind::TSAsExpression(cast) => cast.expression.kind(),
        AstKind::TSSatisfiesExpression(cast) => cast.expression.kind(),
        _ => return None,
    };
    if !comment.is_preceding(Some(expression)) || comment.is_one_line() {
        return None;
    }
    Some(
        comment
            .following
            .map_or_else(|| Target::trailing(enclosing), Target::leading),
    )
}

pub(super) fn property_signature<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let following = comment.following?;
    let (name, has_type) = match comment.enclosing? {
        AstKind::TSPropertySignature(property) => {
            (property.key.kind(), property.type_annotation.is_some())
        }
        AstKind::TSMappedType(mapped) => (
            mapped
                .name_type
                .as_ref()
                .map_or_else(|| mapped.constraint.kind(), ToKind::kind),
            mapped.type_annotation.is_some(),
        ),
        _ => return None,
    };
    if comment.placement == Placement::EndOfLine
        && matches!(
            following,
            AstKind::TSUnionType(_) | AstKind::TSIntersectionType(_)
        )
    {
        return Some(Target::leading(following));
    }
    let colon = comment.find(":", name.span().end as usize)?;
    (has_type && comment.is_block && colon < comment.start).then(|| before_type(comment, following))
}

/// A comment between a signature and its semicolon.
pub(super) fn signature_end<'a>(comment: &Context<'a, '_>) -> Option<Target<'a>> {
    let enclosing = comment.enclosing?;
    let return_type = match enclosing {
        AstKind::TSMethodSignature(signature) => signature.return_type.as_ref(),
        AstKind::Function(function) if function.is_ts_declare_function() => {
            function.return_type.as_ref()
        }
        AstKind::MethodDefinition(method)
            if method.r#type == MethodDefinitionType::TSAbstractMethodDefinition =>
        {
            None
        }
        _ => return None,
    };
    let is_after_type = comment
        .preceding
        .zip(return_type)
        .is_some_and(|(preceding, annotation)| same(annotation.kind(), preceding));
    (comment.following.is_none() && !is_after_type && comment.next_char() == Some(';'))
        .then(|| Target::trailing(enclosing))
}
