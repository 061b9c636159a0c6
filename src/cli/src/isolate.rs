//! The tasks of helper processes. Each helper gets one task, and then requests for it.
//!
//! A large file is analyzed by a separate helper, since parsers recurse as deep as it nests. If a
//! workspace has many files, they are distributed to several helpers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fixpoint_analysis::{AnalysisInput, AnalysisOptions, Analyzer, ProjectInput, analyze};
use fixpoint_engine::Reported;
use fixpoint_report::{FixReport, from_protobuf, to_protobuf};
use fixpoint_text::Snapshot;
use fixpoint_workspace::Workspace;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Verdict;
use crate::bazel::worker::ActionRunner;
use crate::clank::ModuleSource;
use crate::failure::Failure;
use crate::file_analyzer::{FileAnalyzer, FileOutcome, outcome};
use crate::helper::{self, Helper, HelperFailure};
use crate::inputs::Inputs;
use crate::survey::Surveyed;

/// Below this size the stack that workers have suffices for any nesting; above it files are few.
pub(crate) const ISOLATION_SIZE: usize = 256 << 10;

/// The minimum time that a helper has to get ready.
const PREPARATION: Duration = Duration::from_secs(10);

/// The task of a helper. The helper signals that it is ready with an empty answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Answers an [`AnalysisInput`] with a [`FileOutcome`].
    File,
    /// Answers a [`FileRequest`] with a [`FileOutcome`].
    Workspace(Box<WorkspaceTask>),
    /// Answers the request of a Bazel worker.
    Worker { time_limit: u64 },
}

/// Files of a workspace. The helper opens the workspace and reads them itself.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorkspaceTask {
    pub(crate) root: PathBuf,
    pub(crate) project: ProjectInput,
    pub(crate) options: AnalysisOptions,
    /// Whether files are analyzed with the inputs of a Bazel action.
    pub(crate) is_action: bool,
}

/// A file of the workspace, or a text that replaces it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileRequest {
    pub(crate) path: String,
    pub(crate) text: Option<String>,
    pub(crate) reported: Reported,
}

/// The header of an answer. The report follows and, if it is kept, the text.
#[derive(Debug, Serialize, Deserialize)]
enum Head {
    Report {
        path: String,
        length: usize,
        has_text: bool,
    },
    Skipped(String),
    Unread {
        message: String,
        is_about_content: bool,
    },
    Generated {
        edited_by_hand: bool,
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
            Err(lost) => Err(failure_reason(lost, time_limit)),
        }
    }
}

/// Analyzes a file in a separate process.
pub(crate) fn analyze_isolated(input: AnalysisInput, time_limit: Duration) -> FileOutcome {
    let mut helper = match Task::File.begin(None, time_limit) {
        Ok(helper) => helper,
        Err(reason) => return FileOutcome::Failed(reason),
    };
    match serde_json::to_vec(&input) {
        Ok(request) => decode_answer(helper.ask(&request, time_limit), time_limit),
        Err(error) => FileOutcome::Failed(error.to_string()),
    }
}

/// Decodes the answer of a helper.
pub(crate) fn decode_answer(
    answer: Result<Vec<u8>, HelperFailure>,
    time_limit: Duration,
) -> FileOutcome {
    match answer {
        Ok(answer) => decode(&answer).unwrap_or_else(|| {
            FileOutcome::Failed("the answer of a helper process cannot be decoded".into())
        }),
        Err(lost) => FileOutcome::Failed(failure_reason(lost, time_limit)),
    }
}

fn failure_reason(lost: HelperFailure, time_limit: Duration) -> String {
    match lost {
        HelperFailure::TimedOut => timed_out(time_limit),
        HelperFailure::Crashed => {
            "the analysis crashed; the file may nest too deeply or need too much memory".to_owned()
        }
    }
}

pub(crate) fn timed_out(time_limit: Duration) -> String {
    format!(
        "took longer than {} seconds or more than 4 GiB of memory, so it was given up; --time-limit sets the limit",
        time_limit.as_secs()
    )
}

/// Answers one request after another.
type RequestHandler = Box<dyn FnMut(&[u8]) -> Vec<u8> + Send>;

/// The helper's side.
pub(crate) fn serve() -> Result<Verdict, Failure> {
    let mut handler: Option<RequestHandler> = None;
    helper::serve(move |frame| match &mut handler {
        Some(answer) => answer(frame),
        None => match begin(frame) {
            Ok(begun) => {
                handler = Some(begun);
                Vec::new()
            }
            Err(failure) => failure.plain().into_bytes(),
        },
    })
    .map_err(Failure::Helper)?;
    Ok(Verdict::Done)
}

