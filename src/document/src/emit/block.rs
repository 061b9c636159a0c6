//! Edits YAML block style, in which entries are on separate lines and nested by indentation.
//!
//! Comments on the lines of a removed entry are removed with it. A comment alone on its line,
//! between the entry's key and its value, is kept.

use fixpoint_text::Span;

use super::place::Comments;
use super::render::{
    yaml_block, yaml_block_column, yaml_entry, yaml_flow, yaml_item, yaml_scalar, yaml_string,
};
use super::{Emitter, Role, Slot};
use crate::overlay::Changes;
use crate::tree::{Content, Details, NodeId};
use crate::value::Value;

const HASH: Comments = Comments::Hash;

/// An entry of a block mapping or sequence in the text.
struct Part {
    /// The start of its dash, or of its key including any `?` and properties.
    start: usize,
    end: usize,
    /// The offset after its `-` or `:`.
    indicator: Option<usize>,
    node: NodeId,
    key: Option<Span>,
}

impl Emitter<'_, '_> {
    pub(super) fn block(&mut self, id: NodeId, slot: Slot) {
        let parts = self.block_parts(id);
        let Some(first) = parts.first() else {
            return;
        };
        let column = self.lines.column(first.start);
        let changes = self.changes(id);
        for (place, part) in parts.iter().enumerate() {
            if changes.as_ref().is_none_or(|it| it.stays[place]) {
                let slot = Slot {
                    in_flow: false,
                    indicator: part.indicator,
                    role: if part.key.is_some() {
                        Role::Member
                    } else {
                        Role::Item
                    },
                    column,
                };
                self.walk(part.node, slot);
            }
        }
        let Some(changes) = changes else {
            return;
        };
        for (place, key) in &changes.renamed {
            if let Some(span) = parts[*place].key {
                let is_block_scalar = self.text()[span.range()].contains('\n');
                let key = if is_block_scalar {
                    yaml_string(key, Some('"'), false)
                } else {
                    self.key_like(span, key, false)
                };
                self.patch(span, key);
            }
        }
        if changes.is_empty_after() {
            self.empty_block(id, &parts, slot);
        } else if changes.stays.contains(&true) {
            self.change_block(&parts, &changes, column, slot);
        } else {
            self.renew_block(&parts, &changes, column);
        }
    }

    fn block_parts(&self, id: NodeId) -> Vec<Part> {
        let data = self.document.data(id);
        let properties = match &self.document.details {
            Details::Yaml(details) => details.properties.get(&id),
            _ => None,
        };
        let mut at = properties.map_or(data.span.start(), |it| it.end());
        let bytes = self.text().as_bytes();
        let nodes: Vec<(NodeId, Option<Span>)> = match &data.content {
            Content::Array(items) => items.iter().map(|item| (*item, None)).collect(),
            Content::Object(object) => {
                let members = object.members.iter();
                members.map(|it| (it.node, Some(it.key_span))).collect()
            }
            _ => Vec::new(),
        };
        let mut parts = Vec::with_capacity(nodes.len());
        for (node, key) in nodes {
            let start = self.lines.skip(at, HASH);
            let indicator = match key {
                None => Some(start + 1),
                Some(key) => {
                    let colon = self.lines.skip(key.end(), HASH);
                    (bytes.get(colon) == Some(&b':')).then_some(colon + 1)
                }
            };
            let value_end = self.document.data(node).span.end();
            let end = value_end.max(indicator.unwrap_or(value_end));
            at = end;
            parts.push(Part {
                start,
                end,
                indicator,
                node,
                key,
            });
        }
        parts
    }

    /// The text of a new entry whose first line starts at `column`.
    fn block_entry(&self, key: Option<&str>, node: NodeId, column: usize) -> String {
        let value = self.value(node);
        match key {
            Some(key) => {
                let key = yaml_string(key, None, false);
                yaml_entry(&key, &value, column, &self.style)
            }
            None => yaml_item(&value, column, &self.style),
        }
    }

