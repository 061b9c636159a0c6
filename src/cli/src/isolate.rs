//! The tasks of helper processes. Each helper gets one task, and then requests for it.
//!
//! A large file is analysed by a separate helper, since parsers recurse as deep as it nests. If a
//! workspace has many files, they are distributed to several helpers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fixpoint_clank::modules::{Interface, Modules, read_interfaces, write_interfaces};
use fixpoint_engine::Reported;
use fixpoint_lint::Deprecated;
use fixpoint_report::{Fix, FixReport, from_protobuf, to_protobuf};
use fixpoint_text::Snapshot;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Verdict;
use crate::args::PolicyOptions;
use crate::bazel::worker::Performer;
use crate::documents::{Assigned, Documents, Source, Texts};
use crate::failure::Failure;
use crate::helper::{self, Helper, Lost};
use crate::loads::Loads;
use crate::modules::ModuleSource;
use crate::pipeline::Phases;
use crate::session::{Session, parse_config};
use crate::survey::{Analyst, Seen, Surveyed};

/// Below this size the stack that workers have suffices for any nesting; above it files are few.
pub(crate) const ISOLATION_SIZE: usize = 256 << 10;

/// The minimum time that a helper has to get ready.
const PREPARATION: Duration = Duration::from_secs(10);

/// The task of a helper. The helper signals that it is ready with an empty answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// A request is a text, an answer is a [`Seen`].
    Text(Box<TextTask>),
    /// A request is a [`Request`], an answer is a [`Seen`].
    Workspace(WorkspaceTask),
    /// A request is the action of a Bazel worker.
    Worker { time_limit: u64 },
}

/// The helper does not open the workspace; it sees only what is passed to it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TextTask {
    pub(crate) path: String,
    pub(crate) wanted: Phases,
    pub(crate) options: PolicyOptions,
    pub(crate) handed: Handed,
}

/// The helper opens the workspace as its parent did.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorkspaceTask {
    pub(crate) root: PathBuf,
    pub(crate) config_text: String,
    pub(crate) assigned: Vec<Assigned>,
    pub(crate) is_mending: bool,
    pub(crate) wanted: Phases,
    pub(crate) options: PolicyOptions,
    /// Whether texts are analyzed with the inputs of a Bazel action.
    pub(crate) is_action: bool,
}

/// A file of the workspace, or a text that replaces it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) text: Option<String>,
    pub(crate) reported: ReportedInput,
}

/// The header of an answer. The report follows and, if it is kept, the text.
#[derive(Debug, Serialize, Deserialize)]
enum Head {
    Report {
        path: String,
        length: usize,
        has_text: bool,
    },
    Unknown(String),
    Unread {
        message: String,
        is_about_content: bool,
    },
    Failed(String),
}

impl Task {
    /// Prepares a helper, starting one if necessary, and waits until it is ready.
    pub(crate) fn begin(
        &self,
        started: Option<Helper>,
        time_limit: Duration,
    ) -> Result<Helper, String> {
        let cannot = |error: std::io::Error| format!("cannot start a helper process: {error}");
        let mut helper = match started {
            Some(helper) => helper,
            None => Helper::start().map_err(cannot)?,
        };
        let task = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        match helper.ask(&task, time_limit.max(PREPARATION)) {
            Ok(ready) if ready.is_empty() => Ok(helper),
            Ok(problem) => Err(String::from_utf8_lossy(&problem).into_owned()),
            Err(lost) => Err(lost_reason(lost, time_limit)),
        }
    }
}

/// Analyses a text in a separate process.
pub(crate) fn analyze_isolated(task: TextTask, text: &str, time_limit: Duration) -> Seen {
    let mut helper = match Task::Text(Box::new(task)).begin(None, time_limit) {
        Ok(helper) => helper,
        Err(reason) => return Seen::Failed(reason),
    };
    seen(helper.ask(text.as_bytes(), time_limit), time_limit)
}

/// Decodes the answer of a helper.
pub(crate) fn seen(answer: Result<Vec<u8>, Lost>, time_limit: Duration) -> Seen {
    match answer {
        Ok(answer) => decode(&answer).unwrap_or_else(|| {
            Seen::Failed("the answer of a helper process cannot be decoded".into())
        }),
        Err(lost) => Seen::Failed(lost_reason(lost, time_limit)),
    }
}

