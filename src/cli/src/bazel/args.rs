//! The command line between the rules and this program.
//!
//! A flag that concerns one file has a JSON object as its value, with all that belongs to the file.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use fixpoint_analysis::AssignedSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::args::{ChangedOption, PolicyOptions};

#[derive(Debug, Args)]
pub(crate) struct BazelOptions {
    #[command(subcommand)]
    pub(crate) command: BazelCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BazelCommand {
    /// An action: from sources to reports and canonical files
    Analyze(AnalyzeOptions),
    /// An action: fails when reports have safe fixes or style findings pending
    Check(CheckOptions),
    /// An action: from the sources of a Clank target to code, unless they have errors
    Compile(CompileOptions),
    /// A test or program: runs the modules of a Clank target
    Run(RunOptions),
    /// An action: reports in another form
    View(ViewOptions),
    /// A test: says what is pending in the sources it is given
    Test(TestOptions),
    /// What `bazel run //:fix` runs: applies safe fixes to the workspace
    #[command(name = "fix")]
    Fix(FixOptions),
}

/// Reads the JSON value of a flag.
fn json<T: DeserializeOwned>(value: &str) -> Result<T, String> {
    serde_json::from_str(value).map_err(|error| error.to_string())
}

/// A source that an action analyzes. The paths of outputs are relative to the execution root.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalyzedFile {
    pub(crate) source: PathBuf,
    /// The path of the source in the workspace.
    pub(crate) path: String,
    /// Output: the report; empty if there is nothing to report on.
    pub(crate) report: String,
    /// Output: the canonical text.
    pub(crate) canonical: String,
    /// Output: the map from lines of the canonical text to lines of the source.
    pub(crate) map: Option<String>,
}

/// A source and its report.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckedFile {
    pub(crate) source: PathBuf,
    pub(crate) report: PathBuf,
}

/// A source, its report, and the output for another form of the report.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ViewedFile {
    pub(crate) source: PathBuf,
    pub(crate) report: PathBuf,
    pub(crate) output: String,
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
    /// Output of the compiler: JavaScript. The source map is written beside it.
    pub(crate) code_output: Option<String>,
    /// Output of the compiler: TypeScript. The source map is written beside it.
    pub(crate) typescript_output: Option<String>,
}

/// A schema or rules file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkspaceFile {
    pub(crate) file: PathBuf,
    /// The path in the workspace.
    pub(crate) path: String,
}

/// An ignore file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IgnoreFile {
    pub(crate) file: PathBuf,
    /// The workspace folder that its patterns are relative to.
    pub(crate) folder: String,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyzeOptions {
    /// Do the requests on standard input until it ends, as Bazel's workers do
    #[arg(long = "persistent_worker")]
    pub(crate) persistent_worker: bool,

    /// The workspace's fixpoint.toml, or an empty file
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "persistent_worker"
    )]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) documents: DocumentOptions,

    #[command(flatten)]
    pub(crate) ignores: IgnoreOptions,

    #[command(flatten)]
    pub(crate) modules: ModuleOptions,

    /// Where the interface of the target's modules goes, if the sources are a Clank target's
    #[arg(long, value_name = "FILE")]
    pub(crate) interface_output: Option<String>,

    /// A source file and its outputs
    #[arg(long, value_name = "JSON", value_parser = json::<AnalyzedFile>)]
    pub(crate) file: Vec<AnalyzedFile>,
}

/// The modules of a Clank target.
#[derive(Debug, Args)]
pub(crate) struct ModuleOptions {
    /// A source of the target, generated ones included
    #[arg(long, value_name = "JSON", value_parser = json::<ModuleFile>)]
    pub(crate) module: Vec<ModuleFile>,

    /// The interface of a target that this one depends on
    #[arg(long, value_name = "FILE")]
    pub(crate) interface: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompileOptions {
    /// The target
    #[arg(long)]
    pub(crate) label: String,

    #[command(flatten)]
    pub(crate) modules: ModuleOptions,

    /// The report on a source
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// The source whose `main` runs, by its path
    #[arg(long, value_name = "PATH")]
    pub(crate) main: Option<String>,

    /// Where the interface of the target's modules goes
    #[arg(long, value_name = "FILE")]
    pub(crate) interface_output: String,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// A file of code
    #[arg(long, value_name = "PATH")]
    pub(crate) module: Vec<String>,

