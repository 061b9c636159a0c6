//! Recognizes what a line, or the rest of one, begins with.

/// The minimum indentation of indented code.
pub(super) const CODE_INDENT: usize = 4;

pub(super) fn is_space(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// The level of a heading: one to six `#`, and then a space or the end of the line.
pub(super) fn heading_level(rest: &str) -> Option<u8> {
    let bytes = rest.as_bytes();
    let level = run(bytes, b'#');
    let ended = matches!(bytes.get(level), None | Some(b' ' | b'\t'));
    (ended && (1..=6).contains(&level)).then_some(level as u8)
}

/// The end of the text of a heading, before its closing hashes.
pub(super) fn heading_end(text: &str, start: usize, end: usize) -> usize {
    let content = text[start..end].trim_end_matches(is_space);
    let open = content.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with(is_space);
    let content = if closed {
        open.trim_end_matches(is_space)
    } else {
        content
    };
    start + content.len()
}

/// The number of `byte` at the start of `bytes`.
pub(super) fn run(bytes: &[u8], byte: u8) -> usize {
    bytes.iter().take_while(|other| **other == byte).count()
}

/// The level of the heading that this line underlines.
pub(super) fn underline_level(rest: &str) -> Option<u8> {
    let bytes = rest.trim_end_matches(is_space).as_bytes();
    match bytes.first()? {
        b'=' if run(bytes, b'=') == bytes.len() => Some(1),
        b'-' if run(bytes, b'-') == bytes.len() => Some(2),
        _ => None,
    }
}

/// Whether it is a thematic break: `---`, `***` or `___`, with or without spaces.
pub(super) fn is_rule(rest: &str) -> bool {
    let Some(mark @ (b'-' | b'*' | b'_')) = rest.bytes().next() else {
        return false;
    };
    let mut marks = 0;
    for byte in rest.bytes() {
        if byte == mark {
            marks += 1;
        } else if byte != b' ' && byte != b'\t' {
            return false;
        }
    }
    marks >= 3
}

/// The character and length of a code fence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fence {
    pub(super) mark: u8,
    pub(super) length: usize,
}

impl Fence {
    pub(super) fn opened_by(rest: &str) -> Option<Self> {
        let bytes = rest.as_bytes();
        let mark = *bytes.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = run(bytes, mark);
        let fits = length >= 3 && (mark == b'~' || !bytes[length..].contains(&b'`'));
        fits.then_some(Self { mark, length })
    }

    pub(super) fn is_closed_by(self, rest: &str) -> bool {
        let length = run(rest.as_bytes(), self.mark);
        length >= self.length && rest[length..].trim_matches(is_space).is_empty()
    }
}

/// A list marker: `-`, `+`, `*`, `1.` or `1)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Marker {
    /// The bullet, or the character after the number.
    pub(super) mark: u8,
    pub(super) length: usize,
    pub(super) number: Option<u64>,
}

impl Marker {
    pub(super) fn of(rest: &str) -> Option<Self> {
        let bytes = rest.as_bytes();
        let digits = match bytes.first()? {
            b'-' | b'+' | b'*' => 0,
            b'0'..=b'9' => bytes.iter().take_while(|b| b.is_ascii_digit()).count(),
            _ => return None,
        };
        let mark = *bytes.get(digits)?;
        let is_marker = digits == 0 || (digits <= 9 && matches!(mark, b'.' | b')'));
        let ended = matches!(bytes.get(digits + 1), None | Some(b' ' | b'\t'));
        (is_marker && ended).then(|| Self {
            mark,
            length: digits + 1,
            number: rest[..digits].parse().ok(),
        })
    }

    /// Whether it can begin a list in the middle of a paragraph.
    pub(super) fn interrupts(self, rest: &str) -> bool {
        self.number.is_none_or(|number| number == 1)
            && !rest[self.length..].trim_matches(is_space).is_empty()
    }
}

/// The name in `[^name]:`.
pub(super) fn footnote_name(rest: &str) -> Option<&str> {
    let (name, after) = rest.strip_prefix("[^")?.split_once(']')?;
    (!name.is_empty() && after.starts_with(':')).then_some(name)
}

/// Whether `text` at the start of a line in a paragraph would begin a block, or turn the line above
/// it into one.
pub(super) fn starts_block(text: &str) -> bool {
    let text = text.trim_start_matches(is_space);
    match text.as_bytes().first() {
        None => false,
        Some(b'>') => true,
        Some(b'#') => heading_level(text).is_some(),
        Some(b'`' | b'~') => Fence::opened_by(text).is_some(),
        Some(b'<') => super::html::Block::opened_by(text, true).is_some(),
        Some(b'[') => footnote_name(text).is_some(),
        Some(b'-' | b'=' | b'*' | b'_' | b'+' | b'|' | b':' | b'0'..=b'9' | b'\x0b' | b'\x0c') => {
            underline_level(text).is_some()
                || is_rule(text)
                || super::table::is_delimiter_row(text)
                || Marker::of(text).is_some_and(|marker| marker.interrupts(text))
        }
        Some(_) => false,
    }
}
