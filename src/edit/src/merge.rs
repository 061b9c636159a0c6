//! Merges the fixes of a round. All of them refer to the same base, like independent commits. The
//! merge decides which of them can be applied together, and rejects the others with the reason and
//! the winner.
//!
//! Almost no fix touches anything that another fix touches. One sweep over the edits in text order
//! finds the exceptions, and only they are compared with each other, best first.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_report::{
    Compatibility, Edit, Fix, Rejection, RejectionReason, apply_order, rank_order,
};
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
    /// In apply order, without duplicates.
    placed: Vec<PlacedEdit<'a>>,
}

impl<'a> Merge<'a> {
    /// The fixes that can be applied together, by start offset.
    pub fn accepted(&self) -> &[&'a Fix] {
        &self.accepted
    }

    /// The rejected fixes, by fix id.
    pub fn rejected(&self) -> &[Rejection] {
        &self.rejected
    }

    /// The edits of the accepted fixes in one file, in apply order, without duplicates.
    pub fn edits(&self, path: &str) -> impl ExactSizeIterator<Item = &'a Edit> {
        self.placed_in(path).iter().map(|it| it.edit)
    }

    fn placed_in(&self, path: &str) -> &[PlacedEdit<'a>] {
        let path_of = |it: &PlacedEdit<'a>| it.edit.path.as_str();
        let from = self.placed.partition_point(|edit| path_of(edit) < path);
        let to = self.placed.partition_point(|edit| path_of(edit) <= path);
        &self.placed[from..to]
    }

    /// Applies the accepted fixes to the text of the snapshot.
    pub fn apply(&self, snapshot: &Snapshot) -> Applied {
        splice(
            snapshot.text(),
            self.placed_in(snapshot.path())
                .iter()
                .map(|edit| (edit.span(), edit.replacement)),
        )
    }
}

/// Merges `fixes` on `snapshots`. The order of `fixes` does not matter.
pub fn merge<'a>(snapshots: &Snapshots, fixes: impl IntoIterator<Item = &'a Fix>) -> Merge<'a> {
    let fixes = fixes.into_iter();
    let mut rejected = Vec::new();
    let mut candidates: Vec<&Fix> = Vec::with_capacity(fixes.size_hint().0);
    let mut collector = EditCollector::with_capacity(fixes.size_hint().0);
    let mut declared = Declarations::default();
    // This loop is the only pass over the contents of all fixes. Everything below uses only what it
    // collects.
    for fix in fixes {
        match check_fix(fix, snapshots) {
            Ok(()) => {
                collector.add(candidates.len(), fix);
                declared.add(candidates.len(), fix);
                candidates.push(fix);
            }
            Err(error) => {
                let detail = error.to_string();
                rejected.push(rejection(fix, RejectionReason::Invalid, detail, None));
            }
        }
    }
    let placed = collector.in_text_order(&candidates);
    let mut active = vec![true; candidates.len()];
    // Dropping a fix whose requirement is missing can resolve other conflicts, so the selection is
    // repeated.
    let conflicts = loop {
        let mut accepted = active.clone();
        let conflicts = choose(&candidates, &placed, &declared, &mut accepted);
        let missing = missing_requirements(&candidates, &declared, &accepted);
        if missing.is_empty() {
            active = accepted;
            break conflicts;
        }
        for (index, required) in missing {
            active[index] = false;
            let detail = format!("requires fix {required}, which is not applied");
            let fix = candidates[index];
            rejected.push(rejection(fix, RejectionReason::Requirement, detail, None));
        }
    };
    rejected.extend(conflicts);
    rejected.sort_by(|a, b| a.fix_id.cmp(&b.fix_id));
    Merge {
        accepted: accepted_fixes(&candidates, &placed, &active),
        placed: distinct(placed, &active),
        rejected,
    }
}

/// An edit of a candidate. The fields needed to sort and apply it are copied here, so that a pass
/// over a million edits does not follow a million pointers to fixes.
#[derive(Debug)]
struct PlacedEdit<'a> {
    /// The rank of its path among all paths of the merge.
    file: usize,
    start: u64,
    end: u64,
    /// The index of its fix among the candidates.
    owner: usize,
    replacement: &'a str,
    edit: &'a Edit,
}

