//! The YAML that most files are written in, printed in one walk over its lines.
//!
//! Block collections, scalars, flow collections without comments in them, anchors and tags, laid
//! out exactly as the general printer would: what it makes of comments and blank lines is followed
//! to the letter. Anything else, and anything it might refuse, is not taken and left to it.

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

/// Columns from here on are not taken: the general parser keeps a set of them in 64 bits.
const COLUMN_LIMIT: usize = 60;

/// The directive that makes the general printer leave something as it is.
pub(super) const IGNORE: &str = "prettier-ignore";

#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) line_width: usize,
    pub(super) indent_width: usize,
}

/// `text`, whose lines end in LF, as it is printed; `None` if it is not of the YAML taken here.
pub(super) fn print(text: &str, layout: Layout) -> Option<Cow<'_, str>> {
    walk(text, layout).map(|walk| walk.edits.finish())
}

/// The places of all comments of a text whose lines end in LF; `None` if it is not taken here.
pub(super) fn comments(text: &str) -> Option<Vec<Range<usize>>> {
    let endless = Layout {
        line_width: usize::MAX,
        indent_width: 2,
    };
    walk(text, endless).map(|walk| walk.comments)
}

fn walk(text: &str, layout: Layout) -> Option<Walk<'_>> {
    let bytes = text.as_bytes();
    if text.starts_with('\u{feff}')
        || scan::has_control_bytes(bytes)
        || memchr::memmem::find(bytes, IGNORE.as_bytes()).is_some()
    {
        return None;
    }
    let mut walk = Walk {
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
    walk.run()?;
    Some(walk)
}

/// A comment on a line of its own.
#[derive(Clone, Copy)]
struct Comment {
    column: usize,
    start: usize,
    end: usize,
    blank_before: bool,
}

/// Whether the last key or dash has its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Given,
    /// It may follow on the next lines.
    Open,
    /// It must follow: it has an anchor or a tag.
    Due,
    /// It must follow, and moves up behind its dash.
    BehindDash,
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Spot {
    /// The column it is printed in.
    column: usize,
    /// How far its further lines are indented, and those of a flow collection.
    body: usize,
    flow_body: usize,
    /// The first column in which its further lines may begin as written.
    hang: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Document {
    /// Nothing but comments so far.
    Unmarked,
    /// Nothing but comments since its `---`.
    Marked,
    Filled,
}

struct Walk<'t> {
    text: &'t str,
    bytes: &'t [u8],
    layout: Layout,
    edits: Edits<'t>,
    levels: Vec<Level>,
    /// All of them.
    comments: Vec<Range<usize>>,
    /// Those on lines of their own since the last line with content.
    waiting: Vec<Comment>,
    /// Where the next line begins.
    at: usize,
    /// Where the last content or comment ends; none before the first.
    end: Option<usize>,
    /// Whether a blank line stands between that and the next line.
    blank: bool,
    /// Whether the last line with content has a comment too.
    trailing: bool,
    value: Value,
    document: Document,
}

impl Walk<'_> {
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
                // The first column is the one the general parser measures others by.
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

    /// Where the comment that begins here ends; the line after it is the next.
    fn comment_end(&mut self, start: usize) -> Option<usize> {
        let line_end = line_end(self.bytes, start);
        // How far the last line is indented matters to comments, and here it has no end.
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
            Some(spot) => self.lone_value(at, spot),
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
        if !matches!(self.value, Value::Given | Value::Open) || self.document == Document::Marked {
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

    /// Ends the line printed last, and begins the one of what stands at `start`.
    fn new_line(&mut self, start: usize, blank: bool, indent: usize) {
        let (end, lead) = match (self.end, blank) {
            (None, _) => (0, ""),
            (Some(end), false) => (end, "\n"),
            (Some(end), true) => (end, "\n\n"),
        };
        self.edits.put_spaced(end..start, lead, indent);
    }

    /// What stands behind the last piece of a line: nothing, or a comment.
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
