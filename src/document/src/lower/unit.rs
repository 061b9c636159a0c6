//! Combines actions whose edits collide although their changes are independent: for example, two
//! actions that add different keys to one object.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_edit::{Snapshots, merge};
use fixpoint_report::Fix;

use super::report::edits;
use super::{Overlays, PreparedAction, Sources, apply_ops, is_right, on_file};
use crate::overlay::Overlay;

/// Actions that are applied together or not at all, as indices in emit order.
#[derive(Clone)]
pub(super) struct Unit {
    pub members: Vec<usize>,
    /// The members that define the change. The edits of the others equal those of a lead.
    pub leads: Vec<usize>,
    /// The edits of the whole unit. Its id sorts like the first member, so that the merge, which
    /// compares ids last, prefers the unit that is first in emit order.
    pub fix: Fix,
}

/// A unit that cannot be applied, and the unit that it conflicts with.
pub(super) struct RejectedUnit {
    pub unit: Unit,
    pub winner: Option<Unit>,
    pub detail: String,
}

pub(super) struct Outcome {
    accepted: Vec<Unit>,
    pub rejected: Vec<RejectedUnit>,
}

impl Outcome {
    /// The units that are applied, in emit order.
    pub fn accepted(&self) -> impl Iterator<Item = &Unit> {
        self.accepted.iter()
    }

    /// The fixes that have edits. All of them can be merged.
    pub fn fixes(&self) -> impl Iterator<Item = &Fix> {
        let fixes = self.accepted.iter().map(|unit| &unit.fix);
        fixes.filter(|fix| !fix.edits.is_empty())
    }
}

impl Unit {
    /// The id of the unit whose first member is at this index.
    fn id(first: usize) -> String {
        format!("{first:010}")
    }
}

/// For each rejected unit, the id of the winner and the reason.
type Losers = BTreeMap<String, (Option<String>, String)>;

