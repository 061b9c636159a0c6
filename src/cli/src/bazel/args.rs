//! The command line that the Bazel rules use.
//!
//! A flag for one file has a JSON object as its value, which contains everything about the file.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use fixpoint_analysis::AssignedSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::analyze::read_text;
use crate::Verdict;
use crate::args::{ChangedOption, PolicyOptions};
#[cfg(feature = "clank")]
use crate::clank::bazel::ClankBazelCommand;
use crate::clank::bazel::TargetOptions;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct BazelOptions {
    /// Run the actions that are requested on standard input until it ends, as a Bazel persistent worker
    #[arg(long = "persistent_worker")]
    pub(crate) persistent_worker: bool,

    #[command(subcommand)]
    pub(crate) command: Option<BazelCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BazelCommand {
    #[command(flatten)]
    Action(ActionCommand),
    #[cfg(feature = "clank")]
    #[command(flatten)]
    Clank(ClankBazelCommand),
    /// An action: learns rules from pairs of files, and writes them into a pack
    Learn(LearnOptions),
    /// A test: reports what is pending in the sources of its target
    Test(TestOptions),
    /// A test: reports what is pending in all files of the workspace
    TestWorkspace(TestWorkspaceOptions),
    /// The program of `bazel run //:fix`: applies safe fixes and writes the changed source files
    #[command(name = "fix")]
    Fix(FixOptions),
}

/// The actions that a persistent worker may run, too.
#[derive(Debug, Subcommand)]
pub(crate) enum ActionCommand {
    /// An action: analyzes sources, and writes reports and canonical texts
    Analyze(AnalyzeOptions),
    /// An action: fails if safe fixes or style findings are pending in reports
    Check(CheckOptions),
    /// An action: converts the output of a tool to reports
    Import(ImportOptions),
    /// An action: writes reports in another form
    View(ViewOptions),
}

/// Reads the JSON value of a flag.
pub(crate) fn json<T: DeserializeOwned>(value: &str) -> Result<T, String> {
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
    pub(crate) canonical: Option<String>,
    /// Output, only beside the canonical text: the map from its lines to lines of the source.
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

/// A file that an action reads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkspaceFile {
    pub(crate) file: PathBuf,
    /// The path in the workspace.
    pub(crate) path: String,
}

/// A list of generated files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GeneratedList {
    pub(crate) file: PathBuf,
    /// The workspace folder that its paths are relative to.
    pub(crate) folder: String,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyzeOptions {
    /// The workspace's fixpoint.toml, or an empty file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: PathBuf,

    #[command(flatten)]
    pub(crate) documents: DocumentOptions,

    #[command(flatten)]
    pub(crate) generated: GeneratedOptions,

    #[command(flatten)]
    pub(crate) target: TargetOptions,

    /// A source file and its outputs
    #[arg(long, value_name = "JSON", value_parser = json::<AnalyzedFile>)]
    pub(crate) file: Vec<AnalyzedFile>,
}

impl AnalyzeOptions {
    /// The files that the action reads. No output may replace one of them.
    pub(crate) fn inputs(&self, base: &Path) -> Vec<PathBuf> {
        let sources = self.file.iter().map(|it| &it.source);
        let workspace_files = self.documents.workspace_file.iter().map(|it| &it.file);
        let generated_lists = self.generated.generated_list.iter().map(|it| &it.file);
        let inputs = std::iter::once(&self.config).chain(sources);
        let inputs = inputs.chain(workspace_files);
        let inputs = inputs.chain(generated_lists).chain(self.target.inputs());
        inputs.map(|it| base.join(it)).collect()
    }
}

/// Lists of generated files, which are not analyzed.
#[derive(Debug, Args)]
pub(crate) struct GeneratedOptions {
    /// A `fixpoint-generated.sha256`
    #[arg(long, value_name = "JSON", value_parser = json::<GeneratedList>)]
    pub(crate) generated_list: Vec<GeneratedList>,
}

/// The schemas and rules that documents are checked against. An action sees only the files named here;
/// checks that need another file are left out.
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

    /// Pass even if there is no file to examine
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// How many files of the target are generated and therefore not examined
    #[arg(long, default_value_t = 0)]
    pub(crate) generated: usize,

    /// How many files of the target belong to other repositories and are therefore not examined
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

#[derive(Debug, Args)]
pub(crate) struct LearnOptions {
    /// A file whose path ends in `.before.EXT` or `.after.EXT`
    #[arg(long, value_name = "JSON", value_parser = json::<WorkspaceFile>)]
    pub(crate) pair: Vec<WorkspaceFile>,

    /// A file that no rule may change
    #[arg(long, value_name = "JSON", value_parser = json::<WorkspaceFile>)]
    pub(crate) negative: Vec<WorkspaceFile>,

    /// Output: the rules
    #[arg(long, value_name = "FILE")]
    pub(crate) output: String,
}

/// The format of a tool's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportFormat {
    /// A unified diff
    Diff,
    /// SARIF 2.1.0
    Sarif,
}

