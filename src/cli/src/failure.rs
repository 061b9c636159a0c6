//! Why a command failed. Failures are separate from findings.

use fixpoint_analysis::ProjectError;
use fixpoint_workspace::{CONFIG_FILE, ReadError};
use thiserror::Error;

use crate::render::words::printable;
use crate::render::{Rendered, snippet};

#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The command was called wrongly.
    #[error("{0}")]
    Usage(String),
    /// The run itself failed.
    #[error("{0}")]
    Run(String),
    /// `fixpoint.toml` is wrong; already rendered as a snippet.
    #[error("{0}")]
    Config(Rendered),
    /// Files could not be processed; each has been reported already.
    #[error("{}", files_failed(*count))]
    Files { count: usize },
    /// Files could not be written; each has been reported already.
    #[error("{}", files_unwritten(*count))]
    Unwritten { count: usize },
    /// Standard output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] std::io::Error),
}

impl Failure {
    pub(crate) fn run(error: impl ToString) -> Self {
        Self::Run(error.to_string())
    }

    /// A project whose settings, schemas or rules files cannot be used.
    pub(crate) fn of_project(error: &ProjectError, settings: &str) -> Self {
        let message = error.to_string();
        match error {
            ProjectError::Settings(error) => {
                Self::Config(snippet::error(CONFIG_FILE, settings, error.span, &message))
            }
            ProjectError::Schema { span, .. } => {
                Self::Config(snippet::error(CONFIG_FILE, settings, *span, &message))
            }
            ProjectError::Rules {
                path, text, span, ..
            } => Self::Config(snippet::error(path, text, *span, &message)),
            ProjectError::AssignedSchema(_) => Self::Run(message),
            ProjectError::UnreadableRules(_)
            | ProjectError::MissingRules { .. }
            | ProjectError::Globs(_) => Self::Usage(message),
        }
    }

    /// A file named by the user that cannot be read or is not text.
    pub(crate) fn unread(error: ReadError) -> Self {
        if error.is_about_content() {
            return Self::run(error);
        }
        Self::Run(format!("cannot read {error}"))
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
            Self::Usage(_) | Self::Config(_) => 2,
            Self::Run(_) | Self::Files { .. } | Self::Unwritten { .. } | Self::Output(_) => 3,
        }
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
