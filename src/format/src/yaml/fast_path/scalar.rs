//! Prints values on the line of their key or dash.

use std::ops::Range;

use super::scan::{self, Stop, ends_line, is_dash, line_end, skip_spaces};
use super::{LinePrinter, Value, ValuePosition};

impl LinePrinter<'_> {
    pub(super) fn value(&mut self, at: usize, position: ValuePosition) -> Option<()> {
        let end = match self.bytes.get(at)? {
            b'|' | b'>' => return self.block_scalar(at, position),
            b'[' | b'{' => return self.flow(at, position),
            b'&' | b'!' => return self.properties(at, position),
            b'*' => scan::name_end(self.bytes, at + 1)?,
            b'"' | b'\'' => self.quoted(at, position)?,
            _ => self.plain(at, position)?,
        };
        self.end_line(end)
    }

    /// Prints a value on the line after its key.
    pub(super) fn lone_value(&mut self, at: usize, position: ValuePosition) -> Option<()> {
        match self.bytes.get(at)? {
            b'|' | b'>' | b'&' | b'!' => None,
            _ => self.value(at, position),
        }
    }

    /// Prints a plain scalar, possibly over several lines. Returns its end.
    fn plain(&mut self, at: usize, position: ValuePosition) -> Option<usize> {
        let (mut word, mut stop) = scan::plain(self.text, at, false)?;
        while stop == Stop::Line
            && let Some(next) = self.further_line(skip_spaces(self.bytes, word.end), position)?
        {
            if is_dash(self.bytes, next) {
                return None;
            }
            self.put_further_line(word.end, next, position)?;
            (word, stop) = scan::rest_of_plain(self.text, next, false)?;
        }
        (stop == Stop::Line).then_some(word.end)
    }

    /// Prints a quoted scalar, possibly over several lines. Returns its end.
    fn quoted(&mut self, at: usize, position: ValuePosition) -> Option<usize> {
        if let Some(end) = scan::quoted_end(self.bytes, at) {
            self.put_quotes(at..end);
            return Some(end);
        }
        let end = scan::long_quoted_end(self.bytes, at)?;
        let doubled = scan::takes_double_quotes(&self.bytes[at..end]);
        if doubled {
            self.edits.put(at..at + 1, "\"");
        }
        let mut line = line_end(self.bytes, at);
        while line < end {
            let next = self.further_line(line, position)??;
            if next + 1 >= end {
                return None;
            }
            // White space at the end of a line is kept.
            self.put_further_line(line, next, position)?;
            line = line_end(self.bytes, next);
        }
        if doubled {
            self.edits.put(end - 1..end, "\"");
        }
        Some(end)
    }

    /// The start of the text on the next non-blank line, if the scalar continues there. `None` if
    /// that is unknown.
    fn further_line(&self, line_end: usize, position: ValuePosition) -> Option<Option<usize>> {
        if self.bytes.get(line_end) != Some(&b'\n') {
            return Some(None);
        }
        let mut start = line_end + 1;
        let mut text = skip_spaces(self.bytes, start);
        while self.bytes.get(text) == Some(&b'\n') {
            start = text + 1;
            text = skip_spaces(self.bytes, start);
        }
        match self.bytes.get(text) {
            None | Some(b'#') => Some(None),
            Some(b'\t') => None,
            Some(_) if text - start < position.hang => Some(None),
            Some(_) => {
                let rest = &self.text[text..];
                let odd = rest.starts_with(char::is_whitespace)
                    || rest.starts_with("---")
                    || rest.starts_with("...");
                (!odd).then_some(Some(text))
            }
        }
    }

    /// Writes the indentation of a continuation line of a scalar. Blank lines before it are kept.
    fn put_further_line(&mut self, end: usize, next: usize, position: ValuePosition) -> Option<()> {
        let lines = memchr::memchr_iter(b'\n', &self.bytes[end..next]).count();
        let lead = "\n\n\n\n\n\n\n\n".get(..lines)?;
        self.edits.put_spaced(end..next, lead, position.body);
        Some(())
    }

    /// Prints a scalar with the canonical quotes.
    pub(super) fn put_quotes(&mut self, scalar: Range<usize>) {
        if scan::takes_double_quotes(&self.bytes[scalar.clone()]) {
            self.edits.put(scalar.start..scalar.start + 1, "\"");
            self.edits.put(scalar.end - 1..scalar.end, "\"");
        }
    }

    /// Prints an anchor or a tag, and the value that it belongs to.
    fn properties(&mut self, at: usize, position: ValuePosition) -> Option<()> {
        let name = match self.bytes.get(at..at + 2)? {
            b"!!" => at + 2,
            _ => at + 1,
        };
        let end = scan::name_end(self.bytes, name)?;
        let next = skip_spaces(self.bytes, end);
        match self.bytes.get(next) {
            Some(b'\n') => {
                self.value = Value::Required;
                self.end_line(end)
            }
            Some(b'#' | b'&' | b'!' | b'*') | None => None,
            Some(_) if next == end => None,
            Some(_) => {
                self.edits.put(end..next, " ");
                let position = ValuePosition {
                    column: position.column + end - at + 1,
                    ..position
                };
                self.value(next, position)
            }
        }
    }

    /// Prints a block scalar. All its lines are moved by the same distance.
    fn block_scalar(&mut self, at: usize, position: ValuePosition) -> Option<()> {
        let header = match self.bytes.get(at + 1) {
            Some(b'-') => at + 2,
            _ => at + 1,
        };
        self.end_line(header)?;
        self.trailing = false;
        self.edits.put(self.end?..self.at.checked_sub(1)?, "");
        let column = self.first_text_column()?;
        if column < position.hang {
            return None;
        }
        let mut start = self.at;
        while start < self.bytes.len() {
            let text = skip_spaces(self.bytes, start);
            if ends_line(self.bytes.get(text)) {
                // Parsers disagree whether white space on an otherwise empty line is content.
                if text > start {
                    return None;
                }
                start = text + 1;
                continue;
            }
            if text - start < column {
                break;
            }
            let end = line_end(self.bytes, text);
            if self.text[text..end].trim_start().is_empty() {
                return None;
            }
            self.edits
                .put_spaced(start..start + column, "", position.body);
            self.end = Some(end);
            self.at = (end + 1).min(self.bytes.len());
            start = end + 1;
        }
        Some(())
    }

    /// The indentation of the first line of the text of a block scalar.
    fn first_text_column(&self) -> Option<usize> {
        let blank = self.bytes[self.at..]
            .iter()
            .take_while(|byte| **byte == b'\n')
            .count();
        let start = self.at + blank;
        let text = skip_spaces(self.bytes, start);
        // A tab is text here, but the general printer counts it as indentation.
        let is_text = !matches!(self.bytes.get(text), None | Some(b'\n' | b'\t'));
        is_text.then_some(text - start)
    }
}
