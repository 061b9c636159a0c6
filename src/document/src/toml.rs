//! How the tables of a TOML document are laid out.
//!
//! A table of TOML need not stand in one place: `[a.b]` and `c.d = 1` name tables on the way, and
//! their parts may be far apart. The layout says where each table's parts are.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use fixpoint_text::Span;

use crate::tree::NodeId;

/// The sections of a document in text order. The first has no header and is the root's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub sections: Vec<Section>,
    pub keys: Vec<TableKey>,
    index: OnceLock<HashMap<NodeId, Parts>>,
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

impl Layout {
    /// The parts of a table, an array of tables, or a value of an entry.
    pub(crate) fn parts(&self, id: NodeId) -> &Parts {
        static NONE: Parts = Parts {
            own: None,
            sections: Vec::new(),
            entries: Vec::new(),
        };
        self.index
            .get_or_init(|| self.build_index())
            .get(&id)
            .unwrap_or(&NONE)
    }

    fn build_index(&self) -> HashMap<NodeId, Parts> {
        let mut index: HashMap<NodeId, Parts> = HashMap::new();
        for (number, section) in self.sections.iter().enumerate() {
            for key in &self.keys[section.keys.clone()] {
                let named = index.entry(key.names).or_default();
                named.sections.push(number);
                if key.leads_to != key.names {
                    index.entry(key.leads_to).or_default().sections.push(number);
                }
            }
            index.entry(section.table).or_default().own = Some(number);
            for (place, entry) in section.entries.iter().enumerate() {
                for key in &self.keys[entry.keys.clone()] {
                    let named = index.entry(key.names).or_default();
                    named.entries.push((number, place));
                }
            }
        }
        index
    }

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
