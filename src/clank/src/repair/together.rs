//! Trying many repairs with few checks.
//!
//! What a function's body is checked to does not depend on other bodies, so repairs in different
//! bodies are tried in one program. In one body, each is tried alone as long as that is cheap. Where
//! there are too many for that, those that do not touch each other are applied together; if they do
//! not all do what they promise, each half of them is tried, down to single ones. What that may cost
//! in all has a bound, and what was not tried by then is not known to work.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::draft::Draft;
use super::op::PatchOp;
use super::tree::Tree;
use super::verify::{Outcome, Trial};
use crate::ast::{NodeId, NodeRef};
use crate::compile::Patience;

/// Nodes that are checked for the repairs of one body before they are tried together.
const ALONE: usize = 40_000;

/// Nodes that are checked for all repairs of a program.
const MOST_NODES: usize = 1_000_000;

/// What a problem costs to find again, in nodes: similar names are looked for, predicates are not
/// proved.
const DIAGNOSTIC: usize = 50;
const OBLIGATION: usize = 300;

/// How often lists of other alternatives than the first are halved: often all of them fail.
const MOST_HALVED: usize = 16;

/// Lists of repairs that do not touch each other which are filled at a time.
const OPEN_LISTS: usize = 4;

/// What came of the drafts that were tried.
pub(super) struct Tried {
    pub outcomes: Vec<Option<Outcome>>,
    /// Whether there was not enough time for all.
    pub gave_up: bool,
}

/// How much may still be checked.
struct Budget<'p> {
    nodes: usize,
    patience: &'p Patience,
    is_spent: bool,
}

impl Budget<'_> {
    fn takes(&mut self, nodes: usize) -> bool {
        self.is_spent |= nodes > self.nodes || !self.patience.lasts();
        self.nodes = self.nodes.saturating_sub(nodes);
        !self.is_spent
    }
}

/// The drafts of one body.
struct Body {
    decl: usize,
    cost: usize,
    /// The drafts that are alternatives of each other.
    groups: Vec<Range<usize>>,
    /// Which alternatives are next.
    rank: usize,
    lists: Vec<Vec<usize>>,
    halved: usize,
}

/// Tries drafts. Alternatives are next to each other.
pub(super) fn outcomes(trial: &Trial<'_, '_>, drafts: &[Draft], patience: &Patience) -> Tried {
    let mut budget = Budget {
        nodes: MOST_NODES,
        patience,
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
            let Some(list) = body.next_list(trial.tree, drafts, &outcomes) else {
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
    Tried {
        outcomes,
        gave_up: budget.is_spent,
    }
}

/// Tries the alternatives of a group one after another.
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

/// The declaration whose body drafts are all in.
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

/// What it costs to check a declaration, in nodes.
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
            lists: Vec::new(),
            halved: 0,
        }
    }

    /// Two lists instead of one that did not work; none if that was done often enough.
    fn halve(&mut self, mut list: Vec<usize>) {
        self.halved += usize::from(self.rank > 1);
        if self.halved <= MOST_HALVED {
            let half = list.split_off(list.len() / 2);
            self.lists.extend([half, list]);
        }
    }

    /// What to try next; nothing once everything was.
    fn next_list(
        &mut self,
        tree: &Tree<'_>,
        drafts: &[Draft],
        outcomes: &[Option<Outcome>],
    ) -> Option<Vec<usize>> {
        while self.lists.is_empty() {
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
            self.lists = if next.len().saturating_mul(self.cost) <= ALONE {
                next.into_iter().map(|it| vec![it]).collect()
            } else {
                apart(tree, drafts, next)
            };
            self.lists.reverse();
        }
        self.lists.pop()
    }
}

/// Drafts in lists of those that change different nodes, none of them inside another.
fn apart(tree: &Tree<'_>, drafts: &[Draft], places: Vec<usize>) -> Vec<Vec<usize>> {
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
