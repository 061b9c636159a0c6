//! The phase of learned rules: a finding with a fix for each match of a rule.

use fixpoint_engine::{
    Example, Finding, Findings, Phase, PhaseInfo, Proposal as FixProposal, Rule as RuleInfo, Stage,
};
use fixpoint_report::{Confidence, Edit, Provenance as FixProvenance, Safety, Severity};
use fixpoint_text::{Digest, Snapshot, Span};

use crate::apply::{Proposal, propose};
use crate::project::LearnedRules;
use crate::rule::{Provenance, Rule, short_id};
use crate::ruleset::RuleSet;
use crate::settings::{LearnSettings, Profile};
use crate::tree::Language;

const RULES: &[RuleInfo] = &[RuleInfo {
    name: "learned-rule",
    summary: "Rewrites code as a rule of `.fixpoint/rules` says.",
    why: "A change that was made by hand in some places is made in all others. Reports name the rule \
        `learned-` and the first 12 characters of its id; `fixpoint rules show` prints it.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "A fix of a pinned rule counts as safe, because a person has reviewed the rule. Other \
        rules never propose a safe fix.",
    example: Some(Example {
        path: "a.py",
        before: "requests.get(url)\n",
        after: "requests.get(url, timeout=10)\n",
    }),
}];

/// Applies learned rules to one file.
#[derive(Clone, Copy, Debug)]
pub struct LearnedPhase<'a> {
    rules: &'a LearnedRules,
}

impl<'a> LearnedPhase<'a> {
    pub const INFO: PhaseInfo = PhaseInfo {
        name: "learned",
        rules: || RULES,
        settings_key: Some(LearnSettings::KEY),
        // A file that the settings include as text may be code, too.
        reads: |name| name == "text" || Language::ALL.iter().any(|it| it.name() == name),
    };

    pub fn new(rules: &'a LearnedRules) -> Self {
        Self { rules }
    }

    /// The name of the language whose rules are for the file at `path`.
    pub fn language_of(path: &str) -> Option<&'static str> {
        Language::of_path(path).map(Language::name)
    }

    fn findings(&self, source: &Snapshot, rules: &RuleSet) -> Vec<Finding> {
        let proposed = propose(source.path(), source.text(), rules);
        let found = |(id, span): &(String, Span)| {
            let rule = rules.rules().iter().find(|it| it.rule().id == *id)?.rule();
            Some((rule, *span))
        };
        let mut findings = Vec::new();
        for proposal in proposed.proposals {
            let found: Vec<_> = proposal.matches.iter().filter_map(found).collect();
            let Some(fix) = self.fix(source, &proposal, found.iter().map(|(rule, _)| *rule)) else {
                continue;
            };
            let found = found.into_iter();
            findings.extend(found.map(|(rule, span)| finding(rule, span).with_fix(fix.clone())));
        }
        let overlapped = proposed.overlapped.iter().filter_map(found);
        findings.extend(overlapped.map(|(rule, span)| finding(rule, span)));
        findings
    }

    /// The fix of a proposal. It is as safe as the least safe of its rules.
    fn fix<'r>(
        &self,
        source: &Snapshot,
        proposal: &Proposal,
        rules: impl Iterator<Item = &'r Rule> + Clone,
    ) -> Option<FixProposal> {
        let first = rules.clone().next()?;
        let edits = proposal.edits.iter();
        let edits = edits.map(|edit| Edit::replace(source, edit.span, edit.replacement.as_str()));
        let safety = rules.clone().map(|rule| self.safety(rule)).max()?;
        let confidence = rules.map(|rule| rule.level_of_confidence()).max()?;
        Some(FixProposal {
            id: (proposal.matches.len() > 1).then(|| joint_id(source, proposal)),
            safety,
            confidence,
            provenance: match first.provenance {
                Provenance::Builtin => FixProvenance::Builtin,
                Provenance::Extracted => FixProvenance::Extracted,
                Provenance::Manual => FixProvenance::Manual,
            },
            ..FixProposal::safe(first.summary(), edits.collect())
        })
    }

    /// A fix is safe only if a person has reviewed its rule.
    fn safety(&self, rule: &Rule) -> Safety {
        let is_trusted = self.rules.profile == Profile::Sketch
            || rule.provenance == Provenance::Manual
            || rule.level_of_confidence() != Confidence::Low;
        match (rule.pinned, is_trusted) {
            (true, _) => Safety::BehaviorPreserving,
            (false, true) => Safety::LikelyPreserving,
            (false, false) => Safety::BehaviorChanging,
        }
    }
}

fn finding(rule: &Rule, span: Span) -> Finding {
    match rule.pinned {
        true => Finding::style(rule.name(), rule.summary(), span),
        false => Finding::problem(rule.name(), Severity::Info, rule.summary(), span),
    }
}

/// The id of a fix for several matches: their rules and code.
fn joint_id(source: &Snapshot, proposal: &Proposal) -> String {
    let mut key = String::new();
    for (rule, span) in &proposal.matches {
        key.push_str(rule);
        key.push_str(&source.text()[span.range()]);
        key.push('\0');
    }
    let digest = Digest::of(key.as_bytes()).to_string();
    format!("f-{}", short_id(&digest))
}

impl Phase for LearnedPhase<'_> {
    fn name(&self) -> &'static str {
        Self::INFO.name
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[RuleInfo] {
        RULES
    }

    fn run(&self, source: &Snapshot) -> Findings {
        let mut findings = self.findings(source, &self.rules.pinned);
        findings.extend(self.findings(source, &self.rules.unpinned));
        Findings {
            findings,
            unparsable: false,
        }
    }
}
