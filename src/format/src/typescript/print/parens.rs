//! Which nodes need parentheses.

use oxc_ast::AstKind;

use super::Printer;

impl<'a> Printer<'a> {
    pub(super) fn needs_parens(&self, _: AstKind<'a>) -> bool {
        false
    }

    /// Whether the node is the declaration in the head of a `for`.
    pub(super) fn is_in_for(&self, _: AstKind<'a>) -> bool {
        false
    }
}
