//! Where nodes start and end. Unlike the spans of the tree, the end of a statement excludes its
//! semicolon, and the start includes decorators.

use oxc_ast::AstKind;
use oxc_span::GetSpan;

use super::kind::ToKind;

/// The start of a node, including its decorators.
pub(super) fn start(node: AstKind<'_>) -> usize {
    let start = node.span().start as usize;
    let decorator = match node {
        AstKind::Class(class) => class.decorators.first(),
        AstKind::MethodDefinition(member) => member.decorators.first(),
        AstKind::PropertyDefinition(member) => member.decorators.first(),
        AstKind::AccessorProperty(member) => member.decorators.first(),
        AstKind::FormalParameter(parameter) => parameter.decorators.first(),
        AstKind::ExportDeclaration(export) => match &export.declaration {
            oxc_ast::ast::Declaration::ClassDeclaration(class) => class.decorators.first(),
            _ => None,
        },
        AstKind::ExportDefaultDeclaration(export) => match &export.declaration {
            oxc_ast::ast::ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                class.decorators.first()
            }
            _ => None,
        },
        _ => None,
    };
    decorator.map_or(start, |decorator| start.min(decorator.span.start as usize))
}

/// The end of a node with its semicolon.
pub(super) fn full_end(node: AstKind<'_>) -> usize {
    node.span().end as usize
}

/// The end of a node without its semicolon. `code` is the text with blanks instead of comments.
pub(super) fn end(code: &str, node: AstKind<'_>) -> usize {
    let at = |node: AstKind<'_>| end(code, node);
    match node {
        AstKind::IfStatement(it) => at(it.alternate.as_ref().unwrap_or(&it.consequent).kind()),
        AstKind::ForInStatement(it) => at(it.body.kind()),
        AstKind::ForOfStatement(it) => at(it.body.kind()),
        AstKind::ForStatement(it) => at(it.body.kind()),
        AstKind::LabeledStatement(it) => at(it.body.kind()),
        AstKind::WithStatement(it) => at(it.body.kind()),
        AstKind::WhileStatement(it) => at(it.body.kind()),
        AstKind::BreakStatement(it) => {
            it.label
                .as_ref()
                .map_or(it.span.start + 5, |label| label.span.end) as usize
        }
        AstKind::ContinueStatement(it) => {
            it.label
                .as_ref()
                .map_or(it.span.start + 8, |label| label.span.end) as usize
        }
        AstKind::DebuggerStatement(it) => it.span.start as usize + 8,
        AstKind::VariableDeclaration(it) => {
            it.declarations
                .last()
                .map_or(it.span.end, |declarator| declarator.span.end) as usize
        }
        AstKind::ExpressionStatement(_)
        | AstKind::Directive(_)
        | AstKind::ImportDeclaration(_)
        | AstKind::ExportDefaultDeclaration(_)
        | AstKind::ExportDeclaration(_)
        | AstKind::ExportNamedDeclaration(_)
        | AstKind::ExportFromDeclaration(_)
        | AstKind::ExportAllDeclaration(_)
        | AstKind::ReturnStatement(_)
        | AstKind::ThrowStatement(_)
        | AstKind::DoWhileStatement(_)
        | AstKind::PropertyDefinition(_)
        | AstKind::AccessorProperty(_) => content_end(code, node),
        _ => full_end(node),
    }
}

fn content_end(code: &str, node: AstKind<'_>) -> usize {
    let span = node.span();
    let text = &code[span.start as usize..span.end as usize];
    match text.strip_suffix(';') {
        Some(content) => span.start as usize + content.trim_end().len(),
        None => span.end as usize,
    }
}

/// Whether a semicolon follows [`end`] of this node.
pub(super) fn has_semicolon_after_end(code: &str, node: AstKind<'_>) -> bool {
    match node {
        AstKind::IfStatement(it) => {
            has_semicolon_after_end(code, it.alternate.as_ref().unwrap_or(&it.consequent).kind())
        }
        AstKind::ForInStatement(it) => has_semicolon_after_end(code, it.body.kind()),
        AstKind::ForOfStatement(it) => has_semicolon_after_end(code, it.body.kind()),
        AstKind::ForStatement(it) => has_semicolon_after_end(code, it.body.kind()),
        AstKind::LabeledStatement(it) => has_semicolon_after_end(code, it.body.kind()),
        AstKind::WithStatement(it) => has_semicolon_after_end(code, it.body.kind()),
        AstKind::WhileStatement(it) => has_semicolon_after_end(code, it.body.kind()),
        AstKind::BreakStatement(_)
        | AstKind::ContinueStatement(_)
        | AstKind::DebuggerStatement(_)
        | AstKind::VariableDeclaration(_) => true,
        _ => end(code, node) != full_end(node),
    }
}
