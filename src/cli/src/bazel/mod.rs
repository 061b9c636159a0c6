//! The commands that the Bazel rules run: the actions, the tests, and the program of `bazel run //:fix`.
//!
//! Actions read their declared inputs and write their declared outputs, by paths of the execution
//! root. They never access the workspace. Only two commands do: [`fix`], which `bazel run` starts, and
//! [`test_workspace`], which only reads it.

pub(crate) mod analyze;
pub(crate) mod args;
mod audit;
pub(crate) mod built;
mod check;
mod clean_files;
mod fix;
mod generated;
mod import;
mod learn;
mod params;
mod test;
mod test_workspace;
pub(crate) mod verdict;
mod view;
pub(crate) mod worker;
mod workspace_verdict;

pub(crate) use args::BazelOptions;
pub(crate) use params::expanded_arguments;

use std::path::Path;

use args::{ActionCommand, BazelCommand};

use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(
    arguments: &Arguments,
    options: &BazelOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let Some(command) = &options.command else {
        return match options.persistent_worker {
            true => worker::serve(arguments),
            false => Err(Failure::Usage(
                "`fixpoint bazel` needs a command; only the Bazel rules start it".to_owned(),
            )),
        };
    };
    match command {
        BazelCommand::Action(command) => match action(arguments, command, Path::new("."))? {
            None => Ok(Verdict::Done),
            Some(lines) => {
                lines.iter().try_for_each(|line| output.line(line))?;
                output.flush()?;
                Ok(Verdict::Findings)
            }
        },
        #[cfg(feature = "clank")]
        BazelCommand::Clank(command) => crate::clank::bazel::run(arguments, command, output),
        BazelCommand::Learn(options) => learn::run(options, output),
        BazelCommand::Test(options) => test::run(arguments, options, output),
        BazelCommand::TestWorkspace(options) => test_workspace::run(arguments, options, output),
        BazelCommand::Fix(options) => fix::run(arguments, options, output),
    }
}

/// Runs an action. Its paths are relative to `base`. Returns the lines to print if it fails with findings.
fn action(
    arguments: &Arguments,
    command: &ActionCommand,
    base: &Path,
) -> Result<Option<Vec<String>>, Failure> {
    match command {
        ActionCommand::Analyze(options) => analyze::run(arguments, options, base).map(|()| None),
        ActionCommand::Check(options) => check::run(options, base),
        ActionCommand::Import(options) => import::run(options, base).map(|()| None),
        ActionCommand::View(options) => view::run(options, base).map(|()| None),
    }
}
