//! Verifies many drafts with few checks.
//!
//! The check of a function body does not depend on other bodies, so drafts in different bodies are
//! tried in one program. Within one body, each draft is tried alone while that is cheap.
//!
//! Beyond that, drafts that do not touch each other are applied together. If the group does not
//! resolve what it promises, each half is tried, down to single drafts. The total cost is bounded,
//! and a draft that was not tried in time does not count as verified.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use fixpoint_engine::trial::Batches;

use super::draft::Draft;
use super::op::PatchOp;
use super::tree::Tree;
use super::verify::{Outcome, Trial};
use crate::ast::{NodeId, NodeRef};
use crate::compile::Deadline;

/// Up to this cost in nodes, the drafts of one body are tried one at a time.
const MAX_COST_ALONE: usize = 40_000;

/// The maximum number of nodes checked for all drafts of a program.
const MAX_NODES: usize = 1_000_000;

/// The cost of finding a problem again, in nodes. A diagnostic searches for similar names, and an
/// obligation fails to prove.
const DIAGNOSTIC: usize = 50;
const OBLIGATION: usize = 300;

/// How often groups of second and later alternatives are halved: often all of them fail.
const MAX_HALVINGS: usize = 16;

/// The maximum number of groups that are filled at the same time.
const OPEN_LISTS: usize = 4;

/// The outcomes of drafts. `None` means that the draft was not tried.
pub(super) struct TrialOutcomes {
    pub outcomes: Vec<Option<Outcome>>,
    /// Whether the budget ran out before all drafts were tried.
    pub gave_up: bool,
}

/// The remaining cost that may be spent on checks.
struct Budget<'p> {
    nodes: usize,
    deadline: &'p Deadline,
    is_spent: bool,
}

impl Budget<'_> {
    fn takes(&mut self, nodes: usize) -> bool {
        self.is_spent |= nodes > self.nodes || !self.deadline.has_time();
        self.nodes = self.nodes.saturating_sub(nodes);
        !self.is_spent
    }
}

/// The drafts inside one body.
struct Body {
    decl: usize,
    cost: usize,
    /// Ranges of drafts that are alternatives of each other.
    groups: Vec<Range<usize>>,
    /// The position of the next alternative in each group.
    rank: usize,
    batches: Batches<usize>,
    halved: usize,
}

/// Tries drafts. Alternatives of each other are adjacent.
pub(super) fn outcomes(
    trial: &Trial<'_, '_>,
    drafts: &[Draft],
    deadline: &Deadline,
) -> TrialOutcomes {
    let mut budget = Budget {
        nodes: MAX_NODES,
        deadline,
        is_spent: false,
    };
    let mut outcomes: Vec<Option<Outcome>> = vec![None; drafts.len()];
    let mut bodies: BTreeMap<usize, Body> = BTreeMap::new();
    let mut start = 0;
    for group in drafts.chunk_by(|a, b| a.group == b.group) {
        let range = start..start + group.len();
        start = range.end;
        match body_of(trial.tree, group) {
            Some(decl) => {
                let body = || Body::of(trial, decl);
                let body = bodies.entry(decl).or_insert_with(body);
                body.groups.push(range);
            }
            None => alone(trial, drafts, range, &mut budget, &mut outcomes),
        }
    }
    let mut bodies: Vec<Body> = bodies.into_values().collect();
    while !bodies.is_empty() && !budget.is_spent {
        let mut next: Vec<(usize, Vec<usize>)> = Vec::new();
        bodies.retain_mut(|body| {
            let Some(list) = body.next_batch(trial.tree, drafts, &outcomes) else {
                return false;
            };
            if budget.takes(body.cost) {
                next.push((body.decl, list));
            }
            true
        });
        let lists: Vec<(usize, Vec<&Draft>)> = next
            .iter()
            .map(|(decl, list)| {
                (
                    *decl,
                    list.iter().filter_map(|it| drafts.get(*it)).collect(),
                )
            })
            .collect();
        let judged = trial.outcomes(&lists);
        for ((decl, list), outcome) in next.into_iter().zip(judged) {
            if outcome != Outcome::Clean && list.len() > 1 {
                let body = bodies.binary_search_by_key(&decl, |it| it.decl);
                if let Some(body) = body.ok().and_then(|it| bodies.get_mut(it)) {
                    body.halve(list);
                }
                continue;
            }
            for at in list {
                outcomes[at] = Some(outcome);
            }
        }
    }
    TrialOutcomes {
        outcomes,
        gave_up: budget.is_spent,
    }
}

