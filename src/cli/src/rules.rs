//! Looks up the rule names that users type: rules that ship with Fixpoint and rules of the workspace.

use fixpoint_analysis::{find_rule, phases, phases_named};
use fixpoint_validate::PolicyRule;

use crate::failure::Failure;
use crate::session::Session;

/// A rule of the workspace's own.
pub(crate) enum OwnRule<'s> {
    /// From a rules file.
    Policy(&'s PolicyRule),
    Learned(&'s fixpoint_learn::Rule),
}

pub(crate) fn find_own<'s>(name: &str, session: &'s Session) -> Option<OwnRule<'s>> {
    let mut policy = session.library().own_rules();
    let policy = policy.find(|rule| rule.id == name).map(OwnRule::Policy);
    policy.or_else(|| session.learned().named(name).map(OwnRule::Learned))
}

/// Rejects a name that is neither a rule nor a phase.
pub(crate) fn check_name(name: &str, session: &Session) -> Result<(), Failure> {
    let is_known = find_rule(name).is_some()
        || !phases_named(name).is_empty()
        || find_own(name, session).is_some();
    match is_known {
        true => Ok(()),
        false => Err(unknown(name, session)),
    }
}

pub(crate) fn unknown(name: &str, session: &Session) -> Failure {
    let names = phases()
        .flat_map(|(phase, rules)| rules.iter().map(|rule| rule.name).chain([phase]))
        .chain(session.library().own_rules().map(|rule| rule.id.as_str()));
    let nearest = names
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .min();
    let advice = match nearest {
        _ if name.starts_with("learned-") => "`fixpoint rules list` lists learned rules".to_owned(),
        Some((distance, known)) if distance <= 4 => format!("did you mean `{known}`?"),
        _ => "`fixpoint explain` lists all rules".to_owned(),
    };
    Failure::Usage(format!("there is no rule `{name}`; {advice}"))
}
