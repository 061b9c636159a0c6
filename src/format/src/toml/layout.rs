//! Prints the tokens of a TOML document.
//!
//! Each item is on its own line, with ` = ` between key and value. At most one blank line is kept
//! between items, and none under the header of a table.
//!
//! An array is printed on one line unless one of these applies: the author put a line break after
//! its opening bracket, it contains a comment or a value of several lines, or its line is too long.
//! An inline table is broken over lines only if the author broke it and it is not inside one on a
//! single line. `'a'` becomes `"a"` where that means the same. Everything else stays as written.
//!
//! To decide whether an array fits, the printer looks ahead at most one line width. So the time is
//! linear in the text, regardless of depth.

use super::token::{Container, Document, Kind};
use crate::Style;

pub(super) fn print(document: &mut Document<'_>, style: Style, size: usize) -> String {
    find_broken(&mut document.containers);
    let step_width = usize::from(style.indent_width(2));
    let mut printer = Printer {
        document,
        out: String::with_capacity(size + size / 8),
        level: 0,
        step: if style.tabs() {
            "\t".to_owned()
        } else {
            " ".repeat(step_width)
        },
        step_width,
        line_width: style.line_width().into(),
    };
    printer.document();
    printer.out
}

/// Finds the containers that are broken over lines regardless of the width.
fn find_broken(containers: &mut [Container]) {
    for index in 0..containers.len() {
        let around =
            parent_of(containers, index).map_or_else(Container::default, |at| containers[at]);
        let it = &mut containers[index];
        it.in_line = around.in_line;
        it.collapsed = around.collapsed;
        if it.is_table {
            it.broken = !it.in_line && (it.split || it.table_commented);
            it.in_line = !it.broken;
            it.collapsed |= it.in_line && it.holds_long_string;
        } else {
            it.broken = it.commented || (it.collapsed && it.hangs) || (it.split && !it.collapsed);
        }
    }
    // A container comes after the one that contains it.
    for index in (0..containers.len()).rev() {
        let it = &mut containers[index];
        it.broken |= it.holds_lines && !it.is_table && !it.collapsed;
        let takes_lines = it.broken || it.hangs || it.holds_lines;
        if let Some(around) = parent_of(containers, index) {
            containers[around].holds_lines |= takes_lines;
        }
    }
}

fn parent_of(containers: &[Container], index: usize) -> Option<usize> {
    (containers[index].parent as usize).checked_sub(1)
}

struct Printer<'d, 't> {
    document: &'d Document<'t>,
    out: String,
    /// The indentation level of the current line.
    level: usize,
    step: String,
    step_width: usize,
    line_width: usize,
}

