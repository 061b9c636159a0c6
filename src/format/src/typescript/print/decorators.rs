//! Decorators.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_decorator(&self, node: AstKind<'a>) -> Doc<'a> {
        self.source(node)
    }

    /// The decorators before a class, parameter or class expression, with the space after them.
    pub(super) fn decorators_before(&self, _: AstKind<'a>) -> Doc<'a> {
        Doc::NIL
    }

    /// The decorators of an exported class that are written before `export`.
    pub(super) fn decorators_before_export(&self, _: AstKind<'a>) -> Doc<'a> {
        Doc::NIL
    }
}
