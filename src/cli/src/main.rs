//! `fixpoint`: commands and rendering. The other crates do the analysis.

#![allow(
    clippy::disallowed_methods,
    reason = "the command line is where arguments, processes, clocks and threads belong"
)]

mod args;
mod bazel;
#[cfg(feature = "clank")]
mod clank;
#[cfg(not(feature = "clank"))]
#[path = "without_clank.rs"]
mod clank;
mod commands;
mod failure;
mod file_analyzer;
mod formatter_lookup;
mod helper;
mod inputs;
mod isolate;
mod left_to_formatters;
mod loaded_files;
mod output;
mod pool;
mod progress;
mod render;
mod rule_pack;
mod rule_store;
mod rules;
mod session;
mod survey;

use std::process::ExitCode;

use anstream::ColorChoice;
use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::printable;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The result of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Clean, or done.
    Done,
    /// Findings, pending fixes in strict mode, or something rejected.
    Findings,
}

fn main() -> ExitCode {
    fixpoint_prove::sandbox::enter_if_requested();
    pool::silence_worker_panics();
    let (ended, mut output) = match bazel::expanded_arguments(std::env::args_os()) {
        Ok(arguments) => {
            let arguments =
                Arguments::try_parse_from(arguments).unwrap_or_else(|error| end_usage(&error));
            let mut output = Output::new(arguments.color.into());
            (run(&arguments, &mut output), output)
        }
        Err(failure) => (Err(failure), Output::new(ColorChoice::Auto)),
    };
    let status = match ended {
        Ok(Verdict::Done) => 0,
        Ok(Verdict::Findings) => 1,
        Err(failure) => output.failure(&failure),
    };
    // A worker thread that exceeded the time limit may still be running; ending the process ends it.
    #[allow(
        clippy::exit,
        reason = "returning would wait for nothing and end the same way"
    )]
    std::process::exit(status)
}

/// Prints a usage error or the help. Arguments may be untrusted file names, so they are made
/// printable.
fn end_usage(error: &clap::Error) -> ! {
    let text = error.to_string();
    let shown = printable(&text);
    if shown == text {
        error.exit();
    }
    Output::new(ColorChoice::Auto).notice(shown.trim_end());
    #[allow(clippy::exit, reason = "clap ends the process for all other errors")]
    std::process::exit(error.exit_code())
}

fn run(arguments: &Arguments, output: &mut Output) -> Result<Verdict, Failure> {
    match &arguments.command {
        Command::Check(options) => commands::check::run(arguments, options, output),
        Command::Fix(options) => commands::fix::run(arguments, options, output),
        Command::Format(options) => commands::format::run(arguments, options, output),
        Command::Apply(options) => commands::apply::run(arguments, options, output),
        Command::Show(options) => commands::show::run(arguments, options, output),
        Command::Explain(options) => commands::explain::run(arguments, options, output),
        Command::Validate(options) => commands::validate::run(arguments, options, output),
        #[cfg(feature = "clank")]
        Command::Clank(command) => clank::run(arguments, command, output),
        Command::Prove(options) => commands::prove::run(arguments, options, output),
        Command::Rules(options) => commands::rules::run(arguments, options, output),
        Command::Map => commands::map::run(output),
        Command::Bazel(options) => bazel::run(arguments, options, output),
        Command::Isolated => isolate::serve(),
    }
}
