//! Minimizing a patch: the smallest set of edits that still passes.
//!
//! The search removes whole hunks first, then single lines, in halves that shrink (delta debugging).
//! Edits that depend on one another are also tried together. For every edit that remains there is a
//! recorded trial without it that did not pass.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// Files by path. `None` is a file that does not exist.
pub type Files = BTreeMap<String, Option<Vec<u8>>>;

/// The smallest part of a patch that the search removes on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchEdit {
    pub path: String,
    /// Edits with the same number belong to one hunk.
    pub hunk: usize,
    pub change: Change,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The file is created, deleted, or replaced because it is not text.
    File(Option<Vec<u8>>),
    /// At most one line of the base, counted from 0, is replaced. `removes` is false for an
    /// insertion before the line.
    Line {
        at: usize,
        removes: bool,
        text: Vec<u8>,
    },
}

/// The edits that turn `base` into `patched`, in the order of paths and lines. A path that is
/// missing in one of the maps is a file that does not exist there.
pub fn edits(base: &Files, patched: &Files) -> Vec<PatchEdit> {
    let paths: BTreeSet<&String> = base.keys().chain(patched.keys()).collect();
    let mut edits = Vec::new();
    let mut hunk = 0;
    for path in paths {
        let old = base.get(path).and_then(Option::as_deref);
        let new = patched.get(path).and_then(Option::as_deref);
        match (old, new) {
            _ if old == new => {}
            (Some(old), Some(new)) if !old.contains(&0) && !new.contains(&0) => {
                let old_lines = lines(old);
                for (removed, added) in line_changes(&old_lines, &lines(new)) {
                    for change in split(&old_lines, removed, &added) {
                        edits.push(PatchEdit {
                            path: path.clone(),
                            hunk,
                            change,
                        });
                    }
                    hunk += 1;
                }
            }
            _ => {
                edits.push(PatchEdit {
                    path: path.clone(),
                    hunk,
                    change: Change::File(new.map(<[u8]>::to_vec)),
                });
                hunk += 1;
            }
        }
    }
    edits
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

fn line_changes<'a>(old: &[&'a [u8]], new: &[&'a [u8]]) -> Vec<(Range<usize>, Vec<&'a [u8]>)> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    diff.hunks()
        .map(|hunk| {
            let added = &new[hunk.after.start as usize..hunk.after.end as usize];
            (
                hunk.before.start as usize..hunk.before.end as usize,
                added.to_vec(),
            )
        })
        .collect()
}

/// One change per line. Similar lines replace one another; the lines between them are paired in
/// order, and the rest is removed or inserted.
fn split(old: &[&[u8]], removed: Range<usize>, added: &[&[u8]]) -> Vec<Change> {
    let mut pairs = similar_pairs(&old[removed.clone()], added);
    pairs.push((removed.len(), added.len()));
    let mut changes = Vec::new();
    let mut line = |at: usize, removes: bool, text: &[u8]| {
        changes.push(Change::Line {
            at: removed.start + at,
            removes,
            text: text.to_vec(),
        });
    };
    let (mut i, mut j) = (0, 0);
    for (old_at, new_at) in pairs {
        while i < old_at || j < new_at {
            let text = if j < new_at { added[j] } else { &[] };
            line(i, i < old_at, text);
            i = (i + 1).min(old_at);
            j = (j + 1).min(new_at);
        }
        if old_at < removed.len() {
            line(old_at, true, added[new_at]);
            (i, j) = (old_at + 1, new_at + 1);
        }
    }
    changes
}

/// The number of pairs of lines above which they are not compared.
const MAX_COMPARED: usize = 10_000;

/// Pairs of similar lines in ascending order, with the greatest sum of similarities.
fn similar_pairs(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    if old.len() * new.len() > MAX_COMPARED {
        return Vec::new();
    }
    let width = new.len() + 1;
    // `best[i * width + j]` is the best sum for the lines from `i` and from `j` on.
    let mut best = vec![0_usize; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let paired = match similarity(old[i], new[j]) {
                0 => 0,
                percent => percent + best[(i + 1) * width + j + 1],
            };
            let skipped = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            best[i * width + j] = paired.max(skipped);
        }
    }
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        let here = best[i * width + j];
        let percent = similarity(old[i], new[j]);
        if percent > 0 && here == percent + best[(i + 1) * width + j + 1] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// The share of the common start and end in percent; 0 below one half.
fn similarity(old: &[u8], new: &[u8]) -> usize {
    let shorter = old.len().min(new.len());
    let equal = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let start = old.iter().zip(new).take_while(equal).count();
    let end = old.iter().rev().zip(new.iter().rev()).take_while(equal);
    let common = start + end.count().min(shorter - start);
    let percent = 100 * common / old.len().max(new.len()).max(1);
    if percent < 50 { 0 } else { percent }
}

