//! The options of the printer. The names and defaults are those of prettier.

use crate::Style;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TrailingComma {
    All,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QuoteProps {
    AsNeeded,
    Consistent,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) width: usize,
    pub(super) tab_width: usize,
    pub(super) use_tabs: bool,
    pub(super) semi: bool,
    pub(super) single_quote: bool,
    pub(super) jsx_single_quote: bool,
    pub(super) quote_props: QuoteProps,
    pub(super) trailing_comma: TrailingComma,
    pub(super) bracket_spacing: bool,
    pub(super) bracket_same_line: bool,
    /// Keeps an object expanded whose first property is on another line than its brace.
    pub(super) preserve_objects: bool,
    /// Puts parentheses around the only parameter of an arrow function.
    pub(super) arrow_parens: bool,
    pub(super) single_attribute_per_line: bool,
    /// The text is TypeScript, where quotes of some property names have a meaning.
    pub(super) is_typescript: bool,
}

impl Options {
    pub(super) fn new(style: Style, is_typescript: bool) -> Self {
        Self {
            width: usize::from(style.line_width()),
            tab_width: usize::from(style.indent_width(2)),
            use_tabs: style.tabs(),
            semi: true,
            single_quote: false,
            jsx_single_quote: false,
            quote_props: QuoteProps::AsNeeded,
            trailing_comma: TrailingComma::All,
            bracket_spacing: true,
            bracket_same_line: false,
            preserve_objects: true,
            arrow_parens: true,
            single_attribute_per_line: false,
            is_typescript,
        }
    }
}
