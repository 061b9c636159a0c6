//! TypeScript types.

use oxc_ast::AstKind;
use oxc_ast::ast::TSUnionType;

use super::{Args, Printer};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_type(&self, node: AstKind<'a>, _: Args) -> Doc<'a> {
        self.source(node)
    }

    /// Whether a union prints its comments before its first member.
    pub(super) fn union_prints_own_comments(&self, _: &TSUnionType<'a>) -> bool {
        false
    }

    /// Whether a union is short: an object type or name with `null` or `undefined`.
    pub(super) fn should_hug_union(&self, _: &TSUnionType<'a>) -> bool {
        false
    }
}
