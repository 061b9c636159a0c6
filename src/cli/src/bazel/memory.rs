//! What a worker remembers of the Clank sources it has looked at.
//!
//! Where nothing was found in any source of an action, and the action comes again with another body of
//! one function in each of them at most, those functions are looked at and nothing else: the layout of
//! one, and what is found in it, depend on what is declared around it and on no other body.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fixpoint_clank::modules::Modules;
use fixpoint_clank::print::format;
use fixpoint_clank::{Editing, Options, Touched};
use fixpoint_report::FixReport;
use fixpoint_text::{Digest, Snapshot};

use super::analyze::{Looked, read_text};
use super::args::AnalyzeOptions;
use crate::failure::Failure;
use crate::pool::{Worked, with_large_stack};

/// The actions that are remembered at most; then all are forgotten.
const MOST: usize = 256;

#[derive(Default)]
pub(crate) struct Memory {
    actions: Mutex<HashMap<Digest, Action>>,
}

struct Action {
    /// Each with its report, which says nothing.
    files: Vec<(Editing, FixReport)>,
    /// The interface of the target, if it has one.
    interface: Option<Vec<u8>>,
}

/// What came of an action: the interface of its target, and its sources.
pub(crate) type Done = (Option<Vec<u8>>, Vec<Looked>);

/// Everything that an action depends on but its sources, if those are Clank.
pub(crate) fn key(
    options: &AnalyzeOptions,
    config: &str,
    base: &Path,
) -> Result<Option<Digest>, Failure> {
    let all_clank = options.path.iter().all(|it| it.ends_with(".clank"));
    if !all_clank || !options.ignores.gitignore.is_empty() {
        return Ok(None);
    }
    let mut parts = format!("{options:?}\n{config}");
    let others = options.modules.module_source.iter();
    let others = others.filter(|it| !options.source.contains(it));
    let documents = options.documents.workspace_file.iter();
    for file in documents.chain(&options.modules.interface).chain(others) {
        let text = read_text(&base.join(file))?;
        parts.push_str(&format!("\n{}\n{text}", text.len()));
    }
    Ok(Some(Digest::of(parts.as_bytes())))
}

impl Memory {
    fn actions(&self) -> MutexGuard<'_, HashMap<Digest, Action>> {
        self.actions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a full look at the sources would come to, if what is remembered tells.
    pub(crate) fn recall(
        &self,
        key: Digest,
        sources: Vec<Snapshot>,
        time_limit: Duration,
    ) -> Option<Done> {
        let action = self.actions().remove(&key)?;
        if action.files.len() != sources.len() {
            return None;
        }
        let action = Mutex::new(Some(action));
        let work = move || {
            let mut action = action
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take()?;
            let mut looked = Vec::new();
            for ((editing, report), source) in action.files.iter_mut().zip(&sources) {
                *report = recalled(editing, report, source)?;
                looked.push(Some((report.clone(), source.clone())));
            }
            Some((action, looked))
        };
        let Worked::Done(recalled) = with_large_stack(time_limit, work) else {
            return None;
        };
        let (action, looked) = recalled?;
        let interface = action.interface.clone();
        self.put(key, action);
        Some((interface, looked))
    }

    /// Remembers an action, if nothing was found in its sources.
    pub(crate) fn keep(
        &self,
        key: Digest,
        (interface, looked): &Done,
        modules: Option<&Arc<Modules>>,
        time_limit: Duration,
    ) {
        let silent = looked
            .iter()
            .map(|it| it.as_ref().filter(|it| is_silent(&it.0)));
        let Some(files) = silent.map(|it| it.cloned()).collect::<Option<Vec<_>>>() else {
            return;
        };
        let options = Options {
            // What a target without an interface may use is not known.
            modules: Some(modules.map_or_else(|| Modules::default().or_more().into(), Arc::clone)),
            ..Options::default()
        };
        let work = move || {
            let known = files.iter().map(|(report, source)| {
                let mut editing = Editing::with(options.clone());
                editing.know_sound(source.path(), source.text());
                (editing, report.clone())
            });
            known.collect::<Vec<_>>()
        };
        if let Worked::Done(files) = with_large_stack(time_limit, work) {
            let interface = interface.clone();
            self.put(key, Action { files, interface });
        }
    }

    fn put(&self, key: Digest, action: Action) {
        let mut actions = self.actions();
        if actions.len() >= MOST {
            actions.clear();
        }
        actions.insert(key, action);
    }
}

fn is_silent(report: &FixReport) -> bool {
    let canonical = report.canonical.as_ref();
    report.diagnostics.is_empty()
        && report.fixes.is_empty()
        && report.rejected.is_empty()
        && canonical.is_some_and(|it| it.edits.is_empty() && it.steps.is_empty())
}

/// The report that says the same of another text, if that is all there is to say.
fn recalled(editing: &mut Editing, report: &FixReport, source: &Snapshot) -> Option<FixReport> {
    if let Touched::Function(range) = editing.still_sound(source.path(), source.text())? {
        let function = source.text().get(range)?;
        let printed = format(source.path(), function).ok()?;
        if printed.strip_suffix('\n') != Some(function) {
            return None;
        }
    }
    let mut report = FixReport {
        base: FixReport::new(source, &report.language).base,
        ..report.clone()
    };
    let canonical = report.canonical.as_mut()?;
    canonical.sha256 = source.digest().to_string();
    canonical.length = source.text().len() as u64;
    Some(report)
}
