//! Edits TOML tables, which are not necessarily contiguous: they are defined by headers, by dotted
//! keys, or as items of arrays of tables.
//!
//! A new entry is written as `key = value` next to the table's other entries. Comments on the lines
//! of a removed entry are removed with it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::render::{toml_inline, toml_key};
use super::{Emitter, Role, Slot};
use crate::overlay::{Changes, Edited};
use crate::toml::{Places, TableEntry, TableKey};
use crate::tree::{Content, NodeId};
use crate::value::{Kind, Value};

/// The planned changes, collected before anything is written.
#[derive(Default)]
pub(super) struct Plan {
    /// The new keys of renamed members.
    pub renamed: HashMap<NodeId, String>,
    pub removed_sections: HashSet<usize>,
    pub removed_entries: HashSet<(usize, usize)>,
    /// The sections and entries that an op removes without replacing them. The comments after them
    /// are removed too.
    pub dropped_sections: HashSet<usize>,
    pub dropped_entries: HashSet<(usize, usize)>,
    /// Removed entries whose text is overwritten.
    pub rewritten: HashSet<(usize, usize)>,
    /// Removed sections whose header is overwritten. The rest of the section is removed.
    pub rewritten_headers: HashSet<usize>,
    pub added: Vec<(NodeId, String, Value)>,
    pub items: Vec<NewItem>,
}

/// A new section of an array of tables.
pub(super) enum NewItem {
    /// Inserted at an offset, after another section.
    After(usize, String),
    /// Inserted above the line that starts at the offset.
    Above(usize, String),
}

impl Emitter<'_, '_> {
    pub(super) fn root_table(&mut self, layout: &Places<'_>) {
        let root = self.document.root;
        if self.overlay.is_replaced(root) {
            let newline = self.style.newline;
            let lines = self.entry_lines(&self.value(root)).join(newline);
            let bom = if self.text().starts_with('\u{feff}') {
                3
            } else {
                0
            };
            let end = if lines.is_empty() { "" } else { newline };
            self.patch(bom..self.text().len(), format!("{lines}{end}"));
            return;
        }
        let mut plan = Plan {
            renamed: self.renamed(),
            ..Plan::default()
        };
        self.table(layout, root, &mut plan);
        self.remove(layout, &plan);
        self.rename(layout, &plan);
        let mut added: BTreeMap<NodeId, Vec<String>> = BTreeMap::new();
        for (table, key, value) in std::mem::take(&mut plan.added) {
            let entry = format!("{} = {}", toml_key(&key), toml_inline(&value, None));
            added.entry(table).or_default().push(entry);
        }
        // If both are inserted at the same offset, entries come first, because they belong to the
        // section before it.
        let brings_header = |table: NodeId| {
            let parts = layout.parts(table);
            parts.own.is_none() && parts.entries.is_empty()
        };
        let (sections, entries): (Vec<_>, Vec<_>) =
            added.into_iter().partition(|it| brings_header(it.0));
        for (table, entries) in entries.into_iter().chain(sections) {
            self.add_entries(layout, table, &entries, &plan);
        }
        for item in std::mem::take(&mut plan.items) {
            match item {
                NewItem::After(at, text) => self.insert(at, text),
                NewItem::Above(top, text) => self.insert_above(top, &text),
            }
        }
    }

    /// The new keys of renamed members.
    fn renamed(&self) -> HashMap<NodeId, String> {
        let mut renamed = HashMap::new();
        for id in self.overlay.changed_nodes() {
            let Content::Object(object) = &self.document.data(id).content else {
                continue;
            };
            for (place, key) in self.changes(id).map_or(Vec::new(), |it| it.renamed) {
                renamed.insert(object.members[place].node, key);
            }
        }
        renamed
    }

    /// Renames keys everywhere except in text that is rewritten.
    fn rename(&mut self, layout: &Places<'_>, plan: &Plan) {
        let mut keys = Vec::new();
        for (number, section) in layout.sections.iter().enumerate() {
            let is_gone = plan.removed_sections.contains(&number);
            if is_gone || plan.rewritten_headers.contains(&number) {
                continue;
            }
            keys.extend(section.keys.clone());
            for (place, entry) in section.entries.iter().enumerate() {
                let place = (number, place);
                if !plan.removed_entries.contains(&place) && !plan.rewritten.contains(&place) {
                    keys.extend(entry.keys.clone());
                }
            }
        }
        for place in keys {
            let key = layout.keys[place];
            if let Some(name) = plan.renamed.get(&key.names) {
                let name = self.key_like(key.span, name, true);
                self.patch(key.span, name);
            }
        }
    }

    /// The keys of a header or an entry as text, with renames applied.
    pub(super) fn dotted(&self, keys: &[TableKey], renamed: &HashMap<NodeId, String>) -> String {
        let keys: Vec<String> = keys
            .iter()
            .map(|key| match renamed.get(&key.names) {
                Some(name) => self.key_like(key.span, name, true),
                None => self.text()[key.span.range()].to_owned(),
            })
            .collect();
        keys.join(".")
    }

