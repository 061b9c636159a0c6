//! Edits TOML inline tables with dotted keys, such as `{ a.b = 1, a.c = 2 }`. Several entries of
//! the text may belong to one member of the table.

use std::collections::HashMap;

use fixpoint_text::Span;

use super::Emitter;
use super::flow::{Part, PartChanges};
use super::render::toml_key;
use crate::toml::TableKey;
use crate::tree::{Content, Details, NodeId};

/// `a.b = value` in an inline table.
struct DottedEntry {
    keys: Vec<TableKey>,
    node: NodeId,
}

/// The planned changes to the entries of one inline table.
struct Plan<'e> {
    entries: &'e [DottedEntry],
    stays: Vec<bool>,
    fresh: Vec<(usize, Option<String>, NodeId)>,
    /// The new keys of renamed members.
    renamed: HashMap<NodeId, String>,
}

impl Emitter<'_, '_> {
    /// Whether a node is a table inside an inline table that is defined only by dotted keys.
    fn is_dotted(&self, id: NodeId) -> bool {
        let data = self.document.data(id);
        let first = self.text().as_bytes().get(data.span.start());
        matches!(data.content, Content::Object(_)) && first != Some(&b'{')
    }

    /// Whether an inline table has members with dotted keys, such as `a.b = 1`.
    pub(super) fn has_dots(&self, id: NodeId) -> bool {
        let (Details::Toml(_), Content::Object(object)) =
            (&self.document.details, &self.document.data(id).content)
        else {
            return false;
        };
        object.members.iter().any(|it| self.is_dotted(it.node))
    }

    /// The entries of an inline table as parts, and their changes.
    pub(super) fn dotted_parts(&self, table: NodeId, open: usize) -> (Vec<Part>, PartChanges) {
        let mut entries = Vec::new();
        self.dotted_entries(table, &mut entries);
        entries.sort_by_key(|it| it.keys.first().map(|key| key.span.start()));
        let named = entries.iter().map(|entry| {
            let keys = entry.keys.first().zip(entry.keys.last());
            let key = keys.map(|(first, last)| Span::from(first.span.start()..last.span.end()));
            (entry.node, key)
        });
        let parts = self.parts(named.collect(), open);
        let mut plan = Plan {
            entries: &entries,
            stays: vec![true; entries.len()],
            fresh: Vec::new(),
            renamed: HashMap::new(),
        };
        self.plan_dotted(table, 0, &mut plan);
        // New entries of the table itself come after those of its subtables.
        plan.fresh.sort_by_key(|it| it.0);
        let kept = entries.iter().zip(&plan.stays).filter(|it| *it.1);
        let keys = kept.flat_map(|(entry, _)| &entry.keys);
        let renamed = keys
            .filter_map(|key| {
                let name = plan.renamed.get(&key.names)?;
                Some((key.span, self.key_like(key.span, name, true)))
            })
            .collect();
        let changes = PartChanges {
            stays: plan.stays,
            fresh: plan.fresh,
            renamed,
        };
        (parts, changes)
    }

    fn dotted_entries(&self, table: NodeId, entries: &mut Vec<DottedEntry>) {
        let (Details::Toml(layout), Content::Object(object)) =
            (&self.document.details, &self.document.data(table).content)
        else {
            return;
        };
        for member in &object.members {
            if self.is_dotted(member.node) {
                self.dotted_entries(member.node, entries);
                continue;
            }
            let keys = match layout.dotted.get(&member.node) {
                Some(keys) => layout.keys[keys.clone()].to_vec(),
                None => vec![TableKey {
                    span: member.key_span,
                    names: member.node,
                    leads_to: member.node,
                }],
            };
            entries.push(DottedEntry {
                keys,
                node: member.node,
            });
        }
    }

    /// Plans the changes of a table at depth `depth` of the entries' keys.
    fn plan_dotted(&self, table: NodeId, depth: usize, plan: &mut Plan<'_>) {
        let Content::Object(object) = &self.document.data(table).content else {
            return;
        };
        if !self.overlay.is_touched(table) {
            return;
        }
        let changes = self.changes(table);
        for (place, key) in changes.iter().flat_map(|it| &it.renamed) {
            let member = object.members[*place].node;
            plan.renamed.insert(member, key.clone());
        }
        for (place, member) in object.members.iter().enumerate() {
            let stays = changes.as_ref().is_none_or(|it| it.stays[place]);
            let is_dotted = self.is_dotted(member.node);
            if !stays {
                plan.remove(depth, member.node);
            } else if is_dotted && self.overlay.is_replaced(member.node) {
                self.rewrite(depth + 1, member.node, plan);
            } else if is_dotted {
                self.plan_dotted(member.node, depth + 1, plan);
            }
        }
        let Some(changes) = changes else {
            return;
        };
        if changes.is_empty_after() && depth > 0 {
            self.rewrite(depth, table, plan);
            return;
        }
        let own = plan.places(depth, table);
        for (_, key, node) in changes.fresh {
            let keys = &plan.entries[own.start].keys[..depth];
            let mut name = self.dotted(keys, &plan.renamed);
            if depth > 0 {
                name.push('.');
            }
            name.push_str(&toml_key(&key.unwrap_or_default()));
            plan.fresh.push((own.end, Some(name), node));
        }
    }

    /// Replaces the entries of a table at depth `depth` with one value, at the position of its
    /// first entry.
    fn rewrite(&self, depth: usize, table: NodeId, plan: &mut Plan<'_>) {
        let first = plan.places(depth, table).start;
        let name = self.dotted(&plan.entries[first].keys[..depth], &plan.renamed);
        plan.remove(depth - 1, table);
        plan.fresh.push((first, Some(name), table));
    }
}

impl Plan<'_> {
    /// The range from the first to the last entry of a table at depth `depth`.
    fn places(&self, depth: usize, table: NodeId) -> std::ops::Range<usize> {
        let is_own = |entry: &DottedEntry| {
            depth == 0
                || entry
                    .keys
                    .get(depth - 1)
                    .is_some_and(|it| it.names == table)
        };
        let first = self.entries.iter().position(is_own).unwrap_or_default();
        let last = self.entries.iter().rposition(is_own);
        first..last.map_or(self.entries.len(), |last| last + 1)
    }

    /// Removes the entries whose key at index `depth` names `member`.
    fn remove(&mut self, depth: usize, member: NodeId) {
        for (entry, stays) in self.entries.iter().zip(&mut self.stays) {
            *stays &= entry.keys.get(depth).is_none_or(|it| it.names != member);
        }
    }
}
