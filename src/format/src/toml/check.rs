//! What printing must preserve: the comments, and everything except white space, line breaks inside
//! of brackets and trailing commas. This does not use the parser, so that it also detects faults of
//! the parser.

use fixpoint_text::Span;

/// Everything from `#` to the end of its line that is not inside a string.
pub(super) fn comments(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr3(b'#', b'"', b'\'', rest))
    {
        at += found;
        at = match bytes[at] {
            b'#' => {
                let end = end_of_line(bytes, at);
                let comment = text[at..end].trim_end_matches('\r');
                comments.push(Span::from(at..at + comment.len()));
                end
            }
            _ => end_of_string(bytes, at),
        };
    }
    comments
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found)
}

/// The end of the string that opens at `open`. If it is not closed, the end of the line or the
/// text.
fn end_of_string(bytes: &[u8], open: usize) -> usize {
    let quote = bytes[open];
    let triple = [quote; 3];
    if !bytes[open..].starts_with(&triple) {
        let mut at = open + 1;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\n' => return at,
                b'\\' if quote == b'"' => at += 1,
                _ if byte == quote => return at + 1,
                _ => {}
            }
            at += 1;
        }
        return bytes.len();
    }
    let mut at = open + 3;
    while at < bytes.len() {
        if bytes[at] == b'\\' && quote == b'"' {
            at += 2;
        } else if bytes[at..].starts_with(&triple) {
            // Up to two quotes may be directly before the closing three.
            let quotes = bytes[at..]
                .iter()
                .take_while(|&&byte| byte == quote)
                .count();
            return at + quotes.min(5);
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// Begins a string without escapes, for which the kind of quotes makes no difference.
const PLAIN: u8 = 1;
/// Begins any other string.
const QUOTED: u8 = 2;
/// Ends a string. None of these three bytes is allowed in TOML.
const END: u8 = 3;

/// The tokens of a TOML text. Equal for two texts that differ only in layout.
pub(super) fn meaning(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut meaning = Vec::with_capacity(bytes.len() + bytes.len() / 4);
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b' ' | b'\t' | b'\r' => {}
            b'#' => at = end_of_line(bytes, start),
            b'\n' => {
                if depth == 0 && meaning.last().is_some_and(|last| *last != b'\n') {
                    meaning.push(b'\n');
                }
            }
            b'"' | b'\'' => {
                at = end_of_string(bytes, start);
                write_string(&mut meaning, &bytes[start..at]);
            }
            b'[' | b'{' => {
                depth += 1;
                meaning.push(byte);
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if meaning.last() == Some(&b',') {
                    meaning.pop();
                }
                meaning.push(byte);
            }
            b',' | b'=' | b'.' => meaning.push(byte),
            _ => {
                while bytes.get(at).is_some_and(|byte| is_in_word(*byte)) {
                    at += 1;
                }
                meaning.push(b' ');
                meaning.extend_from_slice(&bytes[start..at]);
            }
        }
    }
    if meaning.last() == Some(&b'\n') {
        meaning.pop();
    }
    meaning
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b':')
}

fn write_string(meaning: &mut Vec<u8>, string: &[u8]) {
    let is_long = string.starts_with(b"\"\"\"") || string.starts_with(b"'''");
    let is_plain = string[0] == b'\'' || memchr::memchr(b'\\', string).is_none();
    if is_long || !is_plain || string.len() < 2 {
        meaning.push(QUOTED);
        meaning.extend_from_slice(string);
    } else {
        meaning.push(PLAIN);
        meaning.extend_from_slice(&string[1..string.len() - 1]);
    }
    meaning.push(END);
}
