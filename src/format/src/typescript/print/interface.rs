//! Interfaces, type aliases and their members.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints an interface, a type alias or a member of an interface.
    pub(super) fn print_interface(&self, node: AstKind<'a>) -> Doc<'a> {
        self.source(node)
    }
}
