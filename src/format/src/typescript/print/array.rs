//! Arrays, array patterns and tuple types.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints `elements` in brackets. `None` is a hole.
    pub(super) fn print_array_like(
        &self,
        node: AstKind<'a>,
        _elements: &[Option<AstKind<'a>>],
    ) -> Doc<'a> {
        self.source(node)
    }
}
