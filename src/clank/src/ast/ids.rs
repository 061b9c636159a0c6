//! The external names of nodes.
//!
//! A name given in AST JSON is kept. Every other node is named after its path in the tree. The path
//! consists of roles and names instead of positions, so that an unrelated change does not affect
//! it.

use std::collections::HashMap;

use super::NodeId;
use super::hash_set::{BloomFilter, UsedHashes};
use crate::source::Location;

#[derive(Clone, Debug, Default)]
pub struct Ids {
    /// The number of nodes.
    count: usize,
    /// The names of nodes by number, packed as in [`IdName`]. Nodes without an entry have no name.
    names: Vec<u64>,
    given: Vec<Box<str>>,
    by_name: HashMap<Box<str>, NodeId>,
    /// Locations from AST JSON, or of source fragments.
    locations: HashMap<NodeId, Location>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdName {
    /// The node has no name yet.
    Nameless,
    /// A hash of the path in the tree.
    Structural(u64),
    /// Given by a document, as an index into `given`.
    Given(u64),
}

/// The number of bits in a structural name. Two paths may collide.
const BITS: u32 = 48;
const HASH: u64 = (1 << BITS) - 1;
const STRUCTURAL: u64 = 1 << BITS;
const GIVEN: u64 = 1 << (BITS + 1);

impl IdName {
    /// Zero means no name, so that a zeroed list needs no initialization.
    fn of(packed: u64) -> Self {
        match packed & !HASH {
            STRUCTURAL => Self::Structural(packed & HASH),
            GIVEN => Self::Given(packed & HASH),
            _ => Self::Nameless,
        }
    }
}

/// The hash of a packed structural name.
fn hash(packed: u64) -> Option<u64> {
    (packed & STRUCTURAL != 0).then_some(packed & HASH)
}

fn hashes<'a>(packed: impl Iterator<Item = &'a u64>) -> impl Iterator<Item = u64> {
    packed.filter_map(|it| hash(*it))
}

/// The names of all nodes, while they are being named.
pub(super) struct Naming {
    names: Vec<u64>,
}

impl Naming {
    /// Names a node after its path, unless it already has a name.
    pub fn name(&mut self, node: NodeId, path: u64) {
        if let Some(slot) = self.names.get_mut(node.index())
            && *slot == 0
        {
            *slot = STRUCTURAL | (path >> (u64::BITS - BITS));
        }
    }
}

impl Ids {
    /// Ids for nodes that are numbered from `first` on.
    pub(crate) fn beyond(first: usize) -> Self {
        Self {
            count: first,
            ..Self::default()
        }
    }

    /// A new node without a name.
    pub fn fresh(&mut self) -> NodeId {
        let id = NodeId(u32::try_from(self.count).unwrap_or(u32::MAX));
        self.count += 1;
        id
    }

