//! Classes and their members.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints a class, its body or one of its members.
    pub(super) fn print_class(&self, node: AstKind<'a>) -> Doc<'a> {
        self.source(node)
    }
}
