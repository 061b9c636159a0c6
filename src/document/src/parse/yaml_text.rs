//! Locates the parts of YAML in a text.

use saphyr_parser::Marker;

/// Converts the parser's positions, which count characters, to byte offsets.
pub(super) struct Positions<'t> {
    text: &'t str,
    is_ascii: bool,
    characters: usize,
    bytes: usize,
}

impl<'t> Positions<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            is_ascii: text.is_ascii(),
            characters: 0,
            bytes: 0,
        }
    }

    pub(super) fn byte(&mut self, marker: Marker) -> usize {
        let index = marker.index();
        if self.is_ascii {
            return index.min(self.text.len());
        }
        if index < self.characters {
            let back = self.characters - index;
            let before = &self.text[..self.bytes];
            let start = before.char_indices().rev().nth(back - 1);
            self.bytes = start.map_or(0, |it| it.0);
        } else {
            let rest = &self.text[self.bytes..];
            let start = rest.char_indices().nth(index - self.characters);
            self.bytes = start.map_or(self.text.len(), |it| self.bytes + it.0);
        }
        self.characters = index;
        self.bytes
    }
}

/// The offset after spaces, line breaks, comments and byte order marks.
pub(crate) fn skip_trivia(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'#') => {
                let line = bytes[at..].iter().position(|byte| *byte == b'\n');
                at = line.map_or(bytes.len(), |length| at + length);
            }
            Some(0xef) if text[at..].starts_with('\u{feff}') => at += 3,
            _ => return at,
        }
    }
}

/// The end of the quoted scalar that starts at `start`, after its closing quote.
pub(super) fn quoted_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(&quote) = bytes.get(start) else {
        return start;
    };
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 1,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The end of the block scalar whose header is at `start`. It ends with its last non-blank line, or
/// with the last blank line if the header says to keep them. `end` is after all of it.
pub(super) fn block_scalar_end(text: &str, start: usize, end: usize) -> usize {
    let line_end = |from: usize| {
        let rest = &text.as_bytes()[from..];
        let length = rest.iter().position(|byte| *byte == b'\n');
        let end = length.map_or(text.len(), |length| from + length);
        end - usize::from(end > from && text.as_bytes()[end - 1] == b'\r')
    };
    let header_end = line_end(start);
    let header = &text[start..header_end];
    let indicators = header.split([' ', '\t']).next().unwrap_or_default();
    let content = &text[header_end..end.max(header_end)];
    let kept = if indicators.contains('+') {
        content
            .strip_suffix('\n')
            .map_or(content, |it| it.strip_suffix('\r').unwrap_or(it))
            .len()
    } else {
        // The end of the line that has the last non-blank character.
        let last = content.rfind(|it: char| !matches!(it, ' ' | '\t' | '\r' | '\n'));
        last.map_or(0, |last| line_end(header_end + last) - header_end)
    };
    if kept == 0 {
        // There is only a header. The rest of its line is a comment.
        return start + indicators.len();
    }
    header_end + kept
}

/// The opening bracket of the collection whose event is `start..end`; `None` in block style. The
/// event starts with the anchor and the tag, and ends after the comment on the bracket's line.
pub(super) fn opening_bracket(text: &str, start: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = skip_trivia(text, start);
    while at < end && matches!(bytes.get(at), Some(b'&' | b'!')) {
        let rest = bytes[at..].iter();
        let length = rest.take_while(|it| !b" \t\r\n[{".contains(it)).count();
        at = skip_trivia(text, at + length);
    }
    (at < end && matches!(bytes.get(at), Some(b'[' | b'{'))).then_some(at)
}
