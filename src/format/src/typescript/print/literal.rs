//! Literals.

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints a string of the source, including its quotes, with the preferred quotes.
    pub(super) fn print_string(&self, raw: &'a str) -> Doc<'a> {
        Doc::Text(raw)
    }
}