impl<'t> Printer<'_, 't> {
    fn document(&mut self) {
        let tokens = &self.document.tokens;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if token.blank {
                self.out.push('\n');
            }
            self.level = token.link as usize;
            self.indent();
            at = match token.kind {
                Kind::Comment => {
                    self.out.push_str(token.text);
                    at + 1
                }
                Kind::Header => self.header(at),
                _ => self.item(at, ""),
            };
            self.out.push('\n');
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.level {
            self.out.push_str(&self.step);
        }
    }

    fn new_line(&mut self, blank: bool) {
        self.out.push_str(if blank { "\n\n" } else { "\n" });
        self.indent();
    }

    /// Prints the header at `at`. Returns the index after it.
    fn header(&mut self, at: usize) -> usize {
        let tokens = &self.document.tokens;
        let open = tokens[at].text;
        self.out.push_str(open);
        self.out.push_str(tokens[at + 1].text);
        let mut at = at + 2;
        while let Some(part) = tokens.get(at).filter(|token| token.kind == Kind::Part) {
            self.out.push('.');
            self.out.push_str(part.text);
            at += 1;
        }
        self.out.push_str(if open == "[" { "]" } else { "]]" });
        self.trailing_comment(at)
    }

    /// Prints the comment at `at` if it is a trailing one. Returns the next index.
    fn trailing_comment(&mut self, at: usize) -> usize {
        match self.document.tokens.get(at) {
            Some(token) if token.kind == Kind::Trailing => {
                self.out.push(' ');
                self.out.push_str(token.text);
                at + 1
            }
            _ => at,
        }
    }

    /// Prints the value, or key and value, at `from`, then `comma`, then its trailing comment.
    fn item(&mut self, from: usize, comma: &str) -> usize {
        let end = self.document.end_of_item(from);
        // Everything before this index is known to fit on one line.
        let mut fitting = 0;
        let mut at = from;
        while at <= end {
            let token = &self.document.tokens[at];
            if at > from {
                self.out.push_str(self.space_before(at));
            }
            match token.kind {
                Kind::Open => {
                    let container = self.document.container(at);
                    let breaks = container.broken
                        || (at >= fitting
                            && can_be_broken(container)
                            && !self.fits(at, end, comma.len()));
                    if breaks {
                        self.broken(at);
                        at = container.close as usize;
                    } else {
                        self.out.push_str(token.text);
                        if !container.is_table {
                            fitting = fitting.max(container.close as usize);
                        }
                    }
                }
                Kind::Trailing => {
                    self.out.push_str(token.text);
                    self.new_line(false);
                }
                Kind::Scalar => self.scalar(token.text),
                _ => self.out.push_str(token.text),
            }
            at += 1;
        }
        self.out.push_str(comma);
        self.trailing_comment(at)
    }

    /// The separator between the token at `at` and the previous one on the same line.
    fn space_before(&self, at: usize) -> &'static str {
        let before = &self.document.tokens[at - 1];
        let token = &self.document.tokens[at];
        match (before.kind, token.kind) {
            (_, Kind::Part) => ".",
            (Kind::Key | Kind::Part, _) => " = ",
            (Kind::Open, Kind::Close) | (Kind::Trailing, _) => "",
            (Kind::Open, _) => {
                if before.text == "{" {
                    " "
                } else {
                    ""
                }
            }
            (_, Kind::Close) => {
                if token.text == "}" {
                    " "
                } else {
                    ""
                }
            }
            (_, Kind::Trailing) => " ",
            _ => ", ",
        }
    }

    fn scalar(&mut self, text: &str) {
        match requoted(text) {
            Some(inner) => {
                self.out.push('"');
                self.out.push_str(inner);
                self.out.push('"');
            }
            None => self.out.push_str(text),
        }
    }

    /// Prints the container that opens at `open` with one item per line.
    fn broken(&mut self, open: usize) {
        let tokens = &self.document.tokens;
        let close = self.document.container(open).close as usize;
        self.out.push_str(tokens[open].text);
        let mut at = self.trailing_comment(open + 1);
        self.level += 1;
        while at < close {
            let token = &tokens[at];
            self.new_line(token.blank);
            if token.kind == Kind::Comment {
                self.out.push_str(token.text);
                at += 1;
            } else {
                at = self.item(at, ",");
            }
        }
        self.level -= 1;
        self.new_line(false);
        self.out.push_str(tokens[close].text);
    }

    /// Whether the array that opens at `open` fits on one line. What follows on that line must fit
    /// too, up to the next array that could be broken instead. The line belongs to an item that
    /// ends at `end` and is followed by `comma` columns.
    ///
    /// Breaking an array is useless if its values would not begin further left. Such an array of
    /// one value is broken only if an array inside of it could be.
    fn fits(&self, open: usize, end: usize, comma: usize) -> bool {
        let tokens = &self.document.tokens;
        let line_start = memchr::memrchr(b'\n', self.out.as_bytes()).map_or(0, |at| at + 1);
        let mut column = self.width(&self.out[line_start..]);
        let values_column = (self.level + 1) * self.step_width;
        let close = self.document.container(open).close as usize;
        let mut can_break = false;
        for (at, token) in tokens.iter().enumerate().take(end + 1).skip(open) {
            if at > open {
                column += self.space_before(at).len();
            }
            column += self.width(token.text);
            if can_break && column > self.line_width {
                return false;
            }
            match token.kind {
                Kind::Trailing => return true,
                Kind::Open => {
                    let container = self.document.container(at);
                    if can_be_broken(container) {
                        if at > close {
                            return true;
                        }
                        can_break |= container.several || column > values_column;
                    }
                }
                _ => {}
            }
        }
        column += comma;
        if let Some(comment) = tokens
            .get(end + 1)
            .filter(|token| token.kind == Kind::Trailing)
        {
            column += 1 + self.width(comment.text);
        }
        !can_break || column <= self.line_width
    }

    /// The width in columns: one for each character, and one indentation level for a tab.
    fn width(&self, text: &str) -> usize {
        let columns = |byte: u8| match byte {
            b'\t' => self.step_width,
            // A continuation byte of a character.
            0x80..=0xbf => 0,
            _ => 1,
        };
        text.bytes().map(columns).sum()
    }
}

fn can_be_broken(container: &Container) -> bool {
    !container.is_table && !container.is_empty && !container.collapsed
}

/// The content of a string in single quotes that means the same in double quotes.
fn requoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let same = !text.starts_with("'''") && memchr::memchr2(b'"', b'\\', inner.as_bytes()).is_none();
    same.then_some(inner)
}
