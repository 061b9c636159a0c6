//! A stream of parse events, for comparing a text without building a tree.

use std::borrow::Cow;

/// One parse event. A key comes before its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event<'t> {
    Null,
    Bool(bool),
    /// In its original notation.
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
    /// The next event. `None` if the text is not a document, or contains something that events
    /// cannot express.
    fn next(&mut self) -> Option<Event<'t>>;
}
