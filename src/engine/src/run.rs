//! The loop: phases, merge, apply, gate, until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_edit::{Snapshots, SourceMap, merge};
use fixpoint_report::{
    Canonical, Edit, Exit, Fix, FixReport, Names, Outcome, Rejection, RejectionReason, Step,
};
use fixpoint_text::{Digest, Snapshot, line_changes};

use crate::analysis::Analysis;
use crate::gate::{Refusal, added_problem, check_findings, check_text};
use crate::phase::{Language, Phase, Stage, Suppressions};
use crate::policy::Policy;
use crate::rejected::{RejectedFix, resolved_by};
use crate::reported::Reported;
use crate::trial::try_together;
use crate::turn::{Turn, Waiting};

/// Rounds in a row that leave no fewer fixes to apply than before, after which a run ends as
/// `budget`. A round applies every fix that goes together, so such a run is getting nowhere.
const STALLED_ROUNDS: u32 = 100;

/// How far a text may grow beyond eight times its size before fixes count as running away.
const GROWTH_ALLOWANCE: usize = 1 << 20;

/// Phases and a language, ready to run on files of that language.
pub struct Engine<'a> {
    language: &'a dyn Language,
    pub(crate) rewrites: Vec<&'a dyn Phase>,
    layouts: Vec<&'a dyn Phase>,
}

/// What a run found, and the text it arrived at.
#[derive(Clone, Debug)]
pub struct Run {
    pub report: FixReport,
    pub canonical: Snapshot,
}

impl<'a> Engine<'a> {
    pub fn new(
        language: &'a dyn Language,
        phases: impl IntoIterator<Item = &'a dyn Phase>,
    ) -> Self {
        let (rewrites, layouts) = phases
            .into_iter()
            .partition(|phase| phase.stage() == Stage::Rewrite);
        Self {
            language,
            rewrites,
            layouts,
        }
    }

    /// Runs on one file. The report holds what was found on `base`, and the edits from there to
    /// the canonical text.
    pub fn run(&self, base: &Snapshot, policy: &Policy) -> Run {
        self.run_with(base, policy, &Reported::default())
    }

    /// The same, with fixes that stored reports list. They are applied before those of phases, and
    /// pass the same merge and gate.
    pub fn run_with(&self, base: &Snapshot, policy: &Policy, reported: &Reported) -> Run {
        let every: Vec<&dyn Phase> = self.rewrites.iter().chain(&self.layouts).copied().collect();
        let mut names = Names::default();
        let found = Analysis::of(
            base,
            self.language,
            &every,
            &mut names,
            &|offset| offset,
            &BTreeSet::new(),
        );
        let mut run = Loop::new(self, policy, base, &found, names);
        run.apply_reported(reported);
        let exit = match reported {
            _ if found.unparsable => Exit::Unparsable,
            Reported::Only(_) => Exit::Fixpoint,
            Reported::First(_) => run.settle(),
        };
        let (canonical, canonical_part, rejected, outcome) = run.finish(exit);
        let report = FixReport {
            diagnostics: found.diagnostics,
            fixes: reported.listed_with(found.fixes, base),
            rejected,
            canonical: Some(canonical_part),
            outcome: Some(outcome),
            ..FixReport::new(base, self.language.name())
        };
        Run { report, canonical }
    }
}

/// A batch that passed the gate: its fixes, the text they lead to, what was found there.
pub(crate) struct Passed {
    steps: Vec<(String, String)>,
    /// The ids of the diagnostics that its fixes resolve.
    resolved: Vec<String>,
    text: Snapshot,
    source_map: SourceMap,
    found: Analysis,
    names: Names,
    /// How many problems its fixes may have brought to light.
    revealed: usize,
}

