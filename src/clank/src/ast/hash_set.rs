//! Sets of hashes.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Names in use. They are hashes already.
pub(super) type UsedHashes = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

#[derive(Default)]
pub(super) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        // The hash table uses the upper bits as a tag, but names have none there.
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

/// A Bloom filter: may report false positives.
pub(super) struct BloomFilter(Vec<u64>);

impl BloomFilter {
    pub fn of(count: usize) -> Self {
        Self(vec![0; (count / 4).next_power_of_two()])
    }

    /// The index of a word in the filter, and two bits of it.
    fn place(&self, hash: u64) -> (usize, u64) {
        let word = (hash >> 6) as usize & (self.0.len() - 1);
        (word, 1 << (hash & 63) | 1 << (hash >> 42 & 63))
    }

    pub fn has(&self, hash: u64) -> bool {
        let (word, bits) = self.place(hash);
        self.0.get(word).is_none_or(|it| it & bits == bits)
    }

    pub fn has_or_takes(&mut self, hash: u64) -> bool {
        let (word, bits) = self.place(hash);
        let Some(word) = self.0.get_mut(word) else {
            return true;
        };
        let has = *word & bits == bits;
        *word |= bits;
        has
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::naming::mix;

    #[test]
    fn the_bloom_filter_has_no_false_negatives() {
        let mut bits = BloomFilter::of(1_000);
        let names: Vec<u64> = (0..1_000_u64).map(|at| mix(at, b"") >> 16).collect();
        let confused = names.iter().filter(|it| bits.has_or_takes(**it)).count();
        assert!(confused < 100, "{confused}");
        assert!(names.iter().all(|it| bits.has_or_takes(*it)));
    }
}