    /// Handles the removal of all entries: writes an empty container at the position of the value.
    fn empty_block(&mut self, id: NodeId, parts: &[Part], slot: Slot) {
        let empty = match self.document.data(id).content {
            Content::Array(_) => "[]",
            _ => "{}",
        };
        let first = &parts[0];
        if slot.role == Role::Root || !self.lines.is_first(first.start) {
            self.put_in_place(first, empty);
            parts[1..].iter().for_each(|part| self.remove_lines(part));
            return;
        }
        parts.iter().for_each(|part| self.remove_lines(part));
        let properties = match &self.document.details {
            Details::Yaml(details) => details.properties.get(&id).map(|it| it.end()),
            _ => None,
        };
        match properties.or(slot.indicator) {
            Some(indicator) => self.insert(indicator, format!(" {empty}")),
            None => self.insert(first.start, format!(": {empty}")),
        }
    }

    /// Handles the removal of all entries when there are new ones: writes the new ones at the
    /// position of the first old one.
    fn renew_block(&mut self, parts: &[Part], changes: &Changes, column: usize) {
        let line = format!("{}{}", self.style.newline, " ".repeat(column));
        let entries: Vec<String> = changes
            .fresh
            .iter()
            .map(|(_, key, node)| self.block_entry(key.as_deref(), *node, column))
            .collect();
        self.put_in_place(&parts[0], &entries.join(&line));
        parts[1..].iter().for_each(|part| self.remove_lines(part));
    }

    /// Replaces an entry with a text, followed by the comments inside the entry that are kept.
    fn put_in_place(&mut self, part: &Part, text: &str) {
        let remarks = self.remarks(part);
        let has_both = !remarks.is_empty() && !text.is_empty();
        let gap = if has_both { " " } else { "" };
        let end = self.after_own_comments(part.end);
        self.patch(part.start..end, format!("{text}{gap}{remarks}"));
    }

    /// The comments between the parts of an entry that are alone on their lines, each on its own
    /// line.
    fn remarks(&self, part: &Part) -> String {
        let value = self.document.data(part.node).span.start();
        let mut found = Vec::new();
        match part.key {
            Some(key) => {
                found.extend(self.lines.comments(part.start, key.start(), HASH));
                found.extend(self.lines.comments(key.end(), value, HASH));
            }
            None => found.extend(self.lines.comments(part.start, value, HASH)),
        }
        found.retain(|it| self.lines.is_first(it.start()));
        if found.is_empty() {
            return String::new();
        }
        let column = self.lines.column(part.start);
        let line = format!("{}{}", self.style.newline, " ".repeat(column));
        let remarks = found.iter().map(|it| &self.text()[it.range()]);
        remarks.collect::<Vec<_>>().join(&line)
    }

    fn change_block(&mut self, parts: &[Part], changes: &Changes, column: usize, slot: Slot) {
        let line = format!("{}{}", self.style.newline, " ".repeat(column));
        for (place, part) in parts.iter().enumerate() {
            if changes.stays[place] {
                continue;
            }
            if self.lines.is_first(part.start) {
                self.remove_lines(part);
            } else {
                // This is the first entry of a compact collection. The next remaining entry moves
                // to its position, unless a comment is in between.
                let next = (place + 1..parts.len()).find(|next| changes.stays[*next]);
                let is_first_entry = place == 0;
                match next {
                    Some(next) if is_first_entry && !self.has_remark(&parts[..=next]) => {
                        self.delete(part.start..parts[next].start);
                    }
                    _ if !self.remarks(part).is_empty() => self.put_in_place(part, ""),
                    _ => {
                        let after = self.after_own_comments(part.end);
                        let after = self.lines.over_blanks(after);
                        let start = if self.lines.is_break(after) || self.lines.is_end(after) {
                            self.lines.back_over_blanks(part.start)
                        } else {
                            part.start
                        };
                        self.delete(start..after);
                    }
                }
            }
        }
        for (before, key, node) in &changes.fresh {
            let entry = self.block_entry(key.as_deref(), *node, column);
            let kept_before = changes.stays[..(*before).min(parts.len())]
                .iter()
                .rposition(|stays| *stays);
            match kept_before {
                Some(place) => {
                    let at = self.behind(&parts[place], column);
                    self.insert(at, format!("{line}{entry}"));
                }
                None => self.insert_first(&parts[0], &entry, &line, slot),
            }
        }
    }

