//! Objects, object patterns, and what looks like them.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints `items` in braces, separated by commas. `should_break`: the braces always break.
    pub(super) fn print_object_like(
        &self,
        node: AstKind<'a>,
        _items: &[AstKind<'a>],
        _should_break: bool,
    ) -> Doc<'a> {
        self.source(node)
    }
}
