//! Merges actions that change the same place into one action, which applies their changes one after
//! the other.
//!
//! All actions of a pack apply to the same text. So two actions that write to one place conflict
//! even if both are right: for example, two keys added to one object, or two adjacent items
//! removed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fixpoint_document::{ActionPack, Change, FixAction, Lowered, Sources, lower};
use fixpoint_edit::apply;
use fixpoint_report::{Fix, FixReport, Position};
use fixpoint_text::Snapshot;

/// The maximum length of a title that consumers of actions accept.
const TITLE_LENGTH: usize = 120;

/// The file that actions are applied to.
pub(crate) struct ActionMerger<'s> {
    source: &'s Snapshot,
    sources: Sources,
}

/// Actions that can be applied together.
pub(crate) struct MergedActions {
    pub actions: Vec<FixAction>,
    /// Input actions that are not part of the result: they cannot be lowered to edits, or conflict
    /// with the others.
    pub left_out: Vec<FixAction>,
    /// The text after all actions are applied.
    pub text: Snapshot,
}

/// Actions that become one, in input order.
#[derive(Clone)]
struct Group {
    first: FixAction,
    others: Vec<FixAction>,
}

impl Group {
    fn of(first: FixAction) -> Self {
        let others = Vec::new();
        Self { first, others }
    }

    fn id(&self) -> &str {
        &self.first.id
    }

    fn members(&self) -> impl Iterator<Item = &FixAction> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// The values that an action changes, and their parents.
fn places(action: &FixAction) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    for op in &action.ops {
        let value = op.json_pointer.to_string();
        let holder = value.rsplit_once('/').map(|(holder, _)| holder);
        places.extend(holder.map(|it| format!("value {it}")));
        places.insert(format!("value {value}"));
    }
    places
}

impl<'s> ActionMerger<'s> {
    /// `actions` contains every action that later calls pass.
    pub fn new(source: &'s Snapshot, actions: &[FixAction]) -> Self {
        let sources = Sources::read(&pack(actions.to_vec()), &mut |_| Ok(source.clone()));
        Self { source, sources }
    }

    /// The edits of each action applied alone, by its id. Actions that cannot be applied are
    /// missing.
    pub fn fixes(&self, actions: &[FixAction]) -> BTreeMap<String, Fix> {
        let mut fixes = fixes_by_id(self.lower(actions.to_vec()));
        let beside: BTreeSet<String> = fixes.keys().cloned().collect();
        if beside.len() == actions.len() {
            return fixes;
        }
        for action in actions {
            let is_beside = beside.contains(&action.id);
            // An action that conflicts with another one may still be chosen instead of it, but not
            // together with it. Their edits may be compatible when their results are not: for
            // example, if both remove a key and the object becomes empty.
            if !is_beside {
                fixes.extend(fixes_by_id(self.lower(vec![action.clone()])));
            }
            if let Some(fix) = fixes.get_mut(&action.id) {
                let compatibility = fix.compatibility.get_or_insert_default();
                match is_beside {
                    true => compatibility.reads.extend(places(action)),
                    false => compatibility.writes.extend(places(action)),
                }
            }
        }
        fixes
    }

    /// Merges conflicting actions, and returns as many actions as can be applied together.
    pub fn merged(&self, actions: Vec<FixAction>) -> MergedActions {
        let mut groups: Vec<Group> = actions.into_iter().map(Group::of).collect();
        let mut apart: BTreeSet<(String, String)> = BTreeSet::new();
        loop {
            let lowered = self.lower(groups.iter().map(merged_action).collect());
            let conflicts: Vec<(String, String)> = conflicts(&lowered)
                .filter(|pair| !apart.contains(pair))
                .collect();
            if conflicts.is_empty() {
                return self.settled(groups, &lowered);
            }
            let mut losers: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (winner, loser) in conflicts {
                losers.entry(winner).or_default().push(loser);
            }
            for (winner, losers) in losers {
                if !self.join(&mut groups, &winner, &losers) {
                    for loser in losers {
                        if !self.join(&mut groups, &winner, std::slice::from_ref(&loser)) {
                            apart.insert((winner.clone(), loser));
                        }
                    }
                }
            }
        }
    }

    /// Merges `losers` into `winner`, if they can be applied one after the other. A loser that was
    /// just merged into another group is left to the next iteration.
    fn join(&self, groups: &mut Vec<Group>, winner: &str, losers: &[String]) -> bool {
        let Some(into) = groups.iter().position(|it| it.id() == winner) else {
            return true;
        };
        let is_loser = |group: &Group| losers.iter().any(|it| it == group.id());
        let mut all = groups[into].clone();
        let joining = groups.iter().filter(|it| is_loser(it));
        all.others.extend(joining.flat_map(Group::members).cloned());
        if !self.lower(vec![merged_action(&all)]).errors.is_empty() {
            return false;
        }
        groups[into] = all;
        groups.retain(|it| !is_loser(it));
        true
    }