fn lost_reason(lost: Lost, time_limit: Duration) -> String {
    match lost {
        Lost::Late => timed_out(time_limit),
        Lost::Crashed => {
            "the analysis crashed; the file may nest too deeply or need too much memory".to_owned()
        }
    }
}

pub(crate) fn timed_out(time_limit: Duration) -> String {
    format!(
        "took longer than {} seconds or more than 4 GiB of memory, and was given up (see --time-limit)",
        time_limit.as_secs()
    )
}

/// The inputs of a text, in addition to the settings of the workspace.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Handed {
    pub(crate) config: String,
    /// Schemas and rules files.
    pub(crate) files: Texts,
    /// What the text is to meet beside it.
    pub(crate) assigned: Vec<Assigned>,
    pub(crate) modules: HandedModules,
    /// What is deprecated among that which the text loads.
    pub(crate) deprecated: Deprecated,
    pub(crate) reported: ReportedInput,
}

/// Fixes that stored reports list for the text.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReportedInput {
    fixes: Vec<Fix>,
    /// Whether only these fixes are applied.
    alone: bool,
}

impl ReportedInput {
    pub(crate) fn of(reported: &Reported) -> Self {
        Self {
            fixes: reported.fixes().to_vec(),
            alone: matches!(reported, Reported::Only(_)),
        }
    }

    fn read(self) -> Reported {
        match self.alone {
            true => Reported::Only(self.fixes),
            false => Reported::First(self.fixes),
        }
    }
}

/// The modules of Clank, as text.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HandedModules {
    interfaces: Option<String>,
    /// Whether there may be more.
    partial: bool,
}

impl HandedModules {
    pub(crate) fn of(source: &ModuleSource, snapshot: &Snapshot) -> Self {
        if !snapshot.path().ends_with(".clank") {
            return Self::default();
        }
        let modules = source.of_text(snapshot.text());
        let interfaces: Vec<Interface> = modules.iter().cloned().collect();
        Self {
            interfaces: Some(write_interfaces(&interfaces)),
            partial: modules.is_partial(),
        }
    }

    fn read(&self) -> ModuleSource {
        let Some(text) = &self.interfaces else {
            return ModuleSource::unknown();
        };
        let interfaces = read_interfaces(text).unwrap_or_default();
        let modules = Modules::complete(interfaces.into_iter().map(Into::into));
        let modules = if self.partial {
            modules.or_more()
        } else {
            modules
        };
        ModuleSource::Handed(modules.into())
    }
}

/// Answers one request after another.
type Answering = Box<dyn FnMut(&[u8]) -> Vec<u8> + Send>;

/// The helper's side.
pub(crate) fn serve() -> Result<Verdict, Failure> {
    let mut answering: Option<Answering> = None;
    helper::serve(move |frame| match &mut answering {
        Some(answer) => answer(frame),
        None => match begin(frame) {
            Ok(begun) => {
                answering = Some(begun);
                Vec::new()
            }
            Err(failure) => failure.plain().into_bytes(),
        },
    })
    .map_err(Failure::run)?;
    Ok(Verdict::Done)
}

fn begin(task: &[u8]) -> Result<Answering, Failure> {
    let task: Task = serde_json::from_slice(task).map_err(|_| {
        Failure::Usage("`fixpoint isolated` is for fixpoint itself; use `fixpoint check`".into())
    })?;
    match task {
        Task::Text(task) => begin_text(*task),
        Task::Workspace(task) => begin_workspace(task),
        Task::Worker { time_limit } => {
            let performer = Performer::new(time_limit);
            Ok(Box::new(move |request| performer.answer(request)))
        }
    }
}

fn begin_text(task: TextTask) -> Result<Answering, Failure> {
    let handed = task.handed;
    let config = parse_config(&handed.config)?;
    let source = Source::Handed(handed.files);
    let documents = Documents::open(&config, &handed.config, source, &handed.assigned)?;
    let analyst = Analyst::of_parts(
        (Arc::new(config), handed.config.into()),
        (documents, handed.modules.read()),
        Loads::Handed(handed.deprecated),
        (&task.options, task.wanted),
    );
    let path = task.path;
    let reported = handed.reported.read();
    Ok(Box::new(move |text| match str::from_utf8(text) {
        Ok(text) => {
            let seen = analyst.look_with(&Snapshot::new(path.as_str(), text), &reported);
            // The caller already has the text.
            encode(match seen {
                Seen::Report(file) => Seen::Report(Box::new(Surveyed {
                    report: file.report,
                    snapshot: None,
                })),
                other => other,
            })
        }
        Err(error) => encode(Seen::Failed(error.to_string())),
    }))
}

