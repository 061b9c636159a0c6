//! Finds, reads and analyzes many files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_analysis::{AnalysisOptions, Phases};
use fixpoint_edit::{Based, apply};
use fixpoint_engine::{Policy, Reported};
use fixpoint_report::FixReport;
use fixpoint_text::{Digest, Snapshot};
use fixpoint_workspace::{Found, GENERATED_LIST};

use crate::args::{Arguments, ChangedOption, PolicyOptions, SafetyLevel};
use crate::failure::Failure;
use crate::file_analyzer::{FileOutcome, is_generated};
use crate::helper::{Helper, ask_all};
use crate::inputs::VisibleFiles;
use crate::isolate::{FileRequest, Task, decode_answer, timed_out};
use crate::left_to_formatters::LeftToFormatters;
use crate::output::Output;
use crate::pool::{OnTimeout, TimedResult, work_on};
use crate::progress::Progress;
use crate::render::words::shown;
use crate::session::Session;

/// A file that was analyzed.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) report: FixReport,
    /// Its text, kept only if the report has content.
    pub(crate) snapshot: Option<Snapshot>,
}

/// The results for all files.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// By path.
    pub(crate) files: Vec<Surveyed>,
    /// Files that are not text Fixpoint can work on, and a sentence that says why.
    pub(crate) skipped: Vec<(String, String)>,
    /// Files that could not be worked on, and a sentence that says why.
    pub(crate) failed: Vec<(String, String)>,
    /// How many files are generated and therefore not analyzed.
    pub(crate) generated: usize,
    /// Learned rules that are not used, and why.
    pub(crate) unusable_rules: Vec<String>,
    pub(crate) left_to_formatters: LeftToFormatters,
}

impl Survey {
    /// Reports skipped and failed files.
    pub(crate) fn report_problems(&self, output: &mut Output) {
        for reason in &self.unusable_rules {
            output.note(Level::WARNING, &shown(reason));
        }
        for note in self.left_to_formatters.notes() {
            output.note(Level::NOTE, &shown(&note));
        }
        for (_, reason) in &self.skipped {
            output.note(Level::WARNING, &shown(&format!("skipped: {reason}")));
        }
        for (_, reason) in &self.failed {
            output.note(Level::ERROR, &shown(reason));
        }
    }

    /// Adds the results for other files.
    pub(crate) fn extend(&mut self, other: Self) {
        self.files.extend(other.files);
        self.files
            .sort_by(|a, b| a.report.path().cmp(b.report.path()));
        self.skipped.extend(other.skipped);
        self.failed.extend(other.failed);
        self.generated += other.generated;
        self.unusable_rules.extend(other.unusable_rules);
        self.left_to_formatters.extend(other.left_to_formatters);
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
        self.analysis().policy()
    }

    /// Options for all phases under this policy.
    pub(crate) fn analysis(&self) -> AnalysisOptions {
        AnalysisOptions {
            phases: Phases::All,
            applies_likely: self.safety == SafetyLevel::Likely,
            approved: self.approve.clone(),
            only: self.only.clone(),
        }
    }
}

/// The files that a command was asked to process.
pub(crate) fn find(
    session: &Session,
    paths: &[PathBuf],
    changed: &ChangedOption,
) -> Result<Found, Failure> {
    let exclude = session.config().exclude();
    let here = [PathBuf::from(".")];
    let wanted = if paths.is_empty() { &here[..] } else { paths };
    let workspace = &session.workspace;
    match &changed.changed {
        None => Ok(workspace.find(wanted, exclude)?),
        Some(revision) => Ok(workspace.changed_files(revision, wanted, exclude)?),
    }
}

/// Reads and analyzes the files `found`. A file in `named` is reported even if it is skipped.
pub(crate) fn survey(
    session: &Session,
    arguments: &Arguments,
    found: Found,
    named: &[PathBuf],
    options: &PolicyOptions,
) -> Survey {
    survey_files(session, arguments, found, named, options.analysis())
}

