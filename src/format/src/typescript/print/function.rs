//! Functions.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// The return type with its colon.
    pub(super) fn print_return_type(&self, _function: AstKind<'a>) -> Doc<'a> {
        Doc::NIL
    }

    /// The parameters, return type and body of a method.
    pub(super) fn print_method_value(&self, function: AstKind<'a>) -> Doc<'a> {
        self.source(function)
    }
}
