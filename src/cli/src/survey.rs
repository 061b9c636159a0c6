//! Finding, reading and analysing many files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_edit::{Based, apply};
use fixpoint_engine::{Policy, Reported};
use fixpoint_report::FixReport;
use fixpoint_text::Snapshot;
use fixpoint_workspace::Found;

pub(crate) use crate::analyst::{Analyst, Seen};
use crate::args::{Arguments, ChangedOption, PolicyOptions, SafetyLevel};
use crate::failure::Failure;
use crate::helper::{Helper, ask_all};
use crate::isolate::{ReportedInput, Request, Task, seen, timed_out};
use crate::output::Output;
use crate::pipeline::Phases;
use crate::pool::{WhenLate, Worked, work_on};
use crate::progress::Progress;
use crate::render::words::shown;
use crate::session::Session;

/// A file that was looked at.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) report: FixReport,
    /// Its text, kept only where the report has something to say about it.
    pub(crate) snapshot: Option<Snapshot>,
}

/// What became of all files.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// By path.
    pub(crate) files: Vec<Surveyed>,
    /// Files that are not text Fixpoint can work on, and a sentence that says why.
    pub(crate) skipped: Vec<(String, String)>,
    /// Files that could not be worked on, and a sentence that says why.
    pub(crate) failed: Vec<(String, String)>,
}

impl Survey {
    /// Tells of what was left out.
    pub(crate) fn tell(&self, output: &mut Output) {
        for (_, reason) in &self.skipped {
            output.note(Level::WARNING, &shown(&format!("skipped: {reason}")));
        }
        for (_, reason) in &self.failed {
            output.note(Level::ERROR, &shown(reason));
        }
    }

    /// Removes and returns the reports that have content, together with their texts.
    pub(crate) fn take_bases(&mut self) -> Vec<Based> {
        let (speaking, silent): (Vec<_>, Vec<_>) = std::mem::take(&mut self.files)
            .into_iter()
            .partition(|it| it.snapshot.is_some());
        self.files = silent;
        speaking
            .into_iter()
            .filter_map(|file| Some((file.report, file.snapshot?)))
            .collect()
    }

    pub(crate) fn failure(&self) -> Option<Failure> {
        (!self.failed.is_empty()).then_some(Failure::Files {
            count: self.failed.len(),
        })
    }
}

impl PolicyOptions {
    pub(crate) fn policy(&self) -> Policy {
        let policy = match self.safety {
            SafetyLevel::Safe => Policy::default(),
            SafetyLevel::Likely => Policy::default().with_likely(),
        };
        policy
            .with_approved(self.approve.iter().cloned())
            .with_only(self.only.iter().cloned())
    }
}

/// The files a command is asked about.
pub(crate) fn find(
    session: &Session,
    paths: &[PathBuf],
    changed: &ChangedOption,
) -> Result<Found, Failure> {
    let exclude = session.config.exclude();
    let here = [PathBuf::from(".")];
    let wanted = if paths.is_empty() { &here[..] } else { paths };
    let workspace = &session.workspace;
    match &changed.changed {
        None => workspace.find(wanted, exclude).map_err(Failure::run),
        Some(revision) => workspace
            .changed_files(revision, wanted, exclude)
            .map_err(Failure::run),
    }
}

/// Reads and analyses `found`.
pub(crate) fn survey(
    session: &Session,
    arguments: &Arguments,
    found: Found,
    named: &[PathBuf],
    options: &PolicyOptions,
) -> Survey {
    let analyst = Analyst::of(session, arguments, options);
    survey_by(session, arguments, found, named, analyst)
}

/// Reads `found`, and checks the documents among it.
pub(crate) fn survey_documents(
    session: &Session,
    arguments: &Arguments,
    found: Found,
    named: &[PathBuf],
) -> Survey {
    // With this policy the gate tries every fix that an action is made of.
    let options = PolicyOptions {
        safety: SafetyLevel::Likely,
        ..PolicyOptions::default()
    };
    let analyst = Analyst::of(session, arguments, &options).wanting(Phases::Validation);
    survey_by(session, arguments, found, named, analyst)
}

