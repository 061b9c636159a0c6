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
    options
        .mode
        .conclude(examined.passes(&options.subject), output)
}
