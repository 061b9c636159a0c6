//! The characters of names and keywords.

use super::TokenKind;

/// The kind of token for a text that is a name or a keyword.
pub fn word_kind(text: &str) -> Option<TokenKind> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let is_word = (first == '_' || starts_name(first, None)) && chars.all(continues_name);
    is_word.then(|| match TokenKind::of_word(text) {
        Some(word) => word,
        None if text == "_" => TokenKind::Underscore,
        None if starts_type(first) => TokenKind::TypeIdent,
        None => TokenKind::Ident,
    })
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_latin1_letter(char: char) -> bool {
    matches!(char, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{ff}')
}

pub(super) fn starts_name(char: char, next: Option<char>) -> bool {
    char.is_ascii_alphabetic()
        || is_latin1_letter(char)
        || (char == '_' && next.is_some_and(continues_name))
}

pub(super) fn continues_name(char: char) -> bool {
    char.is_ascii_alphanumeric()
        || char == '_'
        || is_latin1_letter(char)
        || matches!(char, '\u{100}'..='\u{17f}' | '\u{370}'..='\u{3ff}' | '\u{400}'..='\u{4ff}')
}

pub(super) fn starts_type(char: char) -> bool {
    char.is_ascii_uppercase() || matches!(char, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{de}')
}
