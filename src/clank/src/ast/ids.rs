//! The names by which other programs know nodes.
//!
//! A name given in AST JSON is kept. Every other node is named after its place in the tree, told by
//! roles and by what things are called rather than by counting, so that an unrelated change elsewhere
//! leaves the name alone.

use std::collections::HashMap;

use super::NodeId;
use super::taken::{Bits, Taken};
use crate::source::Location;

#[derive(Clone, Debug, Default)]
pub struct Ids {
    /// How many nodes there are.
    count: usize,
    /// The names of nodes by number, packed as [`IdName`] tells; those that are not here have none.
    names: Vec<u64>,
    given: Vec<Box<str>>,
    by_name: HashMap<Box<str>, NodeId>,
    /// Places that came with AST JSON or belong to a source fragment.
    locations: HashMap<NodeId, Location>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdName {
    /// Not named yet.
    Nameless,
    /// After its place in the tree.
    Structural(u64),
    /// By a document; the place of the name among those that are given.
    Given(u64),
}

/// How many bits a name after a place in the tree has, so that two of them may meet.
const BITS: u32 = 48;
const HASH: u64 = (1 << BITS) - 1;
const STRUCTURAL: u64 = 1 << BITS;
const GIVEN: u64 = 1 << (BITS + 1);

impl IdName {
    /// Zero is no name, so that room for names is made without a look at it.
    fn of(packed: u64) -> Self {
        match packed & !HASH {
            STRUCTURAL => Self::Structural(packed & HASH),
            GIVEN => Self::Given(packed & HASH),
            _ => Self::Nameless,
        }
    }
}

/// The hash that a packed name is, if it is one after a place.
fn hash(packed: u64) -> Option<u64> {
    (packed & STRUCTURAL != 0).then_some(packed & HASH)
}

fn hashes<'a>(packed: impl Iterator<Item = &'a u64>) -> impl Iterator<Item = u64> {
    packed.filter_map(|it| hash(*it))
}

/// What was met among some names: all of them, and those that may be there twice. That there are such
/// happens next to never, and a few bits for each tell most of them apart without holding them all.
pub(super) struct Met {
    bits: Bits,
    suspects: Vec<u64>,
}

/// Names after a place that are to be had.
pub(super) struct Naming<'a> {
    names: &'a mut [u64],
    /// The number of the first node.
    first: usize,
}

