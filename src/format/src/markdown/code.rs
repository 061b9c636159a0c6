//! Reads and prints code blocks.

use std::borrow::Cow;

use super::block::Line;
use super::scan;

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// The code on the given lines.
pub(super) fn read<'a>(text: &'a str, lines: &[Line]) -> Cow<'a, str> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Cow::Borrowed("");
    };
    let is_slice = lines.iter().all(|line| line.indent == 0)
        && lines
            .windows(2)
            .all(|pair| pair[0].end + 1 == pair[1].start);
    if is_slice {
        return Cow::Borrowed(&text[first.start..last.end]);
    }
    let mut code = String::with_capacity(last.end - first.start);
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            code.push('\n');
        }
        code.extend(std::iter::repeat_n(' ', line.indent));
        code.push_str(&text[line.start..line.end]);
    }
    Cow::Owned(code)
}

/// An indented code block from its first to its last non-blank line.
pub(super) fn without_blank_ends(code: &str) -> &str {
    let start = code.len() - code.trim_start_matches(is_blank).len();
    let first = code[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = code.trim_end_matches(is_blank).len();
    let last = code[end..].find('\n').map_or(code.len(), |at| end + at);
    code.get(first..last).unwrap_or_default()
}

/// The fence for a code block, longer than any run of the same character in the code.
pub(super) fn fence(code: &str, info: &str) -> String {
    // The info string after a fence of backticks must not contain backticks.
    let mark = if info.contains('`') { b'~' } else { b'`' };
    let mut longest = 2;
    let mut at = 0;
    while let Some(found) = memchr::memchr(mark, &code.as_bytes()[at..]) {
        let length = scan::run(&code.as_bytes()[at + found..], mark);
        longest = longest.max(length);
        at += found + length;
    }
    char::from(mark).to_string().repeat(longest + 1)
}
