//! The table of phases: what each registers, and how it is prepared for a file.

#[cfg(feature = "clank")]
use fixpoint_engine::Language as _;
use fixpoint_engine::{Phase, PhaseInfo, Rule, is_phase};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_learn::LearnedPhase;
use fixpoint_lint::LintPhase;
use fixpoint_report::NotChecked;
use fixpoint_starlark::ParsedOnce;
use fixpoint_validate::ValidatePhase;

use crate::analyzer::Analyzer;
use crate::hidden::loads_not_visible;
use crate::input::{FileInput, Loads, Phases};

/// A row of the table.
pub(crate) struct Registration {
    pub(crate) info: PhaseInfo,
    /// The selection that runs only this phase, if there is one.
    alone: Option<Phases>,
    prepare: for<'a> fn(&FileContext<'a>) -> Prepared<'a>,
}

/// All phases. The engine runs phases of one stage in this order.
pub(crate) const PHASES: &[Registration] = &[
    Registration {
        info: FormatPhase::INFO,
        alone: Some(Phases::Layout),
        prepare: format,
    },
    Registration {
        info: LintPhase::INFO,
        alone: None,
        prepare: lint,
    },
    Registration {
        info: LearnedPhase::INFO,
        alone: None,
        prepare: learned,
    },
    Registration {
        info: ValidatePhase::INFO,
        alone: Some(Phases::Validation),
        prepare: validate,
    },
    #[cfg(feature = "clank")]
    of_clank(0, clank),
    #[cfg(feature = "clank")]
    of_clank(1, with_the_first),
    #[cfg(feature = "clank")]
    of_clank(2, with_the_first),
    #[cfg(feature = "clank")]
    of_clank(3, with_the_first),
    #[cfg(feature = "clank")]
    of_clank(4, with_the_first),
    #[cfg(feature = "clank")]
    of_clank(5, with_the_first),
];

/// A phase of the Clank compiler. The compiler runs all of them when it is run for the first.
#[cfg(feature = "clank")]
const fn of_clank(
    index: usize,
    prepare: for<'a> fn(&FileContext<'a>) -> Prepared<'a>,
) -> Registration {
    Registration {
        info: fixpoint_clank::ClankPhase::PHASES[index],
        alone: None,
        prepare,
    }
}

/// What a phase can use to prepare for a file.
pub(crate) struct FileContext<'a> {
    pub(crate) analyzer: &'a Analyzer,
    pub(crate) input: &'a FileInput,
    /// `None` if only learned rules are for the language.
    pub(crate) language: Option<&'a SourceLanguage>,
    /// Whether other phases run, too.
    pub(crate) phases: Phases,
    /// The parsed text, if the file is Starlark. It is parsed when the first phase needs it.
    pub(crate) starlark: &'a ParsedOnce<'a>,
}

/// A phase that is ready to run on a file.
#[derive(Default)]
pub(crate) struct Prepared<'a> {
    /// `None` if the phase checks nothing in the file.
    pub(crate) phase: Option<Box<dyn Phase + 'a>>,
    pub(crate) not_checked: Vec<NotChecked>,
}

impl<'a> Prepared<'a> {
    fn of(phase: impl Phase + 'a) -> Self {
        Self {
            phase: Some(Box::new(phase)),
            not_checked: Vec::new(),
        }
    }
}

impl Registration {
    /// Prepares the phase; `None` if it is not selected or not for the language.
    pub(crate) fn prepare<'a>(
        &self,
        language: &str,
        context: &FileContext<'a>,
    ) -> Option<Prepared<'a>> {
        let is_selected = context.phases == Phases::All || self.alone == Some(context.phases);
        let runs = is_selected && (self.info.reads)(language);
        runs.then(|| (self.prepare)(context))
    }
}