fn begin_workspace(task: WorkspaceTask) -> Result<Answering, Failure> {
    let session = Session::of_task(&task)?;
    let workspace = Arc::clone(&session.workspace);
    let analyst = if task.is_action {
        Analyst::as_action(&session, Duration::MAX)?.helping()
    } else {
        Analyst::of_session(&session, &task.options, Duration::MAX)
            .wanting(task.wanted)
            .helping()
    };
    Ok(Box::new(move |request| {
        let seen = match serde_json::from_slice::<Request>(request) {
            Ok(Request {
                path,
                text: Some(text),
                reported,
            }) => analyst.look_with(&Snapshot::new(path, text), &reported.read()),
            Ok(Request {
                path, text: None, ..
            }) => analyst.look_at(&workspace, &path),
            Err(error) => Seen::Failed(error.to_string()),
        };
        encode(seen)
    }))
}

/// Wire format: `u64` length of the JSON header, the header, the report, then the text.
fn encode(seen: Seen) -> Vec<u8> {
    let (head, report, text) = match seen {
        Seen::Report(surveyed) => {
            let Surveyed { report, snapshot } = *surveyed;
            let bytes = to_protobuf(&report);
            let head = Head::Report {
                path: report.path().to_owned(),
                length: bytes.len(),
                has_text: snapshot.is_some(),
            };
            (head, bytes, snapshot)
        }
        Seen::Unknown(reason) => (Head::Unknown(reason.into()), Vec::new(), None),
        Seen::Unread {
            message,
            is_about_content,
        } => {
            let head = Head::Unread {
                message,
                is_about_content,
            };
            (head, Vec::new(), None)
        }
        Seen::Failed(reason) => (Head::Failed(reason), Vec::new(), None),
    };
    let head = serde_json::to_vec(&head).unwrap_or_default();
    let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
    bytes.extend(head);
    bytes.extend(report);
    bytes.extend(text.iter().flat_map(|text| text.text().bytes()));
    bytes
}

fn decode(answer: &[u8]) -> Option<Seen> {
    let (head, rest) = split_head(answer)?;
    Some(match head {
        Head::Report {
            path,
            length,
            has_text,
        } => {
            let (report, text) = rest.split_at_checked(length)?;
            let report: FixReport = from_protobuf(report).ok()?;
            let text = str::from_utf8(text).ok()?;
            let snapshot = has_text.then(|| Snapshot::new(path, text));
            Seen::Report(Box::new(Surveyed { report, snapshot }))
        }
        Head::Unknown(reason) => Seen::Unknown(reason.into()),
        Head::Unread {
            message,
            is_about_content,
        } => Seen::Unread {
            message,
            is_about_content,
        },
        Head::Failed(reason) => Seen::Failed(reason),
    })
}

fn split_head<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (head, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((serde_json::from_slice(head).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_back_as_it_was_made() {
        let failed = decode(&encode(Seen::Failed("why".to_owned())));
        assert!(matches!(failed, Some(Seen::Failed(reason)) if reason == "why"));
        assert!(decode(b"short").is_none());
        assert!(decode(&[255; 20]).is_none());
    }

    #[test]
    fn a_task_is_read_back_as_it_was_made() {
        let handed = || Handed {
            config: "a = 1".to_owned(),
            files: Texts::from([("s.json".to_owned(), Some("{}".to_owned()))]),
            assigned: vec![("d.json".to_owned(), "s.json".to_owned())],
            modules: HandedModules::default(),
            deprecated: Deprecated::from([(":a.bzl".to_owned(), ["f".to_owned()].into())]),
            reported: ReportedInput {
                fixes: Vec::new(),
                alone: true,
            },
        };
        let task = serde_json::to_vec(&handed()).expect("written");
        assert_eq!(serde_json::from_slice::<Handed>(&task).ok(), Some(handed()));
    }
}
