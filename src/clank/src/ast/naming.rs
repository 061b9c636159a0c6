//! Names nodes after their path in the tree.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::hash_set::IdentityHasher;
use super::ids::Naming;
use super::{Ids, NodeRef, Program, Step};

/// Names every node that has no name yet.
pub fn assign_structural_ids(program: &Program, ids: &mut Ids) {
    let mut names = ids.naming();
    names.name(program.id, ROOT);
    let mut seen = Seen::default();
    NodeRef::Program(program).children(&mut |step, child| {
        let path = seen.path_of(ROOT, step, child);
        paths_below(child, path, &mut seen, &mut names);
    });
    ids.resolve_collisions(names);
}

const ROOT: u64 = 0x636c_616e_6b21;

/// Names a node and all nodes below it after their paths.
fn paths_below(node: NodeRef<'_>, path: u64, seen: &mut Seen, names: &mut Naming) {
    names.name(node.id(), path);
    let outer = seen.begin();
    node.children(&mut |step, child| {
        let below = seen.path_of(path, step, child);
        paths_below(child, below, seen, names);
    });
    seen.end(outer);
}

/// The number of occurrences of each key among the children of a node, for all nodes on the current
/// path.
#[derive(Default)]
struct Seen {
    /// The keys of the innermost node are at the end.
    few: Vec<(u64, u64)>,
    /// The start of the innermost node's keys.
    start: usize,
    /// Counts for a node with many keys.
    many: HashMap<u64, u64, BuildHasherDefault<IdentityHasher>>,
}

impl Seen {
    /// The maximum number of keys for linear search.
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

    /// Increments and returns the count of a key. Keys are hashes of paths, so keys of different
    /// nodes do not collide.
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

/// Hashes eight bytes at a time. Each word is folded into all bits, so that the upper bits depend
/// on the whole input.
pub(super) fn mix(seed: u64, part: &[u8]) -> u64 {
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
    hash = fold(hash, short_word(chunks.remainder()));
    fold(hash, part.len() as u64)
}

/// Up to seven bytes as a little-endian number. Bytes that are read twice give the same bits.
fn short_word(bytes: &[u8]) -> u64 {
    let last = |width: usize| 8 * (bytes.len() - width);
    if let (Some(start), Some(end)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_le_bytes(*start)) | u64::from(u32::from_le_bytes(*end)) << last(4)
    } else if let (Some(start), Some(end)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u16::from_le_bytes(*start)) | u64::from(u16::from_le_bytes(*end)) << last(2)
    } else {
        bytes.first().map_or(0, |it| u64::from(*it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_word_contains_its_bytes() {
        for length in 0..8 {
            let bytes = &b"\x81\x92\xa3\xb4\xc5\xd6\xe7"[..length];
            let expected = bytes
                .iter()
                .rev()
                .fold(0, |it, byte| it << 8 | u64::from(*byte));
            assert_eq!(short_word(bytes), expected);
        }
    }
}
