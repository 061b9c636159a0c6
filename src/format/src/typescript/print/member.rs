//! Member expressions.

use oxc_ast::AstKind;
use oxc_ast::ast::AssignmentTarget;

use super::kind::ToKind;
use super::nodes::{self, Member, is_call, is_chain_wrapper, is_identifier, is_member};
use super::tree::same;
use super::{MEMBER_CHAIN, Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_member(&self, node: AstKind<'a>, member: Member<'a>) -> Doc<'a> {
        let object_node = member.object.kind();
        let object = self.print(object_node);
        let lookup = self.print_lookup(member);
        let outside_members = self.ancestors(node).find(|ancestor| {
            !is_member(*ancestor) && !matches!(ancestor, AstKind::TSNonNullExpression(_))
        });
        let outside_wrappers = self
            .ancestors(node)
            .find(|ancestor| !is_chain_wrapper(*ancestor));
        let is_assigned = matches!(outside_members, Some(AstKind::AssignmentExpression(assignment))
            if !matches!(assignment.left, AssignmentTarget::AssignmentTargetIdentifier(_)));
        let is_name_of_name = is_identifier(object_node)
            && is_identifier(member.property)
            && !outside_wrappers.is_some_and(is_member);
        let is_value = matches!(
            outside_wrappers,
            Some(AstKind::AssignmentExpression(_) | AstKind::VariableDeclarator(_))
        );
        let object_core = nodes::strip_chain_wrappers(object_node);
        let is_beside = is_assigned
            || self.is_in_new_callee(node)
            || member.is_computed
            || is_name_of_name
            || (is_value
                && ((is_call(object_core) && !nodes::arguments(object_core).is_empty())
                    || object.label() == Some(MEMBER_CHAIN)));
        let lookup = match is_beside {
            true => lookup,
            false => self.group(self.indent(docs!(self, Doc::SOFTLINE, lookup))),
        };
        let doc = docs!(self, object, Doc::LineSuffixBoundary, lookup);
        match object.label() {
            Some(label) => self.label(label, doc),
            None => doc,
        }
    }

    /// The part of a member expression after its object.
    pub(super) fn print_lookup(&self, member: Member<'a>) -> Doc<'a> {
        let property = self.print(member.property);
        if !member.is_computed {
            let dot = if member.is_optional { "?." } else { "." };
            return docs!(self, dot, property);
        }
        let open = if member.is_optional { "?.[" } else { "[" };
        if matches!(member.property, AstKind::NumericLiteral(_)) {
            return docs!(self, open, property, "]");
        }
        let contents = self.indent(docs!(self, Doc::SOFTLINE, property));
        self.group(docs!(self, open, contents, Doc::SOFTLINE, "]"))
    }

    fn is_in_new_callee(&self, node: AstKind<'a>) -> bool {
        let mut child = node;
        for ancestor in self.ancestors(node) {
            let is_part = match ancestor {
                AstKind::TSNonNullExpression(_) => true,
                _ => {
                    nodes::member(ancestor).is_some_and(|member| same(member.object.kind(), child))
                }
            };
            if !is_part {
                return matches!(ancestor, AstKind::NewExpression(new)
                    if same(new.callee.kind(), child));
            }
            child = ancestor;
        }
        false
    }
}
