//! What takes the place of the module `clank` if its feature is off: there are no Clank programs.

use std::sync::Arc;

use fixpoint_analysis::FileInput;
use fixpoint_workspace::Workspace;

pub(crate) struct ModuleSource;

impl ModuleSource {
    pub(crate) fn of_workspace(_workspace: &Arc<Workspace>, _exclude: &[String]) -> Self {
        Self
    }

    pub(crate) fn unknown() -> Self {
        Self
    }

    pub(crate) fn add_to(&self, _input: &mut FileInput) {}
}

pub(crate) fn repair_of(_phase: &str, _rule: &str) -> Option<String> {
    None
}

pub(crate) mod bazel {
    use std::path::{Path, PathBuf};

    use clap::Args;

    use crate::args::Arguments;
    use crate::bazel::analyze::OutputFile;
    use crate::failure::Failure;
    use crate::file_analyzer::FileAnalyzer;

    #[derive(Debug, Args)]
    pub(crate) struct TargetOptions {}

    impl TargetOptions {
        pub(crate) fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
            std::iter::empty()
        }
    }

    pub(crate) fn with_target_modules(
        _arguments: &Arguments,
        _options: &TargetOptions,
        _base: &Path,
        analyzer: FileAnalyzer,
    ) -> Result<(FileAnalyzer, Option<OutputFile>), Failure> {
        Ok((analyzer, None))
    }
}
