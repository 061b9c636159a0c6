//! The names by which other programs know nodes.
//!
//! A name given in AST JSON is kept. Every other node is named after its place in the tree, told by
//! roles and by what things are called rather than by counting, so that an unrelated change elsewhere
//! leaves the name alone.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::{NodeId, NodeRef, Program, Step};
use crate::beside::both;
use crate::source::Location;

#[derive(Clone, Debug, Default)]
pub struct Ids {
    names: Vec<IdName>,
    given: Vec<Box<str>>,
    by_name: HashMap<Box<str>, NodeId>,
    /// Places that came with AST JSON or belong to a source fragment.
    locations: HashMap<NodeId, Location>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdName {
    /// Not named yet.
    Nameless,
    /// After its place in the tree: the upper and the lower bits, so that a name takes eight bytes.
    Structural(u16, u32),
    /// By a document; the place of the name among those that are given.
    Given(u32),
}

impl IdName {
    fn structural(hash: u64) -> Self {
        Self::Structural((hash >> 32) as u16, hash as u32)
    }

    fn hash(self) -> Option<u64> {
        match self {
            Self::Structural(upper, lower) => Some((u64::from(upper) << 32) | u64::from(lower)),
            Self::Nameless | Self::Given(_) => None,
        }
    }
}

impl Ids {
    /// Makes room for so many nodes.
    pub fn reserve(&mut self, count: usize) {
        self.names.reserve(count);
    }

    /// Ids for nodes beside those there are.
    pub(crate) fn beyond(&self) -> Self {
        Self {
            names: vec![IdName::Nameless; self.names.len()],
            ..Self::default()
        }
    }

    /// A new node without a name.
    pub fn fresh(&mut self) -> NodeId {
        let id = NodeId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(IdName::Nameless);
        id
    }

    /// Makes the next node the one with that number, unless there are more already.
    pub(crate) fn skip_to(&mut self, next: usize) {
        if self.names.len() < next {
            self.names.resize(next, IdName::Nameless);
        }
    }

