//! Checks the nesting of flow collections in YAML.

use super::{DepthCounter, end_of_string};
use crate::FormatError;

/// The maximum nesting of YAML flow collections, far above what people write.
const FLOW_LIMIT: usize = 16;

pub(super) fn check(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut counter = DepthCounter::new(FLOW_LIMIT);
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'[', b'{', &bytes[at..]) {
        at += found;
        let before = &text[..at];
        let markers = markers_before(before);
        counter.depth = markers;
        if begins_flow(before) {
            counter.enter(at)?;
        }
        at += 1;
        while counter.depth > markers
            && let Some(byte) = bytes.get(at)
        {
            match byte {
                b'[' | b'{' => counter.enter(at)?,
                b']' | b'}' => counter.leave(),
                b'"' if begins_flow_string(&bytes[..at]) => at = end_of_string(bytes, at),
                b'\'' if begins_flow_string(&bytes[..at]) => at = end_of_single_quoted(bytes, at),
                b'#' if bytes[at - 1].is_ascii_whitespace() => {
                    at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len());
                }
                _ => {}
            }
            at = bytes.len().min(at + 1);
        }
    }
    Ok(())
}

/// Whether a bracket after `before` can begin a value. Elsewhere it is text.
fn begins_flow(before: &str) -> bool {
    let line = before.trim_end_matches(is_blank);
    is_line_start(line) || line.ends_with([':', '-', '?']) || follows_property(before.as_bytes())
}

/// The number of block lists and keys that open before a bracket on its line, as in `- - [`.
fn markers_before(before: &str) -> usize {
    let line = before.trim_end_matches(|c| is_blank(c) || matches!(c, '-' | '?'));
    let markers = &before.as_bytes()[line.len()..];
    let is_marker = |pair: &&[u8]| matches!(pair, [b'-' | b'?', b' ' | b'\t']);
    match is_line_start(line) {
        true => markers.windows(2).filter(is_marker).count(),
        false => 0,
    }
}

/// Whether a document or a line begins after `before`, which does not end in blanks.
fn is_line_start(before: &str) -> bool {
    let is_start = |text: &str| text.is_empty() || text.ends_with('\n');
    is_start(before) || before.strip_suffix("...").is_some_and(is_start)
}

/// The parser skips the white space of Unicode and byte order marks as well.
fn is_blank(c: char) -> bool {
    c != '\n' && (c.is_whitespace() || c == '\u{feff}')
}

/// Whether a quote after `before` begins a string of a flow collection. Inside a plain scalar it is
/// text.
fn begins_flow_string(before: &[u8]) -> bool {
    let last = before.trim_ascii_end().last();
    last.is_some_and(|byte| matches!(byte, b'[' | b'{' | b',' | b':' | b'?'))
        || follows_property(before)
}

/// Whether `before` ends in a tag or an anchor and a blank.
fn follows_property(before: &[u8]) -> bool {
    let trimmed = before.trim_ascii_end();
    let mut words = trimmed.rsplit(u8::is_ascii_whitespace);
    trimmed.len() < before.len()
        && words
            .next()
            .is_some_and(|word| matches!(word.first(), Some(b'!' | b'&')))
}

/// The position of the closing quote of the single-quoted string that opens at `open`.
fn end_of_single_quoted(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\'', rest)) {
        at += found;
        // Two quotes in a row are an escaped quote.
        if bytes.get(at + 1) != Some(&b'\'') {
            return at;
        }
        at += 2;
    }
    bytes.len()
}
