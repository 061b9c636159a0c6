//! Arrays, array patterns and tuple types.

use oxc_ast::AstKind;
use oxc_ast::ast::ArrayExpressionElement;
use oxc_span::GetSpan;

use super::comments::Role;
use super::kind::ToKind;
use super::nodes::is_signed_number;
use super::options::TrailingComma;
use super::{Printer, docs, scan};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_array(&self, node: AstKind<'a>) -> Doc<'a> {
        let elements: Vec<Option<AstKind<'a>>> = match node {
            AstKind::ArrayExpression(array) => array
                .elements
                .iter()
                .map(|element| (!element.is_elision()).then(|| element.kind()))
                .collect(),
            AstKind::ArrayPattern(pattern) => {
                let elements = pattern
                    .elements
                    .iter()
                    .map(|it| it.as_ref().map(ToKind::kind));
                let rest = pattern.rest.as_ref().map(|rest| Some(rest.kind()));
                elements.chain(rest).collect()
            }
            AstKind::ArrayAssignmentTarget(pattern) => {
                let elements = pattern
                    .elements
                    .iter()
                    .map(|it| it.as_ref().map(ToKind::kind));
                let rest = pattern.rest.as_ref().map(|rest| Some(rest.kind()));
                elements.chain(rest).collect()
            }
            _ => return self.source(node),
        };
        self.print_array_like(node, &elements)
    }

    /// Prints `elements` in brackets. `None` is a hole.
    pub(super) fn print_array_like(
        &self,
        node: AstKind<'a>,
        elements: &[Option<AstKind<'a>>],
    ) -> Doc<'a> {
        let Some(last) = elements.last() else {
            let comments = self.dangling_comments_in_list(node);
            return self.group(docs!(self, "[", comments, "]"));
        };
        let has_line_comment = self.comments.any(node, |comment| {
            comment.role == Role::Dangling && !comment.is_block
        });
        let should_break =
            has_line_comment || (!self.is_in_jest_table.get() && has_only_long_items(elements));
        let is_concise = self.is_concise_array(node);
        let id = self.group_id();
        let comma = match last {
            Some(AstKind::BindingRestElement(_) | AstKind::AssignmentTargetRest(_)) => Doc::NIL,
            None => Doc::Text(","),
            _ if self.options.trailing_comma == TrailingComma::None => Doc::NIL,
            _ if is_concise => self.if_group_breaks(id, ",", ""),
            _ => self.if_break(",", ""),
        };
        let contents = if is_concise {
            self.print_numbers(elements, comma)
        } else {
            let mut parts = Vec::with_capacity(elements.len() * 3);
            for (index, element) in elements.iter().enumerate() {
                if let Some(element) = element {
                    parts.push(self.group(self.print(*element)));
                }
                if index + 1 < elements.len() {
                    parts.extend([Doc::Text(","), Doc::LINE]);
                    if element.is_some_and(|element| self.is_line_after_empty(element)) {
                        parts.push(Doc::SOFTLINE);
                    }
                }
            }
            parts.push(comma);
            self.concat(&parts)
        };
        let comments = self.dangling_comments(node);
        let contents = self.indent(docs!(self, Doc::SOFTLINE, contents, comments));
        let doc = docs!(self, "[", contents, Doc::SOFTLINE, "]");
        self.group_with(doc, Some(id), should_break)
    }

    fn is_line_after_empty(&self, element: AstKind<'a>) -> bool {
        let span = element.span();
        span.start != span.end && scan::is_line_after_element_empty(self.text, self.end(element))
    }

    /// Whether an array contains only numbers, which fill lines.
    pub(super) fn is_concise_array(&self, node: AstKind<'a>) -> bool {
        let AstKind::ArrayExpression(array) = node else {
            return false;
        };
        !array.elements.is_empty()
            && array.elements.iter().all(|element| {
                let node = element.kind();
                let is_number = match element {
                    ArrayExpressionElement::NumericLiteral(_) => true,
                    ArrayExpressionElement::UnaryExpression(unary) => {
                        is_signed_number(node) && !self.comments.has(unary.argument.kind())
                    }
                    _ => false,
                };
                is_number
                    && !self.comments.any(node, |comment| {
                        comment.role == Role::Trailing
                            && !comment.is_block
                            && !scan::has_newline_before(self.text, comment.start)
                    })
            })
    }

    fn print_numbers(&self, elements: &[Option<AstKind<'a>>], comma: Doc<'a>) -> Doc<'a> {
        let mut parts = Vec::with_capacity(elements.len() * 2);
        for (index, element) in elements.iter().flatten().enumerate() {
            let Some(next) = elements.get(index + 1) else {
                parts.push(docs!(self, self.print(*element), comma));
                break;
            };
            parts.push(docs!(self, self.print(*element), ","));
            let has_line_comment = next.is_some_and(|next| {
                self.comments.any(next, |comment| {
                    comment.role == Role::Leading && !comment.is_block
                })
            });
            parts.push(if self.is_line_after_empty(*element) {
                docs!(self, Doc::HARDLINE, Doc::HARDLINE)
            } else if has_line_comment {
                Doc::HARDLINE
            } else {
                Doc::LINE
            });
        }
        self.fill(&parts)
    }
}

/// Whether all elements are objects, or all are arrays, each with more than one item.
fn has_only_long_items(elements: &[Option<AstKind<'_>>]) -> bool {
    let is_object = |element: &Option<AstKind<'_>>| matches!(element, Some(AstKind::ObjectExpression(it)) if it.properties.len() > 1);
    let is_array = |element: &Option<AstKind<'_>>| matches!(element, Some(AstKind::ArrayExpression(it)) if it.elements.len() > 1);
    elements.len() > 1 && (elements.iter().all(is_object) || elements.iter().all(is_array))
}
