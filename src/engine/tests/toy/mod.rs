//! A small language, and phases for it that behave and misbehave.

mod language;

use fixpoint_engine::{Finding, Findings, Language, Phase, Place, Proposal, Rule, Stage};
use fixpoint_report::{Edit, Safety, Severity};
use fixpoint_text::{Snapshot, Span};

pub use language::Toy;

/// Proposes to replace every occurrence of a word.
pub struct Replace {
    pub rule: &'static str,
    pub word: &'static str,
    pub by: &'static str,
    pub safety: Safety,
    pub stage: Stage,
    /// A name every fix of the rule claims to write.
    pub writes: Option<&'static str>,
}

impl Replace {
    pub fn new(rule: &'static str, word: &'static str, by: &'static str) -> Self {
        Self {
            rule,
            word,
            by,
            safety: Safety::BehaviorPreserving,
            stage: Stage::Rewrite,
            writes: None,
        }
    }
}

impl Phase for Replace {
    fn name(&self) -> &'static str {
        self.rule
    }

    fn stage(&self) -> Stage {
        self.stage
    }

    fn rules(&self) -> &[Rule] {
        &[]
    }

    fn run(&self, source: &Snapshot) -> Findings {
        let found = source.text().match_indices(self.word).map(|(start, word)| {
            let span = Span::from(start..start + word.len());
            let mut proposal = Proposal::safe(
                format!("Use `{}`", self.by),
                vec![Edit::replace(source, span, self.by)],
            );
            proposal.safety = self.safety;
            proposal
                .compatibility
                .writes
                .extend(self.writes.map(str::to_owned));
            Finding::style(self.rule, format!("`{}` is not wanted", self.word), span)
                .with_fix(proposal)
        });
        Findings {
            findings: found.collect(),
            unparsable: Toy.parses(source.text()).is_err(),
        }
    }
}

/// Finds a word, and has nothing to offer for it.
#[derive(Clone, Copy)]
pub struct Complain {
    pub rule: &'static str,
    pub word: &'static str,
    pub severity: Severity,
    /// The tier of a finding about a document.
    pub tier: Option<&'static str>,
}

impl Default for Complain {
    fn default() -> Self {
        Self {
            rule: "complain",
            word: "x",
            severity: Severity::Error,
            tier: None,
        }
    }
}

impl Phase for Complain {
    fn name(&self) -> &'static str {
        "complain"
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        &[]
    }

    fn run(&self, source: &Snapshot) -> Findings {
        let found = source.text().match_indices(self.word).map(|(start, word)| {
            let span = Span::from(start..start + word.len());
            let message = format!("`{word}` is wrong");
            let finding = Finding::problem(self.rule, self.severity, message, span);
            match self.tier {
                Some(tier) => finding.at(Place {
                    json_pointer: "/x".to_owned(),
                    tier,
                }),
                None => finding,
            }
        });
        Findings {
            findings: found.collect(),
            unparsable: false,
        }
    }
}

/// Finds the number a text starts with, and wants the next one.
pub struct Count;

impl Phase for Count {
    fn name(&self) -> &'static str {
        "count"
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        &[]
    }

    fn run(&self, source: &Snapshot) -> Findings {
        let digits = source
            .text()
            .chars()
            .take_while(char::is_ascii_digit)
            .count();
        let Ok(number) = source.text()[..digits].parse::<u64>() else {
            return Findings::default();
        };
        let span = Span::from(0..digits);
        let next = Proposal::safe(
            "Count on",
            vec![Edit::replace(source, span, (number + 1).to_string())],
        );
        let finding =
            Finding::style("count", format!("{number} is not enough"), span).with_fix(next);
        Findings {
            findings: vec![finding],
            unparsable: false,
        }
    }
}
