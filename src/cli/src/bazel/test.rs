//! The program of `fix_test`. It analyzes sources and does not read reports, so that building it runs no
//! analysis.

use std::path::{Path, PathBuf};

use super::analyze::{action_analyzer, analyze_files, read_text};
use super::args::TestOptions;
use super::ignores::ignored_by;
use super::verdict::Examined;
use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::survey::jobs;

pub(crate) fn run(
    arguments: &Arguments,
    options: &TestOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let config = read_text(&options.config)?;
    let strict = is_strict(options)?;
    let paths = options.path.iter();
    let files = paths
        .map(|path| (PathBuf::from(path), path.clone()))
        .collect();
    let mut examined = Examined::default();
    let analyzer = action_analyzer(arguments, &config, &options.documents, Path::new("."))?;
    let ignored = ignored_by(&options.ignores, Path::new("."))?;
    for analyzed in analyze_files(arguments, analyzer, ignored, files, jobs(arguments))? {
        examined.add(analyzed);
    }
    examined.print(&options.subject, output)?;
    let passes = examined.passes(&options.subject);
    if !passes && !strict {
        output.line("(permissive: this does not fail; `bazel test --config=strict` does)")?;
    }
    output.flush()?;
    Ok(if passes || !strict {
        Verdict::Done
    } else {
        Verdict::Findings
    })
}

/// Whether the target or the command line asks for strict mode.
fn is_strict(options: &TestOptions) -> Result<bool, Failure> {
    let mode = match &options.mode_file {
        Some(file) => read_text(file)?,
        None => String::new(),
    };
    Ok(options.strict || mode.trim() == "strict")
}