impl PlacedEdit<'_> {
    /// Offsets of checked edits are within the text, so they fit into `usize`.
    fn span(&self) -> Span {
        (self.start as usize..self.end as usize).into()
    }
}

/// Collects the edits of the candidates in input order.
struct EditCollector<'a> {
    placed: Vec<PlacedEdit<'a>>,
    /// A number for each path, in input order.
    files: BTreeMap<&'a str, usize>,
    last: Option<(&'a str, usize)>,
}

impl<'a> EditCollector<'a> {
    fn with_capacity(edits: usize) -> Self {
        Self {
            placed: Vec::with_capacity(edits),
            files: BTreeMap::new(),
            last: None,
        }
    }

    fn add(&mut self, owner: usize, fix: &'a Fix) {
        self.placed.reserve(fix.edits.len());
        for edit in &fix.edits {
            let file = match self.last {
                Some((path, file)) if path == edit.path => file,
                _ => {
                    let next = self.files.len();
                    *self.files.entry(&edit.path).or_insert(next)
                }
            };
            self.last = Some((&edit.path, file));
            let (start, end) = (edit.start, edit.end);
            self.placed.push(PlacedEdit {
                file,
                start,
                end,
                owner,
                replacement: &edit.replacement,
                edit,
            });
        }
    }

    fn in_text_order(self, candidates: &[&Fix]) -> Vec<PlacedEdit<'a>> {
        let mut ranks = vec![0; self.files.len()];
        for (rank, number) in self.files.into_values().enumerate() {
            ranks[number] = rank;
        }
        let mut placed = self.placed;
        placed
            .iter_mut()
            .for_each(|edit| edit.file = ranks[edit.file]);
        let place = |edit: &PlacedEdit<'_>| (edit.file, edit.start, edit.end);
        let full = |it: &PlacedEdit<'a>| {
            let fix = candidates[it.owner];
            (it.edit, fix.rule.as_str(), fix.id.as_str())
        };
        // `place` is the first part of `apply_order` and follows no pointers.
        placed.sort_by(|a, b| {
            place(a)
                .cmp(&place(b))
                .then_with(|| apply_order(full(a), full(b)))
        });
        placed
    }
}

/// The compatibility data of the fixes that declare any, with their index. Most fixes declare none.
#[derive(Default)]
struct Declarations<'a>(Vec<(usize, &'a Compatibility)>);

impl<'a> Declarations<'a> {
    fn add(&mut self, index: usize, fix: &'a Fix) {
        let declared = fix.compatibility.as_ref();
        self.0.extend(
            declared
                .filter(|it| **it != Compatibility::default())
                .map(|it| (index, it)),
        );
    }
}

/// The accepted fixes with a requirement that is not accepted, each with the first such
/// requirement.
fn missing_requirements<'a>(
    candidates: &[&Fix],
    declared: &Declarations<'a>,
    accepted: &[bool],
) -> Vec<(usize, &'a str)> {
    let requiring = declared.0.iter().filter(|(_, it)| !it.requires.is_empty());
    let mut requiring = requiring.filter(|(index, _)| accepted[*index]).peekable();
    if requiring.peek().is_none() {
        return Vec::new();
    }
    let taken = candidates.iter().zip(accepted);
    let taken = taken.filter_map(|(fix, accepted)| accepted.then_some(fix.id.as_str()));
    let taken: BTreeSet<&str> = taken.collect();
    requiring
        .filter_map(|(index, it)| {
            let mut required = it.requires.iter().map(String::as_str);
            Some((*index, required.find(|id| !taken.contains(id))?))
        })
        .collect()
}

