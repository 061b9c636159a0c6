//! Merges the changes of several groups by file.

use std::collections::BTreeMap;

use super::WriteError;
use super::change::FileChange;
use super::outcome::{Refusal, RefusalReason};
use crate::path::PathError;
use crate::root::Workspace;

/// Changes with their groups. Each file occurs once.
pub(crate) struct Merged {
    /// Grouped, and in the order of their paths within a group.
    pub(crate) changes: Vec<(usize, FileChange)>,
    /// Changes that are rejected because of their path.
    pub(crate) refused: Vec<(usize, Refusal)>,
}

/// Merges the changes of all groups. Two equal changes of one file become one change, and their
/// groups are joined, because they now share a file.
pub(crate) fn merged(
    workspace: &Workspace,
    groups: Vec<Vec<FileChange>>,
) -> Result<Merged, WriteError> {
    let mut leaders = DisjointSets((0..groups.len()).collect());
    let mut by_path: BTreeMap<String, (usize, FileChange)> = BTreeMap::new();
    let mut refused = Vec::new();
    for (group, changes) in groups.into_iter().enumerate() {
        for change in changes {
            if let Some(reason) = path_refusal(workspace, &change.path) {
                refused.push((group, Refusal::new(change.path, reason)));
                continue;
            }
            match by_path.get(&change.path) {
                None => {
                    by_path.insert(change.path.clone(), (group, change));
                }
                Some((earlier, twin))
                    if twin.base == change.base && twin.contents == change.contents =>
                {
                    leaders.unite(*earlier, group);
                }
                Some(_) => return Err(WriteError::Twice { path: change.path }),
            }
        }
    }
    let mut changes: Vec<_> = by_path.into_values().collect();
    for (group, _) in &mut changes {
        *group = leaders.of(*group);
    }
    for (group, _) in &mut refused {
        *group = leaders.of(*group);
    }
    // Stable, so that a group's files stay in the order of their paths.
    changes.sort_by_key(|(group, _)| *group);
    Ok(Merged { changes, refused })
}

/// Why the file at `path` cannot be written, judging by its path alone. The path was real when the
/// change was computed, but a link may have replaced it since.
fn path_refusal(workspace: &Workspace, path: &str) -> Option<RefusalReason> {
    match workspace.real_path(path) {
        Ok(real) if real == path => None,
        Ok(_) | Err(PathError::Outside { .. }) => Some(RefusalReason::Linked),
        Err(PathError::Missing { .. }) => Some(RefusalReason::Stale),
        Err(error) => Some(RefusalReason::Failed(error.to_string())),
    }
}

/// Union-find of joined groups: each group points to another one of its set, and the leader to
/// itself.
struct DisjointSets(Vec<usize>);

impl DisjointSets {
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
    fn a_long_chain_of_joined_groups_is_resolved_quickly() {
        const GROUPS: usize = 100_000;
        let mut leaders = DisjointSets((0..GROUPS).collect());
        for group in (1..GROUPS).rev() {
            leaders.unite(group - 1, group);
        }
        assert!((0..GROUPS).rev().all(|group| leaders.of(group) == 0));
    }
}
