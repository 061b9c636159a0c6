//! The parameters of functions and function types.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints the parameters of a function with their parentheses.
    ///
    /// `expand`: the function is an argument that breaks alone, so its parameters must not break.
    /// If they would, [`Printer::cannot_expand`] is set.
    pub(super) fn print_parameters(
        &self,
        function: AstKind<'a>,
        _expand: bool,
        _with_type_parameters: bool,
    ) -> Doc<'a> {
        self.source(function)
    }

    /// Whether the return type breaks before the parameters.
    pub(super) fn should_group_parameters(
        &self,
        _function: AstKind<'a>,
        _return_type: Doc<'a>,
    ) -> bool {
        false
    }

    /// Whether the only parameter of a function is an object that keeps its braces beside the
    /// parentheses.
    pub(super) fn should_hug_the_only_parameter(&self, _function: AstKind<'a>) -> bool {
        false
    }
}