fn survey_by(
    session: &Session,
    arguments: &Arguments,
    found: Found,
    named: &[PathBuf],
    analyst: Analyst,
) -> Survey {
    let mut survey = Survey::default();
    for skipped in found.skipped() {
        let list = if skipped.reason().is_failure() {
            &mut survey.failed
        } else {
            &mut survey.skipped
        };
        list.push((skipped.path().to_owned(), skipped.to_string()));
    }
    let named: BTreeSet<String> = named
        .iter()
        .filter_map(|path| session.workspace.relative(path).ok())
        .collect();
    let files = found.into_files();
    let task = session.task(&analyst.options, analyst.wanted);
    let request = |path: &String| Request {
        path: path.clone(),
        text: None,
        reported: ReportedInput::default(),
    };
    let workspace = Arc::clone(&session.workspace);
    let look = move |path: &String| analyst.look_at(&workspace, path);
    let seen = work(files.clone(), arguments, (&task, &request), look);
    for (path, seen) in files.iter().zip(seen) {
        survey.put(path, seen, &named);
    }
    survey
}

/// Looks at texts that are at hand, as `check` would look at files that hold them.
pub(crate) fn survey_texts(
    session: &Session,
    arguments: &Arguments,
    texts: Vec<Snapshot>,
    wanted: Phases,
) -> Survey {
    let options = PolicyOptions::default();
    let analyst = Analyst::of(session, arguments, &options).wanting(wanted);
    let task = session.task(&options, wanted);
    survey_snapshots(arguments, analyst, &task, without_reported(texts))
}

/// Analyzes texts as `fix` does, but first applies the fixes of stored reports.
pub(crate) fn survey_reported(
    session: &Session,
    arguments: &Arguments,
    options: &PolicyOptions,
    texts: Vec<(Snapshot, Reported)>,
) -> Survey {
    let analyst = Analyst::of(session, arguments, options);
    let task = session.task(options, Phases::All);
    survey_snapshots(arguments, analyst, &task, texts)
}

/// Analyzes texts as a Bazel action does, which sees only the files that the settings name.
pub(crate) fn survey_as_action(
    session: &Session,
    arguments: &Arguments,
    texts: Vec<Snapshot>,
) -> Result<Survey, Failure> {
    let analyst = Analyst::as_action(session, Duration::from_secs(arguments.time_limit))?;
    let task = session.action_task();
    let texts = without_reported(texts);
    Ok(survey_snapshots(arguments, analyst, &task, texts))
}

fn without_reported(texts: Vec<Snapshot>) -> Vec<(Snapshot, Reported)> {
    let texts = texts.into_iter();
    texts.map(|text| (text, Reported::default())).collect()
}

fn survey_snapshots(
    arguments: &Arguments,
    analyst: Analyst,
    task: &Task,
    texts: Vec<(Snapshot, Reported)>,
) -> Survey {
    let mut survey = Survey::default();
    let paths: Vec<String> = texts.iter().map(|it| it.0.path().to_owned()).collect();
    let named = paths.iter().cloned().collect();
    let request = |(snapshot, reported): &(Snapshot, Reported)| Request {
        path: snapshot.path().to_owned(),
        text: Some(snapshot.text().to_owned()),
        reported: ReportedInput::of(reported),
    };
    let look =
        move |(snapshot, reported): &(Snapshot, Reported)| analyst.look_with(snapshot, reported);
    let seen = work(texts, arguments, (task, &request), look);
    for (path, seen) in paths.iter().zip(seen) {
        survey.put(path, seen, &named);
    }
    survey
}