/// Combines and merges `prepared`, which is in emit order.
pub(super) fn combine(
    prepared: &[PreparedAction<'_>],
    snapshots: &Snapshots,
    sources: &Sources,
) -> Outcome {
    let mut units = single_units(prepared);
    let mut apart: BTreeSet<(String, String)> = BTreeSet::new();
    loop {
        let lost = losers(&units, snapshots);
        let mut pairs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (loser, (winner, _)) in &lost {
            let Some(winner) = winner else { continue };
            if !apart.contains(&(winner.clone(), loser.clone())) {
                pairs.entry(winner).or_default().push(loser);
            }
        }
        let Some((winner, losers_of_winner)) = pairs.into_iter().next() else {
            return outcome(units, &lost);
        };
        let joined = joined(prepared, sources, &units, winner, &losers_of_winner);
        let joined = joined.filter(|joined| {
            let left = losers(joined, snapshots);
            left.len() < lost.len() && left.keys().all(|id| lost.contains_key(id))
        });
        match joined {
            Some(joined) => units = joined,
            None => {
                let pairs = losers_of_winner.into_iter();
                apart.extend(pairs.map(|loser| (winner.to_owned(), loser.to_owned())));
            }
        }
    }
}

/// A unit for each action, or for all actions that make the same edits.
fn single_units(prepared: &[PreparedAction<'_>]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut by_edits: BTreeMap<Vec<(&str, u64, u64, &str)>, usize> = BTreeMap::new();
    for (index, action) in prepared.iter().enumerate() {
        let edits = action.fix.edits.iter();
        let key = edits.map(|it| (it.path.as_str(), it.start, it.end, it.replacement.as_str()));
        let place = *by_edits.entry(key.collect()).or_insert(units.len());
        match units.get_mut(place) {
            Some(unit) if !action.fix.edits.is_empty() => unit.members.push(index),
            _ => units.push(Unit {
                members: vec![index],
                leads: vec![index],
                fix: Fix {
                    id: Unit::id(index),
                    edits: action.fix.edits.clone(),
                    compatibility: action.fix.compatibility.clone(),
                    ..Fix::default()
                },
            }),
        }
    }
    units
}

fn losers(units: &[Unit], snapshots: &Snapshots) -> Losers {
    let fixes = units.iter().map(|unit| &unit.fix);
    let merged = merge(snapshots, fixes.filter(|fix| !fix.edits.is_empty()));
    let rejected = merged.rejected().iter();
    rejected
        .map(|it| (it.fix_id.clone(), (it.winner_id.clone(), it.detail.clone())))
        .collect()
}

fn outcome(units: Vec<Unit>, lost: &Losers) -> Outcome {
    let by_id: BTreeMap<&str, &Unit> = units.iter().map(|it| (it.fix.id.as_str(), it)).collect();
    let rejected = lost.iter().filter_map(|(loser, (winner, detail))| {
        let winner = winner.as_deref().and_then(|it| by_id.get(it).copied());
        Some(RejectedUnit {
            unit: (*by_id.get(loser.as_str())?).clone(),
            winner: winner.cloned(),
            detail: detail.clone(),
        })
    });
    Outcome {
        rejected: rejected.collect(),
        accepted: units
            .iter()
            .filter(|unit| !lost.contains_key(&unit.fix.id))
            .cloned()
            .collect(),
    }
}

/// The units after as many `losers` as possible join `winner`. `None` if none of them can.
fn joined(
    prepared: &[PreparedAction<'_>],
    sources: &Sources,
    units: &[Unit],
    winner: &str,
    losers: &[&str],
) -> Option<Vec<Unit>> {
    let find = |id: &str| units.iter().find(|unit| unit.fix.id == id);
    let first = find(winner)?;
    let mut chosen = vec![first];
    let mut leads = first.leads.clone();
    for loser in losers.iter().filter_map(|id| find(id)) {
        let is_free = |new: &usize| {
            let mut others = leads.iter();
            others.all(|other| are_independent(&prepared[*other], &prepared[*new]))
        };
        if loser.leads.iter().all(is_free) {
            leads.extend(&loser.leads);
            chosen.push(loser);
        }
    }
    if chosen.len() < 2 {
        return None;
    }
    leads.sort_unstable();
    let mut members: Vec<usize> = chosen.iter().flat_map(|it| it.members.clone()).collect();
    members.sort_unstable();
    let (overlays, fix) = joint_fix(prepared, sources, &leads)?;
    if !is_confirmed(prepared, sources, &leads, &overlays, &fix) {
        return None;
    }
    let ids: BTreeSet<&str> = chosen.iter().map(|it| it.fix.id.as_str()).collect();
    let others = units.iter().filter(|it| !ids.contains(it.fix.id.as_str()));
    let mut joined: Vec<Unit> = others.cloned().collect();
    joined.push(Unit {
        members,
        leads,
        fix,
    });
    joined.sort_by(|a, b| a.fix.id.cmp(&b.fix.id));
    Some(joined)
}

/// Whether two actions may change the same objects without an effect on each other. Actions that
/// change the same array are not independent, because one may shift the indices of the other.
pub(super) fn are_independent(one: &PreparedAction<'_>, other: &PreparedAction<'_>) -> bool {
    let mut shared = one.overlays.iter();
    shared.all(|(path, overlay)| {
        let other = other.overlays.get(path);
        other.is_none_or(|other| overlay.is_independent_of(other))
    })
}

/// The fix that makes the changes of all `leads`, one after the other.
fn joint_fix<'s>(
    prepared: &[PreparedAction<'_>],
    sources: &'s Sources,
    leads: &[usize],
) -> Option<(Overlays<'s>, Fix)> {
    let mut overlays = Overlays::new();
    for lead in leads {
        apply_ops(prepared[*lead].action, sources, &mut overlays).ok()?;
    }
    let (edits, compatibility) = edits(&overlays, sources);
    let fix = Fix {
        id: Unit::id(leads.first().copied()?),
        edits,
        compatibility,
        ..Fix::default()
    };
    Some((overlays, fix))
}

/// Whether the joint fix makes exactly the changes that the actions make to the snapshot.
fn is_confirmed(
    prepared: &[PreparedAction<'_>],
    sources: &Sources,
    leads: &[usize],
    overlays: &Overlays<'_>,
    fix: &Fix,
) -> bool {
    overlays.keys().all(|path| {
        let Some(source) = sources.get(path) else {
            return false;
        };
        let own = on_file(fix, path);
        let merged = merge(&Snapshots::of(&source.snapshot), [&own]);
        let wanted = leads
            .iter()
            .filter_map(|it| prepared[*it].overlays.get(path));
        let wanted: Vec<&Overlay<'_>> = wanted.collect();
        is_right(source, merged.apply(&source.snapshot).text, &wanted)
    })
}
