//! A position in a line, in bytes and in columns. A tab advances to the next multiple of four.

#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) at: usize,
    pub(super) end: usize,
    column: usize,
    /// The remaining columns of a tab that a container has partly consumed.
    pub(super) spare: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, start: usize, end: usize) -> Self {
        Self {
            text,
            at: start,
            end,
            column: 0,
            spare: 0,
        }
    }

    /// The columns of white space from here, and the offset after them.
    pub(super) fn indent(&self) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let (mut at, mut column) = (self.at, self.column);
        while at < self.end {
            match bytes[at] {
                b' ' => column += 1,
                b'\t' => column += 4 - column % 4,
                _ => break,
            }
            at += 1;
        }
        (self.spare + column - self.column, at)
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// The rest after the white space from here.
    pub(super) fn trimmed(&self) -> &'a str {
        &self.text[self.indent().1..self.end]
    }

    pub(super) fn skip_space(&mut self) {
        self.skip_columns(usize::MAX);
    }

    /// Skips at most `columns` columns of white space.
    pub(super) fn skip_columns(&mut self, mut columns: usize) {
        let taken = self.spare.min(columns);
        self.spare -= taken;
        columns -= taken;
        while columns > 0 && self.at < self.end {
            let width = match self.text.as_bytes()[self.at] {
                b' ' => 1,
                b'\t' => 4 - self.column % 4,
                _ => return,
            };
            self.at += 1;
            self.column += width;
            self.spare = width.saturating_sub(columns);
            columns = columns.saturating_sub(width);
        }
    }

    /// Skips bytes that are not tabs.
    pub(super) fn skip_bytes(&mut self, bytes: usize) {
        self.at += bytes;
        self.column += bytes;
    }
}