    /// `key = value` for each member of an object.
    fn entry_lines(&self, value: &Value) -> Vec<String> {
        let members = value.as_object().unwrap_or_default().iter();
        members
            .map(|(key, value)| format!("{} = {}", toml_key(key), toml_inline(value, None)))
            .collect()
    }

    fn table(&mut self, layout: &Places<'_>, id: NodeId, plan: &mut Plan) {
        if !self.overlay.is_touched(id) {
            return;
        }
        let Content::Object(object) = &self.document.data(id).content else {
            return;
        };
        let changes = self.changes(id);
        for (place, member) in object.members.iter().enumerate() {
            let stays = changes.as_ref().is_none_or(|it| it.stays[place]);
            if !stays {
                mark_dropped(layout, member.node, plan);
                continue;
            }
            let key = match self.overlay.change(id) {
                Some(Edited::Object(object)) => object.members[place].as_ref().map(|it| &it.key),
                _ => None,
            };
            let old = self.document.str(&member.key);
            let key = key.map_or(old, String::as_str);
            self.member(layout, id, key, member.node, plan);
        }
        let Some(changes) = changes else {
            return;
        };
        let is_implied = layout.parts(id).own.is_none();
        if changes.is_empty_after() && is_implied {
            self.name_empty(layout, id, plan);
        }
        for (_, key, node) in &changes.fresh {
            let key = key.clone().unwrap_or_default();
            plan.added.push((id, key, self.value(*node)));
        }
    }

    /// Emits the changes of a member that is kept; `key` is its new key.
    fn member(
        &mut self,
        layout: &Places<'_>,
        table: NodeId,
        key: &str,
        id: NodeId,
        plan: &mut Plan,
    ) {
        if !self.overlay.is_touched(id) {
            return;
        }
        if self.is_inline(layout, id) {
            let slot = Slot {
                in_flow: true,
                indicator: None,
                role: Role::Member,
                column: 0,
            };
            self.walk(id, slot);
        } else if self.overlay.is_replaced(id) {
            self.replace_table(layout, table, key, id, plan);
        } else if let Content::Array(_) = self.document.data(id).content {
            self.array_of_tables(layout, table, key, id, plan);
        } else {
            self.table(layout, id, plan);
        }
    }

    /// Whether a member is contiguous, after its key.
    fn is_inline(&self, layout: &Places<'_>, id: NodeId) -> bool {
        let data = self.document.data(id);
        let is_brace = self.text().as_bytes().get(data.span.start()) == Some(&b'{');
        layout.parts(id).sections.is_empty()
            && (is_brace || !matches!(data.content, Content::Object(_)))
    }

    /// Replaces a table or an array of tables with another value.
    fn replace_table(
        &mut self,
        layout: &Places<'_>,
        table: NodeId,
        key: &str,
        id: NodeId,
        plan: &mut Plan,
    ) {
        let value = self.value(id);
        let parts = layout.parts(id);
        match (parts.own, parts.entries.first()) {
            (Some(own), _) if value.kind() == Kind::Object => {
                self.rewrite_section(layout, id, own, &value, plan);
            }
            (None, Some(first)) => {
                let prefix = self.prefix(layout, layout.entry(*first), id, plan);
                let text = format!("{prefix} = {}", toml_inline(&value, None));
                self.patch(layout.entry(*first).span, text);
                mark_removed(layout, id, plan);
                plan.rewritten.insert(*first);
            }
            _ => {
                mark_removed(layout, id, plan);
                plan.added.push((table, key.to_owned(), value));
            }
        }
    }

    /// Keeps a section's header and replaces its entries.
    fn rewrite_section(
        &mut self,
        layout: &Places<'_>,
        id: NodeId,
        own: usize,
        value: &Value,
        plan: &mut Plan,
    ) {
        let Some(header) = layout.sections[own].header else {
            return;
        };
        let newline = self.style.newline;
        let start = self.lines.end(header.end());
        let end = layout.section_end(own).max(start);
        let lines = self.entry_lines(value);
        let text: String = lines
            .iter()
            .map(|line| format!("{newline}{line}"))
            .collect();
        self.patch(start..end, text);
        let others = layout.parts(id).sections.iter();
        plan.removed_sections
            .extend(others.filter(|it| **it != own));
    }

