//! Why a command failed. Failures are separate from findings.

use std::io;
use std::path::PathBuf;

use fixpoint_analysis::ProjectError;
use fixpoint_edit::EditError;
use fixpoint_report::ReportError;
use fixpoint_workspace::{
    AccessError, CONFIG_FILE, ChangedError, FindError, OutputError, PathError, ReadError,
    RecoverError, WorkspaceError, WriteError,
};
use thiserror::Error;

use crate::render::words::printable;
use crate::render::{Rendered, snippet};
use crate::rule_store::RuleStoreError;

#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The command was called wrongly.
    #[error("{0}")]
    Usage(String),
    /// The command cannot do what it was asked for, for a reason that only it knows.
    #[error("{0}")]
    Run(String),
    /// `fixpoint.toml` is wrong; already rendered as a snippet.
    #[error("{0}")]
    Config(Rendered),
    /// The schemas or rules files of a project cannot be used.
    #[error(transparent)]
    Project(ProjectError),
    /// Files could not be processed; each has been reported already.
    #[error("{}", files_failed(*count))]
    Files { count: usize },
    /// Files could not be written; each has been reported already.
    #[error("{}", files_unwritten(*count))]
    Unwritten { count: usize },
    /// Standard output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
    #[error("cannot read standard input: {0}")]
    StandardInput(#[source] io::Error),
    #[error("cannot determine the current folder: {0}")]
    CurrentFolder(#[source] io::Error),
    /// A helper process lost its connection to the process that started it.
    #[error("cannot communicate with the parent process: {0}")]
    Helper(#[source] io::Error),
    /// A file outside of the workspace's sources, such as a stored report or an input of an action.
    #[error("{}", input_unread(.0))]
    Input(#[source] ReadError),
    #[error("{}: {error}", path.display())]
    StoredReport {
        path: PathBuf,
        #[source]
        error: ReportError,
    },
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    Changed(#[from] ChangedError),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Recover(#[from] RecoverError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Outputs(#[from] OutputError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Rules(#[from] RuleStoreError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[cfg(feature = "clank")]
    #[error(transparent)]
    Script(#[from] crate::clank::ScriptError),
}

impl Failure {
    /// A project whose settings, schemas or rules files cannot be used.
    pub(crate) fn of_project(error: ProjectError, settings: &str) -> Self {
        let message = error.to_string();
        let (path, text, span) = match &error {
            ProjectError::Settings(error) => (CONFIG_FILE, settings, error.span),
            ProjectError::Schema { span, .. } => (CONFIG_FILE, settings, *span),
            ProjectError::Rules {
                path, text, span, ..
            } => (path.as_str(), text.as_str(), *span),
            ProjectError::AssignedSchema(_)
            | ProjectError::UnreadableRules(_)
            | ProjectError::MissingRules { .. }
            | ProjectError::Globs(_) => return Self::Project(error),
        };
        Self::Config(snippet::error(path, text, span, &message))
    }

    /// The message without colors, for a reader that is not [`crate::output::Output`].
    pub(crate) fn plain(&self) -> String {
        match self {
            Self::Config(rendered) => rendered.plain(),
            other => printable(&other.to_string()).into_owned(),
        }
    }

    pub(crate) fn status(&self) -> i32 {
        match self {
            Self::Project(ProjectError::AssignedSchema(_)) => 3,
            Self::Usage(_) | Self::Config(_) | Self::Project(_) => 2,
            Self::Rules(RuleStoreError::Unknown { .. } | RuleStoreError::Ambiguous { .. }) => 2,
            // A wrong pattern in the settings.
            Self::Find(FindError::Exclude { .. })
            | Self::Changed(ChangedError::Find(FindError::Exclude { .. })) => 2,
            _ => 3,
        }
    }
}

fn input_unread(error: &ReadError) -> String {
    match error.is_about_content() {
        true => error.to_string(),
        false => format!("cannot read {error}"),
    }
}

fn files_failed(count: usize) -> String {
    match count {
        1 => "1 file could not be processed".to_owned(),
        _ => format!("{count} files could not be processed"),
    }
}

fn files_unwritten(count: usize) -> String {
    match count {
        1 => "1 file was not written; all other fixes were written".to_owned(),
        _ => format!("{count} files were not written; all other fixes were written"),
    }
}
