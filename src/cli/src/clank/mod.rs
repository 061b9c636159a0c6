//! Everything of the command line that is only Clank's. The feature `clank` includes or removes it;
//! without it, `without_clank.rs` is in its place.

mod args;
pub(crate) mod bazel;
mod build;
mod compile;
pub(crate) mod escaped;
mod generated;
mod given_modules;
mod indented;
mod mode;
mod module_source;
mod patch;
mod program;
mod repair;
mod run;
mod script;
mod unit;

pub(crate) use args::ClankCommand;
pub(crate) use module_source::ModuleSource;
pub(crate) use script::ScriptError;

use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(
    arguments: &Arguments,
    command: &ClankCommand,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    match command {
        ClankCommand::Compile(options) => compile::run(arguments, options, output),
        ClankCommand::Build(options) => build::run(arguments, options, output),
        ClankCommand::Run(options) => run::run(arguments, options, output),
        ClankCommand::Repair(options) => repair::run(arguments, options, output),
        ClankCommand::Patch(options) => patch::run(arguments, options, output),
    }
}

/// How the compiler repairs the example of a rule.
pub(crate) fn repair_of(phase: &str, rule: &str) -> Option<String> {
    let mut phases = fixpoint_clank::ClankPhase::PHASES.iter();
    let is_own = phases.any(|it| it.name == phase);
    fixpoint_clank::repair_of(rule).filter(|_| is_own)
}
