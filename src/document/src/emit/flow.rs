//! Containers in brackets: JSON, flow collections of YAML, arrays and inline tables of TOML.

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

/// A member or an item as it stands in the text.
struct Part {
    start: usize,
    end: usize,
    comma: Option<usize>,
    node: NodeId,
    key: Option<Span>,
}

impl Part {
    /// Behind the part and its comma.
    fn after(&self) -> usize {
        self.comma.map_or(self.end, |comma| comma + 1)
    }
}

impl Emitter<'_, '_> {
    /// Emits the changes of a container whose bracket opens at `open`.
    pub(super) fn flow(&mut self, id: NodeId, open: usize) {
        let close = self.document.data(id).span.end().saturating_sub(1);
        let parts = self.parts(id, open);
        let changes = self.changes(id);
        for (place, part) in parts.iter().enumerate() {
            let stays = changes.as_ref().is_none_or(|it| it.stays[place]);
            if stays {
                let slot = Slot {
                    in_flow: true,
                    indicator: self.flow_indicator(part),
                    role: if part.key.is_some() {
                        Role::Member
                    } else {
                        Role::Item
                    },
                    column: 0,
                };
                self.walk(part.node, slot);
            }
        }
        let Some(changes) = changes else {
            return;
        };
        for (place, key) in &changes.renamed {
            if let Some(span) = parts[*place].key {
                let key = self.key_like(span, key, true);
                self.patch(span, key);
            }
        }
        if changes.is_empty_after() {
            self.empty_flow(open, close, &parts);
        } else if parts.is_empty() {
            self.fill_flow(open, close, &changes);
        } else {
            self.change_flow(open, close, &parts, &changes);
        }
    }

    fn parts(&self, id: NodeId, open: usize) -> Vec<Part> {
        let comments = self.comments();
        let nodes: Vec<(NodeId, Option<Span>)> = match &self.document.data(id).content {
            Content::Array(items) => items.iter().map(|item| (*item, None)).collect(),
            Content::Object(object) => {
                let members = object.members.iter();
                members.map(|it| (it.node, Some(it.key_span))).collect()
            }
            _ => Vec::new(),
        };
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
                comma,
                node,
                key,
            });
        }
        parts
    }

    /// Behind the `:` of a member of YAML.
    fn flow_indicator(&self, part: &Part) -> Option<usize> {
        let key = part.key?;
        let at = self.lines.skip(key.end(), self.comments());
        (self.text().as_bytes().get(at) == Some(&b':')).then_some(at + 1)
    }

    /// A key in the quotes of the one it replaces.
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

    /// The quote that a string is written with; a block scalar or a multi-line string has none here.
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

    /// Where what a value belongs to starts: its key, or itself.
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
        let mut outside = open + 1;
        let mut has_comment = false;
        for part in parts {
            has_comment |= self.lines.has_comment(outside, part.start, self.comments());
            has_comment |= self
                .lines
                .has_comment(part.end, part.after(), self.comments());
            outside = part.after();
        }
        has_comment |= self.lines.has_comment(outside, close, self.comments());
        if has_comment {
            parts.iter().for_each(|part| self.remove_part(part, close));
        } else {
            self.delete(open + 1..close);
        }
    }

    /// Fills a container that had nothing in it but comments, if that.
    fn fill_flow(&mut self, open: usize, close: usize, changes: &Changes) {
        let comments = self.comments();
        let has_comment = self.lines.has_comment(open + 1, close, comments);
        let is_json = matches!(comments, Comments::None | Comments::Slashes);
        let is_broken = has_comment || (is_json && self.style.is_broken);
        let outer = self.lines.indent(open).to_owned();
        let inner = format!("{outer}{}", self.style.step);
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
            format!("{newline}{inner}{items}{newline}{outer}")
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
        self.patch(start..close, text);
    }

    fn change_flow(&mut self, open: usize, close: usize, parts: &[Part], changes: &Changes) {
        let comments = self.comments();
        let first = parts[0].start;
        let own_line = parts.iter().rev().find(|it| self.lines.is_first(it.start));
        let is_broken = own_line.is_some();
        let indent = match own_line {
            Some(part) => self.lines.indent(part.start).to_owned(),
            None => format!("{}{}", self.lines.indent(open), self.style.step),
        };
        let line = format!("{}{indent}", self.style.newline);
        let has_trailing_comma = parts.last().is_some_and(|part| part.comma.is_some());
        let last_kept = changes.stays.iter().rposition(|stays| *stays);
        let last_fresh = changes.fresh.last().map(|it| it.0);
        // Whether a fresh item is the last of all.
        let ends_fresh = match (last_kept, last_fresh) {
            (Some(kept), Some(fresh)) => fresh > kept,
            (None, _) => true,
            (Some(_), None) => false,
        };
        for (place, part) in parts.iter().enumerate() {
            if !changes.stays[place] {
                self.remove_part(part, close);
                continue;
            }
            let is_last = Some(place) == last_kept && !ends_fresh;
            match part.comma {
                Some(comma) if is_last && !has_trailing_comma => self.delete(comma..comma + 1),
                None if !is_last => self.insert(part.end, ","),
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
            // A comment at the end of the line before stays there.
            let (anchor, starts_line, after_part) = match kept_before {
                Some(place) => {
                    let after = parts[place].after();
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

    /// A new member or item; its value is broken over lines where the item has a line of its own.
    fn flow_item(&self, key: Option<&str>, node: NodeId, own_line: Option<&String>) -> String {
        let value = self.value(node);
        let broken_at = own_line.map(String::as_str);
        match self.document.format() {
            Format::Json | Format::Jsonc => {
                let value = json(&value, broken_at, &self.style);
                key.map_or(value.clone(), |key| {
                    format!("{}: {value}", json_string(key))
                })
            }
            Format::Yaml => {
                let value = yaml_flow(&value);
                key.map_or(value.clone(), |key| {
                    format!("{}: {value}", yaml_string(key, None, true))
                })
            }
            Format::Toml => {
                let value = toml_inline(&value, None);
                key.map_or(value.clone(), |key| format!("{} = {value}", toml_key(key)))
            }
        }
    }

    /// Removes a part and its comma, and the blanks that stood around it only for its sake.
    fn remove_part(&mut self, part: &Part, close: usize) {
        let comments = self.comments();
        if let Some(comma) = part.comma
            && self.lines.has_comment(part.end, comma, comments)
        {
            self.delete(part.start..part.end);
            self.delete(comma..comma + 1);
            return;
        }
        let after = self.lines.over_blanks(part.after());
        let is_first = self.lines.is_first(part.start);
        if self.lines.is_break(after) {
            if is_first {
                let start = self.lines.start(part.start);
                self.delete(start..self.lines.over_break(after));
            } else {
                let start = self.lines.back_over_blanks(part.start);
                self.delete(start..after);
            }
        } else if after == close {
            let start = if is_first {
                part.start
            } else {
                self.lines.back_over_blanks(part.start)
            };
            self.delete(start..part.after());
        } else {
            self.delete(part.start..after);
        }
    }
}
