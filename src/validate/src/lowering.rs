//! Lowers repairs to fixes: verifies that the operations of each repair resolve its finding, and
//! converts them to byte edits. A fix that would be rejected when it is applied is not reported.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_document::{FixAction, Op, Pointer, Target};
use fixpoint_engine::{Finding, Proposal, accepts_fixes};
use fixpoint_report::{Fix, Severity};
use fixpoint_text::Snapshot;

use crate::finding::Repair;
use crate::merge::ActionMerger;
use crate::phase::ValidatePhase;

/// How many times a fix may cause a finding that another fix resolves.
const MAX_CHAIN: usize = 2;

/// The findings in a text, with their repairs.
#[derive(Default)]
pub(crate) struct CheckResult {
    pub findings: Vec<(Finding, Option<Repair>)>,
    /// Whether there are more findings than the limit.
    pub is_cut: bool,
}

/// Identifies a finding and its fix independently of their position: rule, message and title.
pub(crate) type FixIdentity = (String, String, String);

/// A finding without its position, for comparing two texts.
type Problem<'a> = (i32, &'a str, &'a str);

impl CheckResult {
    fn problem(&self, number: usize) -> Problem<'_> {
        let finding = &self.findings[number].0;
        let severity = i32::from(finding.severity);
        (severity, &finding.rule, &finding.message)
    }

    fn repair(&self, number: usize) -> Option<&Repair> {
        self.findings[number].1.as_ref()
    }

    fn fix_identity(&self, number: usize) -> Option<FixIdentity> {
        let (finding, repair) = &self.findings[number];
        let title = repair.as_ref()?.title.clone();
        Some((finding.rule.to_string(), finding.message.clone(), title))
    }

    fn numbers(&self) -> std::ops::Range<usize> {
        0..self.findings.len()
    }
}

/// The fix for each finding. `None` if the operations cannot be applied to the file as it is
/// written, or would not improve it.
pub(crate) fn proposals(
    phase: &ValidatePhase<'_>,
    source: &Snapshot,
    seen: &CheckResult,
) -> Vec<Option<Proposal>> {
    let trusted: BTreeSet<usize> = match phase.tried() {
        Some(tried) => seen
            .numbers()
            .filter(|number| {
                seen.fix_identity(*number)
                    .is_some_and(|it| tried.contains(&it))
            })
            .collect(),
        None => BTreeSet::new(),
    };
    let mut fixes = verified_fixes(phase, source, seen, &trusted, MAX_CHAIN);
    phase.note_tried(|| {
        fixes
            .keys()
            .filter_map(|it| seen.fix_identity(*it))
            .collect()
    });
    let numbers = seen.numbers();
    numbers
        .map(|number| {
            let fix = fixes.remove(&number)?;
            Some(proposal(seen.repair(number)?, fix))
        })
        .collect()
}

/// The fixes that pass verification, by the index of their finding. All fixes are tried together,
/// except those that are `trusted`. Only if that makes the text worse, the batch is split to find
/// the bad fixes.
fn verified_fixes(
    phase: &ValidatePhase<'_>,
    source: &Snapshot,
    seen: &CheckResult,
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
    let merger = ActionMerger::new(source, &wanted);
    let mut fixes = merger.fixes(&wanted);
    let known = trusted.iter();
    let mut verified: BTreeMap<usize, Fix> = known
        .filter_map(|it| Some((*it, fixes.remove(&it.to_string())?)))
        .collect();
    let untried = actions.keys().copied().filter(|it| !trusted.contains(it));
    let mut waiting: Vec<Vec<usize>> = vec![untried.collect()];
    while let Some(batch) = waiting.pop() {
        let actions_of_batch = batch.iter().map(|number| actions[number].clone());
        if batch.is_empty() {
            continue;
        }
        let merged = merger.merged(actions_of_batch.collect());
        let left: Vec<usize> = merged.left_out.iter().filter_map(number_of).collect();
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
        if seen.is_cut || is_improvement(phase, source, seen, (&done, &made), &merged.text, links) {
            let passed = done.into_iter();
            verified.extend(passed.filter_map(|it| Some((it, fixes.remove(&it.to_string())?))));
        } else if done.len() > 1 {
            let second = done.split_off(done.len() / 2);
            waiting.push(second);
            waiting.push(done);
        }
    }
    verified
}

/// Whether the fixes resolve their findings and cause no new ones. A new finding is allowed if a
/// further fix resolves it.
fn is_improvement(
    phase: &ValidatePhase<'_>,
    source: &Snapshot,
    seen: &CheckResult,
    (fixed, fixes): (&[usize], &[&Fix]),
    after: &Snapshot,
    links: usize,
) -> bool {
    if accepts_fixes(phase.language(), source, after, fixes).is_err() {
        return false;
    }
    let Ok(then) = phase.check_text(after) else {
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
    // A user who accepts these fixes does not accept a less safe one.
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
    let next = verified_fixes(phase, after, &then, &BTreeSet::new(), links - 1);
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