    /// The one of them that runs
    #[arg(long, value_name = "PATH")]
    pub(crate) main: String,
}

/// Ignore files. Files that they match are left out.
#[derive(Debug, Args)]
pub(crate) struct IgnoreOptions {
    /// A file with the patterns of a `.gitignore`
    #[arg(long, value_name = "JSON", value_parser = json::<IgnoreFile>)]
    pub(crate) gitignore: Vec<IgnoreFile>,
}

/// What documents are checked against. An action sees only the files named here; checks that need another
/// one are left out.
#[derive(Debug, Args)]
pub(crate) struct DocumentOptions {
    /// A schema or rules file
    #[arg(long, value_name = "JSON", value_parser = json::<WorkspaceFile>)]
    pub(crate) workspace_file: Vec<WorkspaceFile>,

    #[command(flatten)]
    pub(crate) assigned: AssignedOptions,
}

/// Schemas that apply to documents in addition to those that the settings name.
#[derive(Debug, Args)]
pub(crate) struct AssignedOptions {
    /// A document and a schema, by their paths in the workspace
    #[arg(long, value_name = "JSON", value_parser = json::<AssignedSchema>, hide = true)]
    pub(crate) assigned_schema: Vec<AssignedSchema>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) subject: Subject,

    /// A source file and its report
    #[arg(long, value_name = "JSON", value_parser = json::<CheckedFile>)]
    pub(crate) file: Vec<CheckedFile>,

    /// Output: written if the check passes
    #[arg(long, value_name = "FILE")]
    pub(crate) marker: String,
}

/// What is checked.
#[derive(Debug, Args)]
pub(crate) struct Subject {
    /// The target the sources belong to
    #[arg(long)]
    pub(crate) label: String,

    /// Having no file to examine is well, too
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// How many of the target's files are generated, and so not looked at
    #[arg(long, default_value_t = 0)]
    pub(crate) generated: usize,

    /// How many of the target's files are of other repositories, and so not looked at
    #[arg(long, default_value_t = 0)]
    pub(crate) external: usize,
}

#[derive(Debug, Args)]
pub(crate) struct ViewOptions {
    #[arg(long, value_enum)]
    pub(crate) form: ViewForm,

    /// A source file, its report and the output
    #[arg(long, value_name = "JSON", value_parser = json::<ViewedFile>)]
    pub(crate) file: Vec<ViewedFile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewForm {
    Json,
    Diff,
}

#[derive(Debug, Args)]
pub(crate) struct TestOptions {
    #[command(flatten)]
    pub(crate) subject: Subject,

    /// Fail when something is pending
    #[arg(long)]
    pub(crate) strict: bool,

    /// A file that contains the mode of the command line: `strict`, `permissive` or nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) mode_file: Option<PathBuf>,

    /// The workspace's fixpoint.toml, or an empty file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: PathBuf,

    #[command(flatten)]
    pub(crate) documents: DocumentOptions,

    #[command(flatten)]
    pub(crate) ignores: IgnoreOptions,

    /// A source, by its path in the workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Vec<String>,
}

/// Applies safe fixes to the workspace of `bazel run`, and says what it applied, what it refused
/// and what remains.
#[derive(Debug, Args)]
pub(crate) struct FixOptions {
    /// Only these files and folders, relative to where `bazel run` was called
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Report what strict mode fails on, and exit with 1 if there is something; write nothing
    #[arg(long, conflicts_with_all = ["diff", "dry_run", "audit"])]
    pub(crate) check: bool,

    /// Say what would be applied; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print what would be applied as a unified diff; write nothing
    #[arg(long)]
    pub(crate) diff: bool,

    /// Apply the reports of `bazel build --config=fix //...` that are not out of date
    #[arg(long, conflicts_with_all = ["paths", "changed"])]
    pub(crate) from_build: bool,

    /// List the files that `bazel build --config=fix //...` made no report for; write nothing
    #[arg(long, conflicts_with_all = ["diff", "dry_run", "from_build", "changed"])]
    pub(crate) audit: bool,

    #[command(flatten)]
    pub(crate) policy: PolicyOptions,

    #[command(flatten)]
    pub(crate) changed: ChangedOption,

    #[command(flatten)]
    pub(crate) assigned: AssignedOptions,

    /// The rule has targets: only what the reports are on
    #[arg(long, hide = true)]
    pub(crate) from_targets: bool,

    /// A report of a target
    #[arg(long, hide = true, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,
}
