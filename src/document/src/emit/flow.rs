//! Edits containers in brackets: JSON, YAML flow collections, TOML arrays and inline tables.

use fixpoint_text::Span;

use super::place::Comments;
use super::render::{
    json, json_string, toml_inline, toml_key, yaml_flow, yaml_scalar, yaml_string,
};
use super::{Emitter, Role, Slot};
use crate::format::Format;
use crate::overlay::Changes;
use crate::tree::{Content, NodeId};
use crate::value::Value;

/// A member or item in the text.
pub(super) struct Part {
    pub start: usize,
    pub end: usize,
    /// The offset for a new comma: after the part and any comments that precede something else on
    /// the line.
    stop: usize,
    pub comma: Option<usize>,
    pub node: NodeId,
    pub key: Option<Span>,
}

impl Part {
    /// The offset after the part and its comma.
    pub fn after(&self) -> usize {
        self.comma.map_or(self.end, |comma| comma + 1)
    }
}

/// The changes to the parts of a container.
pub(super) struct PartChanges {
    pub stays: Vec<bool>,
    /// New parts: the number of existing parts before it, its key as written, and its node.
    pub fresh: Vec<(usize, Option<String>, NodeId)>,
    /// Keys to rewrite, with their new text.
    pub renamed: Vec<(Span, String)>,
}

impl Emitter<'_, '_> {
    /// Emits the changes of a container whose bracket opens at `open`.
    pub(super) fn flow(&mut self, id: NodeId, open: usize) {
        let close = self.document.data(id).span.end().saturating_sub(1);
        let (parts, changes) = if self.has_dots(id) {
            self.dotted_parts(id, open)
        } else {
            let nodes = self.named_nodes(id);
            let Some(changes) = self.changes(id) else {
                // Shortcut: computing the parts takes time linear in the container's length, and
                // every action would repeat it.
                nodes.iter().for_each(|it| self.walk_part(it.0, it.1));
                return;
            };
            let parts = self.parts(nodes, open);
            let changes = self.part_changes(&parts, changes);
            (parts, changes)
        };
        for (part, stays) in parts.iter().zip(&changes.stays) {
            if *stays {
                self.walk_part(part.node, part.key);
            }
        }
        for (span, key) in &changes.renamed {
            self.patch(*span, key.clone());
        }
        let is_empty = changes.fresh.is_empty() && !changes.stays.contains(&true);
        if is_empty {
            self.empty_flow(open, close, &parts);
        } else if parts.is_empty() {
            self.fill_flow(open, close, &changes);
        } else {
            self.change_flow(open, close, &parts, &changes);
        }
    }

    fn walk_part(&mut self, node: NodeId, key: Option<Span>) {
        if !self.overlay.is_touched(node) {
            return;
        }
        let role = match key {
            Some(_) => Role::Member,
            None => Role::Item,
        };
        let slot = Slot {
            in_flow: true,
            indicator: self.flow_indicator(key),
            role,
            column: 0,
        };
        self.walk(node, slot);
    }

