//! Type parameters and type arguments.

use oxc_ast::AstKind;
use oxc_ast::ast::{TSTypeParameter, TSTypeParameterDeclaration, TSTypeParameterInstantiation};

use super::super::comments::{Comment, Role};
use super::super::kind::ToKind;
use super::super::nodes;
use super::super::{Printer, scan};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(in super::super) fn type_arguments(
        &self,
        node: &'a TSTypeParameterInstantiation<'a>,
    ) -> Doc<'a> {
        let kind = AstKind::TSTypeParameterInstantiation(node);
        let params: Vec<_> = node.params.iter().map(ToKind::kind).collect();
        let is_hugged = matches!(params.as_slice(), [only] if self.should_hug_type(*only));
        self.angle_brackets(kind, &params, is_hugged, Doc::NIL)
    }

    pub(in super::super) fn type_parameters(
        &self,
        node: &'a TSTypeParameterDeclaration<'a>,
    ) -> Doc<'a> {
        let kind = AstKind::TSTypeParameterDeclaration(node);
        let params: Vec<_> = node.params.iter().map(ToKind::kind).collect();
        // Without a comma, `<T>` would start an element in a file that may contain JSX.
        let needs_comma = matches!(node.params.as_slice(), [only] if only.constraint.is_none())
            && matches!(self.parent(kind), AstKind::ArrowFunctionExpression(_))
            && !self.is_typescript_without_jsx();
        let comma = if needs_comma {
            Doc::Text(",")
        } else {
            self.trailing_comma()
        };
        self.angle_brackets(kind, &params, false, comma)
    }

    fn is_typescript_without_jsx(&self) -> bool {
        matches!(self.tree.node(0), AstKind::Program(program)
            if program.source_type.is_typescript() && !program.source_type.is_jsx())
    }

    fn angle_brackets(
        &self,
        node: AstKind<'a>,
        params: &[AstKind<'a>],
        is_hugged: bool,
        comma: Doc<'a>,
    ) -> Doc<'a> {
        let printed: Vec<_> = params.iter().map(|param| self.print(*param)).collect();
        let may_inline = (is_hugged || self.is_test_call(self.parent(self.parent(node)), None))
            && !self.annotates_arrow_function(node, params)
            && !params
                .iter()
                .any(|param| self.has_comment_before_line_end(*param));
        if params.is_empty() || may_inline {
            return self.concat(&[
                Doc::Text("<"),
                self.join(Doc::Text(", "), &printed),
                self.dangling_in_angle_brackets(node),
                Doc::Text(">"),
            ]);
        }
        let separator = self.concat(&[Doc::Text(","), Doc::LINE]);
        self.group(self.concat(&[
            Doc::Text("<"),
            self.indent(self.concat(&[Doc::SOFTLINE, self.join(separator, &printed)])),
            comma,
            Doc::SOFTLINE,
            Doc::Text(">"),
        ]))
    }

    /// Arguments in the annotation of a variable that is an arrow function break before the function does.
    fn annotates_arrow_function(&self, node: AstKind<'a>, params: &[AstKind<'a>]) -> bool {
        let annotation = self.parent(self.parent(node));
        matches!(annotation, AstKind::TSTypeAnnotation(_))
            && !matches!(params, [only] if nodes::is_object_type(*only))
            && matches!(
                self.parent(annotation),
                AstKind::VariableDeclarator(declarator)
                    if declarator.init.as_ref().is_some_and(|init| {
                        matches!(init.kind(), AstKind::ArrowFunctionExpression(_))
                    })
            )
    }

    fn has_comment_before_line_end(&self, node: AstKind<'a>) -> bool {
        let is_outside = |comment: &&Comment| comment.role != Role::Dangling;
        let mut comments = self.comments.of(node).filter(is_outside);
        let last = comments.next_back();
        last.is_some_and(|last| !last.is_block || scan::has_newline(self.text, last.end))
            || comments.any(|comment| !comment.is_block)
    }

    fn dangling_in_angle_brackets(&self, node: AstKind<'a>) -> Doc<'a> {
        let printed = self.dangling_comments(node);
        if !self.comments.any(node, |comment| {
            comment.role == Role::Dangling && !comment.is_block
        }) {
            return printed;
        }
        let indented = self.concat(&[Doc::HARDLINE, printed]);
        self.concat(&[self.indent(indented), Doc::HARDLINE])
    }

    pub(in super::super) fn type_parameter(&self, node: &'a TSTypeParameter<'a>) -> Doc<'a> {
        let mut parts = vec![
            Doc::Text(if node.r#const { "const " } else { "" }),
            Doc::Text(if node.r#in { "in " } else { "" }),
            Doc::Text(if node.out { "out " } else { "" }),
            self.print(node.name.kind()),
        ];
        for (keyword, value) in [(" extends", &node.constraint), (" =", &node.default)] {
            let Some(value) = value else {
                continue;
            };
            let group = self.group_id();
            parts.extend([
                Doc::Text(keyword),
                self.group_with(self.indent(Doc::LINE), Some(group), false),
                Doc::LineSuffixBoundary,
                self.indent_if_break(self.print(value.kind()), group, false),
            ]);
        }
        self.group(self.concat(&parts))
    }
}