pub(crate) struct Loop<'e, 'a> {
    pub(crate) engine: &'e Engine<'a>,
    pub(crate) policy: &'e Policy,
    pub(crate) base: &'e Snapshot,
    pub(crate) base_found: &'e Analysis,
    current: Snapshot,
    /// One per change of the text so far; together they lead back to the base.
    source_maps: Vec<SourceMap>,
    names: Names,
    /// What the rewrites found in the current text; nothing while it is still the base.
    pub(crate) found: Option<Analysis>,
    /// Whether the layout phases answer for the current text.
    laid_out: bool,
    pub(crate) round: u32,
    least_left: usize,
    /// How many problems the fixes so far may have brought to light.
    revealed: usize,
    /// Rounds since the number of fixes left last fell.
    stalled: u32,
    pub(crate) steps: Vec<Step>,
    pub(crate) rejected: BTreeMap<String, Rejection>,
    /// Rejected fixes of stored reports. No phase proposes them again, so they stay rejected.
    pub(crate) refused_reported: Vec<Rejection>,
    /// Whether later rounds may resolve the problems that a fix adds.
    pub(crate) has_later_rounds: bool,
    /// Rejected fixes by id, except those that lost to another fix of the same diagnostics.
    pub(crate) rejected_fixes: BTreeMap<String, RejectedFix>,
    /// The ids of the diagnostics that applied fixes resolve.
    pub(crate) resolved: BTreeSet<String>,
    /// Fixes the gate refused, and the rounds in which it did. They are tried again once, at the end, if
    /// the text has changed since.
    pub(crate) barred: BTreeMap<String, u32>,
    tried_again: BTreeSet<String>,
    /// The round in which the text last changed.
    changed_in: u32,
    /// Each text so far, with the number of steps that led to it.
    seen: BTreeMap<Digest, usize>,
    cycle_rules: Vec<String>,
}

impl<'e, 'a> Loop<'e, 'a> {
    fn new(
        engine: &'e Engine<'a>,
        policy: &'e Policy,
        base: &'e Snapshot,
        base_found: &'e Analysis,
        names: Names,
    ) -> Self {
        Self {
            engine,
            policy,
            base,
            base_found,
            current: base.clone(),
            source_maps: Vec::new(),
            names,
            found: None,
            laid_out: false,
            round: 0,
            least_left: usize::MAX,
            revealed: 0,
            stalled: 0,
            steps: Vec::new(),
            rejected: BTreeMap::new(),
            refused_reported: Vec::new(),
            has_later_rounds: true,
            rejected_fixes: BTreeMap::new(),
            resolved: BTreeSet::new(),
            barred: BTreeMap::new(),
            tried_again: BTreeSet::new(),
            changed_in: 0,
            seen: BTreeMap::from([(base.digest(), 0)]),
            cycle_rules: Vec::new(),
        }
    }

    fn settle(&mut self) -> Exit {
        loop {
            let stages = [
                (Stage::Rewrite, &self.engine.rewrites),
                (Stage::Layout, &self.engine.layouts),
            ];
            let Some((stage, candidates)) = stages.into_iter().find_map(|(stage, phases)| {
                let candidates = self.candidates(stage, phases);
                (!candidates.is_empty()).then_some((stage, candidates))
            }) else {
                if self.unbars() {
                    continue;
                }
                return self.judge_the_end();
            };
            if !self.progresses(candidates.len()) {
                return Exit::Budget;
            }
            self.round += 1;
            let Some(passed) = self.admit(stage, &candidates) else {
                continue;
            };
            self.take(stage, passed);
            if let Some(&first) = self.seen.get(&self.current.digest()) {
                let rules: BTreeSet<&str> = self.steps[first..]
                    .iter()
                    .map(|step| step.rule.as_str())
                    .collect();
                self.cycle_rules = rules.into_iter().map(str::to_owned).collect();
                return Exit::Oscillation;
            }
            self.seen.insert(self.current.digest(), self.steps.len());
        }
    }

    /// Continues from a batch that passed the gate.
    pub(crate) fn take(&mut self, stage: Stage, passed: Passed) {
        let steps = passed.steps.into_iter().map(|(fix_id, rule)| Step {
            round: self.round,
            fix_id,
            rule,
        });
        self.steps.extend(steps);
        self.changed_in = self.round;
        self.resolved.extend(passed.resolved);
        self.laid_out = stage == Stage::Layout && self.vouched();
        self.current = passed.text;
        self.source_maps.push(passed.source_map);
        self.names = passed.names;
        self.found = Some(passed.found);
        self.revealed += passed.revealed;
    }

    /// Lets the gate look again at what it refused before other fixes changed the text.
    fn unbars(&mut self) -> bool {
        let (changed_in, tried) = (self.changed_in, &mut self.tried_again);
        let again = self.barred.extract_if(.., |id, round| {
            *round < changed_in && tried.insert(id.clone())
        });
        let again: Vec<String> = again.map(|(id, _)| id).collect();
        for id in &again {
            self.rejected.remove(id);
        }
        !again.is_empty()
    }

