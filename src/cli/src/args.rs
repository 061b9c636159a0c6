//! The command line: commands, options and their help texts.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};

use crate::bazel::BazelOptions;
#[cfg(feature = "clank")]
use crate::clank::ClankCommand;
use crate::commands::prove::ProveOptions;
use crate::commands::rules::RulesOptions;

/// Format, lint and fix a workspace. Fixes are computed in memory and written only on request.
///
/// Only `fix`, `apply` and `rules apply` change source files. `check --report-dir`, `compile --output` and `build` write
/// their results into the folder that you name. All other commands only print.
///
/// Exit status: 0 clean or done; 1 an error in a file, a rejected fix, or
/// something pending for `check --strict` or `fix`; 2 wrong usage or settings; 3 the run itself
/// failed, for example on an unreadable file or a stale report.
#[derive(Debug, Parser)]
#[command(name = "fixpoint", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// The workspace root [default: the nearest folder above with fixpoint.toml, else with
    /// MODULE.bazel, WORKSPACE or .git, else the current folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Color the output: on a terminal, always, or never. The variable NO_COLOR is respected
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,

    /// Analyze this many files at once [default: one per core]
    #[arg(long, short, global = true, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Give up on a file after this many seconds, and continue with the others
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) time_limit: u64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Report all findings and pending fixes; change no source file
    Check(CheckOptions),
    /// Apply safe fixes and write the changed source files
    ///
    /// Prints what was applied, what was rejected and what remains. `--dry-run` and `--diff` write
    /// nothing.
    Fix(FixOptions),
    /// Print the canonical text of files; write nothing
    Format(FormatOptions),
    /// Apply stored reports or a file of fix actions, and write the changed source files
    ///
    /// Every change passes the same checks as in `fix`. `--dry-run` and `--diff` write nothing.
    ///
    /// `fixpoint apply REPORT...` applies reports that `check`, a build or another tool has written. It
    /// computes every text again. A report of fixpoint must lead to the same text. In reports of other
    /// tools, each listed fix is checked on its own. A file that does not match its report is not
    /// changed.
    ///
    /// `fixpoint apply --actions FILE` changes JSON, YAML and TOML files by JSON pointer. FILE is JSON
    /// or YAML, and any tool may write it:
    ///
    ///   pack_version: "1"
    ///   workspace_root: .
    ///   fix_actions:
    ///     - id: FIX_1
    ///       title: Name the application
    ///       severity: error
    ///       targets: [{file: app.yaml, json_pointer: /app/name, rule_id: NAMED}]
    ///       ops:
    ///         - op: replace_value
    ///           file: app.yaml
    ///           json_pointer: /app/name
    ///           value: my_app
    ///           expects: {equals: unnamed}
    ///
    /// The operations: replace_value, add_value, remove_key, rename_key, insert_array_item,
    /// replace_array_item, remove_array_item. All operations of an action are applied, or none. A
    /// rejected action is reported with the reason, and the others are applied.
    ///
    /// Exit status: 0 all applied; 1 an action or a fix was rejected; 2 wrong usage, or
    /// an invalid file of actions; 3 a report is out of date, or the run itself failed.
    #[command(
        verbatim_doc_comment,
        override_usage = "fixpoint apply [OPTIONS] <REPORT>...\n       fixpoint apply [OPTIONS] --actions <FILE>"
    )]
    Apply(ApplyOptions),
    /// Print a stored report: its findings, its fixes and the text that they lead to; write nothing
    ///
    /// Snippets and diffs need the file that the report is for, with the bytes that the report was made
    /// from. Exit status: 0 printed; 2 wrong usage; 3 the report cannot be read or is damaged, or the
    /// file has changed.
    Show(ShowOptions),
    /// Check documents against JSON Schemas and rules, and print fix actions; write nothing
    Validate(ValidateOptions),
    /// Fix a failing command, and prove the fix by recorded runs; change no source file
    ///
    /// Runs the command in scratch copies of the repository: without the patch, with its tests only,
    /// with the fix only, and with both. The folder of artifacts has the patch, a text for a pull
    /// request, and the evidence: every run with its output and its results by test. To apply the
    /// patch, use `git apply artifacts/patch.diff`.
    ///
    /// Standard output has a summary as JSON. Exit status: 0 proved; 1 another verdict; 2 wrong usage or
    /// settings; 3 the run itself failed.
    Prove(Box<ProveOptions>),
    /// Learn, curate and apply rewrite rules; only `rules apply` changes source files
    ///
    /// A rule has a pattern and a template, such as `assertEquals($A, $B)` and `assertEqual({{ A }}, {{ B }})`. Rules are
    /// files in .fixpoint/rules, one for each rule. `rules learn` makes them from changes that were made by hand.
    Rules(Box<RulesOptions>),
    /// Explain what a rule does, why, and how safe its fix is, with an example; write nothing
    Explain(ExplainOptions),
    #[cfg(feature = "clank")]
    #[command(flatten)]
    Clank(ClankCommand),
    /// Rewrite compiler messages so that they point at your source; write nothing
    ///
    /// Reads messages from standard input and prints them. If a build compiled a canonical text, its
    /// messages name that text. Each such path and line is replaced by the path and line of the source.
    Map,
    /// The commands that the Bazel rules run
    #[command(hide = true)]
    Bazel(Box<BazelOptions>),
    /// Analyze the texts on standard input; other commands start this as a helper process
    #[command(hide = true)]
    Isolated,
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// Files and folders [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Form::Human, value_name = "FORM")]
    pub(crate) format: Form,

    /// Write two reports per file, NAME.fix.pb and NAME.fix.json, into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report_dir: Option<PathBuf>,

    /// Exit with 1 if safe fixes or style findings are pending, or if no file was found to check
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) changed: ChangedOption,
}

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ChangedOption {
    /// Only files that changed since this git revision, including uncommitted and untracked files
    #[arg(long, value_name = "REV", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    pub(crate) changed: Option<String>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct FixOptions {
    /// Files and folders [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) policy: PolicyOptions,

    /// Print a summary of what would be applied; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print what would be applied as a unified diff; write nothing
    #[arg(long)]
    pub(crate) diff: bool,

    #[command(flatten)]
    pub(crate) changed: ChangedOption,
}

