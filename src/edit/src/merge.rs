//! All fixes of a round stand on one base, like independent commits. The merge says which of them
//! can be applied together, and keeps the others with the reason and the winner.
//!
//! Almost every fix touches nothing that another fix touches. One sweep over the sorted edits finds
//! those that do; only they are compared with each other, best first.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_report::{Edit, Fix, Rejection, RejectionReason, apply_order, rank_order};
use fixpoint_text::{Snapshot, Span};

use crate::apply::{Applied, splice};
use crate::check::check_fix;
use crate::conflict::{Relation, relation};
use crate::snapshots::Snapshots;

/// The outcome of a merge.
#[derive(Debug)]
pub struct Merge<'a> {
    accepted: Vec<&'a Fix>,
    rejected: Vec<Rejection>,
    /// In apply order, each change once.
    edits: Vec<&'a Edit>,
}

impl<'a> Merge<'a> {
    /// The fixes that go together, best first.
    pub fn accepted(&self) -> &[&'a Fix] {
        &self.accepted
    }

    /// The others, by fix id.
    pub fn rejected(&self) -> &[Rejection] {
        &self.rejected
    }

    /// What the accepted fixes do to one file, in apply order, each change once.
    pub fn edits(&self, path: &str) -> impl Iterator<Item = &'a Edit> {
        let from = self.edits.partition_point(|edit| edit.path.as_str() < path);
        let to = self
            .edits
            .partition_point(|edit| edit.path.as_str() <= path);
        self.edits[from..to].iter().copied()
    }

    /// The snapshot's text once the accepted fixes are applied to it.
    pub fn apply(&self, snapshot: &Snapshot) -> Applied {
        splice(
            snapshot.text(),
            self.edits(snapshot.path())
                .map(|edit| (span(edit), edit.replacement.as_str())),
        )
    }
}

/// Merges `fixes` on `snapshots`. The order of `fixes` does not matter.
pub fn merge<'a>(snapshots: &Snapshots, fixes: impl IntoIterator<Item = &'a Fix>) -> Merge<'a> {
    let mut rejected = Vec::new();
    let mut candidates: Vec<&Fix> = Vec::new();
    for fix in fixes {
        match check_fix(fix, snapshots) {
            Ok(()) => candidates.push(fix),
            Err(error) => rejected.push(rejection(
                fix,
                RejectionReason::Invalid,
                error.to_string(),
                None,
            )),
        }
    }
    // A fix that loses what it requires frees the ground it stood on, so the others are chosen anew.
    let (accepted, conflicts) = loop {
        let (accepted, conflicts) = choose(&candidates);
        let ids: BTreeSet<&str> = accepted.iter().map(|fix| fix.id.as_str()).collect();
        let lacking: BTreeMap<&str, &str> = accepted
            .iter()
            .filter_map(|fix| Some((fix.id.as_str(), lacks(fix, &ids)?)))
            .collect();
        if lacking.is_empty() {
            break (accepted, conflicts);
        }
        candidates.retain(|fix| match lacking.get(fix.id.as_str()) {
            None => true,
            Some(required) => {
                let detail = format!("requires fix {required}, which is not applied");
                rejected.push(rejection(fix, RejectionReason::Requirement, detail, None));
                false
            }
        });
    };
    rejected.extend(conflicts);
    rejected.sort_by(|a, b| a.fix_id.cmp(&b.fix_id));
    Merge {
        edits: distinct_edits(&accepted),
        accepted,
        rejected,
    }
}

fn lacks<'a>(fix: &'a Fix, applied: &BTreeSet<&str>) -> Option<&'a str> {
    let requires = &fix.compatibility.as_ref()?.requires;
    requires
        .iter()
        .map(String::as_str)
        .find(|id| !applied.contains(id))
}

/// Greedy by rank: a fix is taken unless a better one that was taken stands in its way.
fn choose<'a>(candidates: &[&'a Fix]) -> (Vec<&'a Fix>, Vec<Rejection>) {
    let contested = contested(candidates);
    let mut accepted = Vec::with_capacity(candidates.len());
    let mut by_rank = Vec::new();
    for (fix, contested) in candidates.iter().zip(contested) {
        if contested {
            by_rank.push(*fix)
        } else {
            accepted.push(*fix)
        }
    }
    by_rank.sort_by(|a, b| rank_order(a, b));
    let mut ground = Ground::default();
    let mut rejected = Vec::new();
    for fix in by_rank {
        match ground.obstacle(fix) {
            None => {
                ground.take(fix);
                accepted.push(fix);
            }
            Some((winner, detail)) => {
                rejected.push(rejection(
                    fix,
                    RejectionReason::Conflict,
                    detail,
                    Some(winner),
                ));
            }
        }
    }
    accepted.sort_by(|a, b| rank_order(a, b));
    (accepted, rejected)
}

