//! Which phases run on a file. Every command, and every Bazel action, asks this one function.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fixpoint_clank::ClankPhase;
use fixpoint_engine::{Config, Engine, Language as _, Phase, Policy, Reported, Run};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::{Deprecated, LintPhase};
use fixpoint_starlark::ParsedOnce;
use fixpoint_text::Snapshot;
use fixpoint_validate::ValidatePhase;
use serde::{Deserialize, Serialize};

use crate::documents::Documents;
use crate::loads::Loads;
use crate::modules::ModuleSource;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Phases {
    All,
    /// What `format` prints does not depend on what else is wrong with a text.
    Layout,
    /// What `validate` says of a document does not depend on its layout.
    Validation,
}

/// The settings, and what they name.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    pub(crate) config: &'a Config,
    pub(crate) documents: &'a Documents,
    pub(crate) modules: &'a ModuleSource,
    /// What Starlark loads.
    pub(crate) loads: &'a Loads,
    /// Fixes that stored reports list for the text.
    pub(crate) reported: &'a Reported,
}

/// What the phases make of a file; nothing when its language is not known or is switched off, or when
/// only a document is wanted and nothing is said about what it must be.
pub(crate) fn analyze(
    snapshot: &Snapshot,
    settings: Settings<'_>,
    policy: &Policy,
    wanted: Phases,
) -> Option<Run> {
    let Settings {
        config,
        documents,
        modules,
        loads,
        reported,
    } = settings;
    let source = SourceLanguage::of(snapshot.path(), snapshot.text(), config)?;
    // A template is not validated: the document is what it is filled in to.
    let checks = || {
        let checks = documents.checks(snapshot, config)?;
        (!source.is_template(snapshot.text())).then_some(checks)
    };
    let validate = match wanted {
        Phases::Layout => None,
        Phases::All => checks().map(|checks| ValidatePhase::new(checks, &source)),
        Phases::Validation => {
            let checks = checks()?;
            Some(ValidatePhase::new(checks, &source).alone())
        }
    };
    let starlark = ParsedOnce::new(snapshot.text());
    let format = FormatPhase::new(&source, config).sharing(&starlark);
    let lints = wanted == Phases::All && LintPhase::reads(source.name());
    let deprecated = match lints {
        true => loads.deprecated(snapshot.path(), starlark.nodes()),
        false => Deprecated::new(),
    };
    let lint = LintPhase::new(config)
        .sharing(&starlark)
        .knowing(&deprecated);
    let mut phases: Vec<&dyn Phase> = Vec::new();
    if wanted != Phases::Validation {
        phases.push(&format);
    }
    if lints {
        phases.push(&lint);
    }
    phases.extend(validate.as_ref().map(|it| it as &dyn Phase));
    let clank = (wanted == Phases::All && ClankPhase::reads(source.name()))
        .then(|| ClankPhase::new(modules.of_text(snapshot.text())));
    phases.extend(clank.as_ref().map(|it| it as &dyn Phase));
    Some(Engine::new(&source, phases).run_with(snapshot, policy, reported))
}

/// [`analyze`], with a panic in a parser or printer as an error of this one file.
pub(crate) fn analyze_guarded(
    snapshot: &Snapshot,
    settings: Settings<'_>,
    policy: &Policy,
    wanted: Phases,
) -> Result<Option<Run>, String> {
    // Nothing outlives the call but its result, so a panic leaves nothing torn behind.
    catch_unwind(AssertUnwindSafe(|| {
        analyze(snapshot, settings, policy, wanted)
    }))
    .map_err(|_| "the analysis crashed; please report it with the file".to_owned())
}
