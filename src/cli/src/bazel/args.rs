//! The command line between the rules and this program.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::{ChangedOption, PolicyOptions};
use crate::documents::Assigned;
use crate::failure::Failure;

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

/// The options that name files are repeated and go together by their order.
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

    /// A source file
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Vec<PathBuf>,

    /// Its path in the workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Vec<String>,

    /// Where its report goes; empty when there is nothing to report on
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<String>,

    /// Where its canonical text goes
    #[arg(long, value_name = "FILE")]
    pub(crate) canonical: Vec<String>,

    /// Where the map from its canonical text back to it goes
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Vec<String>,
}

/// The modules of a Clank target. The first three go together by their order.
#[derive(Debug, Args)]
pub(crate) struct ModuleOptions {
    /// A source of the target, generated ones included
    #[arg(long, value_name = "FILE")]
    pub(crate) module_source: Vec<PathBuf>,

    /// Its path in the workspace, or below that of outputs
    #[arg(long, value_name = "PATH")]
    pub(crate) module_path: Vec<String>,

    /// Its code's path among the files that a program is run with
    #[arg(long, value_name = "PATH")]
    pub(crate) module_code: Vec<String>,

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

    /// Where the JavaScript of a source goes; its map goes beside it
    #[arg(long, value_name = "FILE")]
    pub(crate) code_output: Vec<String>,

    /// Where its TypeScript goes
    #[arg(long, value_name = "FILE")]
    pub(crate) typescript_output: Vec<String>,

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

/// Ignore files. Files that they match are left out. The n-th file belongs to the n-th folder.
#[derive(Debug, Args)]
pub(crate) struct IgnoreOptions {
    /// A file with the patterns of a `.gitignore`
    #[arg(long, value_name = "FILE")]
    pub(crate) gitignore: Vec<PathBuf>,

    /// The workspace folder that the patterns are relative to
    #[arg(long, value_name = "PATH")]
    pub(crate) gitignore_folder: Vec<String>,
}

/// What documents are checked against. An action sees no other file than those named here; what needs
/// one that is not is left out.
#[derive(Debug, Args)]
pub(crate) struct DocumentOptions {
    /// A schema or rules file; goes together with --workspace-path by its order
    #[arg(long, value_name = "FILE")]
    pub(crate) workspace_file: Vec<PathBuf>,

    /// Its path in the workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) workspace_path: Vec<String>,

    #[command(flatten)]
    pub(crate) assigned: AssignedOptions,
}

/// Schemas that documents are to meet beside those that the settings name for them.
#[derive(Debug, Args)]
pub(crate) struct AssignedOptions {
    /// A document, by its path in the workspace; goes together with --document-schema by its order
    #[arg(long, value_name = "PATH", hide = true)]
    pub(crate) document: Vec<String>,

    /// The schema it is to meet, by its path in the workspace
    #[arg(long, value_name = "PATH", hide = true)]
    pub(crate) document_schema: Vec<String>,
}

impl AssignedOptions {
    pub(crate) fn pairs(&self) -> Result<Vec<Assigned>, Failure> {
        if self.document.len() != self.document_schema.len() {
            return Err(Failure::Usage(
                "each --document needs one --document-schema".to_owned(),
            ));
        }
        let schemas = self.document_schema.iter().cloned();
        Ok(self.document.iter().cloned().zip(schemas).collect())
    }
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) subject: Subject,

    /// A source file
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Vec<PathBuf>,

    /// Its report
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// Where to say that all is well
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

    /// A source file
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Vec<PathBuf>,

    /// Its report
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    /// Where the other form of the report goes
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Vec<String>,
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
