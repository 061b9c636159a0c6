//! JSX.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_jsx(&self, node: AstKind<'a>) -> Doc<'a> {
        self.source(node)
    }

    /// Whether a JSX element follows a comment in braces that keeps it as it is.
    pub(super) fn is_ignored_jsx(&self, _: AstKind<'a>) -> bool {
        false
    }
}
