//! Blocks and lists of statements.

use oxc_ast::AstKind;
use oxc_ast::ast::{Directive, Statement};

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints a block in braces: `{ }` of a statement, function or namespace.
    pub(super) fn print_block(
        &self,
        node: AstKind<'a>,
        _directives: &'a [Directive<'a>],
        _statements: &'a [Statement<'a>],
    ) -> Doc<'a> {
        self.source(node)
    }
}
