//! The reports that builds have left among Bazel's outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use annotate_snippets::Level;
use fixpoint_report::{FixReport, is_workspace_path};
use fixpoint_workspace::{MAX_REPORT_SIZE, PathError, read_text_file};

use crate::commands::apply::read_report;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::session::Session;

/// The name of a target's output folder ends with this. Its reports are in the folder below.
const TARGET_FOLDER: &str = ".fixpoint";
const REPORT_FOLDER: &str = "report";
/// The reports that a build has made for a target, by their paths below `bin`.
const REPORT_LIST: &str = "reports.txt";
const REPORT: &str = ".fix.pb";

/// The Bazel flag that downloads reports from a remote cache or executor.
pub(crate) const FETCH: &str = "--remote_download_regex='.*[.]fix[.]pb$'";

/// The reports in Bazel's output folders.
#[derive(Debug, Default)]
pub(crate) struct Built {
    pub(crate) reports: Vec<FixReport>,
    /// How many files have a report that was made but not downloaded, and no other.
    pub(crate) missing: usize,
}

/// All reports of all configurations, current or not. If `program` is one of Bazel's outputs, they are
/// searched in its `bazel-out`, otherwise in the one of the workspace.
pub(crate) fn reports(program: &Path, root: &Path) -> Result<Built, Failure> {
    let outputs = program
        .ancestors()
        .find(|folder| folder.file_name().is_some_and(|name| name == "bazel-out"))
        .map_or_else(|| root.join("bazel-out"), Path::to_path_buf);
    let (mut files, mut absent) = (Vec::new(), BTreeSet::new());
    for configuration in entries(&outputs) {
        let bin = configuration.join("bin");
        collect(&bin, &bin, &mut files, &mut absent);
    }
    files.sort_unstable();
    if files.is_empty() {
        return Err(Failure::Run(format!(
            "there are no reports of a build; run `bazel build --config=fix //...` first, with \
             `{FETCH}` if outputs stay in a remote cache"
        )));
    }
    let reports = stored_reports(&files)?;
    for report in &reports {
        absent.remove(report.path());
    }
    // The list of a removed target stays until `bazel clean`.
    absent.retain(|path| root.join(path).is_file());
    Ok(Built {
        reports,
        missing: absent.len(),
    })
}

/// The failure for missing reports, with the command that downloads them.
pub(crate) fn not_downloaded(missing: usize) -> Failure {
    Failure::Run(format!(
        "the reports for {} were not downloaded, so {} not examined; build again with \
         `bazel build --config=fix {FETCH} //...`, then run this command again",
        count(missing, "file"),
        if missing == 1 { "it was" } else { "they were" },
    ))
}

pub(crate) fn stored_reports(files: &[PathBuf]) -> Result<Vec<FixReport>, Failure> {
    let read = files
        .iter()
        .filter_map(|file| stored_report(file).transpose());
    read.collect()
}

/// A report that an action wrote; `None` if it is empty, since the action had no text to analyze.
pub(crate) fn stored_report(file: &Path) -> Result<Option<FixReport>, Failure> {
    let is_empty =
        fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
    (!is_empty).then(|| read_report(file)).transpose()
}

/// The reports for files that still exist. A removed target, or one that was built in another
/// configuration, may have left an outdated report. Reports for the current bytes take precedence, and
/// an outdated report without fixes is dropped. A report for a link is dropped, since the target of the
/// link has its own.
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
        if session.workspace.generated(&path).is_some() {
            continue;
        }
        let Ok(snapshot) = session.workspace.read(&path) else {
            continue;
        };
        let digest = snapshot.digest().to_string();
        if report
            .base
            .as_ref()
            .is_some_and(|base| base.sha256 == digest)
        {
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

/// The reports without those for links, each of which is reported as skipped: the target of a link
/// has its own report, or is outside of the workspace.
pub(crate) fn inside(
    session: &Session,
    mut reports: Vec<FixReport>,
    output: &mut Output,
) -> Vec<FixReport> {
    reports.retain(|report| {
        let path = report.path();
        let is_link = match session.workspace.real_path(path) {
            Ok(real) if real == path => return true,
            Ok(real) => format!("a link to {real}, which is fixed under its own name"),
            Err(PathError::Outside { .. }) => "a link that leads out of the workspace".to_owned(),
            // Other problems are reported when the file is read.
            Err(_) => return true,
        };
        output.note(
            Level::WARNING,
            &shown(&format!("skipped: {path}: {is_link}")),
        );
        false
    });
    reports
}

fn collect(bin: &Path, folder: &Path, files: &mut Vec<PathBuf>, absent: &mut BTreeSet<String>) {
    for entry in entries(folder) {
        let name = entry
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name else { continue };
        let Ok(kind) = fs::symlink_metadata(&entry).map(|it| it.file_type()) else {
            continue;
        };
        if !kind.is_dir() || name.ends_with(".runfiles") {
            continue;
        }
        if name.ends_with(TARGET_FOLDER) {
            collect_reports(&entry.join(REPORT_FOLDER), files);
            absent.extend(absent_reports(bin, &entry));
        } else {
            collect(bin, &entry, files, absent);
        }
    }
}

/// The source files whose reports a target lists but that do not exist. Bazel writes the list itself,
/// so it is local even if the reports stay in a remote cache.
fn absent_reports(bin: &Path, folder: &Path) -> Vec<String> {
    let listed = read_text_file(&folder.join(REPORT_LIST), MAX_REPORT_SIZE).unwrap_or_default();
    let listed = listed.lines().filter(|path| is_workspace_path(path));
    let absent = listed.filter(|report| !bin.join(report).exists());
    absent.filter_map(source_of).map(str::to_owned).collect()
}

/// The source file that a report in Bazel's outputs is for.
fn source_of(report: &str) -> Option<&str> {
    let marker = format!("{TARGET_FOLDER}/{REPORT_FOLDER}/");
    let (_, source) = report.split_once(&marker)?;
    source.strip_suffix(REPORT)
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

/// The entries of a folder; empty if it does not exist.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}
