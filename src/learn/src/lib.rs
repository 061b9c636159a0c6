//! Rewrite rules: a pattern finds code by its structure, guards limit where it applies, and a template replaces it.
//!
//! [`Tree`] is one lossless syntax tree in front of all languages. Everything here is a function of texts: no files, no
//! clock, no environment.

mod apply;
mod compiled;
mod distill;
mod guard;
mod imports;
mod pattern;
mod phase;
mod project;
mod rule;
mod ruleset;
mod settings;
mod template;
mod tree;

pub use apply::{
    Applied, Outcome, Proposal, Proposals, Refusal, Refused, TextEdit, apply_edits, propose,
    rewrite,
};
pub use compiled::{CompiledRule, Match, RuleError};
pub use distill::{Abstention, Learned, Negative, Pair, Reason, learn_from_pairs};
pub use guard::literal_kind;
pub use pattern::{Binding, Pattern, PatternError, PatternMatch};
pub use phase::LearnedPhase;
pub use project::{LearnedRules, NO_TIME, UnusableRule};
pub use rule::{
    Constraint, Example, Imports, Literal, Matching, NodeKind, Outcomes, Place, Provenance, Rule,
    RuleFileError, compute_rule_id, is_safe_name, node_kind_name, short_id, wilson_lower_bound,
};
pub use ruleset::RuleSet;
pub use settings::{LearnSettings, Profile};
pub use template::TemplateError;
pub use tree::{Children, Kind, Language, NodeId, ParseError, Tree};
