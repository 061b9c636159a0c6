//! All rules there are, over all phases.

use fixpoint_clank::ClankPhase;
use fixpoint_engine::Rule;
use fixpoint_format::FormatPhase;
use fixpoint_lint::LintPhase;

use crate::failure::Failure;

/// Each phase with its rules.
pub(crate) fn phases() -> [(&'static str, &'static [Rule]); 3] {
    [
        ("format", FormatPhase::all_rules()),
        ("lint", LintPhase::all_rules()),
        ("clank", ClankPhase::all_rules()),
    ]
}

pub(crate) fn find(name: &str) -> Option<(&'static str, &'static Rule)> {
    phases()
        .into_iter()
        .find_map(|(phase, rules)| Some((phase, rules.iter().find(|rule| rule.name == name)?)))
}

/// The rules of a phase.
pub(crate) fn phase(name: &str) -> Option<&'static [Rule]> {
    let named = phases().into_iter().find(|(phase, _)| *phase == name);
    named.map(|(_, rules)| rules)
}

/// Refuses a name that is neither a rule nor a phase.
pub(crate) fn check_name(name: &str) -> Result<(), Failure> {
    if find(name).is_some() || phase(name).is_some() {
        return Ok(());
    }
    Err(unknown(name))
}

pub(crate) fn unknown(name: &str) -> Failure {
    let names = phases()
        .into_iter()
        .flat_map(|(phase, rules)| rules.iter().map(|rule| rule.name).chain([phase]));
    let nearest = names
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .min();
    let advice = match nearest {
        Some((distance, known)) if distance <= 4 => format!("did you mean `{known}`?"),
        _ => "`fixpoint explain` lists all rules".to_owned(),
    };
    Failure::Usage(format!("there is no rule `{name}`; {advice}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_belongs_to_exactly_one_phase() {
        // C-19
        let names: Vec<&str> = phases()
            .into_iter()
            .flat_map(|(_, rules)| rules)
            .map(|rule| rule.name)
            .collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