    /// Takes over the nodes of others, which were numbered on from these.
    pub(crate) fn append(&mut self, mut others: Self, first: usize) {
        self.names.extend(others.names.drain(first..));
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Names a node. A name that another node has already is refused.
    pub fn give(&mut self, id: NodeId, name: &str) -> Result<(), NodeId> {
        if let Some(owner) = self.by_name.get(name) {
            return if *owner == id { Ok(()) } else { Err(*owner) };
        }
        if let Some(slot) = self.names.get_mut(id.index()) {
            *slot = IdName::Given(u32::try_from(self.given.len()).unwrap_or(u32::MAX));
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

    pub fn name(&self, id: NodeId) -> String {
        self.with_name(id, str::to_owned)
    }

    /// The name of a node that has it after its place in the tree.
    pub(crate) fn structural(&self, id: NodeId) -> Option<[u8; 13]> {
        let name = self.names.get(id.index())?;
        name.hash().map(structural_digits)
    }

    /// Calls `read` with the name of a node.
    pub fn with_name<T>(&self, id: NodeId, read: impl FnOnce(&str) -> T) -> T {
        let name = self.names.get(id.index()).copied();
        if let Some(hash) = name.and_then(IdName::hash) {
            let digits = structural_digits(hash);
            return read(str::from_utf8(&digits).unwrap_or_default());
        }
        match name {
            Some(IdName::Given(at)) => read(self.given.get(at as usize).map_or("", |it| it)),
            _ => read(&format!("n{}", id.0)),
        }
    }

    /// Gives nodes that came to one name names of their own.
    fn tell_apart(&mut self) {
        // That they do happens next to never, and a bit for each tells most of them apart without
        // holding them all.
        let mut bits = Bits::of(self.names.len());
        let hashes = self.names.iter().filter_map(|it| it.hash());
        let meets = |hash: &u64| bits.has_or_takes(*hash) || self.is_taken(*hash);
        let suspects: Vec<u64> = hashes.filter(meets).collect();
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
            if let Some(hash) = name.hash()
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
        let mut taken: Taken = self.names.iter().filter_map(|it| it.hash()).collect();
        for (at, mut hash) in again {
            while !taken.insert(hash) || self.is_taken(hash) {
                hash = (hash + 1) & 0xffff_ffff_ffff;
            }
            if let Some(slot) = self.names.get_mut(at) {
                *slot = IdName::structural(hash);
            }
        }
    }

    /// Whether a document gave a node the name that a path would have.
    fn is_taken(&self, hash: u64) -> bool {
        !self.by_name.is_empty() && self.by_name.contains_key(structural_name(hash).as_str())
    }

    /// Whether a document gave the node its name.
    pub fn is_given(&self, id: NodeId) -> bool {
        matches!(self.names.get(id.index()), Some(IdName::Given(_)))
    }

    /// The node of a name. Structural names are found by trying every node, so this is for a few
    /// look-ups; whoever needs many makes a map of [`iter`](Self::iter).
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied().or_else(|| {
            let is_named = |it: &IdName| it.hash().map(structural_name).as_deref() == Some(name);
            let at = self.names.iter().position(is_named)?;
            u32::try_from(at).ok().map(NodeId)
        })
    }

    /// Every node that has a name, with it, in the order they were made.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, String)> {
        let names = self.names.iter().enumerate();
        names.filter_map(|(at, name)| {
            let id = NodeId(u32::try_from(at).ok()?);
            (*name != IdName::Nameless).then(|| (id, self.name(id)))
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

/// Names that are taken. They are hashes already.
type Taken = HashSet<u64, BuildHasherDefault<AsItIs>>;

#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        // The upper bits choose the slot's tag, and names have none there.
        self.0 | (self.0 << 48)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Where a program can be taken apart: the declarations from this one on have the nodes from that one
/// on, and no others.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    pub declaration: usize,
    pub node: usize,
}

/// Names every node of the program that has no name yet; one that can be taken apart, both halves at
/// once.
pub fn assign_structural_ids(program: &Program, ids: &mut Ids, middle: Option<Middle>) {
    let root = NodeRef::Program(program);
    name(&mut ids.names, program.id.index(), ROOT);
    let mut seen = Seen::default();
    let mut tops = Vec::new();
    root.children(&mut |step, child| tops.push((child, seen.path_of(ROOT, step, child))));
    let Middle { declaration, node } = middle.unwrap_or(Middle {
        declaration: tops.len(),
        node: ids.names.len(),
    });
    let (front, back) = tops.split_at(declaration.min(tops.len()));
    let node = node.min(ids.names.len());
    let (first, second) = ids.names.split_at_mut(node);
    if back.is_empty() {
        name_all(front, first, 0);
    } else {
        both(
            || name_all(front, first, 0),
            || name_all(back, second, node),
        );
    }
    ids.tell_apart();
}

const ROOT: u64 = 0x636c_616e_6b21;

/// Names all nodes from some on down, of which `names` holds those from number `first` on.
fn name_all(tops: &[(NodeRef<'_>, u64)], names: &mut [IdName], first: usize) {
    let mut seen = Seen::default();
    let mut visit = |node: NodeId, path| {
        if let Some(at) = node.index().checked_sub(first) {
            name(names, at, path);
        }
    };
    for (node, path) in tops {
        paths_below(*node, *path, &mut seen, &mut visit);
    }
}

fn name(names: &mut [IdName], at: usize, path: u64) {
    if let Some(slot) = names.get_mut(at)
        && matches!(slot, IdName::Nameless)
    {
        // Names are 48 bits, so that two paths may meet.
        *slot = IdName::structural(path >> 16);
    }
}

/// A set that may take things for others.
struct Bits(Vec<u64>);

impl Bits {
    fn of(count: usize) -> Self {
        Self(vec![0; (count / 2).next_power_of_two()])
    }

    /// A word of the set, and two bits of it.
    fn place(&self, hash: u64) -> (usize, u64) {
        let word = (hash >> 6) as usize & (self.0.len() - 1);
        (word, 1 << (hash & 63) | 1 << (hash >> 42 & 63))
    }

    fn has(&self, hash: u64) -> bool {
        let (word, bits) = self.place(hash);
        self.0.get(word).is_none_or(|it| it & bits == bits)
    }

    fn has_or_takes(&mut self, hash: u64) -> bool {
        let (word, bits) = self.place(hash);
        let Some(word) = self.0.get_mut(word) else {
            return true;
        };
        let has = *word & bits == bits;
        *word |= bits;
        has
    }
}

/// Tells of every node with its path, in the order of the file.
fn paths_below(node: NodeRef<'_>, path: u64, seen: &mut Seen, visit: &mut dyn FnMut(NodeId, u64)) {
    visit(node.id(), path);
    let outer = seen.begin();
    node.children(&mut |step, child| {
        let below = seen.path_of(path, step, child);
        paths_below(child, below, seen, visit);
    });
    seen.end(outer);
}

/// How often each key was met among the children of a node, for all nodes on the way down.
#[derive(Default)]
struct Seen {
    /// Those of the innermost node are the last.
    few: Vec<(u64, u64)>,
    /// Where those of the innermost node begin.
    start: usize,
    /// Where there are many, they are here too.
    many: HashMap<u64, u64, BuildHasherDefault<AsItIs>>,
}

impl Seen {
    /// How many are looked through one by one.
    const FEW: usize = 16;

    fn begin(&mut self) -> usize {
        std::mem::replace(&mut self.start, self.few.len())
    }

    fn end(&mut self, outer: usize) {
        self.few.truncate(self.start);
        self.start = outer;
    }

    /// The path of a child of the innermost node.
    fn path_of(&mut self, path: u64, step: Step, child: NodeRef<'_>) -> u64 {
        match step {
            Step::Only(role) => mix(path, role.as_bytes()),
            Step::At(role, place) => mix(mix(path, role.as_bytes()), &place.to_le_bytes()),
            Step::Among(role) => {
                let (sort, name) = child.key();
                let key = mix(
                    mix(mix(path, role.as_bytes()), sort.as_bytes()),
                    name.as_bytes(),
                );
                mix(key, &self.count(key).to_le_bytes())
            }
        }
    }

    /// Counts a key, from 1. Keys are hashes of paths, so that those of two nodes do not meet.
    fn count(&mut self, key: u64) -> u64 {
        let own = self.few.get_mut(self.start..).unwrap_or_default();
        if own.len() == Self::FEW {
            let count = self.many.entry(key).or_default();
            *count += 1;
            return *count;
        }
        if let Some((_, count)) = own.iter_mut().find(|it| it.0 == key) {
            *count += 1;
            return *count;
        }
        self.few.push((key, 1));
        let own = self.few.get(self.start..).unwrap_or_default();
        if own.len() == Self::FEW {
            self.many.extend(own.iter().copied());
        }
        1
    }
}

/// Eight bytes at a time, each folded into all bits, so that the upper ones depend on everything.
fn mix(seed: u64, part: &[u8]) -> u64 {
    let fold = |hash: u64, word: u64| {
        let product =
            u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(word ^ 0xa076_1d64_78bd_642f);
        (product as u64) ^ ((product >> 64) as u64)
    };
    let mut hash = seed ^ 0xcbf2_9ce4_8422_2325;
    let mut chunks = part.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.try_into().map(u64::from_le_bytes);
        hash = fold(hash, word.unwrap_or_default());
    }
    let mut last = 0;
    for byte in chunks.remainder().iter().rev() {
        last = last << 8 | u64::from(*byte);
    }
    hash = fold(hash, last);
    fold(hash, part.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_come_to_one_name_move_on() {
        let mut ids = Ids::default();
        for hash in [7, 8, 7, 7, 9] {
            ids.fresh();
            ids.names.pop();
            ids.names.push(IdName::structural(hash));
        }
        let given = ids.fresh();
        ids.give(given, &structural_name(8)).expect("a new name");
        ids.move_on(&[7, 8]);
        let hashes = ids.names.iter().filter_map(|it| it.hash());
        assert_eq!(hashes.collect::<Vec<_>>(), [7, 10, 11, 12, 9]);
    }

    #[test]
    fn what_was_taken_is_never_missed() {
        let mut bits = Bits::of(1_000);
        let names: Vec<u64> = (0..1_000_u64).map(|at| mix(at, b"") >> 16).collect();
        let confused = names.iter().filter(|it| bits.has_or_takes(**it)).count();
        assert!(confused < 100, "{confused}");
        assert!(names.iter().all(|it| bits.has_or_takes(*it)));
    }

    #[test]
    fn a_name_has_all_its_digits() {
        assert_eq!(structural_name(0x00f0_1234_5678_9abc), "n123456789abc");
        assert_eq!(structural_name(0xab), "n0000000000ab");
    }
}
