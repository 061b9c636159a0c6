//! The arguments of calls.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints the arguments of a call, import or import type with their parentheses.
    pub(super) fn print_call_arguments(&self, node: AstKind<'a>) -> Doc<'a> {
        self.source(node)
    }
}
