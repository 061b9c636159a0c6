//! The reports that builds have left among Bazel's outputs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use annotate_snippets::Level;
use fixpoint_report::FixReport;
use fixpoint_workspace::PathError;

use crate::commands::apply::read_report;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;
use crate::session::Session;

/// The folder of a target's outputs ends with this, and its reports lie in the one below.
const TARGET_FOLDER: &str = ".fixpoint";
const REPORT_FOLDER: &str = "report";
const REPORT: &str = ".fix.pb";

/// All reports of all configurations, whatever they are worth by now. `program` is one of Bazel's
/// outputs itself, or else the workspace's `bazel-out` is taken.
pub(crate) fn reports(program: &Path, root: &Path) -> Result<Vec<FixReport>, Failure> {
    let outputs = program
        .ancestors()
        .find(|it| it.file_name().is_some_and(|name| name == "bazel-out"))
        .map_or_else(|| root.join("bazel-out"), Path::to_path_buf);
    let mut files = Vec::new();
    for configuration in entries(&outputs) {
        collect(&configuration.join("bin"), &mut files);
    }
    files.sort_unstable();
    if files.is_empty() {
        return Err(Failure::Run(
            "the build has left no report; run `bazel build --config=fix //...` first".to_owned(),
        ));
    }
    stored_reports(&files)
}

pub(crate) fn stored_reports(files: &[PathBuf]) -> Result<Vec<FixReport>, Failure> {
    let read = files.iter().filter_map(|it| stored_report(it).transpose());
    read.collect()
}

/// A report that an action wrote; an empty one says that there was nothing to report on.
pub(crate) fn stored_report(file: &Path) -> Result<Option<FixReport>, Failure> {
    let is_empty = fs::metadata(file).is_ok_and(|it| it.len() == 0);
    (!is_empty).then(|| read_report(file)).transpose()
}

/// The reports on files that are still there. A target that is gone, or was built in another
/// configuration, may have left an older one: those that are on the file as it is now win, and an old
/// one with nothing to apply is no loss. A link is left to the reports on the file it leads to.
pub(crate) fn current(session: &Session, reports: Vec<FixReport>) -> Vec<FixReport> {
    let mut current: Vec<FixReport> = Vec::new();
    let mut old: BTreeMap<String, FixReport> = BTreeMap::new();
    for report in reports {
        let path = report.path().to_owned();
        let place = session
            .workspace
            .relative(&session.workspace.root().join(&path));
        if place.is_ok_and(|place| place != path) {
            continue;
        }
        let Ok(snapshot) = session.workspace.read(&path) else {
            continue;
        };
        let digest = snapshot.digest().to_string();
        if report.base.as_ref().is_some_and(|it| it.sha256 == digest) {
            current.push(report);
        } else if !report.fixes.is_empty() {
            old.entry(path).or_insert(report);
        }
    }
    for report in &current {
        old.remove(report.path());
    }
    current.extend(old.into_values());
    current
}

/// The reports without those on links that lead out of the workspace, which are told.
pub(crate) fn inside(
    session: &Session,
    mut reports: Vec<FixReport>,
    output: &mut Output,
) -> Vec<FixReport> {
    reports.retain(|report| {
        let path = Path::new(report.path());
        // A path that leads out by itself is no link, and is refused.
        let is_plain = path
            .components()
            .all(|it| matches!(it, Component::Normal(_)));
        let place = session
            .workspace
            .relative(&session.workspace.root().join(path));
        let leads_out = is_plain && matches!(place, Err(PathError::Outside { .. }));
        if leads_out {
            let told = format!(
                "skipped: {}: a link that leads out of the workspace",
                report.path()
            );
            output.note(Level::WARNING, &shown(&told));
        }
        !leads_out
    });
    reports
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in entries(folder) {
        let name = entry
            .file_name()
            .map(|it| it.to_string_lossy().into_owned());
        let Some(name) = name else { continue };
        let Ok(kind) = fs::symlink_metadata(&entry).map(|it| it.file_type()) else {
            continue;
        };
        if !kind.is_dir() || name.ends_with(".runfiles") {
            continue;
        }
        if name.ends_with(TARGET_FOLDER) {
            collect_reports(&entry.join(REPORT_FOLDER), files);
        } else {
            collect(&entry, files);
        }
    }
}

fn collect_reports(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in entries(folder) {
        if entry.is_dir() {
            collect_reports(&entry, files);
        } else if entry.to_string_lossy().ends_with(REPORT) {
            files.push(entry);
        }
    }
}

/// What is in a folder; nothing where there is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}