/// Which fixes are applied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
pub(crate) struct PolicyOptions {
    /// Apply only fixes that are known to keep behavior, or also those that likely keep it
    #[arg(long, value_enum, default_value_t = SafetyLevel::Safe, value_name = "LEVEL")]
    pub(crate) safety: SafetyLevel,

    /// Also apply the fix with this id, regardless of its safety; may be repeated
    #[arg(long, value_name = "ID")]
    pub(crate) approve: Vec<String>,

    /// Apply only fixes of this rule or phase; may be repeated
    #[arg(long, value_name = "RULE")]
    pub(crate) only: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FormatOptions {
    /// The files to print
    #[arg(
        value_name = "FILE",
        required_unless_present = "stdin",
        conflicts_with = "stdin"
    )]
    pub(crate) files: Vec<PathBuf>,

    /// Read the text from standard input
    #[arg(long, requires = "path")]
    pub(crate) stdin: bool,

    /// The file name that determines the language of standard input
    #[arg(long, value_name = "NAME", requires = "stdin")]
    pub(crate) path: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ApplyOptions {
    /// Stored reports, in protobuf or JSON form
    #[arg(value_name = "REPORT", required_unless_present = "actions")]
    pub(crate) reports: Vec<PathBuf>,

    /// Apply the fix actions in this .json or .yaml file
    #[arg(long, value_name = "FILE", conflicts_with = "reports")]
    pub(crate) actions: Option<PathBuf>,

    /// How to report the result of each action
    #[arg(long, value_enum, default_value_t = ActionForm::Human, value_name = "FORM", requires = "actions")]
    pub(crate) format: ActionForm,

    /// Print a summary of what would be applied; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print what would be applied as a unified diff; write nothing
    #[arg(long)]
    pub(crate) diff: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowOptions {
    /// A stored report, in protobuf or JSON form
    #[arg(value_name = "REPORT")]
    pub(crate) report: PathBuf,

    /// What to print
    #[arg(long, value_enum, default_value_t = ShowForm::Human, value_name = "FORM")]
    pub(crate) format: ShowForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowForm {
    /// Findings with snippets, fixes, and the resulting diff, for people
    Human,
    /// The whole report as JSON
    Json,
    /// A unified diff from the file to the report's canonical text; without one, of its safe fixes
    Diff,
}

#[derive(Debug, Args)]
pub(crate) struct ValidateOptions {
    /// Files and folders [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = ValidateForm::Human, value_name = "FORM")]
    pub(crate) format: ValidateForm,

    /// Which operations fix actions may use
    #[arg(long, value_enum, default_value_t = Operations::Seven, value_name = "SET")]
    pub(crate) ops: Operations,

    #[command(flatten)]
    pub(crate) changed: ChangedOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValidateForm {
    /// Snippets and a summary, for people
    Human,
    /// Diagnostics and fix actions as one JSON document
    Json,
    /// The same as YAML
    Yaml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Operations {
    /// All operations, with remove_array_item
    Seven,
    /// Without remove_array_item: the array is replaced, or the action is left out with a warning
    Six,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainOptions {
    /// The rule to explain; without it, all rules are listed
    #[arg(value_name = "RULE")]
    pub(crate) rule: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Snippets and a summary, for people
    Human,
    /// The reports of all files with findings, as one JSON document
    Json,
    /// A unified diff of all pending safe fixes, for `git apply`
    Diff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ActionForm {
    /// A line for each action, and a summary
    Human,
    /// One JSON object: applied, files, errors
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub(crate) enum SafetyLevel {
    /// Only fixes that keep behavior
    #[default]
    Safe,
    /// Also fixes that likely keep behavior
    Likely,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::AlwaysAnsi,
            Color::Never => Self::Never,
        }
    }
}
