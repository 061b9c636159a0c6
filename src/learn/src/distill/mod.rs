//! Distills rules from pairs of texts before and after a change.
//!
//! Trees are aligned, changes are grouped by what they remove and add, and each group is anti-unified to the most specific
//! rule that explains it. Guards then exclude all places that did not change. If no rule is right on every
//! example of a group, the group is split by the code around its changes. A group that cannot be split is reported with
//! the reason. Finally, rules that make only a part of a change are dropped.

mod align;
mod case;
mod cluster;
mod complete;
mod emit;
mod export;
mod find;
mod guard;
mod lists;
mod names;
mod pattern;
mod root;
mod rule;
mod source;
mod specialize;
mod unify;

use std::collections::BTreeSet;

use case::{Case, File};

use crate::Rule;

/// A text before and after a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Names the pair in messages.
    pub name: String,
    /// The path of the text in its repository. Its extension gives the language.
    pub path: String,
    pub before: String,
    pub after: String,
}

/// A text that no rule may change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Negative {
    pub path: String,
    pub text: String,
}

/// Why a change has no rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum Reason {
    #[error("the language is not known")]
    UnknownLanguage,
    #[error("the text does not parse: {0}")]
    Unparsable(String),
    #[error("there are only {found} examples, and {needed} are needed")]
    FewExamples { found: usize, needed: usize },
    #[error("the examples have no pattern in common")]
    Different,
    #[error("the result has code that the pattern does not capture")]
    Unbound,
    #[error("the change drops code that differs between the examples")]
    Dropped,
    #[error("the rule also matches unchanged code in {0}")]
    CounterExample(String),
    #[error("the rule does not give the exact result in {0}")]
    Inexact(String),
    #[error("the rule does not apply in {pair}: {refusal}")]
    Refused { pair: String, refusal: String },
    #[error("a rule from the other examples is wrong for {0}")]
    CrossValidation(String),
    #[error("no guard can say what `{0}` is in the examples")]
    Guard(String),
    #[error("the rule cannot be written: {0}")]
    Rule(String),
    #[error("other parts of the change in {0} have no rule")]
    Part(String),
}

/// A change without a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Abstention {
    /// The pairs with the change.
    pub pairs: Vec<String>,
    /// The change, as the first pair has it.
    pub example: String,
    pub reason: Reason,
}

/// What was learned from pairs.
#[derive(Debug, Default)]
pub struct Learned {
    pub rules: Vec<Rule>,
    pub abstained: Vec<Abstention>,
}

/// Learns rules from pairs. A rule changes none of the negatives.
pub fn learn_from_pairs(pairs: &[Pair], negatives: &[Negative]) -> Learned {
    let mut learned = Learned::default();
    let mut cases = Vec::new();
    for pair in pairs {
        match Case::parse(pair) {
            Ok(case) => cases.push(case),
            Err(error) => learned.abstained.push(Abstention {
                pairs: vec![pair.name.clone()],
                example: pair.path.clone(),
                reason: error.map_or(Reason::UnknownLanguage, |error| {
                    Reason::Unparsable(error.to_string())
                }),
            }),
        }
    }
    let negatives: Vec<File> = negatives
        .iter()
        .filter_map(|negative| File::of_negative(negative).ok())
        .collect();
    let known = find::Known {
        cases: &cases,
        negatives: &negatives,
        skipped: &BTreeSet::new(),
    };
    let mut found = Vec::new();
    for of_imports in [false, true] {
        let explained = complete::cases_with_imports(&found);
        let mut clusters = cluster::clusters(&cases, of_imports, &explained);
        clusters.reverse();
        while let Some(cluster) = clusters.pop() {
            match find::find(&known, &cluster) {
                Ok(rule) => found.push(rule),
                Err(reason) => match cluster.split(&cases) {
                    Some(parts) => clusters.extend(parts.into_iter().rev()),
                    None => learned.abstained.push(cluster.abstention(&cases, reason)),
                },
            }
        }
    }
    complete::keep_complete(&cases, &mut found, &mut learned.abstained);
    learned.rules = found.into_iter().map(|found| found.exported.rule).collect();
    learned
}
