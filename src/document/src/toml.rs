//! How the tables of a TOML document are laid out.
//!
//! A table of TOML need not stand in one place: `[a.b]` and `c.d = 1` name tables on the way, and
//! their parts may be far apart. The layout says where each table's parts are.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{Deref, Range};

use fixpoint_text::Span;

use crate::tree::NodeId;

/// The sections of a document in text order. The first has no header and is the root's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub sections: Vec<Section>,
    pub keys: Vec<TableKey>,
    /// Of each value in an inline table whose key has dots, its keys, in `keys`.
    pub dotted: BTreeMap<NodeId, Range<usize>>,
}

/// A key in a header, or in front of the `=` of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableKey {
    pub span: Span,
    /// What it names.
    pub names: NodeId,
    /// Where it leads: of an array of tables, into the table that was the last then.
    pub leads_to: NodeId,
}

/// A header and what stands under it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// `[a.b]` with its brackets; nothing for the first section.
    pub header: Option<Span>,
    /// The header's keys, in `Layout::keys`.
    pub keys: Range<usize>,
    pub table: NodeId,
    pub entries: Vec<TableEntry>,
}

/// `a.b = value`
#[derive(Clone, Debug)]
pub(crate) struct TableEntry {
    /// Its keys, in `Layout::keys`; the last leads to the value.
    pub keys: Range<usize>,
    pub span: Span,
}

/// Where the parts of one table, or of one array of tables, stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// The section whose header names it.
    pub own: Option<usize>,
    /// The sections whose headers lead to it or through it, ascending.
    pub sections: Vec<usize>,
    /// The entries whose keys lead to it or through it, by section, ascending.
    pub entries: Vec<(usize, usize)>,
}

/// A layout, and where the parts of some of its nodes stand.
pub(crate) struct Places<'l> {
    layout: &'l Layout,
    parts: HashMap<NodeId, Parts>,
}

impl Deref for Places<'_> {
    type Target = Layout;

    fn deref(&self) -> &Layout {
        self.layout
    }
}

impl<'l> Places<'l> {
    /// Looks for the parts of the `wanted` nodes alone: a document has many, and a change few.
    pub(crate) fn of(layout: &'l Layout, wanted: &HashSet<NodeId>) -> Self {
        let mut parts: HashMap<NodeId, Parts> =
            wanted.iter().map(|id| (*id, Parts::default())).collect();
        for (number, section) in layout.sections.iter().enumerate() {
            for key in &layout.keys[section.keys.clone()] {
                if let Some(named) = parts.get_mut(&key.names) {
                    named.sections.push(number);
                }
                if let Some(inside) = parts.get_mut(&key.leads_to)
                    && key.leads_to != key.names
                {
                    inside.sections.push(number);
                }
            }
            if let Some(own) = parts.get_mut(&section.table) {
                own.own = Some(number);
            }
            for (place, entry) in section.entries.iter().enumerate() {
                for key in &layout.keys[entry.keys.clone()] {
                    if let Some(named) = parts.get_mut(&key.names) {
                        named.entries.push((number, place));
                    }
                }
            }
        }
        Self { layout, parts }
    }

    /// The parts of a table, an array of tables, or a value of an entry.
    pub(crate) fn parts(&self, id: NodeId) -> &Parts {
        static NONE: Parts = Parts {
            own: None,
            sections: Vec::new(),
            entries: Vec::new(),
        };
        self.parts.get(&id).unwrap_or(&NONE)
    }
}

impl Layout {
    pub(crate) fn entry(&self, (section, place): (usize, usize)) -> &TableEntry {
        &self.sections[section].entries[place]
    }

    /// Where a section ends: with its last entry, or with its header.
    pub(crate) fn section_end(&self, section: usize) -> usize {
        let section = &self.sections[section];
        let last = section.entries.last().map(|it| it.span.end());
        last.or(section.header.map(Span::end)).unwrap_or_default()
    }
}