/// Reads the files `found`, and checks the documents among them.
pub(crate) fn survey_documents(
    session: &Session,
    arguments: &Arguments,
    found: Found,
    named: &[PathBuf],
) -> Survey {
    // With this policy the gate tries every fix that an action consists of.
    let options = AnalysisOptions {
        applies_likely: true,
        ..AnalysisOptions::of_phases(Phases::Validation)
    };
    survey_files(session, arguments, found, named, options)
}

fn survey_files(
    session: &Session,
    arguments: &Arguments,
    found: Found,
    named: &[PathBuf],
    options: AnalysisOptions,
) -> Survey {
    let mut survey = Survey {
        unusable_rules: session.unusable_rules(),
        ..Survey::default()
    };
    for skipped in found.skipped() {
        let list = if skipped.reason().is_failure() {
            &mut survey.failed
        } else {
            &mut survey.skipped
        };
        list.push((skipped.path().to_owned(), skipped.to_string()));
    }
    let has_layout = options.phases != Phases::Validation;
    let named: BTreeSet<String> = named
        .iter()
        .filter_map(|path| session.workspace.relative(path).ok())
        .collect();
    let paths = found.into_files();
    let task = session.helper_task(options.clone(), false);
    let request = |path: &String| FileRequest {
        path: path.clone(),
        text: None,
        reported: Reported::default(),
    };
    let files = session.file_analyzer(options, false);
    let workspace = Arc::clone(&session.workspace);
    let analyze = move |path: &String| files.analyze_path(&workspace, path);
    let outcomes = work(paths.clone(), arguments, (&task, &request), analyze);
    for (path, outcome) in paths.iter().zip(outcomes) {
        survey.add(path, outcome, &named);
    }
    if has_layout {
        survey.count_left_to_formatters(session);
    }
    survey
}

/// Analyzes texts as `check` would analyze files that contain them.
pub(crate) fn survey_texts(
    session: &Session,
    arguments: &Arguments,
    texts: Vec<Snapshot>,
    phases: Phases,
) -> Survey {
    let options = AnalysisOptions::of_phases(phases);
    survey_snapshots(
        session,
        arguments,
        (options, false),
        without_reported(texts),
    )
}

/// Analyzes texts as `fix` does, but first applies the fixes of stored reports.
pub(crate) fn survey_reported(
    session: &Session,
    arguments: &Arguments,
    options: &PolicyOptions,
    texts: Vec<(Snapshot, Reported)>,
) -> Survey {
    survey_snapshots(session, arguments, (options.analysis(), false), texts)
}

/// Analyzes texts as a Bazel action does, which sees only the files that the settings name.
pub(crate) fn survey_as_action(
    session: &Session,
    arguments: &Arguments,
    texts: Vec<Snapshot>,
) -> Survey {
    let options = AnalysisOptions::default();
    survey_snapshots(session, arguments, (options, true), without_reported(texts))
}

fn without_reported(texts: Vec<Snapshot>) -> Vec<(Snapshot, Reported)> {
    let texts = texts.into_iter();
    texts.map(|text| (text, Reported::default())).collect()
}