    /// Whether the run is still getting somewhere: fewer fixes are left than ever before, or the
    /// budget of rounds without that is not used up; and the text does not grow out of bounds.
    fn progresses(&mut self, left: usize) -> bool {
        if left < self.least_left {
            self.least_left = left;
            self.stalled = 0;
        } else {
            self.stalled += 1;
        }
        self.stalled <= STALLED_ROUNDS
            && self.current.text().len() <= 8 * self.base.text().len() + GROWTH_ALLOWANCE
    }

    /// The admitted fixes of one stage on the current text.
    fn candidates(&self, stage: Stage, phases: &[&dyn Phase]) -> Vec<Fix> {
        let layout = Analysis::default();
        let found = match (stage, &self.found) {
            (_, None) => self.base_found,
            (Stage::Rewrite, Some(found)) => found,
            (Stage::Layout, Some(_)) if self.laid_out => &layout,
            (Stage::Layout, Some(_)) => {
                let mut names = self.names.clone();
                &Analysis::of(
                    &self.current,
                    self.engine.language,
                    phases,
                    &mut names,
                    &|offset| self.origin(offset),
                    &self.base_found.passed,
                )
            }
        };
        let possible = self.possible(found, phases);
        let turn = self.turn(&possible, phases);
        let mut fixes: Vec<Fix> = possible.into_iter().cloned().collect();
        fixes.retain(|fix| self.policy.admits(fix) && self.is_in(turn, fix, phases));
        fixes
    }

