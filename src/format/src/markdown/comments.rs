//! The comments of a Markdown text: everything from `<!--` to `-->` outside of code.

use fixpoint_text::Span;

pub(crate) fn comments(text: &str) -> Vec<Span> {
    let mut comments: Vec<Span> = Vec::new();
    let mut fence: Option<Fence> = None;
    // A fence may follow a byte order mark.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut start = text.len() - body.len();
    for line in body.split_inclusive('\n') {
        let end = start + line.len();
        let inside_comment = comments.last().is_some_and(|last| last.end() > start);
        if let Some(open) = &fence {
            if open.is_closed_by(line) {
                fence = None;
            }
        } else if !inside_comment {
            fence = Fence::opened_by(line);
        }
        if fence.is_none() {
            let from = comments.last().map_or(start, |last| last.end().max(start));
            find_comments(text, from..end, &mut comments);
        }
        start = end;
    }
    comments
}

/// Adds the comments that begin on the line `line`, outside of its code spans.
fn find_comments(text: &str, line: std::ops::Range<usize>, comments: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = line.start;
    while at < line.end {
        let rest = &bytes[at..];
        at += if rest.starts_with(b"<!--") {
            let length = memchr::memmem::find(&rest[4..], b"-->").map_or(rest.len(), |n| n + 7);
            comments.push(Span::from(at..at + length));
            length
        } else if rest[0] == b'`' {
            let ticks = rest.iter().take_while(|byte| **byte == b'`').count();
            ticks + code_span_length(&rest[ticks..], ticks)
        } else if rest[0] == b'\\' {
            2
        } else {
            1
        };
    }
}

/// The length of a code span after its opening backticks; 0 if it is not closed in its paragraph.
fn code_span_length(rest: &[u8], ticks: usize) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'`', b'\n', &rest[at..]) {
        at += found;
        if rest[at] == b'\n' {
            at += 1;
            if is_blank_line(&rest[at..]) {
                return 0;
            }
            continue;
        }
        let run = rest[at..].iter().take_while(|byte| **byte == b'`').count();
        at += run;
        if run == ticks {
            return at;
        }
    }
    0
}

fn is_blank_line(rest: &[u8]) -> bool {
    let first = rest
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    first.is_none_or(|byte| *byte == b'\n')
}

/// The character and length of an open code fence.
struct Fence {
    character: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let fence = Self::of(line)?;
        let info = line
            .trim_start_matches(is_marker)
            .trim_start_matches(fence.character);
        (fence.character == '~' || !info.contains('`')).then_some(fence)
    }

    fn is_closed_by(&self, line: &str) -> bool {
        Self::of(line).is_some_and(|fence| {
            let rest = line
                .trim_start_matches(is_marker)
                .trim_start_matches(self.character);
            fence.character == self.character
                && fence.length >= self.length
                && rest.trim().is_empty()
        })
    }

    /// The run of fence characters at the start of a line, after quote and list markers.
    fn of(line: &str) -> Option<Self> {
        let content = line.trim_start_matches(is_marker);
        let character = content.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = content.chars().take_while(|c| *c == character).count();
        (length >= 3).then_some(Self { character, length })
    }
}

fn is_marker(c: char) -> bool {
    c.is_whitespace() || c.is_ascii_digit() || matches!(c, '>' | '-' | '*' | '+' | '.' | ')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_inside_code_are_not_found() {
        let text = "<!-- one -->\n`<!--n-->` <!--two\n```\n--> x\n```html\n<!--n-->\n```\n- ~~~\n  <!--n-->\n  ~~~\n<!--three-->";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["<!-- one -->", "<!--two\n```\n-->", "<!--three-->"]);
    }

    #[test]
    fn a_fence_may_follow_a_byte_order_mark() {
        assert!(comments("\u{feff}```\n<!-- code -->\n```\n").is_empty());
        assert_eq!(comments("\u{feff}<!-- a -->").len(), 1);
    }

    #[test]
    fn a_code_span_ends_at_a_blank_line_with_any_line_end() {
        for line in ["\n\n", "\n \t\n", "\r\n\r\n"] {
            assert_eq!(comments(&format!("`<!--a-->{line}`")).len(), 1, "{line:?}");
        }
        assert!(comments("`<!--a-->\n`").is_empty());
    }
}
