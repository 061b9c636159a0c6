//! Navigation in a text: lines, blanks and comments.

use fixpoint_text::Span;

/// The comment syntax of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comments {
    None,
    /// `//` and `/* */`.
    Slashes,
    /// `#`.
    Hash,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// The start of the first line, after the byte order mark if there is one.
    first: usize,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            text,
            first: text.len() - body.len(),
        }
    }

    fn byte(self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The start of the line that contains `at`.
    pub(crate) fn start(self, at: usize) -> usize {
        let first = self.first.min(at);
        let before = &self.text.as_bytes()[first..at];
        let newline = before.iter().rposition(|byte| *byte == b'\n');
        newline.map_or(first, |newline| first + newline + 1)
    }

    /// The end of the line that contains `at`, before its line break.
    pub(crate) fn end(self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        let newline = rest.iter().position(|byte| *byte == b'\n');
        let end = newline.map_or(self.text.len(), |length| at + length);
        if end > at && newline.is_some() && self.byte(end - 1) == Some(b'\r') {
            end - 1
        } else {
            end
        }
    }

    /// The offset after the line break at `at`; `at` if there is none.
    pub(crate) fn over_break(self, at: usize) -> usize {
        match (self.byte(at), self.byte(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => at + 2,
            (Some(b'\n'), _) => at + 1,
            _ => at,
        }
    }

    pub(crate) fn is_break(self, at: usize) -> bool {
        self.over_break(at) > at
    }

    /// Whether `at` is at the start of the first line.
    pub(crate) fn is_beginning(self, at: usize) -> bool {
        at <= self.first
    }

    pub(crate) fn is_end(self, at: usize) -> bool {
        at >= self.text.len()
    }

    /// The indentation of the line that contains `at`.
    pub(crate) fn indent(self, at: usize) -> &'t str {
        let start = self.start(at);
        &self.text[start..self.over_blanks(start)]
    }

    /// Whether only blanks are before `at` on its line. Reads no more than those blanks, because a
    /// line may be the whole text.
    pub(crate) fn is_first(self, at: usize) -> bool {
        let before = self.back_over_blanks(at);
        before <= self.first || self.byte(before - 1) == Some(b'\n')
    }

    /// The distance of `at` from the start of its line, in characters.
    pub(crate) fn column(self, at: usize) -> usize {
        self.text[self.start(at)..at].chars().count()
    }

    pub(crate) fn over_blanks(self, mut at: usize) -> usize {
        while matches!(self.byte(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    }

    /// The offset before the blanks that precede `at`.
    pub(crate) fn back_over_blanks(self, mut at: usize) -> usize {
        while at > 0 && matches!(self.byte(at - 1), Some(b' ' | b'\t')) {
            at -= 1;
        }
        at
    }

    /// The offset before the line break that precedes `at`.
    pub(crate) fn back_over_break(self, at: usize) -> usize {
        let before = at.checked_sub(1).filter(|it| self.byte(*it) == Some(b'\n'));
        match before {
            Some(newline) if newline > 0 && self.byte(newline - 1) == Some(b'\r') => newline - 1,
            Some(newline) => newline,
            None => at,
        }
    }

    /// The end of the comment that starts at `at`, if there is one.
    pub(crate) fn comment_end(self, at: usize, comments: Comments) -> Option<usize> {
        let rest = &self.text.as_bytes()[at.min(self.text.len())..];
        match comments {
            Comments::Hash if rest.starts_with(b"#") => Some(self.end(at)),
            Comments::Slashes if rest.starts_with(b"//") => Some(self.end(at)),
            Comments::Slashes if rest.starts_with(b"/*") => {
                let close = self.text[at..].find("*/");
                Some(close.map_or(self.text.len(), |length| at + length + 2))
            }
            _ => None,
        }
    }

    /// The offset after all blanks, line breaks and comments from `at` on.
    pub(crate) fn skip(self, mut at: usize, comments: Comments) -> usize {
        loop {
            let next = self.over_break(self.over_blanks(at));
            let next = match self.byte(next) {
                Some(b'\r') => next + 1,
                _ => self.comment_end(next, comments).unwrap_or(next),
            };
            if next == at {
                return at;
            }
            at = next;
        }
    }

    /// The comments in `start..end`, which may contain only comments, blanks and punctuation.
    pub(crate) fn comments(self, start: usize, end: usize, comments: Comments) -> Vec<Span> {
        let mut found = Vec::new();
        let mut at = start;
        while at < end {
            match self.comment_end(at, comments) {
                Some(stop) => {
                    found.push(Span::from(at..stop));
                    at = stop;
                }
                None => at += 1,
            }
        }
        found
    }

    /// Whether `start..end` contains a comment. It may contain only comments, blanks and
    /// punctuation.
    pub(crate) fn has_comment(self, start: usize, end: usize, comments: Comments) -> bool {
        let between = self.text.get(start..end).unwrap_or_default();
        match comments {
            Comments::None => false,
            Comments::Slashes => between.contains("//") || between.contains("/*"),
            Comments::Hash => between.contains('#'),
        }
    }

    /// The end of the comments that follow `at` on its line, and whether there are any. `None` if
    /// something else follows on the line.
    pub(crate) fn after_remarks(self, at: usize, comments: Comments) -> Option<(usize, bool)> {
        let mut end = at;
        let mut found = false;
        loop {
            let next = self.over_blanks(end);
            if self.is_end(next) || self.is_break(next) {
                return Some((if found { end } else { at }, found));
            }
            end = self.comment_end(next, comments)?;
            found = true;
        }
    }

    /// The offset after the comments that follow `at`, if something else follows them on the line;
    /// otherwise `at`.
    pub(crate) fn over_enclosed_comments(self, at: usize, comments: Comments) -> usize {
        if self.after_remarks(at, comments).is_some() {
            return at;
        }
        let mut behind = at;
        while let Some(end) = self.comment_end(self.over_blanks(behind), comments) {
            behind = end;
        }
        behind
    }

    /// The column of the YAML entry on the line of `at`, after its dashes.
    pub(crate) fn entry_column(self, at: usize) -> usize {
        let start = self.start(at);
        let mut entry = self.over_blanks(start);
        while entry < at && matches!(self.byte(entry), Some(b'-' | b'?' | b':')) {
            let next = self.over_blanks(entry + 1);
            if next == entry + 1 {
                break;
            }
            entry = next;
        }
        self.column(entry)
    }

    /// The offset after the `---` that precedes `at` on its line.
    pub(crate) fn marker_before(self, at: usize) -> Option<usize> {
        let start = self.start(at);
        self.text[start..at].starts_with("---").then_some(start + 3)
    }
}