    /// The fixes that this run could apply, including those that need an approval.
    pub(crate) fn possible<'f>(
        &'f self,
        found: &'f Analysis,
        phases: &'f [&dyn Phase],
    ) -> Vec<&'f Fix> {
        let path = self.current.path();
        let fixes = found.fixes_of(phases, path).filter(|fix| {
            let chosen = self.policy.chooses(fix) && !self.policy.prefers_another(fix);
            chosen && !self.barred.contains_key(&fix.id)
        });
        fixes.collect()
    }

    /// Whose turn it is among the fixes that phases apply in order.
    pub(crate) fn turn(&self, possible: &[&Fix], phases: &[&dyn Phase]) -> Option<Turn> {
        Turn::among(possible.iter().filter_map(|fix| self.waiting(fix, phases)))
    }

    /// Whether it is a fix's turn. Fixes without an order may always be applied.
    pub(crate) fn is_in(&self, turn: Option<Turn>, fix: &Fix, phases: &[&dyn Phase]) -> bool {
        let waiting = self.waiting(fix, phases);
        waiting.is_none_or(|it| turn.is_some_and(|turn| turn.includes(it)))
    }

    fn waiting(&self, fix: &Fix, phases: &[&dyn Phase]) -> Option<Waiting> {
        let mut owners = phases.iter().filter(|it| it.owner(&fix.rule) == fix.phase);
        Some(Waiting {
            class: owners.next()?.class_of(fix)?,
            admitted: self.policy.admits(fix),
            named: self.policy.names(fix),
        })
    }

    /// Merges the candidates, and lets through as many of them as pass the gate. The others are
    /// barred.
    pub(crate) fn admit(&mut self, stage: Stage, candidates: &[Fix]) -> Option<Passed> {
        let merged = merge(&Snapshots::of(&self.current), candidates);
        let is_whole = merged.rejected().is_empty();
        let by_id = candidates.iter().filter(|_| !is_whole);
        let by_id: BTreeMap<&str, &Fix> = by_id.map(|fix| (fix.id.as_str(), fix)).collect();
        let fix_of = |id: &str| by_id.get(id).copied();
        for rejection in merged.rejected() {
            let winner = rejection.winner_id.as_deref().and_then(fix_of);
            // One of several ways to resolve the same is not done by another.
            if let Some(lost) = fix_of(&rejection.fix_id)
                && winner.is_none_or(|winner| resolved_by(winner) != resolved_by(lost))
            {
                self.keep_rejected(lost, self.round + 1);
            }
            self.rejected
                .entry(rejection.fix_id.clone())
                .or_insert_with(|| rejection.clone());
            if rejection.reason() != RejectionReason::Conflict {
                self.barred.insert(rejection.fix_id.clone(), self.round);
            }
        }
        let together = merged.accepted().to_vec();
        let tried = try_together(together, |fixes| self.attempt(stage, fixes));
        for (fix, refusal) in tried.rejected {
            self.bar(fix, refusal);
        }
        tried.result
    }

    fn attempt(&self, stage: Stage, fixes: &[&Fix]) -> Result<Passed, Refusal> {
        let merged = merge(&Snapshots::of(&self.current), fixes.iter().copied());
        let applied = merged.apply(&self.current);
        let text = self.current.with_text(applied.text);
        if stage == Stage::Rewrite || !self.vouched() {
            check_text(self.engine.language, &self.current, &text, fixes)?;
        }
        let before = self.found.as_ref().unwrap_or(self.base_found);
        let mut names = self.names.clone();
        let origin = |offset| self.origin(applied.source_map.base(offset));
        let found = Analysis::of(
            &text,
            self.engine.language,
            &self.engine.rewrites,
            &mut names,
            &origin,
            &self.base_found.passed,
        );
        // Layouts are not asked again, so what they promise cannot be held against them here.
        let promising = if stage == Stage::Rewrite {
            merged.accepted()
        } else {
            &[]
        };
        let policy = self.has_later_rounds.then_some(self.policy);
        check_findings(policy, promising, before, &found, &applied.source_map)?;
        Ok(Passed {
            steps: merged
                .accepted()
                .iter()
                .map(|fix| (fix.id.clone(), fix.rule.clone()))
                .collect(),
            resolved: merged
                .accepted()
                .iter()
                .flat_map(|fix| resolved_by(fix))
                .cloned()
                .collect(),
            text,
            source_map: applied.source_map,
            found,
            names,
            revealed: promising
                .iter()
                .map(|fix| self.policy.may_reveal(fix))
                .sum(),
        })
    }

    fn vouched(&self) -> bool {
        self.engine.layouts.iter().all(|phase| phase.vouches())
    }

    /// The places that comments of the base exclude.
    pub(crate) fn suppressions(&self) -> Suppressions {
        let suppressions = self.engine.language.suppressions(self.base.text());
        suppressions.in_order()
    }

    /// The place in the base that an offset of the current text came from.
    fn origin(&self, offset: usize) -> usize {
        self.source_maps
            .iter()
            .rev()
            .fold(offset, |offset, map| map.base(offset))
    }

    /// Nothing is left to apply. Chains of fixes may still have ended in a problem that the base
    /// did not have; then none of it counts.
    fn judge_the_end(&mut self) -> Exit {
        let added = self
            .found
            .as_ref()
            .and_then(|found| added_problem(self.base_found, found, self.revealed, |_| false));
        if let Some(added) = added.map(|message| format!("the result adds `{message}`")) {
            self.take_back(RejectionReason::AddsDiagnostic, &added);
        }
        self.forget_what_is_done();
        if self.barred.is_empty()
            && self
                .rejected
                .values()
                .all(|rejection| rejection.reason() == RejectionReason::Conflict)
        {
            Exit::Fixpoint
        } else {
            Exit::Rejected
        }
    }

    fn take_back(&mut self, reason: RejectionReason, detail: &str) {
        for step in std::mem::take(&mut self.steps) {
            self.reject(&step.fix_id, &step.rule, reason, detail.to_owned());
        }
        self.current = self.base.clone();
    }

    fn finish(mut self, mut exit: Exit) -> (Snapshot, Canonical, Vec<Rejection>, Outcome) {
        match exit {
            Exit::Oscillation => {
                let detail = format!(
                    "never settles: {} undo each other",
                    self.cycle_rules.join(", ")
                );
                self.take_back(RejectionReason::Oscillation, &detail);
            }
            Exit::Budget => {
                let detail = format!("not settled after {} rounds", self.round);
                self.take_back(RejectionReason::Budget, &detail);
            }
            Exit::Fixpoint | Exit::Rejected | Exit::Unparsable | Exit::Unspecified => {}
        }
        let is_conflict = |rejection: &Rejection| rejection.reason() == RejectionReason::Conflict;
        if exit == Exit::Fixpoint && !self.refused_reported.iter().all(is_conflict) {
            exit = Exit::Rejected;
        }
        for rejection in self.refused_reported {
            self.rejected.insert(rejection.fix_id.clone(), rejection);
        }
        let canonical = Canonical {
            sha256: self.current.digest().to_string(),
            length: self.current.text().len() as u64,
            edits: edits_between(self.base, &self.current),
            steps: self.steps,
        };
        let outcome = Outcome {
            exit: exit.into(),
            rounds: self.round,
            cycle_rules: self.cycle_rules,
        };
        (
            self.current,
            canonical,
            self.rejected.into_values().collect(),
            outcome,
        )
    }
}

fn edits_between(base: &Snapshot, canonical: &Snapshot) -> Vec<Edit> {
    line_changes(base.text(), canonical.text())
        .into_iter()
        .map(|change| Edit::replace(base, change.old, &canonical.text()[change.new.range()]))
        .collect()
}
