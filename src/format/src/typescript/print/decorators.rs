//! Decorators before classes, members and parameters.

use oxc_ast::AstKind;
use oxc_ast::ast::{Declaration, Decorator, ExportDefaultDeclarationKind};
use oxc_span::GetSpan;

use super::kind::ToKind;
use super::{Printer, docs, scan};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_decorator(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::Decorator(it) => docs!(self, "@", self.print(it.expression.kind())),
            _ => self.source(node),
        }
    }

    /// The decorators of a class or a parameter, with what separates them from it.
    pub(super) fn decorators_before(&self, node: AstKind<'a>) -> Doc<'a> {
        let decorators: &[Decorator<'a>] = match node {
            AstKind::Class(node) => &node.decorators,
            AstKind::FormalParameter(node) => &node.decorators,
            AstKind::FormalParameterRest(node) => &node.decorators,
            _ => &[],
        };
        let parent = self.parent(node);
        if decorators.is_empty()
            || !exported_decorators(parent).is_empty()
            || self.comments.is_ignored(node)
        {
            return Doc::NIL;
        }
        let is_class = matches!(node, AstKind::Class(_));
        let mut parts = Vec::new();
        if is_class && is_export(parent) {
            if !self.comments.has_leading(node) {
                parts.push(Doc::HARDLINE);
            }
        } else if is_class || self.has_line_end_after_some(decorators) {
            parts.push(Doc::BreakParent);
        }
        parts.extend([self.joined_decorators(decorators, Doc::LINE), Doc::LINE]);
        self.concat(&parts)
    }

    /// The decorators of a class member. They keep lines of their own.
    pub(super) fn member_decorators(&self, decorators: &'a [Decorator<'a>]) -> Doc<'a> {
        if decorators.is_empty() {
            return Doc::NIL;
        }
        let line = if self.has_line_end_after_some(decorators) {
            Doc::HARDLINE
        } else {
            Doc::LINE
        };
        self.group(self.concat(&[self.joined_decorators(decorators, Doc::LINE), line]))
    }

    /// Decorators that are written before `export`.
    pub(super) fn decorators_before_export(&self, export: AstKind<'a>) -> Doc<'a> {
        let decorators = exported_decorators(export);
        if decorators.is_empty() {
            return Doc::NIL;
        }
        self.concat(&[
            self.joined_decorators(decorators, Doc::HARDLINE),
            Doc::HARDLINE,
        ])
    }

    fn joined_decorators(&self, decorators: &'a [Decorator<'a>], separator: Doc<'a>) -> Doc<'a> {
        let printed: Vec<_> = decorators
            .iter()
            .map(|decorator| self.print(decorator.kind()))
            .collect();
        self.join(separator, &printed)
    }

    fn has_line_end_after_some(&self, decorators: &[Decorator<'a>]) -> bool {
        decorators
            .iter()
            .any(|decorator| scan::has_newline(self.text, decorator.span.end as usize))
    }
}

fn is_export(node: AstKind<'_>) -> bool {
    matches!(
        node,
        AstKind::ExportDeclaration(_) | AstKind::ExportDefaultDeclaration(_)
    )
}

/// The decorators that are written before the keyword of an export.
fn exported_decorators<'a>(export: AstKind<'a>) -> &'a [Decorator<'a>] {
    let class = match export {
        AstKind::ExportDeclaration(export) => match &export.declaration {
            Declaration::ClassDeclaration(class) => class,
            _ => return &[],
        },
        AstKind::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::ClassDeclaration(class) => class,
            _ => return &[],
        },
        _ => return &[],
    };
    match class.decorators.first() {
        Some(first) if first.span.start <= export.span().start => &class.decorators,
        _ => &[],
    }
}
