//! Properties of objects and their names.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints the name of a property, class member, enum member or import attribute.
    pub(super) fn print_property_key(
        &self,
        _owner: AstKind<'a>,
        key: AstKind<'a>,
        _computed: bool,
    ) -> Doc<'a> {
        self.print(key)
    }
}
