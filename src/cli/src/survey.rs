//! Finding, reading and analysing many files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_edit::apply;
use fixpoint_engine::{Config, Policy};
use fixpoint_format::SourceLanguage;
use fixpoint_lint::Deprecated;
use fixpoint_report::FixReport;
use fixpoint_starlark::{FileKind, parse_nodes};
use fixpoint_text::Snapshot;
use fixpoint_validate::Library;
use fixpoint_workspace::{Found, ReadError};

use crate::args::{Arguments, ChangedOption, PolicyOptions, SafetyLevel};
use crate::documents::{Assigned, Documents, Source, Texts};
use crate::failure::Failure;
use crate::isolate::{Handed, HandedModules, ISOLATION_SIZE, analyze_isolated, timed_out};
use crate::loads::Loads;
use crate::modules::ModuleSource;
use crate::output::Output;
use crate::pipeline::{Phases, Settings, analyze_guarded};
use crate::pool::{Worked, work_on};
use crate::progress::Progress;
use crate::render::words::shown;
use crate::session::{Session, parse_config};

const OF_NO_LANGUAGE: &str = "its language is not known, or switched off";

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
    let found = session
        .workspace
        .find(wanted, exclude)
        .map_err(|error| Failure::Run(error.to_string()))?;
    let Some(revision) = &changed.changed else {
        return Ok(found);
    };
    let changed = session
        .workspace
        .changed_files(revision, exclude)
        .map_err(Failure::run)?;
    Ok(found.within(changed.files()))
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
    let analyst = Analyst {
        wanted: Phases::Validation,
        ..Analyst::of(session, arguments, &options)
    };
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
    let workspace = Arc::clone(&session.workspace);
    let look = move |path: &String| {
        let known = match analyst.wanted {
            Phases::Validation => Some(Library::reads(path)),
            _ => SourceLanguage::by_name(path, &analyst.config),
        };
        if known == Some(false) {
            return Seen::Unknown(OF_NO_LANGUAGE);
        }
        match workspace.read(path) {
            Ok(snapshot) => analyst.look(snapshot),
            // Whatever it is, it does not start with a line that names an interpreter.
            Err(error) if known.is_none() && error.is_about_content() => {
                Seen::Unknown(OF_NO_LANGUAGE)
            }
            Err(error) => Seen::Unread(error),
        }
    };
    for (path, seen) in files.iter().zip(work(files.clone(), arguments, look)) {
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
    let mut survey = Survey::default();
    let analyst = Analyst {
        wanted,
        ..Analyst::of(session, arguments, &PolicyOptions::default())
    };
    let named = texts
        .iter()
        .map(|snapshot| snapshot.path().to_owned())
        .collect();
    let seen = work(texts.clone(), arguments, move |snapshot: &Snapshot| {
        analyst.look(snapshot.clone())
    });
    for (snapshot, seen) in texts.iter().zip(seen) {
        survey.put(snapshot.path(), seen, &named);
    }
    survey
}

/// [`work_on`] with the limits of the command line and a progress bar.
fn work<I: Send + Sync + 'static>(
    items: Vec<I>,
    arguments: &Arguments,
    look: impl Fn(&I) -> Seen + Send + Sync + 'static,
) -> Vec<Seen> {
    let time_limit = Duration::from_secs(arguments.time_limit);
    // A worker that waits for another process has its time limit there, and ends a little later.
    let patience =
        time_limit.saturating_add(Duration::from_secs(u64::from(arguments.time_limit > 0)));
    let progress = Progress::new(items.len());
    let seen = work_on(items, jobs(arguments), patience, look, || {
        progress.advance()
    });
    progress.finish();
    let in_time = |seen| match seen {
        Worked::Done(seen) => seen,
        Worked::TimedOut => Seen::Failed(timed_out(time_limit)),
    };
    seen.into_iter().map(in_time).collect()
}