/// Tries the alternatives of a group one at a time.
fn alone(
    trial: &Trial<'_, '_>,
    drafts: &[Draft],
    group: Range<usize>,
    budget: &mut Budget<'_>,
    outcomes: &mut [Option<Outcome>],
) {
    for at in group {
        let Some(draft) = drafts.get(at) else {
            return;
        };
        let ops = [draft.after.concat(), draft.edits.clone()].concat();
        let full = trial.reach(&ops);
        let cost = full.iter().map(|it| cost_of(trial, *it)).sum();
        if !budget.takes(cost) {
            return;
        }
        let outcome = trial.outcome(draft, full);
        outcomes[at] = Some(outcome);
        if draft.one_is_enough && outcome == Outcome::Clean {
            return;
        }
    }
}

/// The declaration whose body contains all edits of the drafts.
fn body_of(tree: &Tree<'_>, drafts: &[Draft]) -> Option<usize> {
    let mut ops = drafts.iter().flat_map(|it| &it.edits);
    let place = |op: &PatchOp| {
        let (decl, in_body) = tree.decl_of(tree.find(op.target()).ok()?.id())?;
        in_body.then_some(decl)
    };
    let first = place(ops.next()?)?;
    let is_alone = drafts.iter().all(|it| it.after.is_empty());
    (is_alone && ops.all(|it| place(it) == Some(first))).then_some(first)
}

/// The cost of checking a declaration, in nodes.
fn cost_of(trial: &Trial<'_, '_>, decl: usize) -> usize {
    let (diagnostics, obligations) = trial.count(decl);
    let mut cost = diagnostics * DIAGNOSTIC + obligations * OBLIGATION;
    if let Some(decl) = trial.tree.ast.program.declarations.get(decl) {
        NodeRef::Decl(decl).each(&mut |_| cost += 1);
    }
    cost
}

impl Body {
    fn of(trial: &Trial<'_, '_>, decl: usize) -> Self {
        Self {
            decl,
            cost: cost_of(trial, decl),
            groups: Vec::new(),
            rank: 0,
            batches: Batches::default(),
            halved: 0,
        }
    }

    /// Replaces a failed batch with its two halves, or drops it if the limit is reached.
    fn halve(&mut self, batch: Vec<usize>) {
        self.halved += usize::from(self.rank > 1);
        if self.halved <= MAX_HALVINGS {
            self.batches.halve(batch);
        }
    }

    /// The next batch to try, or `None` if all were tried.
    fn next_batch(
        &mut self,
        tree: &Tree<'_>,
        drafts: &[Draft],
        outcomes: &[Option<Outcome>],
    ) -> Option<Vec<usize>> {
        loop {
            if let Some(batch) = self.batches.take() {
                return Some(batch);
            }
            let is_enough = |group: &Range<usize>| {
                drafts.get(group.start).is_none_or(|it| it.one_is_enough)
                    && outcomes[group.clone()].contains(&Some(Outcome::Clean))
            };
            let (rank, groups) = (self.rank, self.groups.iter());
            let next = groups.filter(|it| it.len() > rank && !is_enough(it));
            let next: Vec<usize> = next.map(|it| it.start + rank).collect();
            if self.groups.iter().all(|it| it.len() <= rank) {
                return None;
            }
            self.rank += 1;
            let batches = if next.len().saturating_mul(self.cost) <= MAX_COST_ALONE {
                next.into_iter().map(|it| vec![it]).collect()
            } else {
                independent_groups(tree, drafts, next)
            };
            self.batches = Batches::in_order(batches);
        }
    }
}

/// Groups drafts so that within a group no draft changes a node at, above or below a node of
/// another.
fn independent_groups(tree: &Tree<'_>, drafts: &[Draft], places: Vec<usize>) -> Vec<Vec<usize>> {
    #[derive(Default)]
    struct List {
        places: Vec<usize>,
        changed: HashSet<NodeId>,
        above: HashSet<NodeId>,
    }
    let mut full = Vec::new();
    let mut open: Vec<List> = Vec::new();
    for place in places {
        let ops = drafts.get(place).map(|it| it.edits.as_slice());
        let nodes = ops.unwrap_or_default().iter();
        let nodes = nodes.filter_map(|it| tree.find(it.target()).ok());
        let nodes: Vec<NodeId> = nodes.map(|it| it.id()).collect();
        let fits = |list: &List| {
            nodes.iter().all(|node| {
                let mut upwards = tree.upwards(*node);
                !list.above.contains(node) && !upwards.any(|it| list.changed.contains(&it.id()))
            })
        };
        let at = open.iter().position(fits).unwrap_or_else(|| {
            if open.len() == OPEN_LISTS {
                full.push(open.remove(0));
            }
            open.push(List::default());
            open.len() - 1
        });
        let Some(list) = open.get_mut(at) else {
            continue;
        };
        list.places.push(place);
        for node in nodes {
            list.changed.insert(node);
            let above = tree.upwards(node).skip(1).map(|it| it.id());
            list.above.extend(above);
        }
    }
    full.extend(open);
    full.into_iter().map(|it| it.places).collect()
}
