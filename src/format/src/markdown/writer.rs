//! The printed text, with the prefix of each line.

/// A line end that is printed without the prefix of its containers, as prettier does in code spans.
/// The line continues the paragraph all the same. It does not occur in a text whose lines end in LF.
pub(super) const RAW_LINE_END: char = '\r';

pub(super) struct Writer {
    pub(super) text: String,
    prefix: String,
    at_line_start: bool,
    /// Whether a space is written before the next piece on the line.
    wants_space: bool,
}

impl Writer {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            text: String::with_capacity(capacity),
            prefix: String::new(),
            at_line_start: true,
            wants_space: false,
        }
    }

    /// Adds a piece of a line.
    pub(super) fn push(&mut self, piece: &str) {
        if self.at_line_start {
            self.text.push_str(&self.prefix);
            self.at_line_start = false;
        } else if self.wants_space {
            self.text.push(' ');
        }
        self.wants_space = false;
        self.text.push_str(piece);
    }

    /// Adds whole lines, except for the last line break. Empty lines have no trailing space.
    pub(super) fn push_lines(&mut self, lines: &str) {
        let start = self.text.len();
        let has_raw_ends = lines.contains(RAW_LINE_END);
        if self.prefix.is_empty() && !self.wants_space && !has_raw_ends {
            self.text.push_str(lines);
            self.at_line_start = false;
            return;
        }
        for (index, line) in lines.split('\n').enumerate() {
            if index > 0 {
                self.end_line();
            }
            if !line.is_empty() {
                self.push(line);
            }
        }
        if has_raw_ends {
            let printed = self.text.split_off(start).replace(RAW_LINE_END, "\n");
            self.text.push_str(&printed);
        }
    }

    /// Adds a piece after `columns` spaces.
    pub(super) fn push_indented(&mut self, columns: usize, piece: &str) {
        if columns > 0 {
            self.push("");
            self.text.extend(std::iter::repeat_n(' ', columns));
        }
        self.push(piece);
    }

    pub(super) fn is_at_line_start(&self) -> bool {
        self.at_line_start
    }

    pub(super) fn end_line(&mut self) {
        if self.at_line_start {
            self.text.push_str(self.prefix.trim_end());
        }
        self.text.push('\n');
        self.at_line_start = true;
        self.wants_space = false;
    }

    /// Writes a space before the next piece, if there is one on this line.
    pub(super) fn space(&mut self) {
        self.wants_space = true;
    }

    /// The current line so far, without the prefix if nothing was added.
    pub(super) fn line(&self) -> &str {
        let start = self.text.rfind('\n').map_or(0, |at| at + 1);
        &self.text[start..]
    }

    pub(super) fn open_quote(&mut self) -> Prefix {
        let outside = Prefix(self.prefix.len());
        self.push(">");
        self.prefix.push_str("> ");
        self.space();
        outside
    }

    pub(super) fn indent(&mut self, columns: usize) -> Prefix {
        let outside = Prefix(self.prefix.len());
        self.prefix.extend(std::iter::repeat_n(' ', columns));
        outside
    }

    /// Closes a container and restores the prefix outside of it.
    pub(super) fn close(&mut self, Prefix(length): Prefix) {
        self.prefix.truncate(length);
    }
}

/// The length of the line prefix outside of a container.
pub(super) struct Prefix(usize);
