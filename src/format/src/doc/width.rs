//! The columns that a text takes.

use unicode_width::UnicodeWidthChar;

/// The number of columns of `text`. Like prettier, it ignores that a terminal joins some letters.
pub(crate) fn text_width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(|c| c.width().unwrap_or(0)).sum()
    }
}
