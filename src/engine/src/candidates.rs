//! Tries the candidates of a phase on the text that they were proposed for. A candidate becomes a
//! fix of its finding if it passes the gate, resolves the finding and adds none.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_edit::{Snapshots, merge};
use fixpoint_report::{Fix, RejectionReason};
use fixpoint_text::Snapshot;

use crate::analysis::{Problem, problem_found as problem};
use crate::gate::check_text;
use crate::phase::{Finding, Language, Phase, Proposal};
use crate::trial::Batches;

/// How many times a candidate may cause a finding that another candidate resolves.
const MAX_CHAIN: usize = 2;

/// Identifies a candidate by the finding that it resolves, wherever that is in the text: rule and
/// message of the finding, and title of the candidate.
pub(crate) type CandidateKey = (String, String, String);

/// Tries candidates of one phase.
pub(crate) struct Candidates<'a> {
    pub(crate) phase: &'a dyn Phase,
    pub(crate) language: &'a dyn Language,
}

impl Candidates<'_> {
    /// Turns the candidates that pass into fixes, and drops the others. Those in `trusted` passed on
    /// a text that this one was made from, and are not tried again. Returns the keys of all that
    /// passed.
    pub(crate) fn settle(
        &self,
        source: &Snapshot,
        findings: &mut [Finding],
        trusted: &BTreeSet<CandidateKey>,
    ) -> BTreeSet<CandidateKey> {
        self.settle_chain(source, findings, trusted, MAX_CHAIN)
    }

    fn settle_chain(
        &self,
        source: &Snapshot,
        findings: &mut [Finding],
        trusted: &BTreeSet<CandidateKey>,
        links: usize,
    ) -> BTreeSet<CandidateKey> {
        let is_trusted = |finding: &Finding, it: &Proposal| trusted.contains(&key(finding, it));
        let untried = findings.iter().enumerate().flat_map(|(number, finding)| {
            let candidates = finding.candidates.iter().enumerate();
            let untried = candidates.filter(|(_, it)| !is_trusted(finding, it));
            untried.map(move |(place, it)| Candidate {
                number,
                fix: alternative(finding, number, place, it),
            })
        });
        let passing = self.passing(source, findings, untried.collect(), links);
        let mut keys = BTreeSet::new();
        for (number, finding) in findings.iter_mut().enumerate() {
            let candidates = std::mem::take(&mut finding.candidates);
            for (place, candidate) in candidates.into_iter().enumerate() {
                let key = key(finding, &candidate);
                if trusted.contains(&key) || passing.contains(&id(number, place)) {
                    keys.insert(key);
                    finding.proposals.push(candidate);
                }
            }
        }
        keys
    }

    /// The ids of the candidates that pass. Candidates that conflict are tried one after the other,
    /// each on the same text.
    fn passing(
        &self,
        source: &Snapshot,
        findings: &[Finding],
        mut untried: Vec<Candidate>,
        links: usize,
    ) -> BTreeSet<String> {
        let mut passing = BTreeSet::new();
        while !untried.is_empty() {
            let merged = merge(&Snapshots::of(source), untried.iter().map(|it| &it.fix));
            let rejected = merged.rejected().iter();
            let rejected: BTreeMap<String, RejectionReason> = rejected
                .map(|rejection| (rejection.fix_id.clone(), rejection.reason()))
                .collect();
            let together = untried.iter();
            let together = together.filter(|candidate| !rejected.contains_key(&candidate.fix.id));
            let mut batches = Batches::of(together.collect());
            while let Some(batch) = batches.take() {
                if self.pass(source, findings, &batch, links) {
                    passing.extend(batch.iter().map(|it| it.fix.id.clone()));
                } else {
                    batches.halve(batch);
                }
            }
            let conflict = Some(&RejectionReason::Conflict);
            untried.retain(|candidate| rejected.get(&candidate.fix.id) == conflict);
        }
        passing
    }

    /// Whether the candidates resolve their findings and cause no new ones. A new finding is allowed
    /// if a further candidate resolves it.
    fn pass(
        &self,
        source: &Snapshot,
        before: &[Finding],
        batch: &[&Candidate],
        links: usize,
    ) -> bool {
        let fixes: Vec<&Fix> = batch.iter().map(|it| &it.fix).collect();
        let applied = merge(&Snapshots::of(source), fixes.iter().copied()).apply(source);
        let after = source.with_text(applied.text);
        if check_text(self.language, source, &after, &fixes).is_err() {
            return false;
        }
        let found = self.phase.check(&after);
        if found.unparsable {
            return false;
        }
        let resolved = || batch.iter().filter_map(|it| before.get(it.number));
        if added(before, resolved(), &found.findings).is_empty() {
            return true;
        }
        if links == 0 {
            return false;
        }
        let mut next = self.phase.run(&after).findings;
        let added = added(before, resolved(), &next);
        // A user who accepts these candidates does not accept a less safe one.
        let safest = fixes.iter().map(|fix| fix.safety).min();
        let is_safe = |proposal: &Proposal| Some(i32::from(proposal.safety)) <= safest;
        let is_unresolved =
            |finding: &Finding| resolved().any(|one| problem(one) == problem(finding));
        let may_follow = |it: &Finding| {
            let mut proposed = it.proposals.iter().chain(&it.candidates);
            !is_unresolved(it) && proposed.any(is_safe)
        };
        if !added.iter().all(|number| may_follow(&next[*number])) {
            return false;
        }
        self.settle_chain(&after, &mut next, &BTreeSet::new(), links - 1);
        let is_resolved = |finding: &Finding| finding.proposals.iter().any(is_safe);
        added.iter().all(|number| is_resolved(&next[*number]))
    }
}

/// A candidate of the finding with this number.
struct Candidate {
    number: usize,
    fix: Fix,
}

/// The candidate as a fix. At most one candidate of a finding may be applied.
fn alternative(finding: &Finding, number: usize, place: usize, proposal: &Proposal) -> Fix {
    let others = (0..finding.candidates.len()).filter(|other| *other != place);
    let others = others.map(|other| id(number, other));
    let mut fix = proposal.clone().into_fix();
    let compatibility = fix.compatibility.get_or_insert_default();
    compatibility.conflicts_with.extend(others);
    fix.id = id(number, place);
    fix
}

fn id(number: usize, place: usize) -> String {
    format!("{number}.{place}")
}

fn key(finding: &Finding, candidate: &Proposal) -> CandidateKey {
    let (_, rule, message) = problem(finding);
    (rule.to_owned(), message.to_owned(), candidate.title.clone())
}

/// The indices of findings that are not left over from `before`, of which some are resolved.
fn added<'f>(
    before: &'f [Finding],
    resolved: impl Iterator<Item = &'f Finding>,
    after: &'f [Finding],
) -> Vec<usize> {
    let mut allowed: BTreeMap<Problem<'_>, usize> = BTreeMap::new();
    for finding in before {
        *allowed.entry(problem(finding)).or_default() += 1;
    }
    for finding in resolved {
        let count = allowed.entry(problem(finding)).or_default();
        *count = count.saturating_sub(1);
    }
    let numbers = 0..after.len();
    numbers
        .filter(|number| match allowed.get_mut(&problem(&after[*number])) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}