    /// The offset after an entry and after the more deeply indented comment lines that follow it.
    /// Those comments belong to the content of the entry.
    fn behind(&self, part: &Part, column: usize) -> usize {
        let mut behind = self.lines.end(part.end);
        let mut end = behind;
        loop {
            let start = self.lines.over_break(end);
            let first = self.lines.over_blanks(start);
            if start == end {
                return behind;
            }
            let is_deeper = first - start > column;
            match self.lines.comment_end(first, HASH) {
                Some(comment) if is_deeper => (behind, end) = (comment, comment),
                None if self.lines.is_break(first) => end = first,
                _ => return behind,
            }
        }
    }

    /// Inserts a new first entry. It goes directly after the key of its container, before the
    /// comments of the former first entry.
    fn insert_first(&mut self, first: &Part, entry: &str, line: &str, slot: Slot) {
        if !self.lines.is_first(first.start) {
            self.insert(first.start, format!("{entry}{line}"));
            return;
        }
        let indent = line.trim_start_matches(['\r', '\n']);
        match slot.indicator.filter(|_| slot.role != Role::Root) {
            Some(indicator) => {
                let at = self.lines.end(indicator);
                self.insert(at, format!("{line}{entry}"));
            }
            None => self.insert_above(self.lines.start(first.start), &format!("{indent}{entry}")),
        }
    }

    /// Inserts lines above the line that starts at `start`, which may itself be removed.
    pub(super) fn insert_above(&mut self, start: usize, text: &str) {
        let newline = self.style.newline;
        let before = self.lines.back_over_break(start);
        if before < start {
            self.insert(before, format!("{newline}{text}"));
        } else {
            self.insert(start, format!("{text}{newline}"));
        }
    }

    /// Whether a comment that is kept is between these entries, or inside one of them except the
    /// last but outside of its value. All entries except the last are removed.
    fn has_remark(&self, parts: &[Part]) -> bool {
        let mut between = parts.iter().zip(parts.iter().skip(1));
        between.any(|(part, next)| {
            let end = self.after_own_comments(part.end);
            self.lines.has_comment(end, next.start, HASH) || !self.remarks(part).is_empty()
        })
    }

    /// Removes an entry that starts its line, and the line if nothing else is on it.
    fn remove_lines(&mut self, part: &Part) {
        let remarks = self.remarks(part);
        let end = self.after_own_comments(part.end);
        if remarks.is_empty() {
            self.remove_whole_lines(Span::from(part.start..end), HASH);
        } else {
            self.patch(part.start..end, remarks);
        }
    }

    /// Removes a range and the lines that it fills. A comment after it is kept.
    pub(super) fn remove_whole_lines(&mut self, span: Span, comments: Comments) {
        let after = self.lines.over_blanks(span.end());
        let start = self.lines.start(span.start());
        if self.lines.is_break(after) || self.lines.is_end(after) {
            // Also deletes the line break before the range, so that an insertion after it follows
            // the remaining text. An earlier patch may have deleted that line break already.
            let before = self.lines.back_over_break(start);
            let is_gone = self
                .patches
                .last()
                .is_some_and(|it| it.text.is_empty() && it.span.end() == start);
            if before < start && !is_gone {
                self.delete(before..after);
            } else {
                self.delete(start..self.lines.over_break(after));
            }
        } else if self.lines.comment_end(after, comments).is_some() {
            self.delete(span.start()..after);
        } else {
            self.delete(span);
        }
    }

