//! Analyzes sources, and writes reports and canonical texts. Findings are data, so this succeeds on any
//! text.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fixpoint_analysis::{AnalysisOptions, FileText, Files};
use fixpoint_engine::Reported;
use fixpoint_report::{FixReport, to_protobuf};
use fixpoint_text::Snapshot;
use fixpoint_view::LineMap;
use fixpoint_workspace::{
    Excludes, MAX_FILE_SIZE, MAX_REPORT_SIZE, RULES_FOLDER, read_file, read_text_file,
    write_outputs,
};

use super::args::{AnalyzeOptions, DocumentOptions, WorkspaceFile};
use super::generated::GeneratedFiles;
use crate::args::Arguments;
use crate::clank::ModuleSource;
use crate::clank::bazel::with_target_modules;
use crate::failure::Failure;
use crate::file_analyzer::{FileAnalyzer, FileOutcome};
use crate::inputs::{Inputs, VisibleFiles, open_project};
use crate::isolate::timed_out;
use crate::pool::{OnTimeout, TimedResult, work_on};
use crate::survey::canonical_text;

/// The limit for a file that is passed on as it is, such as a binary among the sources.
pub(super) const MAX_PASSED_SIZE: u64 = 1 << 32;

/// The report for a file and its text; `None` if the file is excluded, is not text, or its language is
/// unknown or switched off.
pub(crate) type FileReport = Option<(FixReport, Snapshot)>;

/// The path of an output of an action, and its bytes.
pub(crate) type OutputFile = (String, Vec<u8>);

/// Runs the action. Its paths are relative to `base`.
pub(super) fn run(
    arguments: &Arguments,
    options: &AnalyzeOptions,
    base: &Path,
) -> Result<(), Failure> {
    let config = read_text(&base.join(&options.config))?;
    let files = options.file.iter();
    let files = files.map(|file| (base.join(&file.source), file.path.clone()));
    let analyzer = action_analyzer(arguments, &config, &options.documents, base)?;
    let (analyzer, interface) = with_target_modules(arguments, &options.target, base, analyzer)?;
    let generated = GeneratedFiles::listed(&options.generated, base)?;
    let analyzed = analyze_files(arguments, analyzer, generated, files.collect(), 1)?;
    let mut outputs = Vec::with_capacity(options.file.len());
    outputs.extend(interface);
    for (file, analyzed) in options.file.iter().zip(analyzed) {
        let report = analyzed.as_ref().map(|(report, _)| to_protobuf(report));
        outputs.push((file.report.clone(), report.unwrap_or_default()));
        let Some(canonical) = &file.canonical else {
            continue;
        };
        let source = base.join(&file.source);
        let (text, map) = match analyzed {
            Some((report, snapshot)) => {
                let text = canonical_text(&report, &snapshot)?;
                let map = LineMap::new(snapshot.path(), snapshot.text(), &text);
                (text.into_bytes(), map)
            }
            None if source.is_dir() => {
                return Err(Failure::Usage(format!(
                    "{} is a folder, which has no canonical text; name its files",
                    file.path
                )));
            }
            None => (
                read_file(&source, MAX_PASSED_SIZE).map_err(Failure::Input)?,
                LineMap::identity(&file.path),
            ),
        };
        outputs.push((canonical.clone(), text));
        if let Some(output) = &file.map {
            outputs.push((output.clone(), map.to_json().into_bytes()));
        }
    }
    Ok(write_outputs(base, &options.inputs(base), outputs)?)
}

/// An analyzer that sees only what an action was given. The paths of its files are relative to `base`.
pub(crate) fn action_analyzer(
    arguments: &Arguments,
    settings: &str,
    options: &DocumentOptions,
    base: &Path,
) -> Result<FileAnalyzer, Failure> {
    let mut files = Files::new();
    for WorkspaceFile { file, path } in &options.workspace_file {
        files.insert(path.clone(), FileText::Text(read_text(&base.join(file))?));
    }
    let learned = files.extract_if(.., |path, _| path.starts_with(RULES_FOLDER));
    let learned: Files = learned.collect();
    let visible = VisibleFiles::Given(Arc::new(files.clone()));
    let time_limit = Duration::from_secs(arguments.time_limit);
    let assigned = &options.assigned.assigned_schema;
    let (project, analyzer) = open_project(settings, assigned, &visible, learned, time_limit)?;
    Ok(FileAnalyzer {
        project,
        analyzer,
        inputs: Inputs::of_action(files, Arc::new(ModuleSource::unknown())),
        options: AnalysisOptions::default(),
        isolation: Some(time_limit),
    })
}

/// Analyzes files, each given with its workspace path, as `check` would in the workspace.
pub(crate) fn analyze_files(
    arguments: &Arguments,
    analyzer: FileAnalyzer,
    generated: GeneratedFiles,
    files: Vec<(PathBuf, String)>,
    jobs: usize,
) -> Result<Vec<FileReport>, Failure> {
    let time_limit = Duration::from_secs(arguments.time_limit);
    let excludes = Excludes::new(analyzer.config().exclude())?;
    let names: Vec<String> = files.iter().map(|(_, path)| path.clone()).collect();
    let worked = work_on(
        files,
        jobs,
        (time_limit, OnTimeout::Stop),
        move |(source, path): &(PathBuf, String)| {
            if excludes.cover(path) || generated.contain(path) {
                return Ok(None);
            }
            analyze_file(&analyzer, source, path)
        },
        || {},
    );
    let mut with_names = worked.iter().zip(&names);
    if let Some((_, path)) = with_names.find(|(it, _)| matches!(it, Some(TimedResult::TimedOut))) {
        return Err(Failure::Run(format!("{path}: {}", timed_out(time_limit))));
    }
    let analyzed = worked.into_iter().filter_map(|worked| match worked {
        Some(TimedResult::Done(analyzed)) => Some(analyzed),
        Some(TimedResult::TimedOut) | None => None,
    });
    analyzed.collect()
}

/// The text of a file; `None` if it has no text that is analyzed.
fn read(source: &Path, path: &str) -> Result<Option<Snapshot>, Failure> {
    if source.is_dir() {
        return Ok(None);
    }
    match read_text_file(source, MAX_FILE_SIZE) {
        Ok(text) => Ok(Some(Snapshot::new(path, text))),
        Err(error) if error.is_about_content() => Ok(None),
        Err(error) => Err(Failure::Input(error)),
    }
}

fn analyze_file(analyzer: &FileAnalyzer, source: &Path, path: &str) -> Result<FileReport, Failure> {
    let Some(snapshot) = read(source, path)? else {
        return Ok(None);
    };
    match analyzer.analyze(snapshot.clone(), Reported::default()) {
        FileOutcome::Report(file) => Ok(Some((file.report, snapshot))),
        FileOutcome::Skipped(_) | FileOutcome::Generated { .. } => Ok(None),
        FileOutcome::Unread { message, .. } => Err(Failure::Run(message)),
        FileOutcome::Failed(reason) => Err(Failure::Run(format!("{path}: {reason}"))),
    }
}

/// A file of an action as text.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    read_text_file(file, MAX_REPORT_SIZE).map_err(Failure::Input)
}
