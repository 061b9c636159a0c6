//! What a phase is, what it may say, and what the engine must know of a language.

use std::borrow::Cow;

use fixpoint_report::{
    Compatibility, Confidence, Edit, ExpectedDelta, Fix, Kind, Op, Provenance, Safety, Scope,
    Severity, Targets,
};
use fixpoint_text::{LineIndex, Snapshot, Span};

use crate::turn::Class;

/// One kind of finding, as `fixpoint explain` prints it. Each rule belongs to one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub name: &'static str,
    /// What the rule does, in one sentence.
    pub summary: &'static str,
    pub why: &'static str,
    /// How safe its fix is, or nothing where it has none.
    pub safety: Option<Safety>,
    /// Why the fix has that safety.
    pub safety_reason: &'static str,
    pub example: Option<Example>,
}

/// A text with the finding, and the same text once it is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// A name that gives the texts their language.
    pub path: &'static str,
    pub before: &'static str,
    pub after: &'static str,
}

/// When a phase's fixes are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Changes to what the text says, or how it says it.
    Rewrite,
    /// Layout of the result, once no rewrite is left to apply.
    Layout,
}

/// What a phase crate registers.
#[derive(Clone, Copy, Debug)]
pub struct PhaseInfo {
    pub name: &'static str,
    /// All shipped rules, sorted by name.
    pub rules: fn() -> &'static [Rule],
    /// The key of the phase's table in `fixpoint.toml`, if it has settings.
    pub settings_key: Option<&'static str>,
    /// Whether the phase runs on files in a language, which is named as in reports.
    pub reads: fn(language: &str) -> bool,
}

/// A part of the analysis that owns rules. It is a pure function of the text.
pub trait Phase: Sync {
    fn name(&self) -> &'static str;

    /// The phase that owns a rule, if this runs several phases of one compiler at once.
    fn owner(&self, _rule: &str) -> &'static str {
        self.name()
    }

    fn stage(&self) -> Stage;

    fn rules(&self) -> &[Rule];

    fn run(&self, source: &Snapshot) -> Findings;

    /// The findings of [`Self::run`]. A phase with candidates may omit them here: the engine uses
    /// this to judge the text that a candidate leads to.
    fn check(&self, source: &Snapshot) -> Findings {
        self.run(source)
    }

    /// The most urgent class of the problems that a fix resolves, if the phase repairs problems in
    /// the order of their classes.
    fn class_of(&self, _fix: &Fix) -> Option<Class> {
        None
    }

    /// Whether the phase answers for the text its own fix leads to: it has seen that the text
    /// parses, has every comment, and holds nothing more for it to find. The engine then checks
    /// neither of these again.
    fn vouches(&self) -> bool {
        false
    }
}

/// All a phase has to say about one text.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub findings: Vec<Finding>,
    /// The text does not parse, so that nothing in it may be changed.
    pub unparsable: bool,
}

/// Something a phase found, with the fixes that resolve it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Owned where it is a rule of the workspace's own.
    pub rule: Cow<'static, str>,
    pub severity: Severity,
    pub message: String,
    pub span: Span,
    /// Its place in a structured document, and the tier of the check that found it.
    pub place: Option<Place>,
    /// Whether the finding is about style, and counts in strict mode even without a fix.
    pub style: bool,
    /// Whether a comment suppresses it. The phase still returns it, so that it does not count as new
    /// in a text where the comment no longer covers it.
    pub silenced: bool,
    /// Whether the phase has read `fixpoint: off` and `ignore` itself, so that the engine does not
    /// silence the finding by them.
    pub heeds_directives: bool,
    pub hints: Vec<String>,
    pub proposals: Vec<Proposal>,
    /// Fixes that the engine tries before it reports them. It drops those that do not resolve the
    /// finding or that add one.
    pub candidates: Vec<Proposal>,
}

/// A place in a structured document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub json_pointer: String,
    /// `schema`, `semantic` or `policy`.
    pub tier: &'static str,
}

