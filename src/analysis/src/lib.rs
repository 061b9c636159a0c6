//! One way in: an [`AnalysisInput`] names everything that the analysis of a file depends on, and leads
//! to one [`Analysis`].
//!
//! The command line, its helper processes, the Bazel action and the persistent worker all come through
//! here. They differ only in how they fill in the input, so the same input gives the same bytes
//! everywhere. Nothing here reads files: an input contains the texts of all files that it needs.
//!
//! An [`Analyzer`] is prepared once for a project, and then analyzes many files.

mod analyzer;
mod files;
mod formatters;
mod hidden;
mod input;
mod project;
mod registry;
mod rule_language;
mod settings;
mod wire;

pub use analyzer::{Analysis, AnalysisCrashed, Analyzed, Analyzer, NameVerdict};
pub use files::{FileText, Files, schema_files};
pub use formatters::{FormatterSettings, Formatters};
pub use input::{AnalysisInput, AnalysisOptions, FileInput, Loads, Phases};
pub use project::{AssignedSchema, ProjectError, ProjectInput};
pub use registry::{find_rule, phases, phases_named};
pub use settings::Settings;

/// Analyzes one file.
pub fn analyze(input: &AnalysisInput) -> Result<Analysis, AnalysisError> {
    let analyzer = Analyzer::new(&input.project)?;
    Ok(analyzer.analyze(&input.file, &input.options)?)
}

/// Why an input leads to no result.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Crashed(#[from] AnalysisCrashed),
}
