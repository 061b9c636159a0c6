//! What a text says, in the order it says it: for comparing without building a tree.

use std::borrow::Cow;

/// A step through a document. A key stands before its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event<'t> {
    Null,
    Bool(bool),
    /// As written.
    Number(Cow<'t, str>),
    String(Cow<'t, str>),
    Key(Cow<'t, str>),
    Array,
    Object,
    /// The end of an array or an object.
    Close,
    /// The end of the document.
    End,
}

pub(crate) trait Events<'t> {
    /// The next event; nothing where the text is no document, or one that events do not tell all of.
    fn next(&mut self) -> Option<Event<'t>>;
}
