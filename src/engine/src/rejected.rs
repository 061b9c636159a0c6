//! Records rejected fixes, and drops the record if another fix did the same later.

use std::collections::BTreeSet;

use fixpoint_report::{Fix, Rejection, RejectionReason};

use crate::gate::Refusal;
use crate::run::Loop;

/// The ids of the diagnostics that a fix resolves. They identify the fix in later rounds, where it
/// may be proposed again with other bytes, and so with another id.
pub(crate) fn resolved_by(fix: &Fix) -> &[String] {
    let targets = fix.targets.as_ref();
    targets.map_or(&[], |it| &it.diagnostic_ids)
}

/// The diagnostics that a rejected fix was meant to resolve.
pub(crate) struct RejectedFix {
    diagnostic_ids: Vec<String>,
    /// The rules and messages of these diagnostics.
    problems: Vec<(String, String)>,
    /// From this round on a fix of the same rule may do the same.
    since: u32,
}

impl Loop<'_, '_> {
    pub(crate) fn bar(&mut self, fix: &Fix, refusal: Refusal) {
        self.barred.insert(fix.id.clone(), self.round);
        self.keep_rejected(fix, self.round);
        self.reject(&fix.id, &fix.rule, refusal.reason, refusal.detail);
    }

    pub(crate) fn keep_rejected(&mut self, fix: &Fix, since: u32) {
        if self.rejected_fixes.contains_key(&fix.id) {
            return;
        }
        let diagnostic_ids = resolved_by(fix).to_vec();
        let found = self.found.as_ref().unwrap_or(self.base_found);
        let targeted = found
            .diagnostics
            .iter()
            .filter(|it| diagnostic_ids.contains(&it.id));
        let problems = targeted
            .map(|diagnostic| (diagnostic.rule.clone(), diagnostic.message.clone()))
            .collect();
        let rejected_fix = RejectedFix {
            diagnostic_ids,
            problems,
            since,
        };
        self.rejected_fixes.insert(fix.id.clone(), rejected_fix);
    }

    /// Drops the record of a rejected fix if it was applied later, or if another fix of its rule
    /// did the same.
    pub(crate) fn forget_what_is_done(&mut self) {
        for step in &self.steps {
            self.rejected.remove(&step.fix_id);
        }
        let Some(found) = self.found.as_ref().filter(|_| !self.steps.is_empty()) else {
            return;
        };
        let left: BTreeSet<(&str, &str)> = found
            .diagnostics
            .iter()
            .map(|diagnostic| (diagnostic.rule.as_str(), diagnostic.message.as_str()))
            .collect();
        let came_again = |rule: &str, since: u32| {
            let mut steps = self.steps.iter();
            steps.any(|step| step.round >= since && step.rule == rule)
        };
        let is_gone = |rejected_fix: &RejectedFix| {
            let mut problems = rejected_fix.problems.iter();
            !rejected_fix.problems.is_empty()
                && problems.all(|(rule, text)| {
                    !left.contains(&(rule, text)) && came_again(rule, rejected_fix.since)
                })
        };
        let (rejected_fixes, resolved) = (&self.rejected_fixes, &self.resolved);
        let is_resolved = |rejected_fix: &RejectedFix| {
            let ids = &rejected_fix.diagnostic_ids;
            !ids.is_empty() && ids.iter().all(|id| resolved.contains(id))
        };
        let is_done = |id: &String| {
            let rejected_fix = rejected_fixes.get(id);
            rejected_fix.is_some_and(|fix| is_resolved(fix) || is_gone(fix))
        };
        self.rejected.retain(|id, _| !is_done(id));
        self.barred.retain(|id, _| !is_done(id));
    }

    pub(crate) fn reject(
        &mut self,
        fix_id: &str,
        rule: &str,
        reason: RejectionReason,
        detail: String,
    ) {
        let rejection = Rejection {
            fix_id: fix_id.to_owned(),
            rule: rule.to_owned(),
            reason: reason.into(),
            detail,
            winner_id: None,
        };
        self.rejected.insert(fix_id.to_owned(), rejection);
    }
}