fn survey_snapshots(
    session: &Session,
    arguments: &Arguments,
    (options, is_action): (AnalysisOptions, bool),
    texts: Vec<(Snapshot, Reported)>,
) -> Survey {
    let mut survey = Survey::default();
    let paths = texts.iter().map(|(text, _)| text.path().to_owned());
    let paths: Vec<String> = paths.collect();
    let named = paths.iter().cloned().collect();
    let task = session.helper_task(options.clone(), is_action);
    let request = |(snapshot, reported): &(Snapshot, Reported)| FileRequest {
        path: snapshot.path().to_owned(),
        text: Some(snapshot.text().to_owned()),
        reported: reported.clone(),
    };
    let files = session.file_analyzer(options, is_action);
    let analyze = move |(snapshot, reported): &(Snapshot, Reported)| {
        files.analyze(snapshot.clone(), reported.clone())
    };
    let outcomes = work(texts, arguments, (&task, &request), analyze);
    for (path, outcome) in paths.iter().zip(outcomes) {
        survey.add(path, outcome, &named);
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
    (task, request): (&Task, &dyn Fn(&I) -> FileRequest),
    analyze: impl Fn(&I) -> FileOutcome + Send + Sync + 'static,
) -> Vec<FileOutcome> {
    let time_limit = Duration::from_secs(arguments.time_limit);
    if items.len() > jobs(arguments)
        && let Some(outcomes) = work_by_helpers(&items, arguments, (task, request))
    {
        return outcomes;
    }
    // A worker that waits for another process has its time limit there, and ends a little later.
    let deadline =
        time_limit.saturating_add(Duration::from_secs(u64::from(arguments.time_limit > 0)));
    let progress = Progress::new(items.len());
    let limits = (deadline, OnTimeout::Continue);
    let worked = work_on(items, jobs(arguments), limits, analyze, || {
        progress.advance();
    });
    progress.finish();
    let outcome = |worked| match worked {
        Some(TimedResult::Done(outcome)) => outcome,
        Some(TimedResult::TimedOut) | None => FileOutcome::Failed(timed_out(time_limit)),
    };
    worked.into_iter().map(outcome).collect()
}

/// The same by helpers; `None` if no process can be started.
fn work_by_helpers<I>(
    items: &[I],
    arguments: &Arguments,
    (task, request): (&Task, &dyn Fn(&I) -> FileRequest),
) -> Option<Vec<FileOutcome>> {
    let time_limit = Duration::from_secs(arguments.time_limit);
    let requests = items
        .iter()
        .map(|item| serde_json::to_vec(&request(item)).ok());
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
    let outcomes = answers.into_iter().map(|answer| match answer {
        Ok(answer) => decode_answer(answer, time_limit),
        Err(reason) => FileOutcome::Failed(reason),
    });
    Some(outcomes.collect())
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
    /// Counts the files that other formatters lay out, for [`Self::report_problems`].
    pub(crate) fn count_left_to_formatters(&mut self, session: &Session) {
        let reports = self.files.iter().map(|file| &file.report);
        let files = VisibleFiles::Workspace(Arc::clone(&session.workspace));
        self.left_to_formatters = LeftToFormatters::count(reports, session.config(), &files);
    }

    fn add(&mut self, path: &str, outcome: FileOutcome, named: &BTreeSet<String>) {
        match outcome {
            FileOutcome::Report(file) => self.files.push(*file),
            FileOutcome::Skipped(reason) if named.contains(path) => {
                self.skipped
                    .push((path.to_owned(), format!("{path}: {reason}")));
            }
            FileOutcome::Skipped(_) => {}
            // A file that is not text is an error only if the user named it.
            FileOutcome::Unread {
                message,
                is_about_content: true,
            } if !named.contains(path) => {
                self.skipped.push((path.to_owned(), message));
            }
            FileOutcome::Unread { message, .. } => self.failed.push((path.to_owned(), message)),
            FileOutcome::Generated { edited_by_hand } => {
                self.generated += 1;
                let why = match edited_by_hand {
                    true => format!(
                        "{path} is generated, and was edited by hand since; generate it again, or \
                         remove it from {GENERATED_LIST} to make it a source"
                    ),
                    false if named.contains(path) => format!("{path}: {}", is_generated()),
                    false => return,
                };
                self.skipped.push((path.to_owned(), why));
            }
            FileOutcome::Failed(reason) => self
                .failed
                .push((path.to_owned(), format!("{path}: {reason}"))),
        }
    }
}

pub(crate) fn jobs(arguments: &Arguments) -> usize {
    let cores = || std::thread::available_parallelism().ok();
    arguments.jobs.or_else(cores).map_or(1, Into::into)
}

/// The canonical text that a report leads to. Its digest must be the one that the report states.
pub(crate) fn canonical_text(report: &FixReport, snapshot: &Snapshot) -> Result<String, Failure> {
    let Some(canonical) = &report.canonical else {
        return Ok(snapshot.text().to_owned());
    };
    let applied = apply(snapshot, &canonical.edits)?;
    if Digest::of(applied.text.as_bytes()).to_string() != canonical.sha256 {
        return Err(Failure::Run(format!(
            "the report for {} is damaged: its edits do not lead to its canonical text",
            report.path()
        )));
    }
    Ok(applied.text)
}