/// Selects fixes greedily by rank: a fix is accepted unless it conflicts with a better accepted
/// one. Clears the entry in `accepted` of every fix that is not accepted, and returns the
/// rejections.
fn choose(
    candidates: &[&Fix],
    placed: &[PlacedEdit<'_>],
    declared: &Declarations<'_>,
    accepted: &mut [bool],
) -> Vec<Rejection> {
    let contested = contested(candidates, placed, declared, accepted);
    let mut by_rank: Vec<usize> = (0..candidates.len())
        .filter(|&index| contested[index])
        .collect();
    by_rank.sort_by(|&a, &b| rank_order(candidates[a], candidates[b]));
    let mut claims = Claims::default();
    let mut rejected = Vec::new();
    for index in by_rank {
        let fix = candidates[index];
        match claims.conflict_with(fix) {
            None => claims.take(fix),
            Some((winner, detail)) => {
                accepted[index] = false;
                let conflict = RejectionReason::Conflict;
                rejected.push(rejection(fix, conflict, detail, Some(winner)));
            }
        }
    }
    rejected
}

/// The active fixes that may conflict with another one: their bytes overlap or touch, one of them
/// writes a name that both use, or one declares a conflict.
fn contested(
    fixes: &[&Fix],
    placed: &[PlacedEdit<'_>],
    declared: &Declarations<'_>,
    active: &[bool],
) -> Vec<bool> {
    let mut contested = vec![false; fixes.len()];
    let mut rest = placed;
    while let Some(first) = rest.first() {
        let (mut reach, mut size, mut shared) = (first.end, 1, false);
        while let Some(next) = rest.get(size) {
            if next.start > reach || next.file != first.file {
                break;
            }
            reach = reach.max(next.end);
            shared |= next.owner != first.owner;
            size += 1;
        }
        if shared {
            rest[..size]
                .iter()
                .for_each(|it| contested[it.owner] = true);
        }
        rest = &rest[size..];
    }
    contest_by_name(fixes, declared, &mut contested);
    contested
        .iter_mut()
        .zip(active)
        .for_each(|(contested, active)| *contested &= active);
    contested
}

fn contest_by_name(fixes: &[&Fix], declared: &Declarations<'_>, contested: &mut [bool]) {
    let mut users: BTreeMap<&str, (Vec<usize>, bool)> = BTreeMap::new();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for &(index, compatibility) in &declared.0 {
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
    for (indices, written) in users.values() {
        if *written && indices.len() > 1 {
            indices.iter().for_each(|&index| contested[index] = true);
        }
    }
    if !named.is_empty() {
        for (index, fix) in fixes.iter().enumerate() {
            contested[index] |= named.contains(fix.id.as_str());
        }
    }
}

/// The bytes and names that the accepted fixes have claimed so far.
#[derive(Default)]
struct Claims<'a> {
    /// Disjoint, so the edits near a range are found by searching backwards from its end.
    edits: BTreeMap<(&'a str, u64, u64), (&'a Edit, &'a Fix)>,
    readers: BTreeMap<&'a str, &'a Fix>,
    writers: BTreeMap<&'a str, &'a Fix>,
    /// Accepted fixes by id. `excluded` has the ids that they declare a conflict with.
    taken: BTreeMap<&'a str, &'a Fix>,
    excluded: BTreeMap<&'a str, &'a Fix>,
}

impl<'a> Claims<'a> {
    /// The accepted fix that conflicts with `fix`, and a description of the conflict.
    fn conflict_with(&self, fix: &Fix) -> Option<(&'a Fix, String)> {
        self.edit_conflict(fix).or_else(|| self.name_conflict(fix))
    }

    fn edit_conflict(&self, fix: &Fix) -> Option<(&'a Fix, String)> {
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

    fn name_conflict(&self, fix: &Fix) -> Option<(&'a Fix, String)> {
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

/// The accepted fixes by start offset, without duplicates.
fn accepted_fixes<'a>(
    candidates: &[&'a Fix],
    placed: &[PlacedEdit<'_>],
    accepted: &[bool],
) -> Vec<&'a Fix> {
    let mut left = accepted.to_vec();
    let owners = placed.iter().map(|it| it.owner);
    owners
        .filter(|&owner| std::mem::replace(&mut left[owner], false))
        .map(|owner| candidates[owner])
        .collect()
}

/// The edits of the accepted fixes in apply order, with identical edits merged.
fn distinct<'a>(mut placed: Vec<PlacedEdit<'a>>, accepted: &[bool]) -> Vec<PlacedEdit<'a>> {
    placed.retain(|it| accepted[it.owner]);
    placed.dedup_by(|it, last| {
        (last.file, last.start, last.end) == (it.file, it.start, it.end)
            && relation(last.edit, it.edit) == Relation::Same
    });
    placed
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