    /// The values of a container, with the spans of their keys.
    fn named_nodes(&self, id: NodeId) -> Vec<(NodeId, Option<Span>)> {
        match &self.document.data(id).content {
            Content::Array(items) => items.iter().map(|item| (*item, None)).collect(),
            Content::Object(object) => {
                let members = object.members.iter();
                members.map(|it| (it.node, Some(it.key_span))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn part_changes(&self, parts: &[Part], changes: Changes) -> PartChanges {
        let renamed = changes.renamed.into_iter();
        let fresh = changes.fresh.into_iter();
        PartChanges {
            stays: changes.stays,
            fresh: fresh
                .map(|(before, key, node)| (before, key.map(|it| self.new_key(&it)), node))
                .collect(),
            renamed: renamed
                .filter_map(|(place, key)| {
                    let span = parts[place].key?;
                    Some((span, self.key_like(span, &key, true)))
                })
                .collect(),
        }
    }

    /// The parts for these nodes, which follow each other after the bracket at `open`.
    pub(super) fn parts(&self, nodes: Vec<(NodeId, Option<Span>)>, open: usize) -> Vec<Part> {
        let comments = self.comments();
        let mut at = open + 1;
        let mut parts = Vec::with_capacity(nodes.len());
        for (node, key) in nodes {
            let start = self.lines.skip(at, comments);
            let end = self.document.data(node).span.end();
            let after = self.lines.skip(end, comments);
            let comma = (self.text().as_bytes().get(after) == Some(&b',')).then_some(after);
            at = comma.map_or(end, |comma| comma + 1);
            parts.push(Part {
                start,
                end,
                stop: self.lines.over_enclosed_comments(end, comments),
                comma,
                node,
                key,
            });
        }
        parts
    }

    /// The offset after the `:` of a YAML member.
    fn flow_indicator(&self, key: Option<Span>) -> Option<usize> {
        let key = key?;
        let at = self.lines.skip(key.end(), self.comments());
        (self.text().as_bytes().get(at) == Some(&b':')).then_some(at + 1)
    }

    /// The text of a new key.
    fn new_key(&self, key: &str) -> String {
        match self.document.format() {
            Format::Json | Format::Jsonc => json_string(key),
            Format::Yaml => yaml_string(key, None, true),
            Format::Toml => toml_key(key),
        }
    }

    /// The text of a key, with the quotes of the key that it replaces.
    pub(super) fn key_like(&self, old: Span, key: &str, in_flow: bool) -> String {
        let quote = self.quote(old);
        match self.document.format() {
            Format::Json | Format::Jsonc => json_string(key),
            Format::Yaml => yaml_string(key, quote, in_flow),
            Format::Toml => match quote {
                Some('\'') => toml_inline(&Value::from(key), quote),
                Some(_) => json_string(key),
                None => toml_key(key),
            },
        }
    }

    /// The quote character of a string. `None` for block scalars and multi-line strings.
    pub(super) fn quote(&self, span: Span) -> Option<char> {
        let written = self.text().get(span.range())?;
        let is_long = ["'''", "\"\"\""]
            .iter()
            .any(|it| self.document.format() == Format::Toml && written.starts_with(it));
        let quote = written.chars().next().filter(|it| "'\"".contains(*it))?;
        (!is_long).then_some(quote)
    }

    pub(super) fn replace_in_flow(&mut self, id: NodeId, slot: Slot) {
        let span = self.document.data(id).span;
        let value = self.value(id);
        let quote = self.quote(span);
        let text = match self.document.format() {
            Format::Json | Format::Jsonc => {
                let was_broken = self.text()[span.range()].contains('\n');
                let on_own_line = self.lines.is_first(self.line_opener(id, span.start()));
                let broken = was_broken || (slot.role == Role::Root && self.style.is_broken);
                let indent = self.lines.indent(span.start()).to_owned();
                let broken_at = (broken || on_own_line).then_some(indent.as_str());
                json(&value, broken_at, &self.style)
            }
            Format::Yaml => match &value {
                Value::Array(_) | Value::Object(_) => yaml_flow(&value),
                scalar => yaml_scalar(scalar, quote, true),
            },
            Format::Toml => toml_inline(&value, quote),
        };
        match (span.is_empty(), slot.indicator) {
            (false, _) => self.patch(span, text),
            (true, Some(indicator)) => self.insert(indicator, format!(" {text}")),
            (true, None) => self.insert(span.start(), format!(": {text}")),
        }
    }

    /// For a member, the first non-blank character of its line; otherwise the start of the value.
    fn line_opener(&self, id: NodeId, start: usize) -> usize {
        let Some(parent) = self.document.data(id).parent else {
            return start;
        };
        match &self.document.data(parent).content {
            Content::Object(_) => self.lines.over_blanks(self.lines.start(start)),
            _ => start,
        }
    }

    fn empty_flow(&mut self, open: usize, close: usize, parts: &[Part]) {
        let removals = self.removals(open, parts, &vec![false; parts.len()]);
        let mut outside = open + 1;
        let mut has_comment = false;
        for pieces in &removals {
            let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
            has_comment |= self
                .lines
                .has_comment(outside, first.start(), self.comments());
            has_comment |= pieces.len() > 1;
            outside = outside.max(last.end());
        }
        has_comment |= self.lines.has_comment(outside, close, self.comments());
        if has_comment {
            removals
                .iter()
                .for_each(|pieces| self.remove_part(pieces, close));
        } else {
            self.delete(open + 1..close);
        }
    }

    /// Fills a container that is empty or contains only comments.
    fn fill_flow(&mut self, open: usize, close: usize, changes: &PartChanges) {
        let comments = self.comments();
        let has_comment = self.lines.has_comment(open + 1, close, comments);
        let is_json = matches!(comments, Comments::None | Comments::Slashes);
        let is_broken = has_comment || (is_json && self.style.is_broken);
        let outer = self.lines.indent(open).to_owned();
        let inner = self.inner_indent(open);
        let newline = self.style.newline;
        let items: Vec<String> = changes
            .fresh
            .iter()
            .map(|(_, key, node)| {
                self.flow_item(key.as_deref(), *node, is_broken.then_some(&inner))
            })
            .collect();
        let text = if is_broken {
            let items = items.join(&format!(",{newline}{inner}"));
            format!("{newline}{inner}{items}")
        } else {
            let items = items.join(", ");
            let is_table = self.document.format() == Format::Toml
                && self.text().as_bytes().get(open) == Some(&b'{');
            if is_table {
                format!(" {items} ")
            } else {
                items
            }
        };
        let inside = &self.text()[open + 1..close];
        let start = open + 1 + inside.trim_end().len();
        let is_on_own_line = self.text()[start..close].contains('\n');
        match (is_broken, is_on_own_line && has_comment) {
            (true, true) => self.insert(start, text),
            (true, false) => self.patch(start..close, format!("{text}{newline}{outer}")),
            (false, _) => self.patch(start..close, text),
        }
    }

    /// The indentation of entries on their own lines inside the bracket at `open`.
    fn inner_indent(&self, open: usize) -> String {
        let outer = self.lines.indent(open);
        let column = match self.document.format() {
            // An entry after a dash is indented deeper than its line.
            Format::Yaml => self.lines.entry_column(open),
            Format::Json | Format::Jsonc | Format::Toml => {
                return format!("{outer}{}", self.style.step);
            }
        };
        format!("{}{}", " ".repeat(column), self.style.step)
    }

    fn change_flow(&mut self, open: usize, close: usize, parts: &[Part], changes: &PartChanges) {
        let comments = self.comments();
        let first = parts[0].start;
        let own_line = parts.iter().rev().find(|it| self.lines.is_first(it.start));
        let is_broken = own_line.is_some();
        let indent = match own_line {
            Some(part) => self.lines.indent(part.start).to_owned(),
            None => self.inner_indent(open),
        };
        let line = format!("{}{indent}", self.style.newline);
        let has_trailing_comma = parts.last().is_some_and(|part| part.comma.is_some());
        let last_kept = changes.stays.iter().rposition(|stays| *stays);
        let last_fresh = changes.fresh.last().map(|it| it.0);
        // Whether a new item is the last one.
        let ends_fresh = match (last_kept, last_fresh) {
            (Some(kept), Some(fresh)) => fresh > kept,
            (None, _) => true,
            (Some(_), None) => false,
        };
        for pieces in self.removals(open, parts, &changes.stays) {
            self.remove_part(&pieces, close);
        }
        for (place, part) in parts.iter().enumerate() {
            if !changes.stays[place] {
                continue;
            }
            let is_last = Some(place) == last_kept && !ends_fresh;
            match part.comma {
                Some(comma) if is_last && !has_trailing_comma => self.delete(comma..comma + 1),
                None if !is_last => self.insert(part.stop, ","),
                _ => {}
            }
        }
        let count = changes.fresh.len();
        for (number, (before, key, node)) in changes.fresh.iter().enumerate() {
            let is_last = number + 1 == count && ends_fresh;
            let comma = if is_last && !has_trailing_comma {
                ""
            } else {
                ","
            };
            let kept_before = changes.stays[..(*before).min(parts.len())]
                .iter()
                .rposition(|stays| *stays);
            // A comment at the end of the previous line stays there.
            let (anchor, starts_line, after_part) = match kept_before {
                Some(place) => {
                    let part = &parts[place];
                    let after = part.comma.map_or(part.stop, |comma| comma + 1);
                    match self.lines.after_remarks(after, comments) {
                        Some((end, found)) => (end, is_broken || found, true),
                        None => (after, is_broken, true),
                    }
                }
                None => match self.lines.after_remarks(open + 1, comments) {
                    Some((end, _)) => (end, true, true),
                    _ => (first, false, false),
                },
            };
            let item = self.flow_item(key.as_deref(), *node, starts_line.then_some(&indent));
            let text = match (starts_line, after_part) {
                (true, _) => format!("{line}{item}{comma}"),
                (false, true) => format!(" {item}{comma}"),
                (false, false) if is_last => format!("{item}{comma}"),
                (false, false) => format!("{item}{comma} "),
            };
            self.insert(anchor, text);
        }
    }

    /// The text of a new member or item. Its value is broken over several lines if the item has its
    /// own line.
    pub(super) fn flow_item(
        &self,
        key: Option<&str>,
        node: NodeId,
        own_line: Option<&String>,
    ) -> String {
        let value = self.value(node);
        let value = match self.document.format() {
            Format::Json | Format::Jsonc => json(&value, own_line.map(String::as_str), &self.style),
            Format::Yaml => yaml_flow(&value),
            Format::Toml => toml_inline(&value, None),
        };
        match (key, self.document.format()) {
            (None, _) => value,
            (Some(key), Format::Toml) => format!("{key} = {value}"),
            (Some(key), _) => format!("{key}: {value}"),
        }
    }

    /// Edits a pair without braces in a YAML flow sequence, `[key: value]`.
    pub(super) fn pair(&mut self, id: NodeId, slot: Slot) {
        let span = self.document.data(id).span;
        let parts = self.parts(self.named_nodes(id), span.start().saturating_sub(1));
        let changes = self.changes(id).map(|it| self.part_changes(&parts, it));
        let [part] = parts.as_slice() else {
            return self.replace(id, slot);
        };
        if changes.as_ref().is_some_and(|it| !it.stays[0]) {
            return self.replace(id, slot);
        }
        self.walk_part(part.node, part.key);
        let Some(changes) = changes else {
            return;
        };
        for (span, key) in &changes.renamed {
            self.patch(*span, key.clone());
        }
        if !changes.fresh.is_empty() {
            let fresh = changes.fresh.iter();
            let items: Vec<String> = fresh
                .map(|(_, key, node)| self.flow_item(key.as_deref(), *node, None))
                .collect();
            self.insert(span.start(), "{");
            self.insert(span.end(), format!(", {}}}", items.join(", ")));
        }
    }
}
