//! The languages that share the parser and the printer.

use crate::Language;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Css,
    Scss,
    Less,
}

impl Dialect {
    pub(super) fn of(language: Language) -> Self {
        match language {
            Language::Scss => Self::Scss,
            Language::Less => Self::Less,
            _ => Self::Css,
        }
    }
}
