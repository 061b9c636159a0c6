//! Sorts the symbols of a load: those without an alias first, each group by name.

use crate::tree::{NodeId, Tree};

pub(super) fn sort(tree: &mut Tree<'_>, loads: &[NodeId]) {
    for &load in loads {
        let (pairs, _) = tree.load_pairs(load).as_chunks::<2>();
        let key = |pair: &[NodeId; 2]| {
            let local = tree.name(pair[0]);
            (local != tree.name(pair[1]), local)
        };
        let twice = |a: &[NodeId; 2], b: &[NodeId; 2]| tree.name(a[0]) == tree.name(b[0]);
        if pairs.is_sorted_by(|a, b| key(a) < key(b) && !twice(a, b)) {
            continue;
        }
        let mut pairs = pairs.to_vec();
        pairs.sort_by_cached_key(key);
        let mut kept: Vec<[NodeId; 2]> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            match kept.last_mut() {
                // Loaded twice: the later one is kept, with the comments of both.
                Some(last) if tree.name(last[0]) == tree.name(pair[0]) => {
                    tree.move_comments(last[0], pair[0]);
                    tree.move_comments(last[1], pair[1]);
                    *last = pair;
                }
                _ => kept.push(pair),
            }
        }
        tree.set_list(load, kept.as_flattened());
    }
}
