//! From repairs to fixes: the operations of each as bytes of the file, once they are seen to mend what
//! they are for. A fix that would be refused when somebody applies it is not told.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_document::{FixAction, Op, Pointer, Target};
use fixpoint_engine::{Finding, Proposal, accepts_fixes};
use fixpoint_report::{Fix, Severity};
use fixpoint_text::Snapshot;

use crate::found::Repair;
use crate::joined::Ground;
use crate::phase::ValidatePhase;

/// How many findings may follow one from the other, each mended by a fix of its own.
const LONGEST_CHAIN: usize = 2;

/// What was found in a text.
#[derive(Default)]
pub(crate) struct Seen {
    pub findings: Vec<(Finding, Option<Repair>)>,
    /// There is more than is told.
    pub is_cut: bool,
}

/// A finding and its fix, wherever they stand: rule, message and title.
pub(crate) type Deed = (String, String, String);

/// A finding as it is compared across texts: no place in it.
type Problem<'a> = (i32, &'a str, &'a str);

impl Seen {
    fn problem(&self, number: usize) -> Problem<'_> {
        let finding = &self.findings[number].0;
        let severity = i32::from(finding.severity);
        (severity, &finding.rule, &finding.message)
    }

    fn repair(&self, number: usize) -> Option<&Repair> {
        self.findings[number].1.as_ref()
    }

    fn deed(&self, number: usize) -> Option<Deed> {
        let (finding, repair) = &self.findings[number];
        let title = repair.as_ref()?.title.clone();
        Some((finding.rule.to_string(), finding.message.clone(), title))
    }

    fn numbers(&self) -> std::ops::Range<usize> {
        0..self.findings.len()
    }
}

/// The repairs as fixes, each beside its finding; nothing where a file is written so that the
/// operations do not fit it, or where they would leave it no better.
pub(crate) fn proposals(
    phase: &ValidatePhase<'_>,
    source: &Snapshot,
    seen: &Seen,
) -> Vec<Option<Proposal>> {
    let trusted: BTreeSet<usize> = match phase.tried() {
        Some(tried) => seen
            .numbers()
            .filter(|number| seen.deed(*number).is_some_and(|it| tried.contains(&it)))
            .collect(),
        None => BTreeSet::new(),
    };
    let mut fixes = proven(phase, source, seen, &trusted, LONGEST_CHAIN);
    phase.note_tried(|| fixes.keys().filter_map(|it| seen.deed(*it)).collect());
    let numbers = seen.numbers();
    numbers
        .map(|number| {
            let fix = fixes.remove(&number)?;
            Some(proposal(seen.repair(number)?, fix))
        })
        .collect()
}

/// The fixes that pass, by the number of their finding. They are tried all together, but for those that
/// are `trusted`; only where that leaves something worse than it was are the culprits looked for.
fn proven(
    phase: &ValidatePhase<'_>,
    source: &Snapshot,
    seen: &Seen,
    trusted: &BTreeSet<usize>,
    links: usize,
) -> BTreeMap<usize, Fix> {
    let actions: BTreeMap<usize, FixAction> = seen
        .numbers()
        .filter_map(|number| Some((number, action(source, number, seen.repair(number)?))))
        .collect();
    if actions.is_empty() {
        return BTreeMap::new();
    }
    let wanted: Vec<FixAction> = actions.values().cloned().collect();
    let ground = Ground::new(source, &wanted);
    let mut fixes = ground.fixes(&wanted);
    let known = trusted.iter();
    let mut proven: BTreeMap<usize, Fix> = known
        .filter_map(|it| Some((*it, fixes.remove(&it.to_string())?)))
        .collect();
    let untried = actions.keys().copied().filter(|it| !trusted.contains(it));
    let mut waiting: Vec<Vec<usize>> = vec![untried.collect()];
    while let Some(batch) = waiting.pop() {
        let asked = batch.iter().map(|number| actions[number].clone());
        if batch.is_empty() {
            continue;
        }
        let joined = ground.joined(asked.collect());
        let left: Vec<usize> = joined.left_out.iter().filter_map(number_of).collect();
        let mut done: Vec<usize> = batch;
        done.retain(|number| !left.contains(number));
        if done.is_empty() {
            continue;
        }
        waiting.push(left);
        let made: Vec<&Fix> = done
            .iter()
            .filter_map(|it| fixes.get(&it.to_string()))
            .collect();
        if seen.is_cut || stands(phase, source, seen, (&done, &made), &joined.text, links) {
            let passed = done.into_iter();
            proven.extend(passed.filter_map(|it| Some((it, fixes.remove(&it.to_string())?))));
        } else if done.len() > 1 {
            let second = done.split_off(done.len() / 2);
            waiting.push(second);
            waiting.push(done);
        }
    }
    proven
}

/// Whether the text after fixes is better by what they are for, and in nothing worse. What is new there
/// may be mended by a further fix.
fn stands(
    phase: &ValidatePhase<'_>,
    source: &Snapshot,
    seen: &Seen,
    (fixed, fixes): (&[usize], &[&Fix]),
    after: &Snapshot,
    links: usize,
) -> bool {
    if accepts_fixes(phase.language(), source, after, fixes).is_err() {
        return false;
    }
    let Ok(then) = phase.look(after) else {
        return false;
    };
    let mut allowed: BTreeMap<Problem<'_>, usize> = BTreeMap::new();
    for number in seen.numbers() {
        *allowed.entry(seen.problem(number)).or_default() += 1;
    }
    for number in fixed {
        let count = allowed.entry(seen.problem(*number)).or_default();
        *count = count.saturating_sub(1);
    }
    let added: Vec<usize> = then
        .numbers()
        .filter(|number| match allowed.get_mut(&then.problem(*number)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect();
    if added.is_empty() {
        return true;
    }
    // Whoever asks for these fixes asks for none that is less safe.
    let safeties = fixed.iter().filter_map(|it| seen.repair(*it));
    let safest = safeties.map(|it| i32::from(it.safety)).min();
    let may_follow = |number: &usize| {
        let is_unmended = fixed
            .iter()
            .any(|it| seen.problem(*it) == then.problem(*number));
        let repair = then.repair(*number);
        !is_unmended && repair.is_some_and(|it| Some(i32::from(it.safety)) <= safest)
    };
    if links == 0 || !added.iter().all(may_follow) {
        return false;
    }
    let next = proven(phase, after, &then, &BTreeSet::new(), links - 1);
    added.iter().all(|number| next.contains_key(number))
}

fn proposal(repair: &Repair, fix: Fix) -> Proposal {
    Proposal {
        safety: repair.safety,
        confidence: repair.confidence,
        ops: fix.ops,
        compatibility: fix.compatibility.unwrap_or_default(),
        ..Proposal::safe(repair.title.clone(), fix.edits)
    }
    .because(repair.reason.clone())
}

fn action(source: &Snapshot, number: usize, repair: &Repair) -> FixAction {
    let ops = repair.ops.iter().map(|op| Op {
        file: source.path().to_owned(),
        ..op.clone()
    });
    FixAction {
        id: number.to_string(),
        title: repair.title.clone(),
        severity: Severity::Error,
        targets: vec![Target {
            file: source.path().to_owned(),
            json_pointer: Pointer::root(),
            rule_id: String::new(),
            diagnostic_id: None,
        }],
        ops: ops.collect(),
        notes: None,
        confidence: None,
    }
}

fn number_of(action: &FixAction) -> Option<usize> {
    action.id.parse().ok()
}
