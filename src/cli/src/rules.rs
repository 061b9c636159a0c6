//! Looks up the rule names that users type: rules that ship with Fixpoint and rules of the workspace.

use fixpoint_analysis::{find_rule, phases, phases_named};
use fixpoint_validate::{Library, PolicyRule};

use crate::failure::Failure;

/// A rule of the workspace's own.
pub(crate) fn find_own<'l>(name: &str, own: &'l Library) -> Option<&'l PolicyRule> {
    own.own_rules().find(|rule| rule.id == name)
}

/// Rejects a name that is neither a rule nor a phase.
pub(crate) fn check_name(name: &str, own: &Library) -> Result<(), Failure> {
    if find_rule(name).is_some() || !phases_named(name).is_empty() || find_own(name, own).is_some()
    {
        return Ok(());
    }
    Err(unknown(name, own))
}

pub(crate) fn unknown(name: &str, own: &Library) -> Failure {
    let names = phases()
        .flat_map(|(phase, rules)| rules.iter().map(|rule| rule.name).chain([phase]))
        .chain(own.own_rules().map(|rule| rule.id.as_str()));
    let nearest = names
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .min();
    let advice = match nearest {
        Some((distance, known)) if distance <= 4 => format!("did you mean `{known}`?"),
        _ => "`fixpoint explain` lists all rules".to_owned(),
    };
    Failure::Usage(format!("there is no rule `{name}`; {advice}"))
}
