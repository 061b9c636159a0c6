//! Conditional types.

use oxc_ast::AstKind;
use oxc_ast::ast::TSConditionalType;

use super::super::Printer;
use super::super::kind::ToKind;
use super::super::tree::same;
use crate::doc::{Align, Doc};

impl<'a> Printer<'a> {
    pub(in super::super) fn conditional_type(&self, node: &'a TSConditionalType<'a>) -> Doc<'a> {
        let kind = AstKind::TSConditionalType(node);
        let parent = match self.parent(kind) {
            AstKind::TSConditionalType(parent) => Some(parent),
            _ => None,
        };
        let is_false_type = parent.is_some_and(|parent| same(parent.false_type.kind(), kind));
        let is_true_type = parent.is_some_and(|parent| same(parent.true_type.kind(), kind));
        let is_condition = parent.is_some() && !is_false_type && !is_true_type;

        let mut test = self.concat(&[
            self.print(node.check_type.kind()),
            Doc::Text(" extends "),
            self.print(node.extends_type.kind()),
        ]);
        if is_false_type {
            test = self.align(Align::Spaces(2), test);
        }

        let branch = |doc| {
            if self.options.use_tabs {
                self.indent(doc)
            } else {
                self.align(Align::Spaces(2), doc)
            }
        };
        let true_type = branch(self.print(node.true_type.kind()));
        let true_type = if matches!(node.true_type.kind(), AstKind::TSConditionalType(_)) {
            self.concat(&[self.if_break("", "("), true_type, self.if_break("", ")")])
        } else {
            true_type
        };
        let mut branches = self.concat(&[
            Doc::LINE,
            Doc::Text("? "),
            true_type,
            Doc::LINE,
            Doc::Text(": "),
            branch(self.print(node.false_type.kind())),
        ]);
        if is_true_type {
            branches = if self.options.use_tabs {
                self.dedent(self.indent(branches))
            } else {
                let spaces = self.options.tab_width.saturating_sub(2);
                self.align(
                    Align::Spaces(u16::try_from(spaces).unwrap_or_default()),
                    branches,
                )
            };
        }

        let is_branch = is_false_type || is_true_type;
        let printed = self.concat(&[
            test,
            if is_branch {
                branches
            } else {
                self.indent(branches)
            },
        ]);
        if is_condition {
            self.group(self.concat(&[
                self.indent(self.concat(&[Doc::SOFTLINE, self.group(printed)])),
                Doc::SOFTLINE,
            ]))
        } else if is_branch {
            printed
        } else {
            self.group(printed)
        }
    }
}
