//! Plain, quoted and block scalars.

use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, NodeId, Point};

impl Parser<'_> {
    /// Reads a plain scalar up to the end of its first line.
    pub(super) fn plain_line(&mut self, is_flow: bool) -> Parsed<NodeId> {
        let next_is_safe =
            !(self.is_blank_at(self.at + 1) || is_flow && self.is_flow_mark_at(self.at + 1));
        let may_begin = match self.byte() {
            Some(b'-' | b'?' | b':') => next_is_safe,
            Some(
                b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
                | b'"' | b'%' | b'@' | b'`',
            )
            | None => false,
            _ => true,
        };
        if !may_begin {
            return self.error("unexpected character");
        }
        let start = self.point();
        self.at = self.plain_end(is_flow);
        Ok(self.add(Kind::Plain, start))
    }

    /// The end of a plain scalar on this line.
    fn plain_end(&self, is_flow: bool) -> usize {
        let mut end = self.at;
        let mut at = self.at;
        while let Some(byte) = self.byte_at(at) {
            let ends = match byte {
                b'\n' => true,
                b':' => self.is_blank_at(at + 1) || (is_flow && self.is_flow_mark_at(at + 1)),
                b'#' => at > self.at && self.is_blank_at(at - 1),
                b',' | b'[' | b']' | b'{' | b'}' => is_flow,
                _ => false,
            };
            if ends {
                break;
            }
            at += 1;
            if !matches!(byte, b' ' | b'\t' | b'\r') {
                end = at;
            }
        }
        end
    }

    /// Reads the lines after the first one of a plain scalar in a block.
    pub(super) fn plain_lines(&mut self, scalar: NodeId, parent: Option<usize>) -> Parsed<()> {
        while self.next_plain_line(|parser| {
            parser.is_first_on_line() && parent.is_none_or(|parent| parser.column() > parent)
        }) {
            self.at = self.plain_end(false);
            self.tree.get_mut(scalar).end = self.point();
        }
        Ok(())
    }

    /// Reads the lines after the first one of a plain scalar in a flow collection.
    pub(super) fn flow_plain_lines(&mut self, scalar: NodeId) -> Parsed<()> {
        while self.next_plain_line(|parser| !parser.is_flow_mark_at(parser.at)) {
            let end = self.plain_end(true);
            if end == self.at {
                break;
            }
            self.at = end;
            self.tree.get_mut(scalar).end = self.point();
        }
        Ok(())
    }

    /// Moves to the next line with content, if a plain scalar continues there.
    fn next_plain_line(&mut self, continues: impl Fn(&Self) -> bool) -> bool {
        let (at, line, line_start) = (self.at, self.line, self.line_start);
        self.skip_blanks();
        while self.byte() == Some(b'\n') {
            self.new_line(self.at + 1);
            self.skip_blanks();
        }
        let is_next = self.line > line
            && !self.ends_document()
            && self.byte() != Some(b'#')
            && continues(self);
        if !is_next {
            (self.at, self.line, self.line_start) = (at, line, line_start);
        }
        is_next
    }

    pub(super) fn double_quoted(&mut self) -> Parsed<NodeId> {
        let start = self.point();
        self.at += 1;
        loop {
            let found = memchr::memchr3(b'"', b'\\', b'\n', &self.bytes[self.at..]);
            let Some(found) = found else {
                return self.error("an unclosed quote");
            };
            self.at += found;
            match self.bytes[self.at] {
                b'"' => break,
                b'\\' if self.byte_at(self.at + 1) != Some(b'\n') => self.at += 2,
                b'\\' => self.at += 1,
                _ => self.quoted_line()?,
            }
            self.at = self.at.min(self.bytes.len());
        }
        self.at += 1;
        Ok(self.add(Kind::DoubleQuoted, start))
    }

    pub(super) fn single_quoted(&mut self) -> Parsed<NodeId> {
        let start = self.point();
        self.at += 1;
        loop {
            let found = memchr::memchr2(b'\'', b'\n', &self.bytes[self.at..]);
            let Some(found) = found else {
                return self.error("an unclosed quote");
            };
            self.at += found;
            match (self.bytes[self.at], self.byte_at(self.at + 1)) {
                (b'\'', Some(b'\'')) => self.at += 2,
                (b'\'', _) => break,
                _ => self.quoted_line()?,
            }
        }
        self.at += 1;
        Ok(self.add(Kind::SingleQuoted, start))
    }

    /// Begins the next line of a quoted scalar.
    fn quoted_line(&mut self) -> Parsed<()> {
        self.new_line(self.at + 1);
        if self.ends_document() {
            return self.error("an unclosed quote");
        }
        Ok(())
    }

    pub(super) fn block_scalar(&mut self, parent: Option<usize>) -> Parsed<NodeId> {
        let start = self.point();
        let kind = match self.byte() {
            Some(b'>') => Kind::Folded,
            _ => Kind::Literal,
        };
        self.at += 1;
        let (mut digit, mut chomping) = (None, None);
        loop {
            match self.byte() {
                Some(byte @ b'1'..=b'9') if digit.is_none() => digit = Some(byte - b'0'),
                Some(byte @ (b'+' | b'-')) if chomping.is_none() => chomping = Some(byte),
                _ => break,
            }
            self.at += 1;
        }
        if !self.is_blank_at(self.at) {
            return self.error("an invalid header of a block scalar");
        }
        let scalar = self.tree.add(kind, start, start);
        self.skip_blanks();
        if self.begins_comment() {
            let comment = self.comment();
            self.tree.comments[comment].owner = Some(scalar);
            self.tree.extras_mut(scalar).header = Some(comment);
        }
        match self.byte() {
            Some(b'\n') => self.new_line(self.at + 1),
            None => {}
            Some(_) => return self.error("unexpected text after the header of a block scalar"),
        }
        let explicit = digit.map(|digit| parent.unwrap_or(0) + usize::from(digit));
        if explicit.is_some() {
            self.tree.extras_mut(scalar).content_column = explicit;
        }
        self.block_lines(explicit, parent, chomping == Some(b'+'))?;
        self.tree.get_mut(scalar).end = self.point();
        Ok(scalar)
    }

    /// Reads the lines of a block scalar.
    fn block_lines(
        &mut self,
        explicit: Option<usize>,
        parent: Option<usize>,
        keeps_blank_lines: bool,
    ) -> Parsed<()> {
        let minimum = parent.map_or(0, |parent| parent + 1);
        let mut column = explicit;
        // The end of the last line with content, and the longest blank line before the first one.
        let mut end = self.point();
        let mut widest_blank = 0;
        while let Some(&first) = self.bytes.get(self.at) {
            let rest = &self.bytes[self.at..];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..length];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let spaces = line.iter().take_while(|byte| **byte == b' ').count();
            let is_blank = spaces == line.len();
            if first != b' ' && (self.is_marker(b"---") || self.is_marker(b"...")) {
                break;
            }
            if !is_blank && spaces < column.unwrap_or(minimum) {
                break;
            }
            if !is_blank && column.is_none() {
                if widest_blank > spaces {
                    return self.error("a blank line with more spaces than the text after it");
                }
                column = Some(spaces);
            }
            let is_content = !is_blank || column.is_some_and(|column| spaces > column);
            if is_content && matches!(line.last(), Some(b' ' | b'\t')) {
                self.tree.has_blanks_in_block_scalar = true;
            }
            widest_blank = widest_blank.max(spaces);
            if length == rest.len() {
                self.at += length;
            } else {
                self.new_line(self.at + length + 1);
            }
            if is_content || (keeps_blank_lines && length < rest.len()) {
                end = self.point();
            }
        }
        self.return_to(end);
        Ok(())
    }

    fn return_to(&mut self, point: Point) {
        self.at = point.offset;
        self.line = point.line;
        self.line_start = point.offset - point.column;
    }
}
