//! Tries all rules together on whole texts.

use std::collections::BTreeSet;

use super::case::Case;
use super::export::Exported;
use super::{Abstention, Reason};
use crate::{RuleSet, rewrite};

/// Drops rules until the rest gives exactly the text after each pair whose changes all have rules.
pub(super) fn keep_exact(
    cases: &[Case],
    unexplained: &BTreeSet<usize>,
    found: &mut Vec<Exported>,
    abstained: &mut Vec<Abstention>,
) {
    'again: loop {
        let set = RuleSet::new(
            found
                .iter()
                .map(|exported| exported.compiled.clone())
                .collect(),
        );
        for (index, case) in cases.iter().enumerate() {
            if unexplained.contains(&index) {
                continue;
            }
            let after = case.after.source.tree.text();
            let outcome = rewrite(&case.before.path, case.before.source.tree.text(), &set);
            let applied = outcome.applied.first().map(|applied| applied.rule.clone());
            if outcome.text == after {
                continue;
            }
            let blamed = found
                .iter()
                .position(|exported| applied.as_ref().is_none_or(|id| exported.rule.id == *id));
            let Some(blamed) = blamed else { continue };
            if applied.is_none() && outcome.refused.is_empty() {
                continue;
            }
            let dropped = found.remove(blamed);
            abstained.push(Abstention {
                pairs: vec![case.name.clone()],
                example: format!("{} => {}", dropped.rule.pattern, dropped.rule.template),
                reason: Reason::Inexact(case.name.clone()),
            });
            continue 'again;
        }
        return;
    }
}
