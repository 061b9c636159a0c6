//! Numbers with their nouns, and names that hold whatever somebody put into them.

pub(crate) fn count(number: usize, noun: &str) -> String {
    match (number, noun.ends_with('x')) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{number} {noun}es"),
        (_, false) => format!("{number} {noun}s"),
    }
}

/// A text from outside, in one line that no terminal and no reader of logs acts on.
pub(crate) fn shown(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// A character that only shows.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(' '),
        '\x7f'..='\u{9f}' => '\u{2421}',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_a_line() {
        assert_eq!(
            shown("a\n::error::\u{1b}[31m\u{9b}"),
            "a\u{240a}::error::\u{241b}[31m\u{2421}"
        );
    }

    #[test]
    fn nouns_agree_with_their_numbers() {
        assert_eq!(count(1, "file"), "1 file");
        assert_eq!(count(0, "file"), "0 files");
        assert_eq!(count(2, "fix"), "2 fixes");
    }
}
