//! Merges the changes of several groups by file, even if a file has several names.

use std::collections::{BTreeMap, BTreeSet};

use super::WriteError;
use super::change::FileChange;
use crate::path::PathError;
use crate::root::Workspace;

/// What the caller called each file, by its real path.
pub(crate) type Names = BTreeMap<String, BTreeSet<String>>;

/// Changes by real path, each file once.
pub(crate) struct Merged {
    /// Grouped, and in the order of their paths within a group.
    pub(crate) changes: Vec<(usize, FileChange)>,
    /// Paths that no longer exist, with their groups.
    pub(crate) missing: Vec<(usize, String)>,
    pub(crate) names: Names,
}

/// Two equal changes of one file, for example through a link, are one change. Their groups are
/// joined, because they now share a file.
pub(crate) fn merged(
    workspace: &Workspace,
    groups: Vec<Vec<FileChange>>,
) -> Result<Merged, WriteError> {
    let mut leaders = Leaders((0..groups.len()).collect());
    let mut by_path: BTreeMap<String, (usize, FileChange)> = BTreeMap::new();
    let mut names = Names::new();
    let mut missing = Vec::new();
    for (group, changes) in groups.into_iter().enumerate() {
        for mut change in changes {
            let real = match workspace.real_path(&change.path) {
                Err(PathError::Missing { .. }) => {
                    missing.push((group, change.path));
                    continue;
                }
                real => real?,
            };
            let name = std::mem::replace(&mut change.path, real.clone());
            names.entry(real.clone()).or_default().insert(name);
            match by_path.get(&real) {
                None => {
                    by_path.insert(real, (group, change));
                }
                Some((earlier, twin))
                    if twin.base == change.base && twin.contents == change.contents =>
                {
                    leaders.unite(*earlier, group);
                }
                Some(_) => return Err(WriteError::Twice { path: real }),
            }
        }
    }
    let mut changes: Vec<_> = by_path.into_values().collect();
    for (group, _) in &mut changes {
        *group = leaders.of(*group);
    }
    for (group, _) in &mut missing {
        *group = leaders.of(*group);
    }
    // Stable, so that a group's files stay in the order of their paths.
    changes.sort_by_key(|(group, _)| *group);
    Ok(Merged {
        changes,
        missing,
        names,
    })
}

/// Union-find of joined groups: each group points to another one of its set, and the leader to
/// itself.
struct Leaders(Vec<usize>);

impl Leaders {
    fn of(&mut self, mut group: usize) -> usize {
        while self.0[group] != group {
            // Path halving.
            self.0[group] = self.0[self.0[group]];
            group = self.0[group];
        }
        group
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without path halving, this would take minutes.
    #[test]
    fn a_long_chain_of_groups_is_followed_once() {
        const GROUPS: usize = 100_000;
        let mut leaders = Leaders((0..GROUPS).collect());
        for group in (1..GROUPS).rev() {
            leaders.unite(group - 1, group);
        }
        assert!((0..GROUPS).rev().all(|group| leaders.of(group) == 0));
    }
}
