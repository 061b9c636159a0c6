//! The rule: what a rule file contains, its id, and its order among others.

mod constraint;
mod id;
mod kinds;
mod read;

use std::cmp::Ordering;

use fixpoint_report::{Confidence, RuleKey, confidence_from_number, rule_order};
use serde::{Deserialize, Serialize};

pub use constraint::{Constraint, Imports, Literal, Place};
pub use id::{compute_rule_id, is_safe_name, short_id, wilson_lower_bound};
pub use kinds::{NodeKind, node_kind_name};
pub use read::RuleFileError;

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Ships with Fixpoint.
    Builtin,
    /// Learned from fixes.
    Extracted,
    /// Written by a person.
    Manual,
}

/// How a rule finds code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// By the kind of a node alone; the pattern is a description.
    #[default]
    Kind,
    /// By the structure of its pattern.
    Structure,
}

/// A text before and after the rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The path of the file, for rules that are limited to some paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub before: String,
    pub after: String,
}

/// What became of the rule's fixes, with those that the rule was learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outcomes {
    /// Applied, and kept by every check.
    pub applied_ok: u64,
    /// Rejected by a check or by a person.
    pub rejected: u64,
}

/// A rule, with the fields of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub id: String,
    /// The language, by a name that [`Language::with_name`](crate::Language::with_name) knows.
    pub target_id: String,
    /// The name of a [`NodeKind`].
    pub node_kind: String,
    pub pattern: String,
    pub template: String,
    pub provenance: Provenance,
    pub pinned: bool,
    pub confidence: f64,
    pub priority: i32,
    /// RFC 3339 in UTC.
    pub created: String,

    #[serde(default, skip_serializing_if = "is_by_kind")]
    pub matching: Matching,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
    #[serde(default, skip_serializing_if = "Imports::is_empty")]
    pub imports: Imports,
    /// What a person reads beside the fix.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// Texts in which the rule changes nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counter_examples: Vec<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub outcomes: Outcomes,
}

fn is_by_kind(matching: &Matching) -> bool {
    *matching == Matching::Kind
}

fn is_default(outcomes: &Outcomes) -> bool {
    *outcomes == Outcomes::default()
}

impl Rule {
    /// Fills in the id, from everything that decides what the rule does.
    #[must_use]
    pub fn with_computed_id(mut self) -> Self {
        self.id = id::of_rule(&self);
        self
    }

    /// The same rule, created at this time.
    #[must_use]
    pub fn created_at(self, time: &str) -> Self {
        Self {
            created: time.to_owned(),
            ..self
        }
    }

    #[must_use]
    pub fn with_pinned(self, pinned: bool) -> Self {
        Self { pinned, ..self }
    }

    /// The rule with these outcomes, and the confidence that follows from them.
    #[must_use]
    pub fn with_outcomes(self, outcomes: Outcomes) -> Self {
        Self {
            confidence: wilson_lower_bound(outcomes),
            outcomes,
            ..self
        }
    }

    /// What the rule does, in one line.
    pub fn summary(&self) -> String {
        if !self.message.is_empty() {
            return self.message.clone();
        }
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!(
            "{} => {}",
            one_line(&self.pattern),
            one_line(&self.template)
        )
    }

    /// The name of the rule in reports.
    pub fn name(&self) -> String {
        format!("learned-{}", short_id(&self.id))
    }

    /// The confidence as a report names it.
    pub fn level_of_confidence(&self) -> Confidence {
        confidence_from_number(self.confidence)
    }

    /// The order in which rules are tried, best first.
    pub fn order(&self, other: &Self) -> Ordering {
        rule_order(&self.key(), &other.key())
    }

    fn key(&self) -> RuleKey<'_> {
        RuleKey {
            priority: i64::from(self.priority),
            pinned: self.pinned,
            // Without the `Z`, a time without a fraction sorts before one with it.
            created: self.created.trim_end_matches('Z'),
            id: &self.id,
        }
    }
}
