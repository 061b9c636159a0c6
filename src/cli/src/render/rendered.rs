//! Text with colors, as a type distinct from untrusted text.

use std::borrow::Cow;
use std::fmt;

use annotate_snippets::{Group, Level, Renderer};
use anstream::adapter::strip_str;

use super::words::printable;

/// Lines with colors. Only the modules of `render` create it, from printable parts.
#[derive(Clone, Debug)]
pub(crate) struct Rendered(String);

impl Rendered {
    /// Snippets as rustc shows them. All text in `group` is printable.
    pub(super) fn group(group: Group<'_>) -> Self {
        Self(Renderer::styled().render(&[group]))
    }

    /// A message about the run.
    pub(crate) fn note(level: Level<'static>, message: &str) -> Self {
        let message = printable(message);
        Self::group(Group::with_title(level.primary_title(message)))
    }

    pub(super) fn push(&mut self, other: &str) {
        self.0.push_str(other);
    }

    /// Without colors.
    pub(crate) fn plain(&self) -> String {
        strip_str(&self.0).to_string()
    }
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Text that may be printed for people. Any text that is not [`Rendered`] is made printable first,
/// so that callers cannot forget it.
pub(crate) trait Printable {
    fn lines(&self) -> Cow<'_, str>;
}

impl Printable for Rendered {
    fn lines(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl Printable for str {
    fn lines(&self) -> Cow<'_, str> {
        printable(self)
    }
}

impl Printable for String {
    fn lines(&self) -> Cow<'_, str> {
        printable(self)
    }
}
