//! Blocks that begin like a paragraph: underlined headings, tables and link reference definitions.

use super::block::{Block, Kind, join};
use super::cursor::Cursor;
use super::link::Definition;
use super::parser::Parser;
use super::scan;
use super::table;

impl Parser<'_> {
    /// Turns the open paragraph into a heading or a table if `rest` is an underline or a delimiter
    /// row.
    pub(super) fn underline_or_table(&mut self, rest: &str, cursor: Cursor<'_>) -> bool {
        let Some(leaf) = self.leaf else {
            return false;
        };
        let block = &self.document.blocks[leaf];
        if !matches!(block.kind, Kind::Paragraph) {
            return false;
        }
        if let Some(level) = scan::underline_level(rest) {
            // Link reference definitions at its start are not part of the heading.
            self.take_definitions();
            let Some(leaf) = self.leaf else {
                return false;
            };
            let start = cursor.end - rest.len();
            let underline = Some(start..start + rest.trim_end_matches(scan::is_space).len());
            self.document.blocks[leaf].kind = Kind::Heading { level, underline };
            self.content_stop = cursor.end;
            self.close_leaf();
            return true;
        }
        let Some(header) = self.document.lines.last().copied() else {
            return false;
        };
        let row = &self.text[header.start..header.end];
        if !table::is_delimiter_row_of(rest, row) {
            return false;
        }
        if block.lines.start + 1 == self.document.lines.len() {
            self.document.blocks[leaf].kind = Kind::Table;
        } else if row.starts_with('|') {
            self.document.lines.pop();
            self.content_stop = self.document.lines.last().map_or(0, |line| line.end);
            self.close_leaf();
            self.open_leaf(Kind::Table, header.start);
            self.document.lines.push(header);
        } else {
            // Not all parsers accept such a table in the middle of a paragraph.
            return false;
        }
        self.push_text_line(cursor, false);
        true
    }

    /// Turns the first lines of the open paragraph into link reference definitions, as far as
    /// possible.
    pub(super) fn take_definitions(&mut self) {
        let Some(leaf) = self.leaf else {
            return;
        };
        let first = self.document.blocks[leaf].lines.start;
        let text = self.text;
        let lines = &self.document.lines[first..];
        let begins = lines
            .first()
            .is_some_and(|line| text[line.start..].starts_with('['));
        if !begins
            || !lines
                .iter()
                .any(|line| text[line.start..line.end].contains("]:"))
        {
            return;
        }
        let mut buffer = String::new();
        let joined = join(text, lines, &mut buffer).to_owned();
        let (mut at, mut line) = (0, first);
        let mut found = Vec::new();
        while let Some(definition) = Definition::at(&joined, at) {
            let count = joined[at..definition.end].matches('\n').count() + 1;
            found.push((definition, line));
            line += count;
            at = found.last().map_or(0, |(definition, _)| definition.end) + 1;
            if at >= joined.len() {
                break;
            }
        }
        if found.is_empty() {
            return;
        }
        self.document.blocks.pop();
        let last = self.document.lines.len();
        for (index, (definition, from)) in found.iter().enumerate() {
            let to = found.get(index + 1).map_or(line, |(_, next)| *next);
            let start = self.document.lines[*from].start;
            let stop = self.document.lines[to - 1].end;
            let after = self.document.blocks.len() + 1;
            self.document.labels.insert(definition.label.clone());
            self.document.blocks.push(Block {
                kind: Kind::Definition(definition.printed.clone()),
                start,
                stop,
                lines: *from..to,
                after,
            });
        }
        self.leaf = None;
        if line < last {
            self.leaf = Some(self.document.blocks.len());
            let start = self.document.lines[line].start;
            self.push_block(Kind::Paragraph, start);
            if let Some(block) = self.document.blocks.last_mut() {
                block.lines = line..last;
            }
        }
    }
}
