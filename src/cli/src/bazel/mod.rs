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
mod ignores;
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

use args::BazelCommand;

use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(
    arguments: &Arguments,
    options: &BazelOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    match &options.command {
        BazelCommand::Analyze(options) if options.persistent_worker => worker::serve(arguments),
        BazelCommand::Analyze(options) => analyze::run(arguments, options),
        BazelCommand::Check(options) => check::run(options, output),
        #[cfg(feature = "clank")]
        BazelCommand::Clank(command) => crate::clank::bazel::run(arguments, command, output),
        BazelCommand::Learn(options) => learn::run(options, output),
        BazelCommand::View(options) => view::run(options),
        BazelCommand::Test(options) => test::run(arguments, options, output),
        BazelCommand::TestWorkspace(options) => test_workspace::run(arguments, options, output),
        BazelCommand::Fix(options) => fix::run(arguments, options, output),
    }
}
