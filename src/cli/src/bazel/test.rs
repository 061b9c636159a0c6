//! The program of `fix_test`. It analyzes the sources itself, so that building it runs no analysis, and reads only the
//! reports of other rule sets.

use std::path::{Path, PathBuf};

use super::analyze::{action_analyzer, analyze_files, read_text};
use super::args::{CheckedFile, TestOptions};
use super::check::report_with_text;
use super::generated::GeneratedFiles;
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
    let generated = GeneratedFiles::listed(&options.generated, Path::new("."))?;
    for analyzed in analyze_files(arguments, analyzer, generated, files, jobs(arguments))? {
        examined.add(analyzed);
    }
    for CheckedFile { source, report } in &options.file {
        if let Some(reported) = report_with_text(source, report)? {
            examined.add(Some(reported));
        }
    }
    examined.print(&options.subject, output)?;
    options
        .mode
        .conclude(examined.passes(&options.subject), output)
}
