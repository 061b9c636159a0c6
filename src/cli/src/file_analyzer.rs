//! Analyzes files: in this process, or in a separate one if the file is large.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use fixpoint_analysis::{
    Analysis, AnalysisInput, AnalysisOptions, Analyzer, FileInput, NameVerdict, ProjectInput,
};
use fixpoint_engine::{Config, Reported};
use fixpoint_format::SourceLanguage;
use fixpoint_text::Snapshot;
use fixpoint_workspace::{GENERATED_LIST, Generated, Workspace};

use crate::inputs::Inputs;
use crate::isolate::{ISOLATION_SIZE, analyze_isolated};
use crate::survey::{Surveyed, surveyed};

/// Everything that is needed to analyze files of a project.
pub(crate) struct FileAnalyzer {
    pub(crate) project: Arc<ProjectInput>,
    pub(crate) analyzer: Arc<Analyzer>,
    pub(crate) inputs: Inputs,
    pub(crate) options: AnalysisOptions,
    /// The time limit of a separate process. `None` in a helper, which may be killed at any time and
    /// analyzes large files itself.
    pub(crate) isolation: Option<Duration>,
}

/// The result for one file.
pub(crate) enum FileOutcome {
    Report(Box<Surveyed>),
    /// No phase is for the file. The reason continues a sentence that begins with its path.
    Skipped(Cow<'static, str>),
    Unread {
        message: String,
        /// Whether the file can be read, but is not text that Fixpoint analyzes.
        is_about_content: bool,
    },
    /// The file is generated, so it is not analyzed.
    Generated {
        edited_by_hand: bool,
    },
    Failed(String),
}

impl FileAnalyzer {
    pub(crate) fn config(&self) -> &Config {
        self.analyzer.config()
    }

    /// Analyzes a file of the workspace, unless its name excludes it.
    pub(crate) fn analyze_path(&self, workspace: &Workspace, path: &str) -> FileOutcome {
        match self.read(workspace, path) {
            Ok(snapshot) => self.analyze(snapshot, Reported::default()),
            Err(outcome) => outcome,
        }
    }

    /// Reads a file of the workspace. If it is not analyzed, the error is its outcome.
    pub(crate) fn read(&self, workspace: &Workspace, path: &str) -> Result<Snapshot, FileOutcome> {
        let verdict = self.analyzer.judge_name(path, self.options.phases);
        let generated = workspace.generated(path);
        match (&verdict, generated) {
            // Also a file that no phase is for, such as a source map.
            (_, Some(Generated::EditedByHand)) => {
                return Err(FileOutcome::Generated {
                    edited_by_hand: true,
                });
            }
            (NameVerdict::Skipped(reason), _) => {
                return Err(FileOutcome::Skipped((*reason).into()));
            }
            (_, Some(Generated::Unchanged)) => {
                return Err(FileOutcome::Generated {
                    edited_by_hand: false,
                });
            }
            (_, None) => {}
        }
        workspace.read(path).map_err(|error| match error {
            // The first line of a file that is not text cannot be a shebang.
            error if verdict == NameVerdict::NeedsText && error.is_about_content() => {
                FileOutcome::Skipped(SourceLanguage::reason_to_skip(path, "").into())
            }
            error => FileOutcome::Unread {
                message: error.to_string(),
                is_about_content: error.is_about_content(),
            },
        })
    }

    /// Analyzes a text. The fixes of stored reports are applied before those of phases.
    pub(crate) fn analyze(&self, source: Snapshot, reported: Reported) -> FileOutcome {
        let file = self.inputs.of_file(source, reported);
        match self.isolation {
            Some(time_limit) if file.source.text().len() > ISOLATION_SIZE => {
                self.analyze_isolated(file, time_limit)
            }
            _ => outcome(self.analyzer.analyze(&file, &self.options), file.source),
        }
    }

    fn analyze_isolated(&self, file: FileInput, time_limit: Duration) -> FileOutcome {
        let source = file.source.clone();
        let input = AnalysisInput {
            project: Arc::clone(&self.project),
            options: self.options.clone(),
            file,
        };
        match analyze_isolated(input, time_limit) {
            FileOutcome::Report(file) => {
                FileOutcome::Report(Box::new(surveyed(file.report, source)))
            }
            other => other,
        }
    }
}

/// Why a generated file is skipped. The reason continues a sentence that begins with its path.
pub(crate) fn is_generated() -> String {
    format!("it is generated, as {GENERATED_LIST} says, so it is not edited")
}

/// Adds the text to the report of its analysis.
pub(crate) fn outcome<E: ToString>(analysis: Result<Analysis, E>, source: Snapshot) -> FileOutcome {
    match analysis {
        Ok(Analysis::Analyzed(analyzed)) => {
            FileOutcome::Report(Box::new(surveyed(analyzed.report, source)))
        }
        Ok(Analysis::Skipped(reason)) => FileOutcome::Skipped(reason.into()),
        Err(crash) => FileOutcome::Failed(crash.to_string()),
    }
}
