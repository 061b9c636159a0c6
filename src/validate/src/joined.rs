//! Actions that change the same place, as one action that makes the changes one after the other.
//!
//! All actions of a pack stand on the same text, so two that write to one place are in conflict even
//! where both are right: two keys added to one object, two neighbours removed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fixpoint_document::{ActionPack, Change, FixAction, Lowered, Sources, lower};
use fixpoint_edit::apply;
use fixpoint_report::{Fix, FixReport, Position};
use fixpoint_text::Snapshot;

/// How long a title may be for whoever applies actions.
const TITLE_LENGTH: usize = 120;

/// One file that actions are made on.
pub(crate) struct Ground<'s> {
    source: &'s Snapshot,
    sources: Sources,
}

/// Actions that go together.
pub(crate) struct Joined {
    pub actions: Vec<FixAction>,
    /// What was handed in and is in none of them: it cannot be made, or not beside the others.
    pub left_out: Vec<FixAction>,
    /// The text that all of them lead to.
    pub text: Snapshot,
}

/// Actions that are one, in the order they were handed in.
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

/// The values that an action changes, and those that hold them.
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

impl<'s> Ground<'s> {
    /// `actions` are those that will be asked about.
    pub fn new(source: &'s Snapshot, actions: &[FixAction]) -> Self {
        let sources = Sources::read(&pack(actions.to_vec()), &mut |_| Ok(source.clone()));
        Self { source, sources }
    }

    /// The edits that each action comes to on its own, by its id; none for one that cannot be made.
    pub fn fixes(&self, actions: &[FixAction]) -> BTreeMap<String, Fix> {
        let mut fixes = made(self.lower(actions.to_vec()));
        let beside: BTreeSet<String> = fixes.keys().cloned().collect();
        if beside.len() == actions.len() {
            return fixes;
        }
        for action in actions {
            let is_beside = beside.contains(&action.id);
            // What was told to wait for another action may still be chosen instead of it, and not with
            // it: their bytes may go together where what they come to does not, as when the last two
            // keys of an object go.
            if !is_beside {
                fixes.extend(made(self.lower(vec![action.clone()])));
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

    /// As many of the actions as go together, those that meet made into one.
    pub fn joined(&self, actions: Vec<FixAction>) -> Joined {
        let mut groups: Vec<Group> = actions.into_iter().map(Group::of).collect();
        let mut apart: BTreeSet<(String, String)> = BTreeSet::new();
        loop {
            let lowered = self.lower(groups.iter().map(one_of).collect());
            let meeting: Vec<(String, String)> = meeting(&lowered)
                .filter(|pair| !apart.contains(pair))
                .collect();
            if meeting.is_empty() {
                return self.settled(groups, &lowered);
            }
            let mut losers: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (winner, loser) in meeting {
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

    /// Makes losers part of the winner, if they can be made in turn. One that has just become part of
    /// another group is left to the next look.
    fn join(&self, groups: &mut Vec<Group>, winner: &str, losers: &[String]) -> bool {
        let Some(into) = groups.iter().position(|it| it.id() == winner) else {
            return true;
        };
        let is_loser = |group: &Group| losers.iter().any(|it| it == group.id());
        let mut all = groups[into].clone();
        let joining = groups.iter().filter(|it| is_loser(it));
        all.others.extend(joining.flat_map(Group::members).cloned());
        if !self.lower(vec![one_of(&all)]).errors.is_empty() {
            return false;
        }
        groups[into] = all;
        groups.retain(|it| !is_loser(it));
        true
    }

    fn settled(&self, groups: Vec<Group>, lowered: &Lowered) -> Joined {
        let applied: BTreeSet<&str> = lowered.applied.iter().map(String::as_str).collect();
        let (done, left): (Vec<Group>, Vec<Group>) =
            groups.into_iter().partition(|it| applied.contains(it.id()));
        let edits = report(lowered).and_then(|it| it.canonical.as_ref());
        let text = edits.and_then(|it| apply(self.source, &it.edits).ok());
        Joined {
            actions: done.iter().map(one_of).collect(),
            left_out: left.iter().flat_map(Group::members).cloned().collect(),
            text: text.map_or_else(
                || self.source.clone(),
                |it| self.source.with_text(it.text.as_str()),
            ),
        }
    }

    /// Those of the actions that go together as they are.
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

fn made(lowered: Lowered) -> BTreeMap<String, Fix> {
    let fixes = lowered.files.into_iter().flat_map(|it| it.0.fixes);
    let fixes = fixes.filter(|fix| !fix.edits.is_empty());
    fixes.map(|fix| (fix.id.clone(), fix)).collect()
}

/// The actions that lost against another: the winner, and the loser.
fn meeting(lowered: &Lowered) -> impl Iterator<Item = (String, String)> {
    let rejected = report(lowered).into_iter().flat_map(|it| &it.rejected);
    rejected.filter_map(|it| Some((it.winner_id.clone()?, it.fix_id.clone())))
}

/// The actions of a group as one. It has the id of the first.
fn one_of(group: &Group) -> FixAction {
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
    in_turn.sort_by_key(|it| turn(it));
    let severities = group.members().map(|it| it.severity);
    let confidences = group.members().filter_map(|it| it.confidence);
    FixAction {
        id: first.id.clone(),
        title: joined_title(group),
        severity: severities
            .min_by_key(|it| i32::from(*it))
            .unwrap_or(first.severity),
        targets: group.members().flat_map(|it| it.targets.clone()).collect(),
        ops: in_turn.into_iter().flat_map(|it| it.ops.clone()).collect(),
        notes: (!notes.is_empty()).then(|| notes.join(" ")),
        confidence: confidences.max_by_key(|it| i32::from(*it)),
    }
}

/// When an action is made, so that the pointers of those after it still lead where they did: what stands
/// deeper first, what stands behind before what stands in front, and what is new in its place last.
fn turn(action: &FixAction) -> (Reverse<usize>, bool, Option<Reverse<Position>>) {
    let Some(op) = action.ops.first() else {
        return (Reverse(0), false, None);
    };
    let subject = op.subject();
    let is_new = matches!(
        op.change,
        Change::AddValue { .. } | Change::InsertArrayItem { .. }
    );
    // What is new stays in the order it came in.
    let place = (!is_new).then(|| Reverse(Position::of_pointer(&subject.to_string())));
    (Reverse(subject.tokens().len()), is_new, place)
}

fn joined_title(group: &Group) -> String {
    let titles: Vec<&str> = group.members().map(|it| it.title.as_str()).collect();
    let all = titles.join("; ");
    if all.chars().count() <= TITLE_LENGTH {
        return all;
    }
    let more = format!(" (and {} more)", group.others.len());
    cut(&group.first.title, TITLE_LENGTH - more.chars().count()) + &more
}

/// A title as whoever applies actions takes it: one line, and not long.
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