/// Analyzes each item, with the limits of the command line and a progress bar.
///
/// A few items are analyzed by threads of this process. They all start at once, so the process ends
/// at about the deadline of the first. More items are distributed to helpers, which can be killed.
fn work<I: Send + Sync + 'static>(
    items: Vec<I>,
    arguments: &Arguments,
    (task, request): (&Task, &dyn Fn(&I) -> Request),
    look: impl Fn(&I) -> Seen + Send + Sync + 'static,
) -> Vec<Seen> {
    let time_limit = Duration::from_secs(arguments.time_limit);
    if items.len() > jobs(arguments)
        && let Some(seen) = work_by_helpers(&items, arguments, (task, request))
    {
        return seen;
    }
    // A worker that waits for another process has its time limit there, and ends a little later.
    let patience =
        time_limit.saturating_add(Duration::from_secs(u64::from(arguments.time_limit > 0)));
    let progress = Progress::new(items.len());
    let limits = (patience, WhenLate::GoOn);
    let seen = work_on(items, jobs(arguments), limits, look, || progress.advance());
    progress.finish();
    let in_time = |seen| match seen {
        Some(Worked::Done(seen)) => seen,
        Some(Worked::TimedOut) | None => Seen::Failed(timed_out(time_limit)),
    };
    seen.into_iter().map(in_time).collect()
}

/// The same by helpers; `None` if no process can be started.
fn work_by_helpers<I>(
    items: &[I],
    arguments: &Arguments,
    (task, request): (&Task, &dyn Fn(&I) -> Request),
) -> Option<Vec<Seen>> {
    let time_limit = Duration::from_secs(arguments.time_limit);
    let requests = items.iter().map(|it| serde_json::to_vec(&request(it)).ok());
    let requests: Vec<Vec<u8>> = requests.collect::<Option<_>>()?;
    let first = Mutex::new(Some(Helper::start().ok()?));
    let begin = || {
        let started = first.lock().ok().and_then(|mut first| first.take());
        task.begin(started, time_limit)
    };
    let progress = Progress::new(items.len());
    let advance = || progress.advance();
    let answers = ask_all(&requests, jobs(arguments), time_limit, begin, advance);
    progress.finish();
    let seen = answers.into_iter().map(|answer| match answer {
        Ok(answer) => seen(answer, time_limit),
        Err(reason) => Seen::Failed(reason),
    });
    Some(seen.collect())
}

pub(crate) fn surveyed(report: FixReport, snapshot: Snapshot) -> Surveyed {
    let silent = report.diagnostics.is_empty()
        && report.fixes.is_empty()
        && report.rejected.is_empty()
        && report
            .canonical
            .as_ref()
            .is_none_or(|it| it.edits.is_empty());
    Surveyed {
        snapshot: (!silent).then_some(snapshot),
        report,
    }
}

impl Survey {
    fn put(&mut self, path: &str, seen: Seen, named: &BTreeSet<String>) {
        match seen {
            Seen::Report(file) => self.files.push(*file),
            Seen::Unknown(reason) if named.contains(path) => {
                self.skipped
                    .push((path.to_owned(), format!("{path}: {reason}")));
            }
            Seen::Unknown(_) => {}
            // A file that is no text is no business of ours unless somebody named it.
            Seen::Unread {
                message,
                is_about_content: true,
            } if !named.contains(path) => {
                self.skipped.push((path.to_owned(), message));
            }
            Seen::Unread { message, .. } => self.failed.push((path.to_owned(), message)),
            Seen::Failed(reason) => self
                .failed
                .push((path.to_owned(), format!("{path}: {reason}"))),
        }
    }
}

pub(crate) fn jobs(arguments: &Arguments) -> usize {
    let cores = || std::thread::available_parallelism().ok();
    arguments.jobs.or_else(cores).map_or(1, Into::into)
}

/// The canonical text that a report leads to.
pub(crate) fn canonical_text(report: &FixReport, snapshot: &Snapshot) -> Result<String, Failure> {
    let edits = report
        .canonical
        .as_ref()
        .map_or(&[][..], |canonical| &canonical.edits);
    apply(snapshot, edits)
        .map(|applied| applied.text)
        .map_err(Failure::run)
}
