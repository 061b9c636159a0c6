//! All phases, with the rules of each.

use fixpoint_clank::ClankPhase;
use fixpoint_engine::{PhaseInfo, Rule};
use fixpoint_format::FormatPhase;
use fixpoint_lint::LintPhase;
use fixpoint_validate::ValidatePhase;

pub(crate) const PHASES: [PhaseInfo; 4] = [
    FormatPhase::INFO,
    LintPhase::INFO,
    ValidatePhase::INFO,
    ClankPhase::INFO,
];

/// The name of each phase, and its shipped rules.
pub fn phases() -> impl Iterator<Item = (&'static str, &'static [Rule])> {
    PHASES.iter().map(|phase| (phase.name, (phase.rules)()))
}

/// The shipped rule with this name, and the phase that it belongs to.
pub fn find_rule(name: &str) -> Option<(&'static str, &'static Rule)> {
    phases().find_map(|(phase, rules)| Some((phase, rules.iter().find(|rule| rule.name == name)?)))
}

/// The shipped rules of the phase with this name.
pub fn rules_of_phase(name: &str) -> Option<&'static [Rule]> {
    phases().find_map(|(phase, rules)| (phase == name).then_some(rules))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_belongs_to_exactly_one_phase() {
        // C-19
        let rules = phases().flat_map(|(_, rules)| rules);
        let names: Vec<&str> = rules.map(|rule| rule.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