impl From<ImportFormat> for fixpoint_import::Format {
    fn from(format: ImportFormat) -> Self {
        match format {
            ImportFormat::Diff => Self::Diff,
            ImportFormat::Sarif => Self::Sarif,
        }
    }
}

/// A source that a tool has examined, and its report.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportedFile {
    pub(crate) source: PathBuf,
    /// The path of the source in the workspace.
    pub(crate) path: String,
    /// Output: the report.
    pub(crate) report: String,
}

#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    #[arg(long, value_enum)]
    pub(crate) format: ImportFormat,

    /// The name of the tool
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: String,

    /// The output of the tool
    #[arg(long, value_name = "FILE")]
    pub(crate) tool_output: PathBuf,

    /// The safety of all fixes, as in a report
    #[arg(long, value_name = "WORD")]
    pub(crate) safety: String,

    /// A source and its report
    #[arg(long, value_name = "JSON", value_parser = json::<ImportedFile>)]
    pub(crate) file: Vec<ImportedFile>,
}

/// Rules that `--learn` adds to the workspace.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulePack {
    pub(crate) file: PathBuf,
    /// The digest of the pack, if its rules are pinned.
    pub(crate) sha256: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewForm {
    Canonical,
    Diff,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct TestOptions {
    #[command(flatten)]
    pub(crate) subject: Subject,

    #[command(flatten)]
    pub(crate) mode: ModeOptions,

    /// The workspace's fixpoint.toml, or an empty file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: PathBuf,

    #[command(flatten)]
    pub(crate) documents: DocumentOptions,

    #[command(flatten)]
    pub(crate) generated: GeneratedOptions,

    /// A source, by its path in the workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Vec<String>,

    /// A source and a report of another rule set
    #[arg(long, value_name = "JSON", value_parser = json::<CheckedFile>)]
    pub(crate) file: Vec<CheckedFile>,
}

/// The mode of a test.
#[derive(Debug, Args)]
pub(crate) struct ModeOptions {
    /// Fail if something is pending
    #[arg(long)]
    pub(crate) strict: bool,

    /// A file that contains the mode of the command line: `strict`, `permissive` or nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) mode_file: Option<PathBuf>,
}

impl ModeOptions {
    /// Whether the target or the command line asks for strict mode.
    pub(crate) fn is_strict(&self) -> Result<bool, Failure> {
        let mode = match &self.mode_file {
            Some(file) => read_text(file)?,
            None => String::new(),
        };
        Ok(self.strict || mode.trim() == "strict")
    }

    /// Ends the output of a test, and returns its verdict.
    pub(crate) fn conclude(&self, passes: bool, output: &mut Output) -> Result<Verdict, Failure> {
        let strict = self.is_strict()?;
        if !passes && !strict {
            // Without the file, the target is pinned to its mode.
            output.line(match self.mode_file {
                Some(_) => "(permissive: this does not fail; `bazel test --config=strict` does)",
                None => "(permissive: this does not fail)",
            })?;
        }
        output.flush()?;
        Ok(match passes || !strict {
            true => Verdict::Done,
            false => Verdict::Findings,
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct TestWorkspaceOptions {
    /// The target of the test
    #[arg(long)]
    pub(crate) label: String,

    #[command(flatten)]
    pub(crate) mode: ModeOptions,

    /// A link to a file at the root of the workspace
    #[arg(long, value_name = "FILE")]
    pub(crate) root_file: PathBuf,

    /// A report of another rule set
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) assigned: AssignedOptions,
}

/// Applies safe fixes to the workspace of `bazel run`, and prints what was applied, what was rejected
/// and what remains.
#[derive(Debug, Args)]
pub(crate) struct FixOptions {
    /// Only these files and folders, relative to where `bazel run` was called
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Report what fails in strict mode, and exit with 1 if anything does; write nothing
    #[arg(long, conflicts_with_all = ["diff", "dry_run", "audit"])]
    pub(crate) check: bool,

    /// Print a summary of what would be applied; write nothing
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

    /// Add the rules of the targets in `learn` to .fixpoint/rules; write nothing else
    #[arg(long, conflicts_with_all = ["paths", "check", "diff", "dry_run", "from_build", "audit", "changed"])]
    pub(crate) learn: bool,

    #[command(flatten)]
    pub(crate) policy: PolicyOptions,

    #[command(flatten)]
    pub(crate) changed: ChangedOption,

    #[command(flatten)]
    pub(crate) assigned: AssignedOptions,

    /// Rules of a target in `learn`
    #[arg(long, hide = true, value_name = "JSON", value_parser = json::<RulePack>)]
    pub(crate) rule_pack: Vec<RulePack>,

    /// The rule has targets: fix only the files that the reports are for
    #[arg(long, hide = true)]
    pub(crate) from_targets: bool,

    /// A report of a target
    #[arg(long, hide = true, value_name = "FILE")]
    pub(crate) report: Vec<PathBuf>,
}