    fn settled(&self, groups: Vec<Group>, lowered: &Lowered) -> MergedActions {
        let applied: BTreeSet<&str> = lowered.applied.iter().map(String::as_str).collect();
        let (done, left): (Vec<Group>, Vec<Group>) =
            groups.into_iter().partition(|it| applied.contains(it.id()));
        let edits = report(lowered).and_then(|it| it.canonical.as_ref());
        let text = edits.and_then(|it| apply(self.source, &it.edits).ok());
        MergedActions {
            actions: done.iter().map(merged_action).collect(),
            left_out: left.iter().flat_map(Group::members).cloned().collect(),
            text: text.map_or_else(
                || self.source.clone(),
                |it| self.source.with_text(it.text.as_str()),
            ),
        }
    }

    /// The actions that can be applied together without merging.
    pub fn compatible(&self, actions: Vec<FixAction>) -> Vec<FixAction> {
        let applied: BTreeSet<String> = self.lower(actions.clone()).applied.into_iter().collect();
        let actions = actions.into_iter();
        actions.filter(|it| applied.contains(&it.id)).collect()
    }

    fn lower(&self, actions: Vec<FixAction>) -> Lowered {
        lower(&pack(actions), &self.sources)
    }
}

fn pack(fix_actions: Vec<FixAction>) -> ActionPack {
    ActionPack {
        pack_version: String::new(),
        workspace_root: ".".to_owned(),
        fix_actions,
    }
}

fn report(lowered: &Lowered) -> Option<&FixReport> {
    lowered.files.first().map(|it| &it.0)
}

fn fixes_by_id(lowered: Lowered) -> BTreeMap<String, Fix> {
    let fixes = lowered.files.into_iter().flat_map(|it| it.0.fixes);
    let fixes = fixes.filter(|fix| !fix.edits.is_empty());
    fixes.map(|fix| (fix.id.clone(), fix)).collect()
}

/// The conflicts, as pairs of winner and loser.
fn conflicts(lowered: &Lowered) -> impl Iterator<Item = (String, String)> {
    let rejected = report(lowered).into_iter().flat_map(|it| &it.rejected);
    rejected.filter_map(|it| Some((it.winner_id.clone()?, it.fix_id.clone())))
}

/// Merges the actions of a group into one, which has the id of the first.
fn merged_action(group: &Group) -> FixAction {
    let first = &group.first;
    if group.others.is_empty() {
        return first.clone();
    }
    let mut notes: Vec<&str> = Vec::new();
    for note in group.members().filter_map(|it| it.notes.as_deref()) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let mut in_turn: Vec<&FixAction> = group.members().collect();
    in_turn.sort_by_key(|it| application_order(it));
    let severities = group.members().map(|it| it.severity);
    let confidences = group.members().filter_map(|it| it.confidence);
    FixAction {
        id: first.id.clone(),
        title: merged_title(group),
        severity: severities
            .min_by_key(|it| i32::from(*it))
            .unwrap_or(first.severity),
        targets: group.members().flat_map(|it| it.targets.clone()).collect(),
        ops: in_turn.into_iter().flat_map(|it| it.ops.clone()).collect(),
        notes: (!notes.is_empty()).then(|| notes.join(" ")),
        confidence: confidences.max_by_key(|it| i32::from(*it)),
    }
}

/// The position of an action in the order of a group, such that the pointers of later actions stay
/// valid. Deeper values come first. At the same depth, changes come before additions, and later
/// positions before earlier ones.
fn application_order(action: &FixAction) -> (Reverse<usize>, bool, Option<Reverse<Position>>) {
    let Some(op) = action.ops.first() else {
        return (Reverse(0), false, None);
    };
    let subject = op.subject();
    let is_new = matches!(
        op.change,
        Change::AddValue { .. } | Change::InsertArrayItem { .. }
    );
    // Additions keep their input order.
    let place = (!is_new).then(|| Reverse(Position::of_pointer(&subject.to_string())));
    (Reverse(subject.tokens().len()), is_new, place)
}

fn merged_title(group: &Group) -> String {
    let titles: Vec<&str> = group.members().map(|it| it.title.as_str()).collect();
    let all = titles.join("; ");
    if all.chars().count() <= TITLE_LENGTH {
        return all;
    }
    let more = format!(" (and {} more)", group.others.len());
    cut(&group.first.title, TITLE_LENGTH - more.chars().count()) + &more
}

/// Shortens a title to one line of limited length, as consumers of actions require.
pub(crate) fn title(text: &str) -> String {
    cut(text, TITLE_LENGTH)
}

fn cut(text: &str, length: usize) -> String {
    const CUT: &str = "...";
    let line: String = text
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .collect();
    if line.chars().count() <= length {
        return line;
    }
    let kept: String = line.chars().take(length - CUT.len()).collect();
    kept + CUT
}
