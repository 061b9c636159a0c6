//! Enums, namespaces and TypeScript's own imports and exports.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_enum_or_module(&self, node: AstKind<'a>) -> Doc<'a> {
        self.source(node)
    }
}
