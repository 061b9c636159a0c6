//! The protocol: reproduce, localize, fix, prevent, prove.
//!
//! The steps always run in the same order, and every run of a command goes through the
//! [`executor::Executor`], which records it. An interrupted run is resumed by running the steps again
//! with the recorded runs in place of new ones.

mod artifacts;
mod asking;
mod conclusion;
mod executor;
mod expectations;
mod files;
mod inputs;
mod invocation;
mod observed;
mod other_inputs;
mod policies;
mod proof;
pub(crate) mod proposals;
pub(crate) mod protocol;
mod shrink;
mod split;
mod strength;
mod test_body;
mod unneeded;

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use crate::checkpoint::CheckpointError;
use crate::config::ConfigError;
use crate::evidence::RecorderError;
use crate::scratch::{PatchError, ScratchError};
use crate::verdict::Verdict;

pub use protocol::prove;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The failing command.
    pub repro: String,
    pub repo: PathBuf,
    pub config: Option<PathBuf>,
    /// The engine, if it is not the one of the settings.
    pub engine: Option<String>,
    /// The issue or pull request that asks for the fix.
    pub issue: Option<u64>,
    /// The folder for artifacts; `artifacts` in the repository by default.
    pub artifacts: Option<PathBuf>,
    /// The time for the whole run.
    pub time_limit: Option<Duration>,
    /// Stop after the patch was found.
    pub dry_run: bool,
    /// Use the runs that an interrupted run has recorded.
    pub resume: bool,
}

/// The result on standard output. The field names are a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub success: bool,
    pub verdict: Verdict,
    pub artifacts_dir: String,
    pub pr_body_path: String,
    pub evidence_json_path: String,
    pub evidence_md_path: String,
    /// None if no patch was found.
    pub patch_path: Option<String>,
    pub notes: Vec<String>,
}

/// Why a run could not be carried out. A failed proof is a verdict, not an error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    #[error("{0}\nhelp: pass the repository with --repo; nothing ran")]
    Open(#[from] fixpoint_workspace::WorkspaceError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("there is no engine {name:?}; use fixpoint, command, openai or claude")]
    UnknownEngine { name: String },
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    #[error(transparent)]
    Patch(#[from] PatchError),
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    #[error("cannot write {}: {source}", path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("the run cannot be saved for --resume: {0}")]
    Checkpoint(#[from] CheckpointError),
    #[error("{what}: {message}")]
    Other { what: &'static str, message: String },
}

impl ProveError {
    /// Whether the settings or the options are wrong, and not the run.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Config(_) | Self::UnknownEngine { .. })
    }
}
