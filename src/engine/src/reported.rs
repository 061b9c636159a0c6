//! Fixes of stored reports, from any tool. They pass the same merge and gate as the fixes of
//! phases, and the report lists each rejected fix.

use std::collections::BTreeSet;

use fixpoint_report::{Fix, RejectionReason, Safety, word};
use fixpoint_text::{LineIndex, Snapshot, Span};
use serde::{Deserialize, Serialize};

use crate::analysis::fit;
use crate::phase::{Finding, Proposal, Stage, Suppressions};
use crate::run::Loop;

/// Fixes that stored reports list for a text. They are applied in one round, before the phases run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reported {
    /// Only these fixes are applied.
    Only(Vec<Fix>),
    /// The phases' fixes follow, until nothing changes.
    First(Vec<Fix>),
}

impl Default for Reported {
    fn default() -> Self {
        Self::First(Vec::new())
    }
}

impl Reported {
    pub fn fixes(&self) -> &[Fix] {
        let (Self::Only(fixes) | Self::First(fixes)) = self;
        fixes
    }

    /// The fixes of phases, followed by those of stored reports. A fix that does not fit the text
    /// appears only as a rejection, so that every reader accepts the new report.
    pub(crate) fn listed_with(&self, mut found: Vec<Fix>, base: &Snapshot) -> Vec<Fix> {
        let known: BTreeSet<String> = found.iter().map(|fix| fix.id.clone()).collect();
        let listed = self.fixes().iter();
        let listed = listed.filter(|fix| fit(&fix.edits, base) && !known.contains(&fix.id));
        found.extend(listed.cloned());
        found
    }
}

impl Loop<'_, '_> {
    /// Applies the reported fixes that pass merge and gate.
    pub(crate) fn apply_reported(&mut self, reported: &Reported) {
        if reported.fixes().is_empty() {
            return;
        }
        let suppressions = self.suppressions();
        let lines = LineIndex::new(self.base.text());
        self.has_later_rounds = matches!(reported, Reported::First(_));
        let phases = &self.engine.rewrites;
        let turn = self.turn(&self.possible(self.base_found, phases), phases);
        let mut candidates = Vec::new();
        for fix in reported.fixes() {
            match self.objection(fix, &suppressions, &lines) {
                Some((reason, detail)) => self.reject(&fix.id, &fix.rule, reason, detail),
                None if self.is_in(turn, fix, phases) => candidates.push(fix.clone()),
                // A later round proposes it again.
                None if self.has_later_rounds => {}
                None => {
                    let detail = "a more urgent problem has to be repaired first".to_owned();
                    self.reject(&fix.id, &fix.rule, RejectionReason::NotAdmitted, detail);
                }
            }
        }
        self.round += 1;
        if let Some(passed) = self.admit(Stage::Rewrite, &candidates) {
            self.take(Stage::Rewrite, passed);
        }
        self.refused_reported = std::mem::take(&mut self.rejected).into_values().collect();
        self.barred.clear();
        self.rejected_fixes.clear();
    }

    /// Why a reported fix is rejected before it is tried.
    fn objection(
        &self,
        fix: &Fix,
        suppressions: &Suppressions,
        lines: &LineIndex,
    ) -> Option<(RejectionReason, String)> {
        if self.base_found.unparsable {
            let detail = "the file does not parse".to_owned();
            return Some((RejectionReason::BreaksSyntax, detail));
        }
        if !self.policy.admits(fix) {
            let safety = word::<Safety>(fix.safety).unwrap_or_default();
            return Some((RejectionReason::NotAdmitted, format!("it is {safety}")));
        }
        let start = fix.edits.iter().map(|edit| edit.start).min();
        let span = Span::at(usize::try_from(start.unwrap_or_default()).unwrap_or(usize::MAX));
        let proposal = Proposal::safe("", fix.edits.clone());
        let finding = Finding::style(fix.rule.clone(), "", span).with_fix(proposal);
        let path = self.base.path();
        suppressions
            .cover(&fix.phase, &finding, lines, path)
            .then(|| {
                let detail = "a `fixpoint:` comment excludes this place".to_owned();
                (RejectionReason::NotAdmitted, detail)
            })
    }
}
