//! A language small enough to see through, and phases for it that behave and misbehave.
//!
//! A text of it is words; it parses when its parentheses balance; `#` starts a comment.

use fixpoint_engine::{
    Finding, Findings, Language, Phase, Place, Proposal, Rule, Stage, Suppressions,
};
use fixpoint_report::{Edit, Safety, Severity};
use fixpoint_text::{Snapshot, Span};

pub struct Toy;

impl Language for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn parses(&self, text: &str) -> Result<(), String> {
        let count = |wanted: char| text.chars().filter(|&it| it == wanted).count();
        if count('(') == count(')') {
            Ok(())
        } else {
            Err("the parentheses do not balance".to_owned())
        }
    }

    fn comments(&self, text: &str) -> Vec<String> {
        text.lines()
            .filter_map(|line| Some(line.split_once('#')?.1.trim().to_owned()))
            .collect()
    }

    fn suppressions(&self, text: &str) -> Suppressions {
        let ignored = text.lines().enumerate().filter_map(|(line, content)| {
            let rule = content
                .split_once("# fixpoint: ignore[")?
                .1
                .split_once(']')?
                .0;
            Some((line, rule.to_owned()))
        });
        let off = text
            .find("# fixpoint: off")
            .map(|start| Span::from(start..text.find("# fixpoint: on\n").unwrap_or(text.len())));
        Suppressions {
            off: off.into_iter().collect(),
            ignored: ignored.collect(),
        }
    }
}

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