/// Which fixes share ground with another: bytes that overlap or touch, a name one of them writes,
/// or a declared conflict.
fn contested(fixes: &[&Fix]) -> Vec<bool> {
    let mut contested = vec![false; fixes.len()];
    let mut placed: Vec<(&str, u64, u64, usize)> = fixes
        .iter()
        .enumerate()
        .flat_map(|(index, fix)| {
            fix.edits
                .iter()
                .map(move |edit| (edit.path.as_str(), edit.start, edit.end, index))
        })
        .collect();
    placed.sort_unstable();
    let mut rest = placed.as_slice();
    while let Some(&(path, _, end, owner)) = rest.first() {
        let (mut reach, mut size, mut shared) = (end, 1, false);
        while let Some(&(next_path, start, end, index)) = rest.get(size) {
            if next_path != path || start > reach {
                break;
            }
            reach = reach.max(end);
            shared |= index != owner;
            size += 1;
        }
        if shared {
            rest[..size]
                .iter()
                .for_each(|&(.., index)| contested[index] = true);
        }
        rest = &rest[size..];
    }

    let mut users: BTreeMap<&str, (Vec<usize>, bool)> = BTreeMap::new();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (index, compatibility) in fixes
        .iter()
        .enumerate()
        .filter_map(|(index, fix)| Some((index, fix.compatibility.as_ref()?)))
    {
        for name in &compatibility.reads {
            users.entry(name).or_default().0.push(index);
        }
        for name in &compatibility.writes {
            let (indices, written) = users.entry(name).or_default();
            indices.push(index);
            *written = true;
        }
        contested[index] |= !compatibility.conflicts_with.is_empty();
        named.extend(compatibility.conflicts_with.iter().map(String::as_str));
    }
    for (indices, _) in users
        .values()
        .filter(|(indices, written)| *written && indices.len() > 1)
    {
        indices.iter().for_each(|&index| contested[index] = true);
    }
    for (index, fix) in fixes.iter().enumerate() {
        contested[index] |= named.contains(fix.id.as_str());
    }
    contested
}

/// What the accepted fixes have claimed so far.
#[derive(Default)]
struct Ground<'a> {
    /// Disjoint, so that the ones near a range are found from its end backwards.
    edits: BTreeMap<(&'a str, u64, u64), (&'a Edit, &'a Fix)>,
    readers: BTreeMap<&'a str, &'a Fix>,
    writers: BTreeMap<&'a str, &'a Fix>,
    /// Taken fixes, and the fixes they declared a conflict with.
    taken: BTreeMap<&'a str, &'a Fix>,
    excluded: BTreeMap<&'a str, &'a Fix>,
}

impl<'a> Ground<'a> {
    /// The taken fix that stands in the way of `fix`, and how.
    fn obstacle(&self, fix: &Fix) -> Option<(&'a Fix, String)> {
        self.edit_obstacle(fix).or_else(|| self.name_obstacle(fix))
    }

    fn edit_obstacle(&self, fix: &Fix) -> Option<(&'a Fix, String)> {
        fix.edits.iter().find_map(|edit| {
            let near = (edit.path.as_str(), 0, 0)..=(edit.path.as_str(), edit.end, u64::MAX);
            self.edits
                .range(near)
                .rev()
                .take_while(|((_, _, end), _)| *end >= edit.start)
                .find(|(_, (other, _))| relation(other, edit) == Relation::Conflict)
                .map(|(_, (other, owner))| {
                    let detail = format!(
                        "bytes {}..{} collide with bytes {}..{} of fix {}",
                        edit.start, edit.end, other.start, other.end, owner.id
                    );
                    (*owner, detail)
                })
        })
    }

    fn name_obstacle(&self, fix: &Fix) -> Option<(&'a Fix, String)> {
        if let Some(owner) = self.excluded.get(fix.id.as_str()) {
            return Some((
                owner,
                format!("fix {} declares a conflict with it", owner.id),
            ));
        }
        let compatibility = fix.compatibility.as_ref()?;
        let declared = compatibility
            .conflicts_with
            .iter()
            .find_map(|id| self.taken.get(id.as_str()));
        if let Some(owner) = declared {
            return Some((owner, format!("declares a conflict with fix {}", owner.id)));
        }
        let written = |name: &String| Some((self.writers.get(name.as_str())?, name.clone()));
        let read = |name: &String| Some((self.readers.get(name.as_str())?, name.clone()));
        let (owner, name) = compatibility
            .writes
            .iter()
            .find_map(|name| written(name).or_else(|| read(name)))
            .or_else(|| compatibility.reads.iter().find_map(written))?;
        Some((owner, format!("shares `{name}` with fix {}", owner.id)))
    }

    fn take(&mut self, fix: &'a Fix) {
        for edit in &fix.edits {
            self.edits
                .entry((&edit.path, edit.start, edit.end))
                .or_insert((edit, fix));
        }
        self.taken.insert(&fix.id, fix);
        if let Some(compatibility) = &fix.compatibility {
            self.readers
                .extend(compatibility.reads.iter().map(|name| (name.as_str(), fix)));
            self.writers
                .extend(compatibility.writes.iter().map(|name| (name.as_str(), fix)));
            self.excluded.extend(
                compatibility
                    .conflicts_with
                    .iter()
                    .map(|id| (id.as_str(), fix)),
            );
        }
    }
}

/// The edits of the accepted fixes in apply order, identical ones once.
fn distinct_edits<'a>(accepted: &[&'a Fix]) -> Vec<&'a Edit> {
    let mut edits: Vec<(&Edit, &Fix)> = accepted
        .iter()
        .flat_map(|fix| fix.edits.iter().map(move |edit| (edit, *fix)))
        .collect();
    edits.sort_by(|(a, a_fix), (b, b_fix)| {
        apply_order((a, &a_fix.rule, &a_fix.id), (b, &b_fix.rule, &b_fix.id))
    });
    edits.dedup_by(|(later, _), (kept, _)| {
        later.path == kept.path && relation(later, kept) == Relation::Same
    });
    edits.into_iter().map(|(edit, _)| edit).collect()
}

/// Only for checked edits, whose offsets fit the text.
fn span(edit: &Edit) -> Span {
    (edit.start as usize..edit.end as usize).into()
}

fn rejection(
    fix: &Fix,
    reason: RejectionReason,
    detail: String,
    winner: Option<&Fix>,
) -> Rejection {
    Rejection {
        fix_id: fix.id.clone(),
        rule: fix.rule.clone(),
        reason: reason.into(),
        detail,
        winner_id: winner.map(|fix| fix.id.clone()),
    }
}
