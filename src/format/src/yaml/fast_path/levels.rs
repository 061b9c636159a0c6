//! Finds the collection that a line belongs to, and places its entries and the comments between
//! them.

use super::scan::{self, ends_line, is_dash, skip_spaces};
use super::{COLUMN_LIMIT, Document, LinePrinter, Value, ValuePosition};

/// The width of `- ` before an item.
const DASH_WIDTH: usize = 2;

/// An open collection.
#[derive(Clone, Copy)]
pub(super) struct Level {
    is_sequence: bool,
    /// The column of its entries in the source, and in the output.
    column: usize,
    indent: usize,
}

impl LinePrinter<'_> {
    /// Finds the collection that an entry in this column belongs to. Writes the comments before the
    /// entry and its indentation. If it is not an entry but the value of the last key, returns its
    /// position.
    pub(super) fn place(&mut self, column: usize, at: usize) -> Option<Option<ValuePosition>> {
        let is_item = is_dash(self.bytes, at);
        if self.value != Value::Given {
            let parent = self.levels.last().copied()?;
            let may_touch = is_item && !parent.is_sequence;
            if column > parent.column || (column == parent.column && may_touch) {
                return self.place_value(column, at, is_item, parent);
            }
            if !self.may_be_empty() {
                return None;
            }
        }
        let mut taken = 0;
        let level = loop {
            match self.levels.last().copied() {
                Some(level) if level.column < column => return None,
                Some(level) if level.column > column || (level.is_sequence && !is_item) => {
                    taken = self.close(level, column, taken);
                }
                Some(level) if level.is_sequence == is_item => break level,
                None if column == 0 && self.document != Document::Filled => {
                    break self.open(is_item, 0, 0);
                }
                _ => return None,
            }
        };
        self.write_comments(taken, level.indent);
        self.new_line(at, self.blank, level.indent);
        Some(None)
    }

    /// Places the first line of the value of the last key or dash.
    fn place_value(
        &mut self,
        column: usize,
        at: usize,
        is_item: bool,
        parent: Level,
    ) -> Option<Option<ValuePosition>> {
        if self.value != Value::Open && (self.trailing || !self.waiting.is_empty()) {
            return None;
        }
        let indent = parent.indent + self.indent_below(parent);
        if self.value == Value::AfterDash {
            self.edits.put(self.end?..at, " ");
        } else {
            self.write_comments(0, indent);
            self.new_line(at, false, indent);
        }
        if is_item || scan::key(self.text, at).is_some() {
            self.open(is_item, column, indent);
            return Some(None);
        }
        let position = ValuePosition {
            column: indent,
            body: indent,
            flow_body: indent,
            hang: column,
        };
        (self.value == Value::Open).then_some(Some(position))
    }

    fn indent_below(&self, level: Level) -> usize {
        if level.is_sequence {
            DASH_WIDTH
        } else {
            self.layout.indent_width
        }
    }

    fn open(&mut self, is_sequence: bool, column: usize, indent: usize) -> Level {
        let level = Level {
            is_sequence,
            column,
            indent,
        };
        self.levels.push(level);
        level
    }

    /// Closes the innermost collection before an entry in `column`. The collection keeps the
    /// comments after it that begin in its own column, up to the first one that does not. The
    /// outermost collection keeps none.
    pub(super) fn close(&mut self, level: Level, column: usize, mut taken: usize) -> usize {
        self.levels.pop();
        if self.levels.is_empty() || (self.trailing && level.column != column) {
            return taken;
        }
        self.trailing = false;
        while let Some(comment) = self.waiting.get(taken)
            && comment.column == level.column
        {
            self.write_comment(*comment, level.indent);
            taken += 1;
        }
        taken
    }

    /// Prints an entry of the innermost collection.
    pub(super) fn entry(&mut self, mut at: usize) -> Option<()> {
        let mut level = self.levels.last().copied()?;
        while level.is_sequence {
            let item = skip_spaces(self.bytes, at + 1);
            if ends_line(self.bytes.get(item)) {
                self.value = Value::AfterDash;
                return self.end_line(at + 1);
            }
            self.edits.put(at + 1..item, " ");
            let column = level.column + (item - at);
            let indent = level.indent + DASH_WIDTH;
            let opens_sequence = is_dash(self.bytes, item);
            if column >= COLUMN_LIMIT {
                return None;
            }
            if !opens_sequence && scan::key(self.text, item).is_none() {
                let position = ValuePosition {
                    column: indent,
                    body: indent,
                    flow_body: indent,
                    hang: level.column + 1,
                };
                return self.value(item, position);
            }
            level = self.open(opens_sequence, column, indent);
            at = item;
        }
        self.pair(at, level)
    }

    fn pair(&mut self, at: usize, level: Level) -> Option<()> {
        let key = scan::key(self.text, at)?;
        let colon = key.end;
        let position = ValuePosition {
            column: level.indent + key.len() + 2,
            body: level.indent + self.layout.indent_width,
            flow_body: level.indent,
            hang: level.column + 1,
        };
        self.put_quotes(key);
        let value = skip_spaces(self.bytes, colon + 1);
        match self.bytes.get(value) {
            None | Some(b'\n' | b'#') => {
                self.value = Value::Open;
                self.end_line(colon + 1)
            }
            Some(_) => {
                self.edits.put(colon + 1..value, " ");
                self.value(value, position)
            }
        }
    }
}
