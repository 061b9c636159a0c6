//! Objects, object patterns, and what looks like them.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern, TSTypeAnnotation,
};

use super::kind::ToKind;
use super::tree::same;
use super::{Printer, docs, scan, spans};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_object(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::ObjectExpression(object) => {
                let items: Vec<_> = object.properties.iter().map(ToKind::kind).collect();
                let breaks = self.is_object_expanded(spans::start(node), &items);
                self.print_object_like(node, &items, breaks)
            }
            AstKind::ObjectPattern(pattern) => {
                let rest = pattern.rest.as_ref().map(|rest| rest.kind());
                let properties = pattern.properties.iter().map(ToKind::kind);
                let items: Vec<_> = properties.chain(rest).collect();
                let is_nested = pattern.properties.iter().any(|property| {
                    matches!(
                        property.value,
                        BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_)
                    )
                });
                let breaks = is_nested && !self.is_parameter_or_default(node);
                self.print_object_like(node, &items, breaks)
            }
            AstKind::ObjectAssignmentTarget(pattern) => {
                let rest = pattern.rest.as_ref().map(|rest| rest.kind());
                let properties = pattern.properties.iter().map(ToKind::kind);
                let items: Vec<_> = properties.chain(rest).collect();
                let is_nested = pattern.properties.iter().any(|property| {
                    matches!(property, AssignmentTargetProperty::AssignmentTargetPropertyProperty(it)
                        if matches!(
                            it.binding,
                            AssignmentTargetMaybeDefault::ObjectAssignmentTarget(_)
                                | AssignmentTargetMaybeDefault::ArrayAssignmentTarget(_)
                        ))
                });
                let breaks = is_nested && !self.is_parameter_or_default(node);
                self.print_object_like(node, &items, breaks)
            }
            _ => self.source(node),
        }
    }

    fn is_parameter_or_default(&self, pattern: AstKind<'a>) -> bool {
        matches!(
            self.parent(pattern),
            AstKind::FormalParameter(_)
                | AstKind::CatchParameter(_)
                | AstKind::AssignmentPattern(_)
                | AstKind::AssignmentTargetWithDefault(_)
        )
    }

    /// Whether the author put the first property on another line than the brace.
    pub(super) fn is_object_expanded(&self, brace: usize, items: &[AstKind<'a>]) -> bool {
        self.options.preserve_objects
            && items
                .first()
                .is_some_and(|first| scan::has_newline_in(self.text, brace, spans::start(*first)))
    }

    /// Prints `items` in braces, separated by commas. `should_break`: the braces always break.
    pub(super) fn print_object_like(
        &self,
        node: AstKind<'a>,
        items: &[AstKind<'a>],
        should_break: bool,
    ) -> Doc<'a> {
        let Some(last) = items.last() else {
            let comments = self.dangling_comments_in_list(node);
            let annotation = self.print_annotation_of_pattern(node);
            return self.group(docs!(self, "{", comments, "}", annotation));
        };
        let mut parts = Vec::with_capacity(items.len() * 3 + 1);
        let spacing = match self.options.bracket_spacing {
            true => Doc::LINE,
            false => Doc::SOFTLINE,
        };
        parts.push(spacing);
        for (index, item) in items.iter().enumerate() {
            parts.push(self.print(*item));
            if index + 1 < items.len() {
                parts.extend([Doc::Text(","), Doc::LINE]);
                if self.is_next_line_empty(*item) {
                    parts.push(Doc::HARDLINE);
                }
            }
        }
        let comma = match last {
            AstKind::BindingRestElement(_) | AstKind::AssignmentTargetRest(_) => Doc::NIL,
            _ => self.trailing_comma(),
        };
        let contents = self.indent(self.concat(&parts));
        let annotation = self.print_annotation_of_pattern(node);
        let doc = docs!(self, "{", contents, comma, spacing, "}", annotation);
        if self.is_grouped_by_parent(node, should_break) {
            doc
        } else {
            self.group_with(doc, None, should_break)
        }
    }

    /// The type of a variable or parameter that is an object pattern. The pattern breaks with it.
    fn print_annotation_of_pattern(&self, node: AstKind<'a>) -> Doc<'a> {
        if !matches!(node, AstKind::ObjectPattern(_)) {
            return Doc::NIL;
        }
        match self.parent(node) {
            AstKind::FormalParameter(it) => docs!(
                self,
                if it.optional { "?" } else { "" },
                self.print_type_annotation(it.type_annotation.as_deref()),
            ),
            AstKind::VariableDeclarator(it) if same(it.id.kind(), node) => {
                self.print_type_annotation(it.type_annotation.as_deref())
            }
            AstKind::CatchParameter(it) => {
                self.print_type_annotation(it.type_annotation.as_deref())
            }
            _ => Doc::NIL,
        }
    }

    /// Prints a pattern with its type.
    pub(super) fn print_typed_pattern(
        &self,
        pattern: &'a BindingPattern<'a>,
        mark: &'static str,
        annotation: Option<&'a TSTypeAnnotation<'a>>,
    ) -> Doc<'a> {
        let doc = self.print(pattern.kind());
        if matches!(pattern, BindingPattern::ObjectPattern(_)) {
            return doc;
        }
        docs!(self, doc, mark, self.print_type_annotation(annotation))
    }

    /// Whether a pattern breaks together with what is around it: the only parameter, or the left
    /// side of an assignment.
    fn is_grouped_by_parent(&self, node: AstKind<'a>, should_break: bool) -> bool {
        if !matches!(
            node,
            AstKind::ObjectPattern(_) | AstKind::ObjectAssignmentTarget(_)
        ) {
            return false;
        }
        let parent = self.parent(node);
        match parent {
            AstKind::FormalParameter(parameter) => {
                let parameters = self.parent(parent);
                parameter.initializer.is_none()
                    && parameter.decorators.is_empty()
                    && self.should_hug_the_only_parameter(self.parent(parameters))
            }
            AstKind::AssignmentExpression(assignment) => {
                !should_break && same(assignment.left.kind(), node)
            }
            AstKind::VariableDeclarator(_) => !should_break,
            _ => false,
        }
    }
}