impl Naming<'_> {
    /// Names a node after its path, unless it has a name.
    pub fn name(&mut self, node: NodeId, path: u64) {
        let at = node.index().wrapping_sub(self.first);
        if let Some(slot) = self.names.get_mut(at)
            && *slot == 0
        {
            *slot = STRUCTURAL | (path >> (u64::BITS - BITS));
        }
    }

    pub fn met(&self) -> Met {
        let mut bits = Bits::of(self.names.len());
        let all = hashes(self.names.iter());
        let suspects = all.filter(|it| bits.has_or_takes(*it)).collect();
        Met { bits, suspects }
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

    /// Room for a name for every node.
    fn make_room(&mut self) {
        if self.names.is_empty() {
            self.names = vec![0; self.count];
        } else {
            self.names.resize(self.count, 0);
        }
    }

    /// The names of all nodes, of those from one on apart from those before it.
    pub(super) fn naming(&mut self, node: usize) -> (Naming<'_>, Naming<'_>) {
        self.make_room();
        let first = node.min(self.names.len());
        let (front, back) = self.names.split_at_mut(first);
        let front = Naming {
            names: front,
            first: 0,
        };
        (front, Naming { names: back, first })
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Names a node. A name that another node has already is refused.
    pub fn give(&mut self, id: NodeId, name: &str) -> Result<(), NodeId> {
        if let Some(owner) = self.by_name.get(name) {
            return if *owner == id { Ok(()) } else { Err(*owner) };
        }
        if id.index() < self.count && self.names.len() <= id.index() {
            self.make_room();
        }
        if let Some(slot) = self.names.get_mut(id.index()) {
            *slot = GIVEN | self.given.len() as u64;
            self.given.push(name.into());
            self.by_name.insert(name.into(), id);
        }
        Ok(())
    }

    /// A new node named after another one and its role there, as canonicalisation adds them.
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

    fn packed(&self, id: NodeId) -> IdName {
        IdName::of(self.names.get(id.index()).copied().unwrap_or_default())
    }

    pub fn name(&self, id: NodeId) -> String {
        self.with_name(id, str::to_owned)
    }

    /// The name of a node that has it after its place in the tree.
    pub(crate) fn structural(&self, id: NodeId) -> Option<[u8; 13]> {
        let name = self.names.get(id.index()).copied();
        name.and_then(hash).map(structural_digits)
    }

    /// Calls `read` with the name of a node.
    pub fn with_name<T>(&self, id: NodeId, read: impl FnOnce(&str) -> T) -> T {
        match self.packed(id) {
            IdName::Structural(hash) => {
                let digits = structural_digits(hash);
                read(str::from_utf8(&digits).unwrap_or_default())
            }
            IdName::Given(at) => read(self.given.get(at as usize).map_or("", |it| it)),
            IdName::Nameless => read(&format!("n{}", id.0)),
        }
    }

    /// Gives nodes that came to one name names of their own, by what was met among those before `node`
    /// and among the others.
    pub(super) fn tell_apart(&mut self, node: usize, first: Met, second: Met) {
        let mut suspects = first.suspects;
        suspects.extend(second.suspects);
        let back = self.names.get(node..).unwrap_or_default().iter();
        suspects.extend(hashes(back).filter(|it| first.bits.has(*it)));
        if !self.by_name.is_empty() {
            suspects.extend(hashes(self.names.iter()).filter(|it| self.is_taken(*it)));
        }
        if !suspects.is_empty() {
            self.move_on(&suspects);
        }
    }

    /// Of nodes that came to the same one of some names, all but the first take the next that is free.
    fn move_on(&mut self, names: &[u64]) {
        let mut seen = Taken::default();
        let mut again = Vec::new();
        // Most are none of them, which a look at a few bits tells.
        let mut few = Bits::of(names.len());
        for hash in names {
            few.has_or_takes(*hash);
        }
        let names: Taken = names.iter().copied().collect();
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
        let mut taken: Taken = hashes(self.names.iter()).collect();
        for (at, mut hash) in again {
            while !taken.insert(hash) || self.is_taken(hash) {
                hash = (hash + 1) & HASH;
            }
            if let Some(slot) = self.names.get_mut(at) {
                *slot = STRUCTURAL | hash;
            }
        }
    }

    /// Whether a document gave a node the name that a path would have.
    fn is_taken(&self, hash: u64) -> bool {
        !self.by_name.is_empty() && self.by_name.contains_key(structural_name(hash).as_str())
    }

    /// Whether a document gave the node its name.
    pub fn is_given(&self, id: NodeId) -> bool {
        matches!(self.packed(id), IdName::Given(_))
    }

    /// The node of a name. Structural names are found by trying every node, so this is for a few
    /// look-ups; whoever needs many makes a map of [`iter`](Self::iter).
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied().or_else(|| {
            let is_named = |it: &u64| hash(*it).map(structural_name).as_deref() == Some(name);
            let at = self.names.iter().position(is_named)?;
            u32::try_from(at).ok().map(NodeId)
        })
    }

    /// Every node that has a name, with it, in the order they were made.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, String)> {
        let names = self.names.iter().enumerate();
        names.filter_map(|(at, name)| {
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

/// `n` and twelve digits of base 16.
fn structural_digits(hash: u64) -> [u8; 13] {
    let [_, _, bytes @ ..] = hash.to_be_bytes();
    let mut digits = [b'n'; 13];
    for (pair, byte) in digits[1..].chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&PAIRS[usize::from(byte)]);
    }
    digits
}

/// The two digits of each byte.
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
    fn nodes_that_come_to_one_name_move_on() {
        let mut ids = Ids::default();
        for hash in [7, 8, 7, 7, 9] {
            ids.fresh();
            ids.names.push(STRUCTURAL | hash);
        }
        let given = ids.fresh();
        ids.give(given, &structural_name(8)).expect("a new name");
        ids.move_on(&[7, 8]);
        let told: Vec<u64> = hashes(ids.names.iter()).collect();
        assert_eq!(told, [7, 10, 11, 12, 9]);
    }

    #[test]
    fn names_that_meet_across_the_middle_are_told_apart() {
        let mut ids = Ids::beyond(4);
        ids.names = [7, 8, 7, 9].map(|it| STRUCTURAL | it).to_vec();
        let (first, second) = ids.naming(2);
        let (first, second) = (first.met(), second.met());
        assert!(first.suspects.is_empty() && second.suspects.is_empty());
        ids.tell_apart(2, first, second);
        let told: Vec<u64> = hashes(ids.names.iter()).collect();
        assert_eq!(told, [7, 8, 10, 9]);
    }

    #[test]
    fn a_name_has_all_its_digits() {
        assert_eq!(structural_name(0x00f0_1234_5678_9abc), "n123456789abc");
        assert_eq!(structural_name(0xab), "n0000000000ab");
    }
}
