//! Which fixes may be applied without asking. All decisions on that are made here.

use std::collections::BTreeSet;

use fixpoint_report::{Fix, Safety};

use crate::phase::is_phase;

/// What a run may apply.
#[derive(Clone, Debug)]
pub struct Policy {
    least_safe: Safety,
    approved: BTreeSet<String>,
    only: BTreeSet<String>,
}

impl Default for Policy {
    /// Safe fixes of all rules.
    fn default() -> Self {
        Self {
            least_safe: Safety::BehaviorPreserving,
            approved: BTreeSet::new(),
            only: BTreeSet::new(),
        }
    }
}

impl Policy {
    /// Also fixes that are likely to keep what the program does.
    #[must_use]
    pub fn with_likely(self) -> Self {
        Self {
            least_safe: Safety::LikelyPreserving,
            ..self
        }
    }

    /// Also the fixes with these ids, whatever their safety.
    #[must_use]
    pub fn with_approved(self, ids: impl IntoIterator<Item = String>) -> Self {
        Self {
            approved: ids.into_iter().collect(),
            ..self
        }
    }

    /// Only fixes of these rules or phases; of all, when there are none.
    #[must_use]
    pub fn with_only(self, rules: impl IntoIterator<Item = String>) -> Self {
        Self {
            only: rules.into_iter().collect(),
            ..self
        }
    }

    /// Whether the fix may be applied.
    pub fn admits(&self, fix: &Fix) -> bool {
        let chosen = self.chooses(fix);
        let safe_enough = fix.safety != i32::from(Safety::Unspecified)
            && fix.safety <= i32::from(self.least_safe);
        chosen && (safe_enough || self.names(fix))
    }

    /// Whether the run is about the rule or the phase of the fix.
    pub(crate) fn chooses(&self, fix: &Fix) -> bool {
        let mut only = self.only.iter();
        self.only.is_empty() || only.any(|name| *name == fix.rule || is_phase(name, &fix.phase))
    }

    /// Whether someone chose the fix by its id.
    pub(crate) fn names(&self, fix: &Fix) -> bool {
        self.approved.contains(&fix.id)
    }

    /// Whether someone chose another fix by its id that does the same in another way.
    pub(crate) fn prefers_another(&self, fix: &Fix) -> bool {
        let terms = fix.compatibility.iter();
        !self.names(fix)
            && terms
                .flat_map(|it| &it.conflicts_with)
                .any(|it| self.approved.contains(it))
    }

    /// How many problems may come to light that could not be seen before a fix: as many as it resolves,
    /// if someone chose it by its id.
    pub(crate) fn may_reveal(&self, fix: &Fix) -> usize {
        let delta = fix.expected_delta.as_ref();
        let resolved = delta.map_or(0, |it| it.diagnostics_resolved.len());
        if self.names(fix) { resolved } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(safety: Safety) -> Fix {
        Fix {
            id: "f-1".to_owned(),
            rule: "rule".to_owned(),
            phase: "phase".to_owned(),
            safety: safety.into(),
            ..Fix::default()
        }
    }

    #[test]
    fn each_level_admits_what_the_documents_say() {
        // C-48 C-55 X-02
        use Safety::{BehaviorChanging, BehaviorPreserving, LikelyPreserving};
        let safe = Policy::default();
        assert!(safe.admits(&fix(BehaviorPreserving)));
        assert!(!safe.admits(&fix(LikelyPreserving)));
        assert!(!safe.admits(&fix(BehaviorChanging)));
        assert!(!safe.admits(&fix(Safety::Unspecified)));

        let likely = Policy::default().with_likely();
        assert!(likely.admits(&fix(LikelyPreserving)));
        assert!(!likely.admits(&fix(BehaviorChanging)));

        let approved = Policy::default().with_approved(["f-1".to_owned()]);
        assert!(approved.admits(&fix(BehaviorChanging)));
    }

    #[test]
    fn only_narrows_to_a_rule_or_a_phase() {
        let only = |name: &str| Policy::default().with_only([name.to_owned()]);
        assert!(only("rule").admits(&fix(Safety::BehaviorPreserving)));
        assert!(only("phase").admits(&fix(Safety::BehaviorPreserving)));
        assert!(!only("other").admits(&fix(Safety::BehaviorPreserving)));
    }
}
