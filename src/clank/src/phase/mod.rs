//! The compiler as a phase of the engine: reports the problems of a `.clank` file as findings with
//! fixes.

mod reference;
mod repairs;
mod rules;

pub use reference::{reference, repair_of};

use std::sync::Arc;

use fixpoint_engine::{Class, Finding, Findings, Phase, PhaseInfo, Rule, Stage};
use fixpoint_language::Language;
use fixpoint_report::{Fix, Severity};
use fixpoint_text::Snapshot;

use crate::diagnostic::Code;
use crate::modules::Modules;
use crate::result::{Hole, Obligation};
use crate::{Input, Options, compile};
use repairs::Repairs;
use rules::{RULES, owner, rules_of};

/// Compiles one file.
pub struct ClankPhase {
    modules: Arc<Modules>,
}

impl ClankPhase {
    /// A phase for programs that may use `modules`.
    pub fn new(modules: Arc<Modules>) -> Self {
        Self { modules }
    }

    /// The phases of the compiler. They run at once, and every code belongs to one of them.
    pub const PHASES: [PhaseInfo; 6] = [
        info("clank-syntax", || rules_of("clank-syntax")),
        info("clank-names", || rules_of("clank-names")),
        info("clank-types", || rules_of("clank-types")),
        info("clank-effects", || rules_of("clank-effects")),
        info("clank-refinements", || rules_of("clank-refinements")),
        info("clank-unused", || rules_of("clank-unused")),
    ];
}

const fn info(name: &'static str, rules: fn() -> &'static [Rule]) -> PhaseInfo {
    PhaseInfo {
        name,
        rules,
        settings_key: None,
        reads: |language| language == Language::Clank.name(),
    }
}

impl Phase for ClankPhase {
    fn name(&self) -> &'static str {
        "clank"
    }

    fn owner(&self, rule: &str) -> &'static str {
        owner(rule)
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        RULES
    }

    /// By the codes of the diagnostics that the fix resolves.
    fn class_of(&self, fix: &Fix) -> Option<Class> {
        let codes = fix.targets.iter().flat_map(|it| &it.diagnostic_codes);
        let discharges = fix
            .expected_delta
            .as_ref()
            .is_some_and(|it| !it.obligations_discharged.is_empty());
        let classes = codes.map(|code| match Code::parse(code) {
            Some(Hole::CODE) => Class::Hole,
            Some(Obligation::CODE) if discharges => Class::Obligation,
            Some(code) if code.severity() == Severity::Warning => Class::Warning,
            _ => Class::Error,
        });
        classes.min()
    }

    /// A file with syntax errors has no other findings.
    fn run(&self, source: &Snapshot) -> Findings {
        let input = Input::Source {
            file: source.path(),
            text: source.text(),
        };
        let options = Options {
            modules: Some(Arc::clone(&self.modules)),
            ..Options::default()
        };
        let Ok(result) = compile(input, &options) else {
            return Findings::default();
        };
        let errors = result.diagnostics.iter();
        let errors: Vec<Finding> = errors
            .filter(|it| it.code == Code::E0001)
            .map(|it| {
                let rule = it.code.text();
                Finding::problem(rule, it.severity(), &it.message, it.span).heeding_directives()
            })
            .collect();
        if !errors.is_empty() {
            return Findings {
                findings: errors,
                unparsable: true,
            };
        }
        let repairs = Repairs::of_result(&result, source);
        let diagnostics = result.diagnostics.iter().map(|it| {
            let finding = Finding::problem(it.code.text(), it.severity(), &it.message, it.span);
            let hints = it.hints.iter().map(|hint| hint.description.clone());
            let finding = hints.fold(finding, Finding::with_hint);
            repairs.of(&it.repair_refs).fold(finding, Finding::with_fix)
        });
        let obligations = result.obligations.iter().map(|it| {
            let rule = Obligation::CODE.text();
            let finding = Finding::problem(rule, Severity::Warning, it.message(), it.span);
            let hints = it.hints.iter().map(|hint| hint.description.clone());
            let finding = hints.fold(finding, Finding::with_hint);
            repairs.of(&it.repair_refs).fold(finding, Finding::with_fix)
        });
        let holes = result.holes.iter().map(|it| {
            let rule = Hole::CODE.text();
            let finding = Finding::problem(rule, Severity::Error, it.message(), it.span);
            repairs.of(&it.repair_refs).fold(finding, Finding::with_fix)
        });
        Findings {
            findings: diagnostics.chain(obligations).chain(holes).collect(),
            unparsable: false,
        }
    }
}
