//! Characters that are never printed verbatim, and how JSON and YAML escape them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a terminal or an editor may interpret a character instead of showing it. These are
/// control characters except line feed and tab, and characters that reorder or hide the surrounding
/// text.
pub fn needs_escape(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => true,
        '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}' => true,
        // The soft hyphen, and letters without a shape.
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true,
        _ => character.is_control(),
    }
}

/// Escapes every character for which [`needs_escape`] is true. The values of the document do not
/// change.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    escape_quoted(json, |escaped, character| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    })
}

/// Like [`escape_json`], for a YAML document in which all keys and strings are in double quotes.
pub fn escape_yaml(yaml: &str) -> Cow<'_, str> {
    escape_quoted(yaml, |escaped, character| {
        let _ = match u32::from(character) {
            code @ ..=0xffff => write!(escaped, "\\u{code:04x}"),
            code => write!(escaped, "\\U{code:08x}"),
        };
    })
}

fn escape_quoted(text: &str, mut push: impl FnMut(&mut String, char)) -> Cow<'_, str> {
    // Outside of quotes, line ends and tabs are the only control characters. Inside quotes, the
    // serializer has already escaped the characters below the space.
    let is_escaped = |character: char| character > ' ' && needs_escape(character);
    let is_plain = text.is_ascii() && memchr::memchr(0x7f, text.as_bytes()).is_none();
    if is_plain || !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 64);
    for character in text.chars() {
        if is_escaped(character) {
            push(&mut escaped, character);
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_joined_emoji_are_not_escaped() {
        let text = "h\u{e9}\t\u{1f468}\u{200d}\u{1f469}\n";
        assert!(!text.contains(needs_escape));
        assert_eq!(escape_json(text), text);
    }

    #[test]
    fn control_and_formatting_characters_are_escaped() {
        let text = "\"\u{7f}\u{85}\u{9b}\u{ad}\u{3164}\u{202e}\u{2066}\u{feff}\u{e0041}\"\r\n";
        let json = "\"\\u007f\\u0085\\u009b\\u00ad\\u3164\\u202e\\u2066\\ufeff\\udb40\\udc41\"\r\n";
        assert_eq!(escape_json(text), json);
        let yaml = json.replace("\\udb40\\udc41", "\\U000e0041");
        assert_eq!(escape_yaml(text), yaml);
    }
}
