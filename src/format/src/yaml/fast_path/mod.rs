//! A fast path for the most common YAML: prints it in one pass over its lines.
//!
//! It supports block collections, scalars, flow collections without comments, anchors and tags. The
//! output is exactly that of the general printer, including comments and blank lines. For anything
//! else, and anything that the general printer might reject, it returns `None`.

mod edits;
mod flow;
mod levels;
mod scalar;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use edits::Edits;
use levels::Level;
use scan::{line_end, skip_spaces};

/// Columns from here on are not supported: the general parser keeps a set of columns in 64 bits.
const COLUMN_LIMIT: usize = 60;

/// The directive that excludes something from formatting in the general printer.
pub(super) const IGNORE: &str = "prettier-ignore";

#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) line_width: usize,
    pub(super) indent_width: usize,
}

/// Prints `text`, whose lines end in LF. `None` if it uses unsupported YAML.
pub(super) fn print(text: &str, layout: Layout) -> Option<Cow<'_, str>> {
    print_lines(text, layout).map(|printer| printer.edits.finish())
}

/// The ranges of all comments of a text whose lines end in LF. `None` if it uses unsupported YAML.
pub(super) fn comments(text: &str) -> Option<Vec<Range<usize>>> {
    let endless = Layout {
        line_width: usize::MAX,
        indent_width: 2,
    };
    print_lines(text, endless).map(|printer| printer.comments)
}

fn print_lines(text: &str, layout: Layout) -> Option<LinePrinter<'_>> {
    let bytes = text.as_bytes();
    if text.starts_with('\u{feff}')
        || scan::has_control_bytes(bytes)
        || memchr::memmem::find(bytes, IGNORE.as_bytes()).is_some()
    {
        return None;
    }
    let mut printer = LinePrinter {
        text,
        bytes,
        layout,
        edits: Edits::new(text),
        levels: Vec::new(),
        comments: Vec::new(),
        waiting: Vec::new(),
        at: 0,
        end: None,
        blank: false,
        trailing: false,
        value: Value::Given,
        document: Document::Unmarked,
    };
    printer.run()?;
    Some(printer)
}

/// A comment on a line of its own.
#[derive(Clone, Copy)]
struct Comment {
    column: usize,
    start: usize,
    end: usize,
    blank_before: bool,
}

/// Whether the last key or dash has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Given,
    /// The value may follow on the next lines.
    Open,
    /// The value must follow, because there is an anchor or a tag.
    Required,
    /// The value may follow, and then moves up to the line of its dash.
    AfterDash,
}

/// The position of a value.
#[derive(Clone, Copy)]
struct ValuePosition {
    /// The column in which it is printed.
    column: usize,
    /// The indentation of its continuation lines, and of the lines of a flow collection.
    body: usize,
    flow_body: usize,
    /// The minimum column of its continuation lines in the source.
    hang: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Document {
    /// Only comments so far.
    Unmarked,
    /// Only comments since its `---`.
    Marked,
    Filled,
}

struct LinePrinter<'t> {
    text: &'t str,
    bytes: &'t [u8],
    layout: Layout,
    edits: Edits<'t>,
    levels: Vec<Level>,
    /// All comments.
    comments: Vec<Range<usize>>,
    /// The comments on their own lines since the last line with content.
    waiting: Vec<Comment>,
    /// The start of the next line.
    at: usize,
    /// The end of the last content or comment. `None` before the first one.
    end: Option<usize>,
    /// Whether a blank line is between that and the next line.
    blank: bool,
    /// Whether the last line with content has a trailing comment.
    trailing: bool,
    value: Value,
    document: Document,
}