    fn array_of_tables(
        &mut self,
        layout: &Places<'_>,
        table: NodeId,
        key: &str,
        id: NodeId,
        plan: &mut Plan,
    ) {
        let Content::Array(items) = &self.document.data(id).content else {
            return;
        };
        let changes = self.changes(id).unwrap_or_else(|| Changes {
            stays: vec![true; items.len()],
            ..Changes::default()
        });
        let stays = || {
            changes
                .stays
                .iter()
                .zip(items)
                .filter(|it| *it.0)
                .map(|it| *it.1)
        };
        let fresh = changes.fresh.iter().map(|it| it.2);
        let all_tables = stays()
            .chain(fresh)
            .all(|item| self.overlay.kind(item) == Kind::Object);
        if changes.is_empty_after() || !all_tables {
            if changes.is_empty_after() {
                mark_dropped(layout, id, plan);
            }
            mark_removed(layout, id, plan);
            plan.added.push((table, key.to_owned(), self.value(id)));
            return;
        }
        for (item, stays) in items.iter().zip(&changes.stays) {
            if !stays {
                mark_dropped(layout, *item, plan);
            } else if self.overlay.is_replaced(*item) {
                let value = self.value(*item);
                if let Some(own) = layout.parts(*item).own {
                    self.rewrite_section(layout, *item, own, &value, plan);
                }
            } else {
                self.table(layout, *item, plan);
            }
        }
        for (before, _, node) in &changes.fresh {
            let value = self.value(*node);
            self.add_item(layout, id, items, (*before, &changes), &value, plan);
        }
    }

    /// Adds a `[[header]]` with its entries, after the remaining sections that precede it.
    fn add_item(
        &mut self,
        layout: &Places<'_>,
        id: NodeId,
        items: &[NodeId],
        (before, changes): (usize, &Changes),
        value: &Value,
        plan: &mut Plan,
    ) {
        let newline = self.style.newline;
        let sections = &layout.parts(id).sections;
        let Some(first) = sections.first().copied() else {
            return;
        };
        let Some(name) = self.header_prefix(layout, first, id, plan) else {
            return;
        };
        let entries = self.entry_lines(value).into_iter();
        let lines: Vec<String> = std::iter::once(format!("[[{name}]]"))
            .chain(entries)
            .collect();
        let text = lines.join(newline);
        let top = self.section_top(layout, first);
        let is_spaced =
            self.lines.back_over_break(self.lines.back_over_break(top)) < top.saturating_sub(1);
        let kept_before = changes.stays[..before.min(items.len())]
            .iter()
            .rposition(|stays| *stays);
        let last = kept_before.and_then(|place| layout.parts(items[place]).sections.last());
        match last {
            Some(section) => {
                let at = self.lines.end(layout.section_end(*section));
                let gap = if is_spaced { newline } else { "" };
                let text = format!("{newline}{gap}{text}");
                plan.items.push(NewItem::After(at, text));
            }
            None => {
                let gap = if is_spaced { newline } else { "" };
                plan.items.push(NewItem::Above(top, format!("{text}{gap}")));
            }
        }
    }

    /// Writes an empty table, for a table that was defined only by the keys of its members and
    /// loses all of them.
    fn name_empty(&mut self, layout: &Places<'_>, id: NodeId, plan: &mut Plan) {
        let parts = layout.parts(id);
        if let Some(first) = parts.entries.first() {
            let entry = layout.entry(*first);
            let text = format!("{} = {{}}", self.prefix(layout, entry, id, plan));
            let end = self.after_own_comments(entry.span.end());
            self.patch(entry.span.start()..end, text);
            plan.rewritten.insert(*first);
        } else if let Some(first) = parts.sections.first().copied()
            && let Some(name) = self.header_prefix(layout, first, id, plan)
            && let Some(header) = layout.sections[first].header
        {
            let end = self.after_own_comments(layout.section_end(first));
            self.patch(header.start()..end, format!("[{name}]"));
            plan.rewritten_headers.insert(first);
        }
    }

    /// The keys of an entry, up to the one that names a table.
    pub(super) fn prefix(
        &self,
        layout: &Places<'_>,
        entry: &TableEntry,
        id: NodeId,
        plan: &Plan,
    ) -> String {
        let keys = &layout.keys[entry.keys.clone()];
        let count = keys.iter().position(|key| key.names == id);
        self.dotted(&keys[..count.map_or(0, |it| it + 1)], &plan.renamed)
    }

    /// The keys of a header, up to the one that names a table or leads to it.
    pub(super) fn header_prefix(
        &self,
        layout: &Places<'_>,
        section: usize,
        id: NodeId,
        plan: &Plan,
    ) -> Option<String> {
        let keys = &layout.keys[layout.sections[section].keys.clone()];
        let place = keys
            .iter()
            .position(|key| key.names == id || key.leads_to == id)?;
        Some(self.dotted(&keys[..=place], &plan.renamed))
    }
}

/// Marks a value that an op removes. The comments after it are removed too.
fn mark_dropped(layout: &Places<'_>, id: NodeId, plan: &mut Plan) {
    let parts = layout.parts(id);
    plan.dropped_sections.extend(&parts.sections);
    plan.dropped_entries.extend(&parts.entries);
    mark_removed(layout, id, plan);
}

/// Marks all sections and entries of a table, or the entry of a value, as removed.
fn mark_removed(layout: &Places<'_>, id: NodeId, plan: &mut Plan) {
    let parts = layout.parts(id);
    plan.removed_sections.extend(&parts.sections);
    plan.removed_entries.extend(&parts.entries);
}