fn format<'a>(context: &FileContext<'a>) -> Prepared<'a> {
    let Some(language) = context.language else {
        return Prepared::default();
    };
    let config = context.analyzer.config();
    let formatters = &context.input.formatters;
    let phase = FormatPhase::new(language, config)
        .sharing(context.starlark)
        .leaving(formatters.languages(config));
    let other = formatters.instead_of_fixpoint(language.language(), config);
    let not_checked = other.map(|other| NotChecked {
        what: "the layout".to_owned(),
        why: format!(
            "{} formats the file, as {} says",
            other.formatter, other.path
        ),
    });
    // The compiler reports the syntax errors of its language itself.
    #[cfg(feature = "clank")]
    if context.phases == Phases::All && language.name() == "clank" {
        return Prepared::of(phase.leaving_syntax_errors());
    }
    Prepared {
        not_checked: not_checked.into_iter().collect(),
        ..Prepared::of(phase)
    }
}

fn lint<'a>(context: &FileContext<'a>) -> Prepared<'a> {
    let phase = LintPhase::new(&context.analyzer.settings.lint).sharing(context.starlark);
    match &context.input.loads {
        Loads::Followed(deprecated) => Prepared::of(phase.knowing(deprecated)),
        Loads::NotVisible => Prepared {
            not_checked: loads_not_visible(context.starlark),
            ..Prepared::of(phase)
        },
    }
}

fn learned<'a>(context: &FileContext<'a>) -> Prepared<'a> {
    let rules = context.analyzer.learned();
    let language = LearnedPhase::language_of(context.input.source.path());
    let Some(language) = language else {
        return Prepared::default();
    };
    let unusable = rules.unusable().iter();
    let unusable = unusable.filter(|it| it.language == Some(language));
    let not_checked = unusable.map(|it| NotChecked {
        what: format!("the learned rule {}", it.path),
        why: it.reason.clone(),
    });
    Prepared {
        phase: (rules.has_rules_for(language)).then(|| Box::new(LearnedPhase::new(rules)) as _),
        not_checked: not_checked.collect(),
    }
}

fn validate<'a>(context: &FileContext<'a>) -> Prepared<'a> {
    let (checks, not_checked) = context.analyzer.checks(context.input);
    // A template is not validated: the document is what it is filled in to.
    let text = context.input.source.text();
    let is_template = || context.language.is_some_and(|it| it.is_template(text));
    let Some(checks) = checks.filter(|_| !is_template()) else {
        return Prepared {
            phase: None,
            not_checked,
        };
    };
    let phase = ValidatePhase::new(checks);
    let phase = match context.phases {
        Phases::Validation => phase.alone(),
        Phases::All | Phases::Layout => phase,
    };
    Prepared {
        not_checked,
        ..Prepared::of(phase)
    }
}

#[cfg(feature = "clank")]
fn clank<'a>(context: &FileContext<'a>) -> Prepared<'a> {
    let modules = &context.input.modules;
    let phase = fixpoint_clank::ClankPhase::new(std::sync::Arc::clone(modules));
    Prepared {
        not_checked: crate::hidden::modules_not_visible(context.input.source.text(), modules),
        ..Prepared::of(phase)
    }
}

#[cfg(feature = "clank")]
fn with_the_first<'a>(_: &FileContext<'a>) -> Prepared<'a> {
    Prepared::default()
}

/// The name of each phase, and its shipped rules.
pub fn phases() -> impl Iterator<Item = (&'static str, &'static [Rule])> {
    let all = PHASES.iter().map(|phase| phase.info);
    all.map(|info| (info.name, (info.rules)()))
}

/// The shipped rule with this name, and the phase that it belongs to.
pub fn find_rule(name: &str) -> Option<(&'static str, &'static Rule)> {
    phases().find_map(|(phase, rules)| Some((phase, rules.iter().find(|rule| rule.name == name)?)))
}

/// The phases that a name stands for: the phase of this name, or all phases of a group.
pub fn phases_named(name: &str) -> Vec<(&'static str, &'static [Rule])> {
    phases()
        .filter(|(phase, _)| is_phase(name, phase))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_rule_belongs_to_exactly_one_phase() {
        // C-19
        let rules = phases().flat_map(|(_, rules)| rules);
        let names: Vec<&str> = rules.map(|rule| rule.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(phases().all(|(_, rules)| !rules.is_empty()));
    }
}
