//! Prints lists with dashes, or with consecutive numbers.

use super::block::Kind;
use super::layout::{BlockContext, Layout};

/// A number of more than nine digits is not a list marker.
const MAX_NUMBER: u64 = 999_999_999;

impl Layout<'_> {
    pub(super) fn list(
        &mut self,
        at: usize,
        start: Option<u64>,
        is_alternate: bool,
        within: BlockContext,
    ) {
        let list = &self.document.blocks[at];
        let mut items = Vec::new();
        let mut item = at + 1;
        while item < list.after {
            items.push(item);
            item = self.document.blocks[item].after;
        }
        let counts = self.counts(&items);
        let is_aligned = !within.in_unaligned && (start.is_none() || self.is_aligned(&items));
        let inside = BlockContext {
            in_alternate: Some(is_alternate),
            in_unaligned: !is_aligned,
            ..within
        };
        for (index, &item) in items.iter().enumerate() {
            let is_loose = self.is_loose(item, items.get(index + 1).copied(), within);
            let marker = match start {
                None => self.bullet(item, is_alternate).to_string(),
                Some(start) => {
                    let number = match (index, counts) {
                        (0, _) => start,
                        (_, true) => (start + index as u64).min(MAX_NUMBER),
                        (_, false) => 1,
                    };
                    let mut marker = format!("{number}{}", if is_alternate { ')' } else { '.' });
                    // With the space after it, the marker has an even number of columns.
                    if is_aligned && marker.len().is_multiple_of(2) {
                        marker.push(' ');
                    }
                    marker
                }
            };
            self.item(item, &marker, BlockContext { is_loose, ..inside });
            if index + 1 < items.len() {
                self.out.end_line();
                if is_loose {
                    self.out.end_line();
                }
            }
        }
    }

    /// The number before an item, as it is written.
    fn number(&self, item: usize) -> Option<u64> {
        match &self.document.blocks[item].kind {
            Kind::Item { marker, .. } => self.text[marker.start..marker.end - 1].parse().ok(),
            _ => None,
        }
    }

    /// Whether each number is one more than the number before. If the numbers of a list are all 1, or
    /// are 0 and then all 1, the author does not want to change them when an item is added.
    fn counts(&self, items: &[usize]) -> bool {
        let number = |index: usize| items.get(index).and_then(|item| self.number(*item));
        number(1) != Some(1) || number(0) == Some(0) && number(2) != Some(1)
    }

    /// Whether the author has aligned the items of a numbered list to columns.
    fn is_aligned(&self, items: &[usize]) -> bool {
        let column = |index: usize| {
            let item = *items.get(index)?;
            let block = &self.document.blocks[item];
            let first = self.document.blocks.get(item + 1)?;
            (block.after > item + 1).then(|| self.column(first.start))
        };
        let begins_with_code = |item: &usize| {
            let first = self.document.blocks.get(item + 1);
            first.is_some_and(|first| matches!(first.kind, Kind::Indented))
        };
        // More space before code would be a part of it.
        if items.iter().any(begins_with_code) {
            return false;
        }
        let has_wide_space = |index: usize| {
            let Some(block) = items.get(index).map(|item| &self.document.blocks[*item]) else {
                return false;
            };
            let Kind::Item { marker, .. } = &block.kind else {
                return false;
            };
            let after = &self.text[marker.end..block.stop.max(marker.end)];
            after.len() - after.trim_start().len() > 1
        };
        if has_wide_space(0) {
            return true;
        }
        match (column(0), items.len()) {
            (None, _) => false,
            (Some(column), 1) => column.is_multiple_of(2),
            (first, _) if first != column(1) => false,
            (Some(column), _) => column.is_multiple_of(2) || has_wide_space(1),
        }
    }

    /// The columns before a position on its line.
    fn column(&self, at: usize) -> usize {
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let advance = |column: usize, c: char| match c {
            '\t' => column + 4 - column % 4,
            _ => column + 1,
        };
        self.text[line..at].chars().fold(0, advance)
    }

    /// Whether blank lines are between the blocks of an item, or between it and the next one.
    fn is_loose(&self, item: usize, next: Option<usize>, within: BlockContext) -> bool {
        let blocks = &self.document.blocks;
        let is_apart = |at: usize| self.has_blank_line_before(blocks[at].start, within.in_quote());
        if next.is_some_and(is_apart) {
            return true;
        }
        let mut child = item + 1;
        while child < blocks[item].after {
            if child > item + 1 && is_apart(child) {
                return true;
            }
            child = blocks[child].after;
        }
        false
    }

    /// The bullet for an item. Dashes alone on a line would be a thematic break.
    fn bullet(&self, item: usize, is_alternate: bool) -> char {
        let (usual, other) = if is_alternate { ('*', '-') } else { ('-', '*') };
        let block = &self.document.blocks[item];
        let has_task = matches!(block.kind, Kind::Item { task: Some(_), .. });
        if block.after > item + 1 || has_task || self.out.is_at_line_start() {
            return usual;
        }
        let line = self.out.line();
        let marks = line.chars().filter(|c| *c == usual).count();
        let only_marks = line.chars().all(|c| c == ' ' || c == '>' || c == usual);
        if only_marks && marks >= 2 {
            other
        } else {
            usual
        }
    }

    fn item(&mut self, at: usize, marker: &str, within: BlockContext) {
        let block = &self.document.blocks[at];
        self.out.push(marker);
        self.out.space();
        let columns = marker.len() + 1;
        let prefix = self.out.indent(columns);
        let width = self.width;
        self.width = width.saturating_sub(columns as u32);
        let inside = BlockContext {
            in_list: true,
            indent: within.indent + columns,
            has_marker: true,
            in_task: false,
            ..within
        };
        let mut from = at + 1;
        if let Kind::Item {
            task: Some(ticked), ..
        } = block.kind
        {
            self.out.push(if ticked { "[x]" } else { "[ ]" });
            self.out.space();
            from = self.task(at, inside);
        }
        self.blocks(from, block.after, inside);
        self.out.close(prefix);
        self.width = width;
    }

    /// Prints the blocks that belong to a task list checkbox, indented by it. Returns the next
    /// block.
    fn task(&mut self, item: usize, within: BlockContext) -> usize {
        let blocks = &self.document.blocks;
        let after = blocks[item].after;
        let mut to = item + 1;
        while to < after {
            let block = &blocks[to];
            let apart = matches!(
                block.kind,
                Kind::List { .. }
                    | Kind::Fenced { .. }
                    | Kind::Indented
                    | Kind::Quote
                    | Kind::Heading { .. }
                    | Kind::Table
            );
            if apart || self.has_blank_line_before(block.start, within.in_quote()) {
                break;
            }
            to = block.after;
        }
        let prefix = self.out.indent(4);
        let beside = BlockContext {
            in_task: true,
            ..within
        };
        self.blocks(item + 1, to, beside);
        self.out.close(prefix);
        if to > item + 1 && to < after {
            self.out.end_line();
            if self.has_blank_line_before(self.document.blocks[to].start, within.in_quote()) {
                self.out.end_line();
            }
        }
        to
    }
}
