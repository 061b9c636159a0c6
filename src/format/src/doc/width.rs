//! The columns that a text takes.

use unicode_width::UnicodeWidthStr;

/// The number of columns of `text`, as a terminal shows it.
pub(crate) fn text_width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}