/// What it takes to look at a text.
pub(crate) struct Analyst {
    config: Arc<Config>,
    config_text: Arc<str>,
    documents: Arc<Documents>,
    modules: Arc<ModuleSource>,
    loads: Loads,
    options: PolicyOptions,
    policy: Policy,
    wanted: Phases,
    time_limit: Duration,
}

impl Analyst {
    fn of(session: &Session, arguments: &Arguments, options: &PolicyOptions) -> Self {
        Self {
            config: Arc::clone(&session.config),
            config_text: Arc::clone(&session.config_text),
            documents: Arc::clone(&session.documents),
            modules: Arc::clone(&session.modules),
            loads: Loads::of(Arc::clone(&session.workspace)),
            options: options.clone(),
            policy: options.policy(),
            wanted: Phases::All,
            time_limit: Duration::from_secs(arguments.time_limit),
        }
    }

    /// One with the default policy, the configuration in `config_text`, and the files at hand that it
    /// may name, and what documents are `assigned` beside it. What Starlark loads is not among them.
    pub(crate) fn with_config(
        config_text: &str,
        files: Texts,
        assigned: &[Assigned],
        time_limit: Duration,
    ) -> Result<Self, Failure> {
        let options = PolicyOptions::default();
        let config = parse_config(config_text)?;
        let documents = Documents::open(&config, config_text, Source::Handed(files), assigned)?;
        Ok(Self {
            config: Arc::new(config),
            config_text: config_text.into(),
            documents: Arc::new(documents),
            modules: Arc::new(ModuleSource::unknown()),
            loads: Loads::Handed(Deprecated::new()),
            policy: options.policy(),
            options,
            wanted: Phases::All,
            time_limit,
        })
    }

    /// One that knows these modules of Clank.
    pub(crate) fn with_modules(mut self, modules: ModuleSource) -> Self {
        self.modules = Arc::new(modules);
        self
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn look(&self, snapshot: Snapshot) -> Seen {
        let report = if snapshot.text().len() > ISOLATION_SIZE {
            // Only what this text needs must have been read for it.
            let _ = self.documents.checks(&snapshot, &self.config);
            let handed = Handed {
                deprecated: self.deprecated(&snapshot),
                config: self.config_text.to_string(),
                files: self.documents.texts(),
                assigned: self.documents.assigned_to(snapshot.path()),
                modules: HandedModules::of(&self.modules, &snapshot),
            };
            analyze_isolated(
                &snapshot,
                &handed,
                &self.options,
                self.wanted,
                self.time_limit,
            )
        } else {
            let settings = Settings {
                config: &self.config,
                documents: &self.documents,
                modules: &self.modules,
                loads: &self.loads,
            };
            analyze_guarded(&snapshot, settings, &self.policy, self.wanted)
                .map(|run| run.map(|run| run.report))
        };
        match report {
            Ok(None) if self.wanted == Phases::Validation => {
                Seen::Unknown("no schema and no rule is for it")
            }
            Ok(None) => Seen::Unknown(OF_NO_LANGUAGE),
            Ok(Some(report)) => Seen::Report(Box::new(surveyed(report, snapshot))),
            Err(reason) => Seen::Failed(reason),
        }
    }
}

impl Analyst {
    /// What is deprecated among that which a text loads, if it is Starlark.
    fn deprecated(&self, snapshot: &Snapshot) -> Deprecated {
        match FileKind::from_path(snapshot.path()) {
            Some(_) => self
                .loads
                .deprecated(snapshot.path(), &parse_nodes(snapshot.text())),
            None => Deprecated::new(),
        }
    }
}

pub(crate) enum Seen {
    Report(Box<Surveyed>),
    /// There is nothing to look for in it, and why.
    Unknown(&'static str),
    Unread(ReadError),
    Failed(String),
}

pub(crate) fn surveyed(report: FixReport, snapshot: Snapshot) -> Surveyed {
    let silent = report.diagnostics.is_empty()
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
            Seen::Unread(error) if error.is_about_content() && !named.contains(path) => {
                self.skipped.push((path.to_owned(), error.to_string()));
            }
            Seen::Unread(error) => self.failed.push((path.to_owned(), error.to_string())),
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