fn begin(task: &[u8]) -> Result<RequestHandler, Failure> {
    let task: Task = serde_json::from_slice(task).map_err(|_| {
        Failure::Usage("`fixpoint isolated` is internal; use `fixpoint check`".into())
    })?;
    match task {
        Task::File => Ok(Box::new(answer_file)),
        Task::Workspace(task) => begin_workspace(*task),
        Task::Worker { time_limit } => {
            let runner = ActionRunner::new(time_limit);
            Ok(Box::new(move |request| runner.answer(request)))
        }
    }
}

fn answer_file(request: &[u8]) -> Vec<u8> {
    encode(match serde_json::from_slice::<AnalysisInput>(request) {
        Ok(input) => match outcome(analyze(&input), input.file.source) {
            // The caller already has the text.
            FileOutcome::Report(file) => FileOutcome::Report(Box::new(Surveyed {
                snapshot: None,
                ..*file
            })),
            other => other,
        },
        Err(error) => FileOutcome::Failed(error.to_string()),
    })
}

fn begin_workspace(task: WorkspaceTask) -> Result<RequestHandler, Failure> {
    let workspace = Arc::new(Workspace::open(&task.root)?);
    let analyzer = Analyzer::new(&task.project)
        .map_err(|error| Failure::of_project(error, &task.project.settings))?;
    let modules = ModuleSource::of_workspace(&workspace, analyzer.config().exclude());
    let modules = Arc::new(modules);
    let files = FileAnalyzer {
        inputs: match task.is_action {
            true => Inputs::of_action(task.project.files.clone(), modules),
            false => Inputs::of_workspace(&workspace, modules),
        },
        project: Arc::new(task.project),
        analyzer: Arc::new(analyzer),
        options: task.options,
        isolation: None,
    };
    Ok(Box::new(move |request| {
        encode(match serde_json::from_slice::<FileRequest>(request) {
            Ok(FileRequest {
                path,
                text: Some(text),
                reported,
            }) => files.analyze(Snapshot::new(path, text), reported),
            Ok(FileRequest {
                path, text: None, ..
            }) => files.analyze_path(&workspace, &path),
            Err(error) => FileOutcome::Failed(error.to_string()),
        })
    }))
}

/// Wire format: `u64` length of the JSON header, the header, the report, then the text.
fn encode(outcome: FileOutcome) -> Vec<u8> {
    let (head, report, text) = match outcome {
        FileOutcome::Report(surveyed) => {
            let Surveyed { report, snapshot } = *surveyed;
            let bytes = to_protobuf(&report);
            let head = Head::Report {
                path: report.path().to_owned(),
                length: bytes.len(),
                has_text: snapshot.is_some(),
            };
            (head, bytes, snapshot)
        }
        FileOutcome::Skipped(reason) => (Head::Skipped(reason.into()), Vec::new(), None),
        FileOutcome::Unread {
            message,
            is_about_content,
        } => {
            let head = Head::Unread {
                message,
                is_about_content,
            };
            (head, Vec::new(), None)
        }
        FileOutcome::Generated { edited_by_hand } => {
            (Head::Generated { edited_by_hand }, Vec::new(), None)
        }
        FileOutcome::Failed(reason) => (Head::Failed(reason), Vec::new(), None),
    };
    let head = serde_json::to_vec(&head).unwrap_or_default();
    let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
    bytes.extend(head);
    bytes.extend(report);
    bytes.extend(text.iter().flat_map(|text| text.text().bytes()));
    bytes
}

fn decode(answer: &[u8]) -> Option<FileOutcome> {
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
            FileOutcome::Report(Box::new(Surveyed { report, snapshot }))
        }
        Head::Skipped(reason) => FileOutcome::Skipped(reason.into()),
        Head::Unread {
            message,
            is_about_content,
        } => FileOutcome::Unread {
            message,
            is_about_content,
        },
        Head::Generated { edited_by_hand } => FileOutcome::Generated { edited_by_hand },
        Head::Failed(reason) => FileOutcome::Failed(reason),
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
    fn an_encoded_answer_is_decoded_to_the_same() {
        let failed = decode(&encode(FileOutcome::Failed("why".to_owned())));
        assert!(matches!(failed, Some(FileOutcome::Failed(reason)) if reason == "why"));
        assert!(decode(b"short").is_none());
        assert!(decode(&[255; 20]).is_none());
    }
}