/// The base with some of the edits, by index.
pub fn compose(base: &Files, edits: &[PatchEdit], chosen: &[usize]) -> Files {
    let mut files = base.clone();
    let chosen: BTreeSet<usize> = chosen.iter().copied().collect();
    let mut by_path: BTreeMap<&str, Vec<LineEdit<'_>>> = BTreeMap::new();
    for edit in chosen.iter().filter_map(|index| edits.get(*index)) {
        match &edit.change {
            Change::File(text) => {
                files.insert(edit.path.clone(), text.clone());
            }
            Change::Line { at, removes, text } => {
                let changes = by_path.entry(&edit.path).or_default();
                changes.push((*at, *removes, text));
            }
        }
    }
    for (path, changes) in by_path {
        let Some(Some(old)) = base.get(path) else {
            continue;
        };
        files.insert(path.to_owned(), Some(with_lines(old, &changes)));
    }
    files
}

/// The fields of [`Change::Line`].
type LineEdit<'a> = (usize, bool, &'a [u8]);

/// Applies changes, which are sorted by line.
fn with_lines(old: &[u8], changes: &[LineEdit<'_>]) -> Vec<u8> {
    let old = lines(old);
    let mut text: Vec<u8> = Vec::new();
    let mut push = |line: &[u8]| {
        // The last line of a file may lack its newline.
        if !line.is_empty() && text.last().is_some_and(|byte| *byte != b'\n') {
            text.push(b'\n');
        }
        text.extend_from_slice(line);
    };
    let mut next = 0;
    for (at, removes, added) in changes {
        while next < *at && next < old.len() {
            push(old[next]);
            next += 1;
        }
        push(added);
        if *removes {
            next += 1;
        }
    }
    for line in old.iter().skip(next) {
        push(line);
    }
    text
}

/// The result of running the checks with some of the edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    Pass,
    Fail,
    /// The checks could not run, for example because the code does not build, or timed out.
    Unresolved,
}

/// A trial that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialRecord {
    pub edits: Vec<usize>,
    pub outcome: Trial,
}

/// The result of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimal {
    /// The edits to keep, sorted.
    pub kept: Vec<usize>,
    /// All trials, in the order in which they ran.
    pub trials: Vec<TrialRecord>,
    /// For each kept edit, the index of a trial without it that did not pass.
    pub needed: BTreeMap<usize, usize>,
    /// Whether the last trial of every kept edit removed only that edit. False if the limit was
    /// reached first.
    pub complete: bool,
}

/// The number of trials that is enough in most cases.
pub fn default_limit(edits: &[PatchEdit]) -> usize {
    2 * edits.len() + 10
}

/// Minimizes a patch that passes as a whole. `trial` runs the checks with the given edits, which are
/// sorted; it is never called twice with the same edits, and at most `limit` times.
pub fn minimize(
    edits: &[PatchEdit],
    limit: usize,
    trial: &mut dyn FnMut(&[usize]) -> Trial,
) -> Minimal {
    let mut search = Search {
        limit,
        trial,
        kept: (0..edits.len()).collect(),
        trials: Vec::new(),
        memo: BTreeMap::new(),
    };
    let hunks = by_hunk(edits, search.kept.iter().copied());
    search.reduce(&hunks, false);
    for hunk in by_hunk(edits, search.kept.clone().into_iter()) {
        if hunk.len() > 1 {
            let units: Vec<Vec<usize>> = hunk.into_iter().map(|edit| vec![edit]).collect();
            search.reduce(&units, true);
        }
    }
    loop {
        let before = search.kept.len();
        for edit in search.kept.clone() {
            search.remove(&[edit]);
        }
        let groups = dependent_groups(edits, &search.kept);
        for group in groups {
            let group: Vec<usize> = group
                .into_iter()
                .filter(|edit| search.kept.contains(edit))
                .collect();
            if group.len() > 1 && group.len() < search.kept.len() {
                search.remove(&group);
            }
        }
        if search.kept.len() == before {
            break;
        }
    }
    search.finish()
}

fn by_hunk(edits: &[PatchEdit], kept: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut hunks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in kept {
        hunks.entry(edits[index].hunk).or_default().push(index);
    }
    hunks.into_values().collect()
}

struct Search<'a> {
    limit: usize,
    trial: &'a mut dyn FnMut(&[usize]) -> Trial,
    kept: BTreeSet<usize>,
    trials: Vec<TrialRecord>,
    memo: BTreeMap<Vec<usize>, Trial>,
}

