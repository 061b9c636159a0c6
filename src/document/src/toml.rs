//! The layout of the tables of a TOML document.
//!
//! A TOML table is not necessarily contiguous. `[a.b]` and `c.d = 1` define their parent tables
//! implicitly, and the parts of a table may be far apart. The layout has the location of every
//! part.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{Deref, Range};

use fixpoint_text::Span;

use crate::tree::NodeId;

/// The sections of a document in text order. The first one has no header and belongs to the root
/// table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub sections: Vec<Section>,
    pub keys: Vec<TableKey>,
    /// For each value of an inline table with a dotted key, the range of its keys in `keys`.
    pub dotted: BTreeMap<NodeId, Range<usize>>,
}

/// A key in a header, or before the `=` of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableKey {
    pub span: Span,
    /// The table, array of tables or value that the key names.
    pub names: NodeId,
    /// The table that the next key is looked up in. For an array of tables, this is the last table
    /// of the array at that point.
    pub leads_to: NodeId,
}

/// A header and the entries below it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// `[a.b]` with its brackets; `None` for the first section.
    pub header: Option<Span>,
    /// The range of the header's keys in `Layout::keys`.
    pub keys: Range<usize>,
    pub table: NodeId,
    pub entries: Vec<TableEntry>,
}

/// `a.b = value`
#[derive(Clone, Debug)]
pub(crate) struct TableEntry {
    /// The range of its keys in `Layout::keys`; the last one names the value.
    pub keys: Range<usize>,
    pub span: Span,
}

/// The locations of the parts of one table or array of tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// The section whose header names the table.
    pub own: Option<usize>,
    /// The sections whose headers name the table or one of its descendants, ascending.
    pub sections: Vec<usize>,
    /// The entries whose keys name the table or one of its descendants, as section and index,
    /// ascending.
    pub entries: Vec<(usize, usize)>,
}

/// A layout with the part locations of selected nodes.
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
    /// Collects the parts of the `wanted` nodes only, because a document has many nodes and a
    /// change affects few.
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

    /// The end of a section: the end of its last entry or of its header.
    pub(crate) fn section_end(&self, section: usize) -> usize {
        let section = &self.sections[section];
        let last = section.entries.last().map(|it| it.span.end());
        last.or(section.header.map(Span::end)).unwrap_or_default()
    }
}
