//! Prints lists with dashes, or with consecutive numbers.

use super::block::Kind;
use super::layout::{BlockContext, Layout};

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
        let number_of = |item: usize| match &self.document.blocks[item].kind {
            Kind::Item { marker, .. } => {
                self.text[marker.start..marker.end - 1].parse::<u64>().ok()
            }
            _ => None,
        };
        let written_one = |item: usize| match &self.document.blocks[item].kind {
            Kind::Item { marker, .. } => self.text[marker.clone()].starts_with('1'),
            _ => false,
        };
        // If all numbers are 1, they stay. A number of more than nine digits is not a list marker.
        let only_ones = start == Some(1) && items.get(1).is_some_and(|&item| written_one(item));
        let too_many = start.is_some_and(|start| start + items.len() as u64 > 1_000_000_000);
        for (index, &item) in items.iter().enumerate() {
            if index > 0 {
                self.out.end_line();
                if self.has_blank_line_before(self.document.blocks[item].start, within.in_quote()) {
                    self.out.end_line();
                }
            }
            let marker = match start {
                None => self.bullet(item, is_alternate).to_string(),
                Some(start) => {
                    let counted = start + index as u64;
                    let number = if only_ones {
                        1
                    } else if too_many {
                        number_of(item).unwrap_or(counted)
                    } else {
                        counted
                    };
                    format!("{number}{}", if is_alternate { ')' } else { '.' })
                }
            };
            self.item(item, &marker, start.is_none(), within);
        }
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

    fn item(&mut self, at: usize, marker: &str, is_bullet: bool, within: BlockContext) {
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
            bullet: marker.chars().next().filter(|_| is_bullet),
            is_quote: false,
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
