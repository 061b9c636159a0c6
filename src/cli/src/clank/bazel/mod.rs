//! The commands that the Bazel rules of Clank run.

mod args;
mod compile;
mod modules;
mod run;

pub(crate) use args::{ClankBazelCommand, TargetOptions};
pub(crate) use modules::with_target_modules;

use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(
    arguments: &Arguments,
    command: &ClankBazelCommand,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    match command {
        ClankBazelCommand::Compile(options) => compile::run(arguments, options, output),
        ClankBazelCommand::Run(options) => run::run(options, output),
    }
}