    pub(super) fn replace_in_block(&mut self, id: NodeId, slot: Slot) {
        let span = self.document.data(id).span;
        let value = self.value(id);
        let column = match slot.role {
            Role::Root => None,
            Role::Member => yaml_block_column(&value, slot.column, &self.style),
            Role::Item => None,
        };
        match (slot.role, column) {
            (Role::Member, Some(column)) => self.replace_by_block(span, &value, column, slot),
            (Role::Member, None) => {
                let text = yaml_scalar(&value, self.quote(span), false);
                self.replace_by_line(span, &text, slot);
            }
            (Role::Item, _) => {
                let is_container = yaml_block_column(&value, 0, &self.style).is_some();
                let has_remark = self.has_remark_after(span.end());
                let text = match (is_container, has_remark) {
                    (true, false) => yaml_block(&value, slot.column + 2, &self.style),
                    (true, true) => yaml_flow(&value),
                    (false, _) => yaml_scalar(&value, self.quote(span), false),
                };
                self.replace_by_line(span, &text, slot);
            }
            (Role::Root, _) => self.replace_root(span, &value, slot),
        }
    }

    fn has_remark_after(&self, at: usize) -> bool {
        matches!(self.lines.after_remarks(at, HASH), Some((_, true)))
    }

    /// Replaces a value with `text`, on the line of its `-` or `:`.
    fn replace_by_line(&mut self, span: Span, text: &str, slot: Slot) {
        let Some(indicator) = slot.indicator else {
            self.insert(span.end(), format!(": {text}"));
            return;
        };
        if span.is_empty() {
            self.insert(indicator, format!(" {text}"));
        } else if self.text()[indicator..span.start()].contains('\n') {
            self.insert(indicator, format!(" {text}"));
            self.remove_whole_lines(span, HASH);
        } else {
            self.patch(span, text);
        }
    }

    /// Replaces a value with a block, on the lines after its `:`.
    fn replace_by_block(&mut self, span: Span, value: &Value, column: usize, slot: Slot) {
        let newline = self.style.newline;
        let Some(indicator) = slot.indicator else {
            self.insert(span.end(), format!(": {}", yaml_flow(value)));
            return;
        };
        let is_below = !span.is_empty() && self.text()[indicator..span.start()].contains('\n');
        if is_below {
            let old = self.lines.column(span.start());
            let column = if old > slot.column { old } else { column };
            let block = yaml_block(value, column, &self.style);
            let start = self.lines.start(span.start());
            self.patch(start..span.end(), format!("{}{block}", " ".repeat(column)));
            return;
        }
        let block = yaml_block(value, column, &self.style);
        let block = format!("{newline}{}{block}", " ".repeat(column));
        let end = span.end().max(indicator);
        if self.has_remark_after(end) {
            self.delete(indicator..end);
            self.insert(self.lines.end(end), block);
        } else {
            let blanks = self.lines.over_blanks(end);
            self.patch(indicator..blanks, block);
        }
    }

    fn replace_root(&mut self, span: Span, value: &Value, slot: Slot) {
        let is_container = yaml_block_column(value, 0, &self.style).is_some();
        let newline = self.style.newline;
        let block = if is_container {
            yaml_block(value, 0, &self.style)
        } else {
            yaml_scalar(value, self.quote(span), false)
        };
        let marker = slot.indicator;
        match (marker, span.is_empty()) {
            // After `---`, on the same line.
            (Some(marker), _) if is_container => {
                self.patch(marker..span.end().max(marker), format!("{newline}{block}"));
            }
            (Some(marker), true) => self.insert(marker, format!(" {block}")),
            (None, true) => {
                let before = &self.text()[..span.start()];
                let gap = if before.is_empty() || before.ends_with('\n') {
                    ""
                } else {
                    newline
                };
                self.insert(span.start(), format!("{gap}{block}{newline}"));
            }
            _ => self.patch(span, block),
        }
    }
}
