//! Mapped types.

use oxc_ast::AstKind;
use oxc_ast::ast::{TSMappedType, TSMappedTypeModifierOperator};

use super::super::comments::Role;
use super::super::kind::ToKind;
use super::super::{Printer, scan};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(in super::super) fn mapped_type(&self, node: &'a TSMappedType<'a>) -> Doc<'a> {
        let spacing = if self.options.bracket_spacing {
            Doc::LINE
        } else {
            Doc::SOFTLINE
        };
        let mut key = vec![
            Doc::SOFTLINE,
            self.print(node.key.kind()),
            Doc::Text(" in "),
            self.print(node.constraint.kind()),
        ];
        if let Some(name) = &node.name_type {
            key.extend([Doc::Text(" as "), self.print(name.kind())]);
        }
        let mut member = Vec::new();
        if let Some(readonly) = node.readonly {
            member.push(Doc::Text(match readonly {
                TSMappedTypeModifierOperator::True => "readonly ",
                TSMappedTypeModifierOperator::Plus => "+readonly ",
                TSMappedTypeModifierOperator::Minus => "-readonly ",
            }));
        }
        member.push(self.group(self.concat(&[
            Doc::Text("["),
            self.indent(self.concat(&key)),
            Doc::SOFTLINE,
            Doc::Text("]"),
        ])));
        if let Some(optional) = node.optional {
            member.push(Doc::Text(match optional {
                TSMappedTypeModifierOperator::True => "?",
                TSMappedTypeModifierOperator::Plus => "+?",
                TSMappedTypeModifierOperator::Minus => "-?",
            }));
        }
        if let Some(annotation) = &node.type_annotation {
            member.extend([Doc::Text(": "), self.print(annotation.kind())]);
        }
        let semicolon = if self.options.semi { ";" } else { "" };
        let contents = self.concat(&[
            spacing,
            self.comments_before_mapped_key(node),
            self.group(self.concat(&member)),
            self.if_break(Doc::Text(semicolon), Doc::NIL),
        ]);
        self.group_with(
            self.concat(&[
                Doc::Text("{"),
                self.indent(contents),
                spacing,
                Doc::Text("}"),
            ]),
            None,
            self.is_expanded_mapped_type(node),
        )
    }

    fn is_expanded_mapped_type(&self, node: &'a TSMappedType<'a>) -> bool {
        let start = node.span.start as usize;
        self.options.preserve_objects
            && scan::has_newline_in(self.text, start, scan::next_token(self.text, start + 1))
    }

    fn comments_before_mapped_key(&self, node: &'a TSMappedType<'a>) -> Doc<'a> {
        let kind = AstKind::TSMappedType(node);
        let Some(last) = self
            .comments
            .of(kind)
            .rfind(|comment| comment.role == Role::Dangling)
        else {
            return Doc::NIL;
        };
        let is_long = scan::has_newline_in(self.text, last.start, last.end);
        let line = if !last.is_block || is_long || scan::has_newline(self.text, last.end) {
            Doc::HARDLINE
        } else {
            Doc::LINE
        };
        self.concat(&[self.dangling_comments(kind), self.group(line)])
    }
}
