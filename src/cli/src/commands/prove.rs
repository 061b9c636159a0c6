//! `fixpoint prove`: fixes a failing command, and proves the fix by recorded runs.

use std::path::PathBuf;
use std::time::Duration;

use annotate_snippets::Level;
use clap::{Args, Subcommand};
use fixpoint_prove::evidence::verify;
use fixpoint_prove::replay::{Sources, replay};
use fixpoint_prove::run::{Options, prove};

use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ProveOptions {
    #[command(subcommand)]
    pub(crate) command: Option<ProveCommand>,

    /// The failing command, for example "pytest tests/test_parser.py"
    ///
    /// It is split into arguments and run without a shell.
    #[arg(long, value_name = "CMD", required = true)]
    pub(crate) repro: Option<String>,

    /// The repository [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) repo: Option<PathBuf>,

    /// The settings [default: .fixpoint/prove.yml, else .efix.yml, else the defaults]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Who proposes patches after our own analysis: fixpoint, command, openai or claude
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<String>,

    /// The issue or pull request that the pull request refers to
    #[arg(long, value_name = "N")]
    pub(crate) issue: Option<u64>,

    /// Where to write the artifacts [default: artifacts in the repository]
    #[arg(long, value_name = "DIR")]
    pub(crate) artifacts: Option<PathBuf>,

    /// Give up after this many seconds in total
    #[arg(long, value_name = "N")]
    pub(crate) timeout_seconds: Option<u64>,

    /// Write the patch that would be proved, and stop
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Continue a run that was interrupted, with the runs that it recorded
    #[arg(long)]
    pub(crate) resume: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProveCommand {
    /// Check that the artifacts of a proof are complete and unchanged; run nothing
    Verify { directory: PathBuf },
    /// Run the recorded commands of a proof again, and compare the verdict
    Replay {
        directory: PathBuf,

        /// A clone of the repository [default: the folder where the proof ran]
        #[arg(long, value_name = "DIR")]
        repo: Option<PathBuf>,

        /// The settings of the proof [default: those of the repository]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
}

/// The current folder, or under `bazel run` the workspace.
fn repository() -> PathBuf {
    let workspace = std::env::var_os("BUILD_WORKSPACE_DIRECTORY").map(PathBuf::from);
    workspace.unwrap_or_else(|| PathBuf::from("."))
}

pub(crate) fn run(
    _arguments: &Arguments,
    options: &ProveOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let verdict = match &options.command {
        Some(ProveCommand::Verify { directory }) => {
            let verified = verify(directory).map_err(|error| Failure::Run(error.to_string()))?;
            output.print_json(&(serde_json::to_string_pretty(&verified)? + "\n"))?;
            Verdict::Done
        }
        Some(ProveCommand::Replay {
            directory,
            repo,
            config,
        }) => {
            let sources = Sources {
                repo: repo.as_deref(),
                config: config.as_deref(),
            };
            let replayed = replay(directory, sources, &mut |line| {
                output.note(Level::INFO, line)
            })
            .map_err(|error| Failure::Run(error.to_string()))?;
            output.print_json(&(serde_json::to_string_pretty(&replayed)? + "\n"))?;
            if replayed.holds {
                Verdict::Done
            } else {
                Verdict::Findings
            }
        }
        None => {
            let options = Options {
                repro: options.repro.clone().unwrap_or_default(),
                repo: options.repo.clone().unwrap_or_else(repository),
                config: options.config.clone(),
                engine: options.engine.clone(),
                issue: options.issue,
                artifacts: options.artifacts.clone(),
                time_limit: options.timeout_seconds.map(Duration::from_secs),
                dry_run: options.dry_run,
                resume: options.resume,
            };
            let summary = prove(&options, &mut |line| output.note(Level::INFO, line));
            let summary = summary.map_err(|error| match error.is_usage() {
                true => Failure::Usage(error.to_string()),
                false => Failure::Run(error.to_string()),
            })?;
            output.print_json(&(serde_json::to_string_pretty(&summary)? + "\n"))?;
            if summary.success {
                Verdict::Done
            } else {
                Verdict::Findings
            }
        }
    };
    output.flush()?;
    Ok(verdict)
}
