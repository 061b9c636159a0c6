//! Looks at the text around nodes: spaces, line ends and comments.

/// The bytes from `at` on. Positions may be inside of a character while a scan advances.
fn rest(text: &str, at: usize) -> &[u8] {
    &text.as_bytes()[at.min(text.len())..]
}

/// The line ends of Unicode, which are three bytes long.
const SEPARATORS: [&[u8]; 2] = ["\u{2028}".as_bytes(), "\u{2029}".as_bytes()];

/// The next position from `at` on that is not a space or tab.
fn skip_spaces(text: &str, at: usize) -> usize {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    at + rest(text, at).iter().take_while(is_space).count()
}

/// The position after the spaces before `at`, searching backwards.
fn skip_spaces_back(text: &str, at: usize) -> usize {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let before = &text.as_bytes()[..at.min(text.len())];
    before.len() - before.iter().rev().take_while(is_space).count()
}

fn skip_newline(text: &str, at: usize) -> usize {
    let rest = rest(text, at);
    if rest.starts_with(b"\r\n") {
        at + 2
    } else if rest.starts_with(b"\n") || rest.starts_with(b"\r") {
        at + 1
    } else if SEPARATORS.iter().any(|end| rest.starts_with(end)) {
        at + 3
    } else {
        at
    }
}

fn ends_line(before: &[u8]) -> bool {
    before.ends_with(b"\n")
        || before.ends_with(b"\r")
        || SEPARATORS.iter().any(|end| before.ends_with(end))
}

/// The end of a block comment that starts at `at`, or `at`.
fn skip_block_comment(text: &str, at: usize) -> usize {
    let rest = rest(text, at);
    if rest.starts_with(b"/*")
        && let Some(end) = memchr::memmem::find(&rest[2..], b"*/")
    {
        return at + 2 + end + 2;
    }
    at
}

fn skip_line_comment(text: &str, at: usize) -> usize {
    let rest = rest(text, at);
    if rest.starts_with(b"//") {
        at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
    } else {
        at
    }
}

/// Whether only spaces are between `at` and the end of its line.
pub(super) fn has_newline(text: &str, at: usize) -> bool {
    let end = skip_spaces(text, at);
    skip_newline(text, end) != end
}

/// Whether only spaces are between the start of the line of `at` and `at`.
pub(super) fn has_newline_before(text: &str, at: usize) -> bool {
    ends_line(&text.as_bytes()[..skip_spaces_back(text, at)])
}

pub(super) fn has_newline_in(text: &str, start: usize, end: usize) -> bool {
    start < end && memchr::memchr(b'\n', &text.as_bytes()[start..end.min(text.len())]).is_some()
}

/// The position of the next token.
pub(super) fn next_token(text: &str, at: usize) -> usize {
    let mut at = at;
    loop {
        let mut next = skip_spaces(text, at);
        next = skip_block_comment(text, next);
        next = skip_line_comment(text, next);
        next = skip_newline(text, next);
        if next == at {
            return at;
        }
        at = next;
    }
}

/// The first character of the next token.
pub(super) fn next_char(text: &str, at: usize) -> Option<char> {
    let at = next_token(text, at);
    text.get(at..)?.chars().next()
}

/// Whether the line after the one that ends after `at` is empty. Separators and comments after `at`
/// belong to its line.
pub(super) fn is_next_line_empty(text: &str, at: usize) -> bool {
    let mut at = at;
    loop {
        let mut next = at
            + rest(text, at)
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t' | b',' | b';'))
                .count();
        next = skip_block_comment(text, next);
        next = skip_spaces(text, next);
        if next == at {
            break;
        }
        at = next;
    }
    at = skip_line_comment(text, at);
    at = skip_newline(text, at);
    at < text.len() && has_newline(text, at)
}

/// Whether the line before the one of `at` is empty.
pub(super) fn is_previous_line_empty(text: &str, at: usize) -> bool {
    let line = &text.as_bytes()[..skip_spaces_back(text, at)];
    let Some(line) = line.strip_suffix(b"\n") else {
        return false;
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    ends_line(&line[..skip_spaces_back(text, line.len())])
}

/// Whether the line after a list element that ends at `at` is empty. The comma may be after comments.
pub(super) fn is_line_after_element_empty(text: &str, at: usize) -> bool {
    let mut at = at;
    while at < text.len() && text.as_bytes()[at] != b',' {
        let next = skip_line_comment(text, at + 1);
        at = skip_block_comment(text, next);
    }
    is_next_line_empty(text, at)
}

/// Whether an empty line follows the leading comment that ends at `at`.
pub(super) fn is_line_after_comment_empty(text: &str, at: usize) -> bool {
    let end = skip_newline(text, skip_spaces(text, at));
    end < text.len() && has_newline(text, end)
}
