//! Parses a text for printing, and brings its tree into the form that the printer expects.

use oxc_allocator::{Allocator, ReplaceWith, TakeIn};
use oxc_ast::ast::{Comment, Expression, LogicalExpression, Program, TSType};
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::{GetSpan, Span};

use super::comments::is_type_cast;

/// Removes parentheses, except those after a JSDoc type, and regroups logical expressions: `a && (b
/// && c)` becomes `a && b && c`. TypeScript has no JSDoc types.
pub(in super::super) fn prepare<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    is_typescript: bool,
) {
    let text = program.source_text;
    let casts = program
        .comments
        .iter()
        .filter(|comment| !is_typescript && is_cast(text, comment))
        .map(|comment| comment.span.end)
        .collect();
    let mut preparer = Preparer {
        allocator,
        text,
        casts,
    };
    preparer.visit_program(program);
}

fn is_cast(text: &str, comment: &Comment) -> bool {
    let span = comment.span;
    comment.is_block() && is_type_cast(&text[span.start as usize..span.end as usize])
}

struct Preparer<'a> {
    allocator: &'a Allocator,
    text: &'a str,
    /// The ends of comments with types.
    casts: Vec<u32>,
}

impl Preparer<'_> {
    /// Whether only spaces are between a comment with a type and `start`.
    fn is_after_cast(&self, start: u32) -> bool {
        let before = self.text[..start as usize].trim_end().len();
        self.casts.iter().any(|end| *end as usize == before)
    }
}

impl<'a> VisitMut<'a> for Preparer<'a> {
    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        while let Expression::ParenthesizedExpression(outer) = expression
            && !self.is_after_cast(outer.span.start)
        {
            expression.replace_with(|outer| match outer {
                Expression::ParenthesizedExpression(inner) => inner.unbox().expression,
                other => other,
            });
        }
        walk_mut::walk_expression(self, expression);
    }

    fn visit_ts_type(&mut self, annotation: &mut TSType<'a>) {
        while is_redundant(annotation) {
            annotation.replace_with(|outer| match outer {
                TSType::TSParenthesizedType(inner) => inner.unbox().type_annotation,
                TSType::TSUnionType(mut union) => match union.types.pop() {
                    Some(only) => only,
                    None => TSType::TSUnionType(union),
                },
                TSType::TSIntersectionType(mut intersection) => match intersection.types.pop() {
                    Some(only) => only,
                    None => TSType::TSIntersectionType(intersection),
                },
                other => other,
            });
        }
        walk_mut::walk_ts_type(self, annotation);
    }

    fn visit_logical_expression(&mut self, logical: &mut LogicalExpression<'a>) {
        walk_mut::walk_logical_expression(self, logical);
        regroup(self.allocator, logical);
    }
}

/// Parentheses around a type, or a union or intersection of one type.
fn is_redundant(annotation: &TSType<'_>) -> bool {
    match annotation {
        TSType::TSParenthesizedType(_) => true,
        TSType::TSUnionType(union) => union.types.len() == 1,
        TSType::TSIntersectionType(intersection) => intersection.types.len() == 1,
        _ => false,
    }
}

/// Turns `a && (b && c)` into `(a && b) && c`.
pub(in super::super) fn regroup<'a>(allocator: &'a Allocator, logical: &mut LogicalExpression<'a>) {
    let operator = logical.operator;
    while matches!(&logical.right, Expression::LogicalExpression(right) if right.operator == operator)
    {
        let Expression::LogicalExpression(mut inner) = logical.right.take_in(&allocator) else {
            return;
        };
        // The inner node becomes the left operand.
        std::mem::swap(&mut logical.left, &mut inner.left);
        std::mem::swap(&mut logical.left, &mut inner.right);
        inner.span = Span::new(inner.left.span().start, inner.right.span().end);
        regroup(allocator, &mut inner);
        logical.right = std::mem::replace(&mut logical.left, Expression::LogicalExpression(inner));
    }
}
