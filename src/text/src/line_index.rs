//! From byte offsets to lines and columns.

/// A position for display: both numbers start at 1, and the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    pub line: usize,
    pub column: usize,
}

/// Where each line of a text starts. Lines end at `\n`; a `\r` before it belongs to the line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    length: usize,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let after_newline = memchr::memchr_iter(b'\n', text.as_bytes()).map(|offset| offset + 1);
        Self {
            starts: std::iter::once(0).chain(after_newline).collect(),
            length: text.len(),
        }
    }

    /// The number of lines; the empty text after a final newline does not count as one.
    pub fn line_count(&self) -> usize {
        match self.starts.last() {
            Some(&last) if last == self.length => self.starts.len() - 1,
            _ => self.starts.len(),
        }
    }

    /// The line, counted from 0, that contains `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The offset at which line `line`, counted from 0, starts; the end of the text if there is no
    /// such line.
    pub fn line_start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.length)
    }

    /// The position of `offset` in `text`, the text this index was made from.
    pub fn position(&self, text: &str, offset: usize) -> LineColumn {
        let line = self.line_of(offset);
        let start = self.line_start(line);
        let column = text
            .get(start..offset)
            .map_or(offset - start, |before| before.chars().count());
        LineColumn {
            line: line + 1,
            column: column + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "a\näöü!\n";
        let index = LineIndex::new(text);
        let bang = text.find('!').unwrap_or_default();
        assert_eq!(
            index.position(text, bang),
            LineColumn { line: 2, column: 4 }
        );
        assert_eq!(index.line_count(), 2);
    }

    #[test]
    fn the_end_of_the_text_has_a_position() {
        let text = "ab\n";
        let index = LineIndex::new(text);
        assert_eq!(index.position(text, 3), LineColumn { line: 2, column: 1 });
        assert_eq!(
            LineIndex::new("").position("", 0),
            LineColumn { line: 1, column: 1 }
        );
    }
}
