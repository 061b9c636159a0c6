//! The part of the command line of the Bazel rules that is only Clank's.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Deserialize;

use crate::bazel::args::json;

#[derive(Debug, Subcommand)]
pub(crate) enum ClankBazelCommand {
    /// An action: compiles the sources of a Clank target, and fails if they have errors
    Compile(CompileOptions),
    /// A test or a program: runs the modules of a Clank target
    Run(RunOptions),
}

/// A source of a Clank target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModuleFile {
    pub(crate) source: PathBuf,
    /// The path of the source in the workspace, or below the folder of outputs if it is generated.
    pub(crate) path: String,
    /// The path of its code among the files that a program is run with.
    pub(crate) code: String,
    /// Output of the compiler: JavaScript. The source map is written next to it.
    pub(crate) code_output: Option<String>,
    /// Output of the compiler: TypeScript. The source map is written next to it.
    pub(crate) typescript_output: Option<String>,
}

/// What the analysis of a Clank target needs in addition.
#[derive(Debug, Args)]
pub(crate) struct TargetOptions {
    #[command(flatten)]
    pub(crate) modules: ModuleOptions,

    /// Output: the interface of the target's modules, if it is a Clank target
    #[arg(long, value_name = "FILE")]
    pub(crate) interface_output: Option<String>,
}

impl TargetOptions {
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.modules.inputs()
    }
}

/// The modules of a Clank target.
#[derive(Debug, Args)]
pub(crate) struct ModuleOptions {
    /// A source of the target, which may be generated
    #[arg(long, value_name = "JSON", value_parser = json::<ModuleFile>)]
    pub(crate) module: Vec<ModuleFile>,

    /// The interface of a target that this one depends on
    #[arg(long, value_name = "FILE")]
    pub(crate) interface: Vec<PathBuf>,
}

impl ModuleOptions {
    fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let sources = self.module.iter().map(|it| &it.source);
        sources.chain(&self.interface)
    }
}

#[derive(Debug, Args)]
pub(crate) struct CompileOptions {
    /// The target
    #[arg(long)]
    pub(crate) label: String,

    #[command(flatten)]
    pub(crate) modules: ModuleOptions,

    /// The report for a source
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// The source whose `main` runs, by its path
    #[arg(long, value_name = "PATH")]
    pub(crate) main: Option<String>,

    /// Output: the interface of the target's modules
    #[arg(long, value_name = "FILE")]
    pub(crate) interface_output: String,
}

impl CompileOptions {
    /// The files that the action reads. No output may replace one of them.
    pub(crate) fn inputs(&self, base: &Path) -> Vec<PathBuf> {
        let inputs = self.report.iter().chain(self.modules.inputs());
        inputs.map(|it| base.join(it)).collect()
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// A file with JavaScript code
    #[arg(long, value_name = "PATH")]
    pub(crate) module: Vec<String>,

    /// The module that runs
    #[arg(long, value_name = "PATH")]
    pub(crate) main: String,
}
