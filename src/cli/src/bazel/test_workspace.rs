//! The program of `fix_workspace_test`. Bazel runs it on the machine that has the workspace, every time. It examines every
//! file that `bazel run //:fix` would fix, and writes none.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::{Subject, TestWorkspaceOptions};
use super::built::stored_reports;
use super::clean_files::CleanFiles;
use super::workspace_verdict::{add_reports, print_verdict};
use crate::Verdict;
use crate::args::{Arguments, ChangedOption, PolicyOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::survey::{find, survey};

/// The most links that are followed from the files of a test to the workspace.
const MOST_LINKS: usize = 16;

pub(crate) fn run(
    arguments: &Arguments,
    options: &TestWorkspaceOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let root = workspace_root(&options.root_file)?;
    let reports = stored_reports(&options.report)?;
    let session = Session::open_root(arguments, &root, &options.assigned.assigned_schema)?;
    let found = find(&session, &[root], &ChangedOption::default())?;
    let (clean_files, found) = CleanFiles::open(&session, arguments, found);
    let policy = PolicyOptions::default();
    let mut survey = survey(&session, arguments, found, &[], &policy);
    let mut clean = Vec::new();
    if let Some(clean_files) = clean_files {
        clean = clean_files.clean();
        clean_files.remember(&survey, arguments);
    }
    add_reports(&mut survey, &session, reports);
    let subject = Subject {
        label: options.label.clone(),
        allow_empty: false,
        generated: 0,
        external: 0,
    };
    let has_failed = survey.failure().is_some();
    let passes = print_verdict(survey, &clean, &subject, output)?;
    options.mode.conclude(passes && !has_failed, output)
}

/// The folder of the workspace. Links in Bazel's folder `execroot` lead to its files. A link in the workspace itself is
/// not followed, because it may lead anywhere.
fn workspace_root(file: &Path) -> Result<PathBuf, Failure> {
    let mut path = std::path::absolute(file).map_err(Failure::CurrentFolder)?;
    for _ in 0..MOST_LINKS {
        let is_in_bazel = path.iter().any(|part| part == OsStr::new("execroot"));
        match fs::read_link(&path) {
            Ok(target) if is_in_bazel => {
                path = path.parent().unwrap_or(Path::new("/")).join(target);
            }
            _ => break,
        }
    }
    let root = path.parent().filter(|_| path.exists());
    root.map(Path::to_path_buf).ok_or_else(|| {
        Failure::Run(format!(
            "cannot find the workspace: {} does not lead to a file of it. The test must run on the machine that has the workspace",
            file.display()
        ))
    })
}