impl Finding {
    /// A finding about style.
    pub fn style(
        rule: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
        span: Span,
    ) -> Self {
        Self {
            rule: rule.into(),
            severity: Severity::Warning,
            message: message.into(),
            span,
            place: None,
            style: true,
            silenced: false,
            heeds_directives: false,
            hints: Vec::new(),
            proposals: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// A finding about correctness.
    pub fn problem(
        rule: impl Into<Cow<'static, str>>,
        severity: Severity,
        message: impl Into<String>,
        span: Span,
    ) -> Self {
        Self {
            severity,
            style: false,
            ..Self::style(rule, message, span)
        }
    }

    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self {
            place: Some(place),
            ..self
        }
    }

    /// The same finding of a phase that has read the directives itself.
    #[must_use]
    pub fn heeding_directives(self) -> Self {
        Self {
            heeds_directives: true,
            ..self
        }
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds a fix. A safe fix for style is the one obvious rewrite: if there are two safe
    /// alternatives, neither is obvious, so both need `--safety=likely`.
    #[must_use]
    pub fn with_fix(mut self, proposal: Proposal) -> Self {
        self.proposals.push(proposal);
        let is_safe = |proposal: &Proposal| proposal.safety == Safety::BehaviorPreserving;
        if self.style && self.proposals.iter().filter(|it| is_safe(it)).count() > 1 {
            let safe = self.proposals.iter_mut().filter(|it| is_safe(it));
            safe.for_each(|it| it.safety = Safety::LikelyPreserving);
        }
        self
    }

    /// Adds a fix that is reported only if it works.
    #[must_use]
    pub fn with_candidate(mut self, candidate: Proposal) -> Self {
        self.candidates.push(candidate);
        self
    }
}

/// A fix as its phase proposes it. The engine adds the phase and the diagnostics that it resolves.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The id of the fix, if the phase assigns one. Proposals of several findings with the same id
    /// are one fix that resolves all of these findings. Without an id, the engine derives one.
    pub id: Option<String>,
    pub title: String,
    pub safety: Safety,
    pub confidence: Confidence,
    pub kind: Kind,
    pub scope: Scope,
    pub edits: Vec<Edit>,
    /// What the edits mean, where the fix was not thought of as bytes.
    pub ops: Vec<Op>,
    /// Targets other than diagnostics.
    pub targets: Targets,
    /// What the fix resolves besides diagnostics.
    pub expected_delta: ExpectedDelta,
    pub compatibility: Compatibility,
    pub provenance: Provenance,
    pub rationale: String,
}

impl Proposal {
    /// The one obvious edit that keeps what the text means.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self {
            id: None,
            title: title.into(),
            safety: Safety::BehaviorPreserving,
            confidence: Confidence::High,
            kind: Kind::LocalFix,
            scope: Scope::default(),
            edits,
            ops: Vec::new(),
            targets: Targets::default(),
            expected_delta: ExpectedDelta::default(),
            compatibility: Compatibility::default(),
            provenance: Provenance::Builtin,
            rationale: String::new(),
        }
    }

    /// The fix without its phase and rule.
    pub(crate) fn into_fix(self) -> Fix {
        Fix {
            id: self.id.unwrap_or_default(),
            title: self.title,
            safety: self.safety.into(),
            confidence: self.confidence.into(),
            kind: self.kind.into(),
            scope: Some(self.scope),
            targets: Some(self.targets),
            edits: self.edits,
            ops: self.ops,
            expected_delta: Some(self.expected_delta),
            compatibility: Some(self.compatibility),
            provenance: self.provenance.into(),
            rationale: self.rationale,
            ..Fix::default()
        }
    }

    #[must_use]
    pub fn because(self, rationale: impl Into<String>) -> Self {
        Self {
            rationale: rationale.into(),
            ..self
        }
    }
}

/// What the gate asks of a language.
pub trait Language: Sync {
    /// The word for it in reports.
    fn name(&self) -> &'static str;

    /// Whether `text` parses; if not, what is wrong.
    fn parses(&self, text: &str) -> Result<(), String>;

    /// Its comments, each spelled so that moving or re-indenting it makes no difference.
    fn comments(&self, text: &str) -> Vec<String>;

    /// What its comments ask the engine to leave alone.
    fn suppressions(&self, text: &str) -> Suppressions;
}

/// Whether a name that a user typed is that of a phase, or of its group: `clank` is the group of
/// `clank-types`.
pub fn is_phase(name: &str, phase: &str) -> bool {
    let rest = phase.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// What comments in a text ask the engine to leave alone.
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    /// Regions between `fixpoint: off` and `fixpoint: on`.
    pub off: Vec<Span>,
    /// Lines, counted from 0, and the rule or phase that `fixpoint: ignore[...]` names for them.
    pub ignored: Vec<(usize, String)>,
}

impl Suppressions {
    /// The same ones ascending, and regions that touch as one, as [`Self::cover`] needs them.
    pub(crate) fn in_order(mut self) -> Self {
        self.ignored.sort_unstable();
        self.off.sort_unstable();
        self.off.dedup_by(|next, last| {
            let touches = next.start() <= last.end();
            if touches {
                *last = Span::from(last.start()..last.end().max(next.end()));
            }
            touches
        });
        self
    }

    pub(crate) fn cover(
        &self,
        phase: &str,
        finding: &Finding,
        lines: &LineIndex,
        path: &str,
    ) -> bool {
        let line = lines.line_of(finding.span.start());
        let first = self.ignored.partition_point(|(at, _)| *at < line);
        let ignored = self.ignored[first..]
            .iter()
            .take_while(|(at, _)| *at == line)
            .any(|(_, name)| *name == *finding.rule || is_phase(name, phase));
        let in_region = |start: usize, end: usize| {
            let next = self.off.partition_point(|off| off.end() <= start);
            let next = self.off.get(next);
            next.is_some_and(|off| off.start() < end.max(start + 1))
        };
        let edits_region = finding
            .proposals
            .iter()
            .flat_map(|proposal| &proposal.edits)
            .filter(|edit| edit.path == path)
            .any(|edit| in_region(edit.start as usize, edit.end as usize));
        ignored || edits_region || in_region(finding.span.start(), finding.span.end())
    }
}
