//! Template literals.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints a template literal, a tagged template or a template literal type.
    pub(super) fn print_template(&self, node: AstKind<'a>) -> Doc<'a> {
        self.source(node)
    }
}