    /// Takes the names of all nodes out for naming. Return them to
    /// [`resolve_collisions`](Self::resolve_collisions).
    pub(super) fn naming(&mut self) -> Naming {
        let mut names = std::mem::take(&mut self.names);
        names.resize(self.count, 0);
        Naming { names }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Names a node. Fails if another node already has the name.
    pub fn give(&mut self, id: NodeId, name: &str) -> Result<(), NodeId> {
        if let Some(owner) = self.by_name.get(name) {
            return if *owner == id { Ok(()) } else { Err(*owner) };
        }
        if (self.names.len()..self.count).contains(&id.index()) {
            self.names.resize(self.count, 0);
        }
        let given = GIVEN | self.given.len() as u64;
        if let Some(slot) = self.names.get_mut(id.index()) {
            *slot = given;
            self.given.push(name.into());
            self.by_name.insert(name.into(), id);
        }
        Ok(())
    }

    /// A new node that canonicalization adds, named after another node and its role there.
    pub fn derived(&mut self, from: NodeId, role: &str) -> NodeId {
        let base = format!("{}.{role}", self.name(from));
        let id = self.fresh();
        let mut name = base.clone();
        let mut count = 1;
        while self.give(id, &name).is_err() {
            count += 1;
            name = format!("{base}{count}");
        }
        id
    }

    fn id_name(&self, id: NodeId) -> IdName {
        IdName::of(self.names.get(id.index()).copied().unwrap_or_default())
    }

    pub fn name(&self, id: NodeId) -> String {
        self.with_name(id, str::to_owned)
    }

    /// The name of a node, if it is a structural one.
    pub(crate) fn structural(&self, id: NodeId) -> Option<[u8; 13]> {
        match self.id_name(id) {
            IdName::Structural(hash) => Some(structural_digits(hash)),
            IdName::Given(_) | IdName::Nameless => None,
        }
    }

    /// Calls `read` with the name of a node.
    pub fn with_name<T>(&self, id: NodeId, read: impl FnOnce(&str) -> T) -> T {
        match self.id_name(id) {
            IdName::Structural(hash) => {
                let digits = structural_digits(hash);
                read(str::from_utf8(&digits).unwrap_or_default())
            }
            IdName::Given(at) => read(self.given.get(at as usize).map_or("", |it| it)),
            IdName::Nameless => read(&format!("n{}", id.0)),
        }
    }

    /// Takes names over, and renames nodes that share a name. Such nodes are very rare, so a Bloom
    /// filter finds the suspects without a full set.
    pub(super) fn resolve_collisions(&mut self, naming: Naming) {
        self.names = naming.names;
        let mut seen = BloomFilter::of(self.names.len());
        let is_given = !self.by_name.is_empty();
        let all = hashes(self.names.iter());
        let is_suspect = |it: &u64| seen.has_or_takes(*it) || (is_given && self.is_taken(*it));
        let suspects: Vec<u64> = all.filter(is_suspect).collect();
        if !suspects.is_empty() {
            self.rename_collisions(&suspects);
        }
    }

    /// Resolves collisions: all nodes with one of these names, except the first, take the next free
    /// name.
    fn rename_collisions(&mut self, names: &[u64]) {
        let mut seen = UsedHashes::default();
        let mut again = Vec::new();
        // A Bloom filter rejects most nodes.
        let mut few = BloomFilter::of(names.len());
        for hash in names {
            few.has_or_takes(*hash);
        }
        let names: UsedHashes = names.iter().copied().collect();
        for (at, name) in self.names.iter().enumerate() {
            if let Some(hash) = hash(*name)
                && few.has(hash)
                && names.contains(&hash)
                && (self.is_taken(hash) || !seen.insert(hash))
            {
                again.push((at, hash));
            }
        }
        if again.is_empty() {
            return;
        }
        let mut taken: UsedHashes = hashes(self.names.iter()).collect();
        for (at, mut hash) in again {
            while !taken.insert(hash) || self.is_taken(hash) {
                hash = (hash + 1) & HASH;
            }
            if let Some(slot) = self.names.get_mut(at) {
                *slot = STRUCTURAL | hash;
            }
        }
    }

    /// Whether a document gave some node the structural name of this hash.
    fn is_taken(&self, hash: u64) -> bool {
        !self.by_name.is_empty() && self.by_name.contains_key(structural_name(hash).as_str())
    }

    /// Whether a document gave the node its name.
    pub fn is_given(&self, id: NodeId) -> bool {
        matches!(self.id_name(id), IdName::Given(_))
    }

    /// The node with a name. Finding a structural name scans all nodes, so this is for a few
    /// lookups. For many lookups, build a map from [`iter`](Self::iter).
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied().or_else(|| {
            let is_named = |it: u64| hash(it).map(structural_name).as_deref() == Some(name);
            let at = self.names.iter().position(|it| is_named(*it))?;
            u32::try_from(at).ok().map(NodeId)
        })
    }

    /// All named nodes with their names, in the order they were created.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, String)> {
        self.names.iter().enumerate().filter_map(|(at, name)| {
            let id = NodeId(u32::try_from(at).ok()?);
            (*name != 0).then(|| (id, self.name(id)))
        })
    }

    pub fn set_location(&mut self, id: NodeId, location: Location) {
        self.locations.insert(id, location);
    }

    pub fn given_location(&self, id: NodeId) -> Option<&Location> {
        self.locations.get(&id)
    }
}

fn structural_name(hash: u64) -> String {
    String::from_utf8_lossy(&structural_digits(hash)).into_owned()
}

/// `n` and twelve hexadecimal digits.
fn structural_digits(hash: u64) -> [u8; 13] {
    let [_, _, bytes @ ..] = hash.to_be_bytes();
    let mut digits = [b'n'; 13];
    for (pair, byte) in digits[1..].chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&PAIRS[usize::from(byte)]);
    }
    digits
}

/// The two hexadecimal digits of each byte.
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_with_colliding_names_get_the_next_free_name() {
        let mut ids = Ids::default();
        for hash in [7, 8, 7, 7, 9] {
            ids.fresh();
            ids.names.push(STRUCTURAL | hash);
        }
        let given = ids.fresh();
        ids.give(given, &structural_name(8)).expect("a new name");
        ids.rename_collisions(&[7, 8]);
        let names: Vec<u64> = hashes(ids.names.iter()).collect();
        assert_eq!(names, [7, 10, 11, 12, 9]);
    }

    #[test]
    fn nodes_with_one_path_are_made_unique() {
        let mut ids = Ids::beyond(4);
        let mut naming = ids.naming();
        for (at, path) in [(0, 7), (1, 8), (2, 7), (3, 9)] {
            naming.name(NodeId(at), path << 16);
        }
        ids.resolve_collisions(naming);
        let names =
            [(0, 7), (1, 8), (2, 10), (3, 9)].map(|(id, it)| (NodeId(id), structural_name(it)));
        assert_eq!(ids.iter().collect::<Vec<_>>(), names);
        assert!(names.iter().all(|(id, name)| ids.find(name) == Some(*id)));
        let later = ids.derived(NodeId(2), "role");
        assert_eq!(ids.name(later), format!("{}.role", structural_name(10)));
        // Nodes that have names keep them when the tree is named again.
        let naming = ids.naming();
        ids.resolve_collisions(naming);
        assert_eq!(ids.iter().take(4).collect::<Vec<_>>(), names);
    }

    #[test]
    fn a_structural_name_has_twelve_digits() {
        assert_eq!(structural_name(0x00f0_1234_5678_9abc), "n123456789abc");
        assert_eq!(structural_name(0xab), "n0000000000ab");
    }
}
