//! Applies rules to one text: finds matches, makes the edits, checks the result, and repeats until nothing changes.

mod verify;

use std::collections::BTreeSet;

use fixpoint_text::{Digest, Span};

use crate::compiled::{Change, CompiledRule, Kinds};
use crate::guard::imports::imports;
use crate::guard::{Bindings, Scene};
use crate::ruleset::RuleSet;
use crate::tree::{Language, Tree};

/// The maximum number of rounds. Nested matches need one for each level.
const MAX_ROUNDS: usize = 50;

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    pub span: Span,
    pub replacement: String,
}

/// Why a rule does not apply at a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the guard does not hold: {guard}")]
    Guard { guard: String },
    #[error("the comment {text:?} would be lost")]
    Comment { text: String },
    #[error("the code already is what the rule would write")]
    Unchanged,
    #[error("the name is also the key of a property")]
    Shorthand,
    #[error("`{name}` is not the name of its import here")]
    Unbound { name: String },
    #[error("a slot has no code")]
    NoMatch,
    #[error("the result would not have the structure of the template")]
    Structure,
    #[error("the imports of the file cannot be changed as the rule needs")]
    Imports,
    #[error("the rules do not come to an end")]
    NotConverging,
}

/// A match that a rule changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    pub rule: String,
    /// The place in the text of its round.
    pub span: Span,
    /// Counted from 0, the round on the original text.
    pub round: usize,
}

/// A match that a rule did not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub rule: String,
    /// The place in the text of the last round.
    pub span: Span,
    pub reason: Refusal,
}

/// The text after all rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub text: String,
    pub applied: Vec<Applied>,
    pub refused: Vec<Refused>,
}

/// Edits that belong together, on the text as it is: one match, or all matches of rules that also remove an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The id of the rule and the mark of each match, in source order. Marks of two matches do not overlap.
    pub matches: Vec<(String, Span)>,
    pub edits: Vec<TextEdit>,
}

/// What rules make of a text as it is.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    pub proposals: Vec<Proposal>,
    /// The id of the rule and the mark of each match that overlaps another one. It can change after that one has.
    pub overlapped: Vec<(String, Span)>,
    pub refused: Vec<Refused>,
}

/// The result of one round.
struct Round {
    changes: Vec<Change>,
    overlapped: Vec<(String, Span)>,
    refused: Vec<Refused>,
    text: String,
}

/// Applies rules until nothing changes. A text that does not parse, or in which the rules do not come to an end, stays as it
/// is.
pub fn rewrite(path: &str, text: &str, rules: &RuleSet) -> Outcome {
    let mut outcome = Outcome {
        text: text.to_owned(),
        applied: Vec::new(),
        refused: Vec::new(),
    };
    let Some(language) = Language::of_path(path) else {
        return outcome;
    };
    let mut seen = BTreeSet::from([Digest::of(text.as_bytes())]);
    for number in 0..=MAX_ROUNDS {
        let Some(round) = run_round(language, path, &outcome.text, rules) else {
            break;
        };
        outcome.refused = round.refused;
        if round.changes.is_empty() {
            break;
        }
        let id = |change: &Change| Some((rules.get(change.rule?)?.rule().id.clone(), change.place));
        let changed: Vec<(String, Span)> = round.changes.iter().filter_map(id).collect();
        if number == MAX_ROUNDS || !seen.insert(Digest::of(round.text.as_bytes())) {
            let refused = changed.into_iter().map(|(rule, span)| Refused {
                rule,
                span,
                reason: Refusal::NotConverging,
            });
            return Outcome {
                text: text.to_owned(),
                applied: Vec::new(),
                refused: refused.collect(),
            };
        }
        let applied = changed.into_iter().map(|(rule, span)| Applied {
            rule,
            span,
            round: number,
        });
        outcome.applied.extend(applied);
        outcome.text = round.text;
    }
    outcome
}

/// The changes that rules make to a text in one round, and the matches that they do not change.
pub fn propose(path: &str, text: &str, rules: &RuleSet) -> Proposals {
    let language = Language::of_path(path);
    let Some(round) = language.and_then(|language| run_round(language, path, text, rules)) else {
        return Proposals::default();
    };
    let mut proposals: Vec<Proposal> = Vec::new();
    let mut joint: Option<Proposal> = None;
    for change in &round.changes {
        let rule = change
            .rule
            .and_then(|index| rules.get(index))
            .map(CompiledRule::rule);
        let needs_imports = rule.is_none_or(|rule| !rule.imports.is_empty());
        let proposal = Proposal {
            matches: rule
                .map(|rule| (rule.id.clone(), change.mark))
                .into_iter()
                .collect(),
            edits: change.edits.clone(),
        };
        if !needs_imports {
            proposals.push(proposal);
        } else if let Some(joint) = &mut joint {
            joint.matches.extend(proposal.matches);
            joint.edits.extend(proposal.edits);
        } else {
            joint = Some(proposal);
        }
    }
    proposals.extend(joint);
    for proposal in &mut proposals {
        proposal.matches.sort_by_key(|(_, span)| *span);
        proposal.edits.sort();
    }
    proposals.sort_by_key(|proposal| proposal.edits.first().map(|edit| edit.span.start()));
    Proposals {
        proposals,
        overlapped: round.overlapped,
        refused: round.refused,
    }
}

/// One round on a text; none if no rule can match it.
fn run_round(language: Language, path: &str, text: &str, rules: &RuleSet) -> Option<Round> {
    let candidates = rules.candidates(language, text);
    if candidates.is_empty() {
        return None;
    }
    let tree = Tree::parse(language, text).ok()?;
    let imported = imports(&tree);
    let scene = Scene {
        tree: &tree,
        path,
        imports: &imported,
        bindings: Bindings::new(&tree),
    };
    let kinds = Kinds::of(&tree);
    let mut changes: Vec<Change> = Vec::new();
    let (mut overlapped, mut refused) = (Vec::new(), Vec::new());
    for (index, rule) in candidates {
        let refuse = |span, reason| Refused {
            rule: rule.rule().id.clone(),
            span,
            reason,
        };
        for found in rule.places(&scene, &kinds) {
            let at = changes.partition_point(|change| change.place.end() <= found.span.start());
            let is_free = changes
                .get(at)
                .is_none_or(|next| found.span.end() <= next.place.start());
            match rule.change(&scene, &found, index) {
                // The next round looks at it again.
                Ok(change) if !is_free => {
                    overlapped.push((rule.rule().id.clone(), change.mark));
                }
                Ok(change) => changes.insert(at, change),
                Err(Refusal::Unchanged) => {}
                Err(reason) => refused.push(refuse(found.span, reason)),
            }
        }
    }
    let settled = verify::settle(&tree, rules, changes);
    refused.extend(settled.failed.iter().filter_map(|(change, reason)| {
        let rule = rules.get(change.rule?)?.rule().id.clone();
        Some(Refused {
            rule,
            span: change.place,
            reason: reason.clone(),
        })
    }));
    refused.sort_by(|a, b| (a.span, &a.rule).cmp(&(b.span, &b.rule)));
    Some(Round {
        changes: settled.changes,
        overlapped,
        refused,
        text: settled.text,
    })
}

/// Applies edits that do not overlap and are in order.
pub fn apply_edits<'a>(text: &str, edits: impl IntoIterator<Item = &'a TextEdit>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        result.push_str(text.get(at..edit.span.start()).unwrap_or_default());
        result.push_str(&edit.replacement);
        at = edit.span.end().max(at);
    }
    result.push_str(text.get(at..).unwrap_or_default());
    result
}
