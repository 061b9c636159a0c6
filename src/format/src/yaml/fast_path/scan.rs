//! Finds the ends of the pieces of a line. Anything ambiguous is not supported.

use std::ops::Range;

/// The reason why a plain scalar ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The colon directly after it.
    Colon,
    /// The end of the line, or a comment.
    Line,
    /// In a flow collection: a bracket or a comma.
    Flow,
}

pub(super) fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found)
}

pub(super) fn ends_line(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b'\n'))
}

pub(super) fn ends_word(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b'\n' | b' '))
}

/// Whether a `-` here begins a list item.
pub(super) fn is_dash(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'-') && ends_word(bytes.get(at + 1))
}

pub(super) fn is_flow_indicator(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// The plain scalar that begins at `at`, and the reason why it ends.
pub(super) fn plain(text: &str, at: usize, in_flow: bool) -> Option<(Range<usize>, Stop)> {
    if !begins_plain(text.as_bytes(), at) {
        return None;
    }
    rest_of_plain(text, at, in_flow)
}

/// Like [`plain`], for a continuation line, which may begin with any character.
pub(super) fn rest_of_plain(text: &str, at: usize, in_flow: bool) -> Option<(Range<usize>, Stop)> {
    let bytes = text.as_bytes();
    let mut end = at;
    let (stopped, stop) = loop {
        match bytes.get(end) {
            None | Some(b'\n') => break (end, Stop::Line),
            Some(b'#') if end > at && bytes[end - 1] == b' ' => break (end, Stop::Line),
            Some(b':') if ends_word(bytes.get(end + 1)) => break (end, Stop::Colon),
            Some(b':') if in_flow && is_flow_indicator(bytes[end + 1]) => return None,
            Some(&byte) if in_flow && is_flow_indicator(byte) => break (end, Stop::Flow),
            Some(b'\t') => return None,
            Some(_) => end += 1,
        }
    };
    while end > at && bytes[end - 1] == b' ' {
        end -= 1;
    }
    let word = &text[at..end];
    // Printers trim more than spaces, and they remove a space between a key and its colon.
    if (stop == Stop::Colon && end != stopped) || has_odd_edges(word) || word == "---" {
        return None;
    }
    Some((at..end, stop))
}

fn begins_plain(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'-') => match bytes.get(at + 1) {
            Some(b'-') => bytes.get(at + 2) != Some(&b'-'),
            Some(next) => next.is_ascii_alphanumeric() || matches!(next, b'.' | b'_' | b'/'),
            None => false,
        },
        Some(b':') => bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
        Some(b'.') => !bytes[at..].starts_with(b"..."),
        Some(byte) => {
            byte.is_ascii_alphanumeric()
                || *byte >= 0x80
                || matches!(
                    byte,
                    b'_' | b'/'
                        | b'$'
                        | b'('
                        | b')'
                        | b'<'
                        | b'='
                        | b'+'
                        | b'~'
                        | b'^'
                        | b'\\'
                        | b';'
                )
        }
        None => false,
    }
}

/// Whether `word` begins or ends with white space that is not ASCII.
pub(super) fn has_odd_edges(word: &str) -> bool {
    let edge = |byte: Option<&u8>| byte.is_some_and(|byte| *byte >= 0x80);
    let bytes = word.as_bytes();
    (edge(bytes.first()) || edge(bytes.last())) && word.trim().len() != word.len()
}

/// The end of the quoted scalar that opens at `at`, if it is on the same line.
pub(super) fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    end_of_quoted(bytes, at, Some(b'\n'))
}

/// The end of the quoted scalar that opens at `at`.
pub(super) fn long_quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    end_of_quoted(bytes, at, None)
}

fn end_of_quoted(bytes: &[u8], at: usize, forbidden: Option<u8>) -> Option<usize> {
    let quote = *bytes.get(at)?;
    let mut end = at + 1;
    loop {
        let byte = *bytes.get(end)?;
        let next = bytes.get(end + 1).copied();
        let is_escape = match quote {
            b'"' => byte == b'\\',
            _ => byte == quote && next == Some(quote),
        };
        if Some(byte) == forbidden || (is_escape && next == forbidden) {
            return None;
        }
        match byte {
            _ if is_escape => end += 2,
            _ if byte == quote => return Some(end + 1),
            _ => end += 1,
        }
    }
}

/// Whether a scalar in single quotes is printed in double quotes.
pub(super) fn takes_double_quotes(quoted: &[u8]) -> bool {
    match quoted {
        [b'\'', inner @ .., b'\''] => memchr::memchr3(b'\'', b'"', b'\\', inner).is_none(),
        _ => false,
    }
}

/// The end of the name of an anchor, alias or tag that begins at `at`.
pub(super) fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        .count();
    (length > 0).then_some(at + length)
}

/// The key that begins at `at`, without its colon.
pub(super) fn key(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    match bytes.get(at)? {
        b'"' | b'\'' => {
            let end = quoted_end(bytes, at)?;
            let is_key = bytes.get(end) == Some(&b':') && ends_word(bytes.get(end + 1));
            is_key.then_some(at..end)
        }
        b'-' => None,
        _ => match plain(text, at, false)? {
            (key, Stop::Colon) => Some(key),
            _ => None,
        },
    }
}

/// Whether there are control bytes other than line breaks and tabs.
pub(super) fn has_control_bytes(bytes: &[u8]) -> bool {
    let odd = |byte: &u8| (*byte < b' ' && *byte != b'\n' && *byte != b'\t') || *byte == 0x7f;
    bytes
        .chunks(256)
        .any(|chunk| chunk.iter().fold(false, |found, byte| found | odd(byte)))
}
