//! Computes which repairs of a result can be applied together.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::tree::Tree;

/// Fills in conflicts and batch keys. Candidates are sorted, best first.
///
/// Two repairs conflict in three cases. They resolve the same problem, they touch the same node, or
/// one replaces a node that contains a node of the other. All remaining repairs touch different
/// nodes and commute.
pub(super) fn fill(candidates: &mut [Candidate], tree: &Tree<'_>) {
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut by_problem: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut by_node: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut taken: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        for id in candidate.resolved() {
            by_problem.entry(id.clone()).or_default().push(at);
        }
        for op in &candidate.edits {
            let node = op.target().to_owned();
            if op.replaces_subtree() {
                taken.entry(node.clone()).or_default().push(at);
            }
            by_node.entry(node).or_default().push(at);
        }
    }
    let mut add = |a: usize, b: usize| {
        if a != b {
            pairs.insert((a, b));
            pairs.insert((b, a));
        }
    };
    for list in by_problem.values().chain(by_node.values()) {
        for (place, a) in list.iter().enumerate() {
            list.iter().skip(place + 1).for_each(|b| add(*a, *b));
        }
    }
    for (at, candidate) in candidates.iter().enumerate() {
        for op in &candidate.edits {
            let Ok(node) = tree.find(op.target()) else {
                continue;
            };
            for above in tree.upwards(node.id()) {
                let rivals = taken.get(&tree.name(above.id()));
                rivals.into_iter().flatten().for_each(|it| add(at, *it));
            }
        }
    }
    let ids: Vec<String> = candidates.iter().map(|it| it.id.clone()).collect();
    for (a, b) in &pairs {
        if let (Some(candidate), Some(id)) = (candidates.get_mut(*a), ids.get(*b)) {
            candidate.compatibility.conflicts_with.push(id.clone());
        }
    }
    batch_keys(candidates, &pairs);
}

/// Repairs of one kind with the same ops share a batch key. Only the best alternative gets a key,
/// and only if another repair shares it.
fn batch_keys(candidates: &mut [Candidate], conflicts: &BTreeSet<(usize, usize)>) {
    let mut batches: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        if !candidate.compatibility.requires.is_empty() {
            continue;
        }
        let batch = batches.entry(key_of(candidate)).or_default();
        // Conflicts are with close neighbors. Looking them up avoids a scan of the whole batch.
        let mut rivals = conflicts.range((at, 0)..(at + 1, 0)).map(|it| it.1);
        if !rivals.any(|it| batch.binary_search(&it).is_ok()) {
            batch.push(at);
        }
    }
    for (key, members) in batches {
        if members.len() < 2 {
            continue;
        }
        for at in members {
            if let Some(candidate) = candidates.get_mut(at) {
                candidate.compatibility.batch_key = Some(key.clone());
            }
        }
    }
}

fn key_of(candidate: &Candidate) -> String {
    let kind = fixpoint_report::word::<fixpoint_report::Kind>(candidate.kind.into());
    let ops: BTreeSet<&str> = candidate.edits.iter().map(|it| it.name()).collect();
    let ops: Vec<&str> = ops.into_iter().collect();
    format!("batch:{}:{}", kind.unwrap_or_default(), ops.join("+"))
}
