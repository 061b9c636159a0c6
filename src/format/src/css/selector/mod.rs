//! The parts of a selector, as postcss-selector-parser separates them.

mod lexer;
mod parse;

pub(super) use parse::parse;

/// The selectors that commas separate.
pub(super) type Selectors<'a> = Vec<Vec<Part<'a>>>;

#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) kind: Kind<'a>,
    /// The source without the namespace.
    pub(super) text: &'a str,
    start: usize,
    pub(super) namespace: Option<&'a str>,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Tag,
    Universal,
    /// With its point.
    Class,
    /// With its `#`.
    Id,
    Nesting,
    /// Without its brackets.
    Attribute,
    String,
    /// White space, or an operator without the white space around it.
    Combinator,
    Pseudo {
        arguments: Option<Selectors<'a>>,
    },
}