impl LinePrinter<'_> {
    fn run(&mut self) -> Option<()> {
        loop {
            let first = skip_spaces(self.bytes, self.at);
            let column = first - self.at;
            match self.bytes.get(first) {
                None if column > 0 => return None,
                None => break,
                Some(b'\n') => {
                    self.blank = true;
                    self.at = first + 1;
                }
                // The general parser measures other columns relative to the first one.
                Some(_) if column >= COLUMN_LIMIT || (self.end.is_none() && column > 0) => {
                    return None;
                }
                Some(b'#') => self.own_comment(column, first)?,
                Some(_) => self.content(column, first)?,
            }
        }
        self.close_document()?;
        let end = self.end?;
        self.edits.put(end..self.text.len(), "\n");
        Some(())
    }

    fn own_comment(&mut self, column: usize, start: usize) -> Option<()> {
        let end = self.comment_end(start)?;
        self.waiting.push(Comment {
            column,
            start,
            end,
            blank_before: self.blank,
        });
        self.blank = false;
        if self.end.is_none() {
            self.write_comments(0, 0);
        }
        Some(())
    }

    /// The end of the comment that begins at `start`. Advances to the line after it.
    fn comment_end(&mut self, start: usize) -> Option<usize> {
        let line_end = line_end(self.bytes, start);
        // Not supported without a line break: the indentation of the last line affects comments.
        self.bytes.get(line_end)?;
        self.at = line_end + 1;
        self.comments.push(start..line_end);
        Some(start + self.text[start..line_end].trim_end().len())
    }

    fn content(&mut self, column: usize, at: usize) -> Option<()> {
        if column == 0 && self.bytes[at..].starts_with(b"---") {
            return self.document_marker(at);
        }
        let lone_value = self.place(column, at)?;
        self.waiting.clear();
        self.trailing = false;
        self.blank = false;
        self.value = Value::Given;
        self.document = Document::Filled;
        match lone_value {
            None => self.entry(at),
            Some(position) => self.lone_value(at, position),
        }
    }

    fn document_marker(&mut self, at: usize) -> Option<()> {
        let end = at + 3;
        let line_end = skip_spaces(self.bytes, end);
        if self.bytes.get(line_end) != Some(&b'\n') || self.document == Document::Marked {
            return None;
        }
        self.close_document()?;
        self.new_line(at, self.blank, 0);
        self.end = Some(end);
        self.at = line_end + 1;
        self.blank = false;
        self.document = Document::Marked;
        Some(())
    }

    fn close_document(&mut self) -> Option<()> {
        if !(self.value == Value::Given || self.may_be_empty()) || self.document == Document::Marked
        {
            return None;
        }
        let mut taken = 0;
        while let Some(level) = self.levels.last().copied() {
            taken = self.close(level, 0, taken);
        }
        self.write_comments(taken, 0);
        self.waiting.clear();
        self.trailing = false;
        self.value = Value::Given;
        Some(())
    }

    /// Whether the last key or dash may have no value.
    fn may_be_empty(&self) -> bool {
        matches!(self.value, Value::Open | Value::AfterDash)
    }

    fn write_comments(&mut self, from: usize, indent: usize) {
        for index in from..self.waiting.len() {
            self.write_comment(self.waiting[index], indent);
        }
        self.waiting.clear();
    }

    fn write_comment(&mut self, comment: Comment, indent: usize) {
        self.new_line(comment.start, comment.blank_before, indent);
        self.end = Some(comment.end);
    }

    /// Ends the last printed line, and begins the line of the content at `start`.
    fn new_line(&mut self, start: usize, blank: bool, indent: usize) {
        let (end, lead) = match (self.end, blank) {
            (None, _) => (0, ""),
            (Some(end), false) => (end, "\n"),
            (Some(end), true) => (end, "\n\n"),
        };
        self.edits.put_spaced(end..start, lead, indent);
    }

    /// Ends a line after its last piece, with or without a trailing comment.
    fn end_line(&mut self, end: usize) -> Option<()> {
        let next = skip_spaces(self.bytes, end);
        self.end = Some(end);
        match self.bytes.get(next) {
            None | Some(b'\n') => self.at = (next + 1).min(self.bytes.len()),
            Some(b'#') if next > end => {
                self.edits.put(end..next, " ");
                self.end = Some(self.comment_end(next)?);
                self.trailing = true;
            }
            Some(_) => return None,
        }
        Some(())
    }
}
