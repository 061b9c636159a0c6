//! Why a command could not do its work. A failure is never a finding, and a finding never a failure.

use thiserror::Error;

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
    Config(String),
    /// Files could not be worked on; each has been told already.
    #[error("{}", files_failed(*count))]
    Files { count: usize },
    /// Nobody reads what is printed.
    #[error("the output cannot be written: {0}")]
    Output(#[from] std::io::Error),
}

impl Failure {
    pub(crate) fn run(error: impl ToString) -> Self {
        Self::Run(error.to_string())
    }

    pub(crate) fn status(&self) -> i32 {
        match self {
            Self::Usage(_) | Self::Config(_) => 2,
            Self::Run(_) | Self::Files { .. } | Self::Output(_) => 3,
        }
    }
}

fn files_failed(count: usize) -> String {
    match count {
        1 => "1 file could not be worked on".to_owned(),
        _ => format!("{count} files could not be worked on"),
    }
}
