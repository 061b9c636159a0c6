//! The lint rules as a phase of the engine.

use std::sync::LazyLock;

use fixpoint_engine::{Finding, Findings, Phase, PhaseInfo, Proposal, Rule, Stage};
use fixpoint_language::Language;
use fixpoint_report::Edit;
use fixpoint_starlark::{FileKind, Parse, ParsedOnce, parse_nodes};
use fixpoint_text::Snapshot;

use crate::file::File;
use crate::lint::{Fix, Lint, LintFinding};
use crate::loaded::Deprecated;
use crate::rules::LINTS;
use crate::settings::LintSettings;
use crate::suppress::Suppressed;

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut rules: Vec<Rule> = LINTS.iter().flat_map(|lint| lint.rules).copied().collect();
    rules.sort_by_key(|rule| rule.name);
    rules.dedup_by_key(|rule| rule.name);
    rules
});

/// Lints one Starlark file.
pub struct LintPhase<'a> {
    settings: &'a LintSettings,
    parsed: Option<&'a ParsedOnce<'a>>,
    deprecated: Option<&'a Deprecated>,
}

impl<'a> LintPhase<'a> {
    pub fn new(settings: &'a LintSettings) -> Self {
        Self {
            settings,
            parsed: None,
            deprecated: None,
        }
    }

    /// Uses a shared parse of the text, so that several phases parse it only once.
    #[must_use]
    pub fn sharing(self, parsed: &'a ParsedOnce<'a>) -> Self {
        Self {
            parsed: Some(parsed),
            ..self
        }
    }

    /// Adds facts about the files that the text loads.
    #[must_use]
    pub fn knowing(self, deprecated: &'a Deprecated) -> Self {
        Self {
            deprecated: Some(deprecated),
            ..self
        }
    }

    pub const INFO: PhaseInfo = PhaseInfo {
        name: "lint",
        rules: || &RULES,
        settings_key: Some(LintSettings::KEY),
        reads: |language| language == Language::Starlark.name(),
    };
}

impl Phase for LintPhase<'_> {
    fn name(&self) -> &'static str {
        Self::INFO.name
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        &RULES
    }

    /// A file with syntax errors has no lint findings. The format phase reports the syntax errors.
    fn run(&self, source: &Snapshot) -> Findings {
        let shared = self.parsed.filter(|it| it.is_of(source.text()));
        let own: Parse<'_>;
        let parsed = match shared {
            Some(shared) => shared.nodes(),
            None => {
                own = parse_nodes(source.text());
                &own
            }
        };
        if !parsed.errors.is_empty() {
            return Findings::default();
        }
        let kind = FileKind::of_name(source.path());
        let mut file = File::new(source.path(), kind, &parsed.tree);
        file.deprecated = self.deprecated;
        let mut found = Vec::new();
        let wanted = |lint: &&Lint| {
            (lint.applies)(kind)
                && lint
                    .rules
                    .iter()
                    .any(|rule| self.settings.enables(rule.name))
        };
        for lint in LINTS.iter().filter(wanted) {
            (lint.check)(&file, &mut found);
        }
        found.retain(|it| self.settings.enables(it.rule));
        if found.is_empty() {
            return Findings::default();
        }
        let suppressed = Suppressed::of(&parsed.tree);
        let findings = found.into_iter().map(|it| Finding {
            silenced: it.silenced || suppressed.covers(&it),
            ..finding(source, it)
        });
        Findings {
            findings: findings.collect(),
            unparsable: false,
        }
    }
}

fn finding(source: &Snapshot, found: LintFinding) -> Finding {
    let mut finding = Finding::problem(found.rule, found.severity, found.message, found.span);
    if let Some(hint) = found.hint {
        finding = finding.with_hint(hint);
    }
    match found.fix {
        Some(fix) => finding.with_fix(proposal(source, found.rule, fix)),
        None => finding,
    }
}

fn proposal(source: &Snapshot, rule: &str, mut fix: Fix) -> Proposal {
    fix.edits.sort_by_key(|edit| edit.span);
    let edits = fix.edits.into_iter();
    let edits = edits.map(|edit| Edit::replace(source, edit.span, edit.replacement));
    let reason = RULES.iter().find(|it| it.name == rule);
    Proposal {
        safety: fix.safety,
        ..Proposal::safe(fix.title, edits.collect())
    }
    .because(reason.map_or("", |it| it.safety_reason))
}
