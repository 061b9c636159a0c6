//! What an analysis depends on, as values that can be passed to another process.

use std::sync::Arc;

#[cfg(feature = "clank")]
use fixpoint_clank::modules::Modules;
use fixpoint_engine::{Policy, Reported};
use fixpoint_lint::Deprecated;
use fixpoint_text::Snapshot;
use serde::{Deserialize, Serialize};

use crate::files::Files;
use crate::formatters::Formatters;
use crate::project::ProjectInput;
use crate::wire;

/// Everything that the analysis of one file depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnalysisInput {
    #[serde(with = "wire::shared")]
    pub project: Arc<ProjectInput>,
    pub options: AnalysisOptions,
    pub file: FileInput,
}

/// What the caller asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisOptions {
    pub phases: Phases,
    /// Whether fixes that likely keep behavior are applied, too.
    pub applies_likely: bool,
    /// Ids of fixes that are applied whatever their safety.
    pub approved: Vec<String>,
    /// Rules and phases whose fixes are applied; all if this is empty.
    pub only: Vec<String>,
}

/// Which phases run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phases {
    #[default]
    All,
    /// Only the printer. Its output does not depend on other findings.
    Layout,
    /// Only the checks of documents. Their result does not depend on the layout.
    Validation,
}

/// A file, and what its analysis depends on beyond the settings of the project.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileInput {
    #[serde(with = "wire::snapshot")]
    pub source: Snapshot,
    /// The schema that the document names itself, with the files that it refers to.
    #[serde(with = "wire::shared")]
    pub schemas: Arc<Files>,
    pub loads: Loads,
    /// The formatters that the repository uses in the folder of the file.
    #[serde(with = "wire::shared")]
    pub formatters: Arc<Formatters>,
    /// Clank modules that the program may use.
    #[cfg(feature = "clank")]
    #[serde(with = "wire::modules")]
    pub modules: Arc<Modules>,
    /// Fixes of stored reports, which are applied before those of phases.
    pub reported: Reported,
}

/// What is known about the files that a Starlark file loads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Loads {
    /// The deprecated functions of loaded files, by label.
    Followed(Deprecated),
    /// The loaded files are not visible.
    NotVisible,
}

impl FileInput {
    /// A file of which nothing else is visible.
    pub fn new(source: Snapshot) -> Self {
        Self {
            source,
            schemas: Arc::default(),
            loads: Loads::NotVisible,
            formatters: Arc::default(),
            #[cfg(feature = "clank")]
            modules: Arc::new(Modules::default().or_more()),
            reported: Reported::default(),
        }
    }
}

impl AnalysisOptions {
    /// The default options for these phases.
    pub fn of_phases(phases: Phases) -> Self {
        Self {
            phases,
            ..Self::default()
        }
    }

    /// Which fixes are applied.
    pub fn policy(&self) -> Policy {
        let policy = match self.applies_likely {
            true => Policy::default().with_likely(),
            false => Policy::default(),
        };
        policy
            .with_approved(self.approved.iter().cloned())
            .with_only(self.only.iter().cloned())
    }
}