impl Search<'_> {
    /// Removes edits if the rest passes. None if the limit is reached.
    fn remove(&mut self, removed: &[usize]) -> Option<Trial> {
        let rest: Vec<usize> = self
            .kept
            .iter()
            .copied()
            .filter(|edit| !removed.contains(edit))
            .collect();
        let outcome = match self.memo.get(&rest) {
            Some(outcome) => *outcome,
            None if self.trials.len() >= self.limit => return None,
            None => {
                let outcome = (self.trial)(&rest);
                self.trials.push(TrialRecord {
                    edits: rest.clone(),
                    outcome,
                });
                self.memo.insert(rest.clone(), outcome);
                outcome
            }
        };
        if outcome == Trial::Pass {
            self.kept = rest.into_iter().collect();
        }
        Some(outcome)
    }

    /// Removes as many units as possible, in halves. `needed` says that not all of them can go.
    /// Returns whether all were removed.
    fn reduce(&mut self, units: &[Vec<usize>], needed: bool) -> bool {
        // Two units are tried one by one, which saves a trial if one of them is needed.
        if units.len() == 1 || (units.len() > 2 && !needed) {
            match self.remove(&units.concat()) {
                Some(Trial::Pass) => return true,
                None => return false,
                _ => {}
            }
        }
        if units.len() < 2 {
            return units.is_empty();
        }
        let (left, right) = units.split_at(units.len() / 2);
        let whole_failed = needed || units.len() > 2;
        let left_removed = self.reduce(left, false);
        let right_removed = self.reduce(right, left_removed && whole_failed && right.len() > 1);
        left_removed && right_removed
    }

    fn finish(self) -> Minimal {
        let kept: Vec<usize> = self.kept.iter().copied().collect();
        let mut needed = BTreeMap::new();
        let mut complete = true;
        for edit in &kept {
            let exact: Vec<usize> = kept.iter().copied().filter(|other| other != edit).collect();
            let is_exact = |record: &TrialRecord| record.edits == exact;
            // Any other trial in which only removed edits and this one were missing.
            let is_near = |record: &TrialRecord| {
                record.outcome != Trial::Pass
                    && !record.edits.contains(edit)
                    && exact.iter().all(|other| record.edits.contains(other))
            };
            let found = self.trials.iter().position(is_exact);
            complete &= found.is_some();
            if let Some(index) = found.or_else(|| self.trials.iter().position(is_near)) {
                needed.insert(*edit, index);
            }
        }
        Minimal {
            kept,
            trials: self.trials,
            needed,
            complete,
        }
    }
}

/// Sets of edits that may depend on one another: an added line and the deeper lines below it, and
/// lines that share an identifier which appears in no more than a few edits.
fn dependent_groups(edits: &[PatchEdit], kept: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for index in kept {
        for word in words(&edits[*index]) {
            by_word.entry(word).or_default().push(*index);
        }
    }
    for users in by_word.into_values() {
        if (2..=4).contains(&users.len()) {
            groups.push(users);
        }
    }
    let kept: Vec<usize> = kept.iter().copied().collect();
    for (position, head) in kept.iter().enumerate() {
        let Some(indent) = indent(&edits[*head]) else {
            continue;
        };
        let mut block = vec![*head];
        for index in &kept[position + 1..] {
            let edit = &edits[*index];
            if edit.hunk != edits[*head].hunk {
                break;
            }
            match self::indent(edit) {
                Some(deeper) if deeper > indent => block.push(*index),
                // The closing bracket of the block.
                Some(same) if same == indent && closes(edit) => {
                    block.push(*index);
                    break;
                }
                _ => break,
            }
        }
        if block.len() > 1 {
            groups.push(block);
        }
    }
    groups.sort();
    groups.dedup();
    groups.sort_by_key(Vec::len);
    groups
}

fn added_text(edit: &PatchEdit) -> &[u8] {
    match &edit.change {
        Change::Line { text, .. } => text,
        Change::File(text) => text.as_deref().unwrap_or_default(),
    }
}

fn indent(edit: &PatchEdit) -> Option<usize> {
    match &edit.change {
        Change::Line { text, .. } => text.iter().position(|byte| !byte.is_ascii_whitespace()),
        Change::File(_) => None,
    }
}

fn closes(edit: &PatchEdit) -> bool {
    let text = added_text(edit).trim_ascii();
    !text.is_empty() && text.iter().all(|byte| b"})];,".contains(byte))
}

fn words(edit: &PatchEdit) -> BTreeSet<String> {
    String::from_utf8_lossy(added_text(edit))
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 2 && !word.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}
