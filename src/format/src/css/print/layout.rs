//! What follows a part in the source: comments, line ends and blank lines.

/// Whether the line after the one that contains `end` is blank. Commas, semicolons and comments after
/// `end` are skipped.
pub(super) fn is_next_line_blank(text: &str, end: usize) -> bool {
    let bytes = text.as_bytes();
    let mut at = end;
    loop {
        let start = at;
        at = skip(bytes, at, b",; \t");
        at = skip_comment(bytes, at);
        at = skip(bytes, at, b" \t");
        if at == start {
            break;
        }
    }
    at = skip_line_comment(bytes, at);
    at += usize::from(bytes.get(at) == Some(&b'\n'));
    has_newline(text, at)
}

/// Whether only blanks are between `start` and the end of its line.
fn has_newline(text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    bytes.get(skip(bytes, start, b" \t")) == Some(&b'\n')
}

/// Whether only blanks are before `start` on its line.
pub(super) fn is_first_on_line(text: &str, start: usize) -> bool {
    text[..start].trim_end_matches([' ', '\t']).ends_with('\n')
}

/// The first byte after `end` that is neither white space nor part of a comment.
pub(super) fn next_byte(text: &str, end: usize) -> Option<u8> {
    let bytes = text.as_bytes();
    let mut at = end;
    loop {
        let start = at;
        at = skip(bytes, at, b" \t");
        at = skip_comment(bytes, at);
        at = skip_line_comment(bytes, at);
        at += usize::from(bytes.get(at) == Some(&b'\n'));
        if at == start {
            return bytes.get(at).copied();
        }
    }
}

fn skip(bytes: &[u8], start: usize, skipped: &[u8]) -> usize {
    let rest = bytes.get(start..).unwrap_or_default().iter();
    start + rest.take_while(|byte| skipped.contains(byte)).count()
}

fn skip_comment(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    match rest.strip_prefix(b"/*") {
        Some(rest) => memchr::memmem::find(rest, b"*/").map_or(start, |end| start + end + 4),
        None => start,
    }
}

fn skip_line_comment(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    if !rest.starts_with(b"//") {
        return start;
    }
    start + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}
