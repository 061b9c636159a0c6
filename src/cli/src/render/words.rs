//! Numbers with their nouns, and untrusted text in printable form.

use std::borrow::Cow;

use fixpoint_text::needs_escape;

pub(crate) fn count(number: usize, noun: &str) -> String {
    match (number, noun.ends_with('x')) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{number} {noun}es"),
        (_, false) => format!("{number} {noun}s"),
    }
}

/// Untrusted text as one line, without characters that a terminal or a log reader acts on.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push(' '),
            character => push_visible(&mut shown, character),
        }
    }
    shown
}

/// Untrusted text of several lines in printable form. Only line ends and tabs are kept.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(needs_escape) {
        return Cow::Borrowed(text);
    }
    let mut printable = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_line_end = character == '\r' && characters.peek() == Some(&'\n');
        match character {
            '\n' | '\t' => printable.push(character),
            _ if is_line_end => printable.push(character),
            _ => push_visible(&mut printable, character),
        }
    }
    Cow::Owned(printable)
}

/// Adds a character in printable form.
pub(crate) fn push_visible(text: &mut String, character: char) {
    match character {
        '\0'..='\x1f' => text.extend(char::from_u32(0x2400 + u32::from(character))),
        '\x7f' => text.push('\u{2421}'),
        _ if needs_escape(character) => *text += &format!("<U+{:04X}>", u32::from(character)),
        _ => text.push(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_a_line() {
        assert_eq!(
            shown("a\n::error::\u{1b}[31m\u{9b}"),
            "a\u{240a}::error::\u{241b}[31m<U+009B>"
        );
    }

    #[test]
    fn nothing_that_a_terminal_acts_on_is_printed() {
        let hostile = "a\u{1b}[2J\r\u{8}\u{7f}\u{85}\u{9b}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{e0041}\u{feff}";
        for character in hostile.chars().skip(1) {
            let text = printable(&format!("x{character}y\n")).into_owned();
            assert!(
                !text.contains(character) || "[2J".contains(character),
                "{text:?}"
            );
        }
        assert_eq!(printable("a\tb\r\nc\n"), "a\tb\r\nc\n");
        assert_eq!(printable("a\rb"), "a\u{240d}b");
        assert_eq!(printable("\u{202e}x"), "<U+202E>x");
        assert_eq!(
            printable("h\u{e9}\u{1f468}\u{200d}\u{1f469}"),
            "h\u{e9}\u{1f468}\u{200d}\u{1f469}"
        );
    }

    #[test]
    fn nouns_agree_with_their_numbers() {
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(0, "file"), "0 files");
        assert_eq!(count(2, "fix"), "2 fixes");
    }
}
