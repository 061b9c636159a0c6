//! `fixpoint rules apply` and `try`: apply rules, and nothing else.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_learn::{Language, Outcome, Outcomes, Refusal, RuleSet, rewrite, short_id};
use fixpoint_text::{LineIndex, Snapshot};
use fixpoint_view::unified_diff;
use fixpoint_workspace::{FileChange, Workspace};

use super::curate::compiled;
use crate::Verdict;
use crate::args::Arguments;
use crate::commands::write::{Mode, begin};
use crate::failure::Failure;
use crate::isolate::timed_out;
use crate::output::Output;
use crate::pool::{OnTimeout, TimedResult, work_on};
use crate::render::words::{count, shown};
use crate::rule_store::{RuleStore, RuleStoreError};
use crate::session::Session;

pub(super) struct Request<'a> {
    pub(super) ids: &'a [String],
    pub(super) paths: &'a [PathBuf],
    /// Prints the changes, and writes nothing.
    pub(super) shows_diff: bool,
    /// Whether what becomes of the rules is recorded in the store.
    pub(super) records: bool,
}

/// A file, and what the rules make of it. `None` if no rule can match.
type Rewritten = Result<Option<(Snapshot, Outcome)>, String>;

pub(super) fn run(
    arguments: &Arguments,
    session: &Session,
    store: &mut RuleStore,
    request: &Request<'_>,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let set = RuleSet::new(compiled(store.select(request.ids)?, output));
    if set.rules().is_empty() {
        let message = "there is no rule to apply; `fixpoint rules learn` and `import` add some";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mode = Mode::of(false, request.shows_diff);
    let access = begin(session, mode, output)?;
    let here = [PathBuf::from(".")];
    let paths = match request.paths {
        [] => &here[..],
        paths => paths,
    };
    let found = session.workspace.find(paths, session.config().exclude())?;
    let languages: Vec<Language> = set.rules().iter().map(|rule| rule.language()).collect();
    let has_rules = |path: &String| {
        let language = Language::of_path(path);
        language.is_some_and(|it| languages.iter().any(|rule| rule.name() == it.name()))
    };
    let mut files = found.into_files();
    files.retain(|path| has_rules(path) && session.workspace.generated(path).is_none());

    let (mut changed, mut failed, mut refused) = (Vec::new(), 0, 0);
    for result in rewrite_all(arguments, session, set, files) {
        let (source, outcome) = match result {
            Ok(None) => continue,
            Ok(Some(result)) => result,
            Err(message) => {
                failed += 1;
                output.note(Level::ERROR, &shown(&message));
                continue;
            }
        };
        let lines = LineIndex::new(source.text());
        for place in &outcome.refused {
            // A guard that does not hold is how a rule is meant to work.
            if matches!(place.reason, Refusal::Guard { .. }) {
                continue;
            }
            refused += 1;
            let line = lines.line_of(place.span.start()) + 1;
            let rule = short_id(&place.rule);
            let message = format!(
                "{}:{line}: rule {rule} was not applied: {}",
                source.path(),
                place.reason
            );
            output.note(Level::WARNING, &shown(&message));
        }
        if outcome.text != source.text() {
            changed.push((source, outcome));
        }
    }
    let mut unwritten = 0;
    if let Some(access) = &access {
        let change = |(source, outcome): &(Snapshot, Outcome)| {
            let text = outcome.text.as_bytes();
            vec![FileChange::new(source.path(), source.digest(), text)]
        };
        let changes = changed.iter().map(change).collect();
        let written = session.workspace.write(changes, access)?;
        for refusal in written.refused() {
            output.note(Level::ERROR, &shown(&refusal.to_string()));
        }
        unwritten = written.refused().len();
        let is_refused = |path: &str| written.refused().iter().any(|it| it.path() == path);
        changed.retain(|(source, _)| !is_refused(source.path()));
        if request.records {
            record(store, changed.iter().map(|(_, outcome)| outcome))?;
        }
    }
    for (source, outcome) in &changed {
        if request.shows_diff {
            output.print(&unified_diff(source.path(), source.text(), &outcome.text))?;
        } else {
            let places = count(outcome.applied.len(), "place");
            output.line(&shown(&format!("Fixed {} ({places})", source.path())))?;
        }
    }
    let places = changed
        .iter()
        .map(|(_, outcome)| outcome.applied.len())
        .sum();
    let summary = format!(
        "{} {} in {}; {refused} refused",
        mode.verb(),
        count(places, "place"),
        count(changed.len(), "file"),
    );
    if request.shows_diff {
        output.notice(&summary);
    } else {
        output.line(&summary)?;
    }
    match (unwritten, failed) {
        (0, 0) => Ok(Verdict::Done),
        (0, count) => Err(Failure::Files { count }),
        (count, _) => Err(Failure::Unwritten { count }),
    }
}

/// Records what became of the rules in files that were written.
fn record<'a>(
    store: &mut RuleStore,
    written: impl Iterator<Item = &'a Outcome>,
) -> Result<(), RuleStoreError> {
    let mut outcomes: BTreeMap<&str, Outcomes> = BTreeMap::new();
    for outcome in written {
        for applied in &outcome.applied {
            outcomes.entry(&applied.rule).or_default().applied_ok += 1;
        }
        for refused in &outcome.refused {
            if matches!(refused.reason, Refusal::Structure | Refusal::NotConverging) {
                outcomes.entry(&refused.rule).or_default().rejected += 1;
            }
        }
    }
    outcomes
        .into_iter()
        .try_for_each(|(id, new)| store.record(id, new))
}

/// Reads and rewrites files. A file that takes too long is given up.
fn rewrite_all(
    arguments: &Arguments,
    session: &Session,
    set: RuleSet,
    files: Vec<String>,
) -> Vec<Rewritten> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.map_or(cores, usize::from);
    let time_limit = Duration::from_secs(arguments.time_limit);
    let workspace = Arc::clone(&session.workspace);
    let work = move |path: &String| rewrite_file(&workspace, &set, path);
    let limits = (time_limit, OnTimeout::Continue);
    let results = work_on(files.clone(), jobs, limits, work, || ());
    let results = files.iter().zip(results);
    results
        .map(|(path, result)| match result {
            Some(TimedResult::Done(rewritten)) => rewritten,
            _ => Err(format!("{path}: {}", timed_out(time_limit))),
        })
        .collect()
}

fn rewrite_file(workspace: &Workspace, set: &RuleSet, path: &str) -> Rewritten {
    let source = workspace.read(path).map_err(|error| error.to_string())?;
    let may_match = Language::of_path(path).is_some_and(|it| set.may_match(it, source.text()));
    Ok(may_match.then(|| {
        let outcome = rewrite(path, source.text(), set);
        (source, outcome)
    }))
}
