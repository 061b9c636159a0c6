//! Which phases run on a file. Every command, and every Bazel action, asks this one function.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fixpoint_clank::ClankPhase;
use fixpoint_engine::{Config, Engine, Language as _, Phase, Policy, Run};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::LintPhase;
use fixpoint_text::Snapshot;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phases {
    All,
    /// What `format` prints does not depend on what else is wrong with a text.
    Layout,
}

/// What the phases make of a file; nothing when its language is not known or is switched off.
pub(crate) fn analyze(
    snapshot: &Snapshot,
    config: &Config,
    policy: &Policy,
    wanted: Phases,
) -> Option<Run> {
    let source = SourceLanguage::of(snapshot.path(), snapshot.text(), config)?;
    let format = FormatPhase::new(&source, config);
    let lint = LintPhase::new(config);
    let mut phases: Vec<&dyn Phase> = vec![&format];
    if wanted == Phases::All && LintPhase::reads(source.name()) {
        phases.push(&lint);
    }
    if wanted == Phases::All && ClankPhase::reads(source.name()) {
        phases.push(&ClankPhase);
    }
    Some(Engine::new(&source, phases).run(snapshot, policy))
}

/// [`analyze`], with a panic in a parser or printer as an error of this one file.
pub(crate) fn analyze_guarded(
    snapshot: &Snapshot,
    config: &Config,
    policy: &Policy,
    wanted: Phases,
) -> Result<Option<Run>, String> {
    // Nothing outlives the call but its result, so a panic leaves nothing torn behind.
    catch_unwind(AssertUnwindSafe(|| {
        analyze(snapshot, config, policy, wanted)
    }))
    .map_err(|_| "the analysis crashed; please report it with the file".to_owned())
}
