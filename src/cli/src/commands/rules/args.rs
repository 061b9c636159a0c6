//! The options of `fixpoint rules`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct RulesOptions {
    #[command(subcommand)]
    pub(crate) command: RulesCommand,

    /// The folder of rules [default: .fixpoint/rules of the workspace]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) rules: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Learn rules from changes that were made by hand, and store them; change no source file
    ///
    /// A rule is stored only if it turns each text before the change into the text after it, and changes nothing in all
    /// other code of the same revision. For every change without such a rule, the command says why. New rules are
    /// not pinned: review them with `fixpoint rules show` and `fixpoint rules try`.
    Learn(LearnOptions),
    /// List the rules; write nothing
    List {
        #[arg(long, value_enum, default_value_t = ListForm::Human, value_name = "FORM")]
        format: ListForm,
    },
    /// Print a rule as before and after, with its guards and examples; write nothing
    Show {
        /// The id, or its first characters
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Run the examples and counter-examples of rules; write nothing
    Test {
        /// Rules by id [default: all]
        #[arg(value_name = "ID")]
        ids: Vec<String>,
    },
    /// Print what rules would change as a unified diff; write nothing
    Try {
        /// The id of a rule, or its first characters; may be repeated [default: all rules]
        #[arg(long = "rule", value_name = "ID")]
        ids: Vec<String>,
        /// Files and folders [default: the current folder]
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Apply rules, pinned or not, and nothing else; write the changed source files
    Apply {
        /// The id of a rule, or its first characters; may be repeated [default: all rules]
        #[arg(long = "rule", value_name = "ID")]
        ids: Vec<String>,
        /// Print what would be applied as a unified diff; write nothing
        #[arg(long)]
        diff: bool,
        /// Files and folders
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
    },
    /// Pin rules, so that `fix` applies them and strict mode demands them
    Pin {
        /// Ids, or their first characters
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
    },
    /// Undo `pin`
    Unpin {
        /// Ids, or their first characters
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
    },
    /// Delete rules
    Remove {
        /// Ids, or their first characters
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
    },
    /// Add the rules of a pack, of a rule file or of a folder such as `.bock/rules`; they are not pinned
    Import {
        /// A pack that `export` has written, a rule written by hand, or a folder of rules
        #[arg(value_name = "PATH")]
        source: PathBuf,
        /// Also pin the rules, if this is the SHA-256 digest of the file
        #[arg(long, value_name = "SHA256")]
        pin: Option<String>,
    },
    /// Write rules into one file, for another repository to import
    Export {
        /// The file to write
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
        /// Ids, or their first characters [default: all rules]
        #[arg(value_name = "ID")]
        ids: Vec<String>,
    },
    /// Say which rules match at a line, and why others do not; write nothing
    Why {
        /// A place, such as `src/app.py:12`
        #[arg(value_name = "FILE:LINE")]
        place: String,
    },
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true))]
pub(crate) struct LearnOptions {
    /// Learn from the changes between two commits, such as HEAD~1..HEAD
    #[arg(long, value_name = "REV..REV", group = "source")]
    pub(crate) from: Option<String>,

    /// Learn from stored reports: from the text of a file to its canonical text
    #[arg(long, value_name = "FILE", num_args = 1.., group = "source")]
    pub(crate) from_report: Vec<PathBuf>,

    /// Learn from the artifacts of `fixpoint prove`
    #[arg(long, value_name = "DIR", group = "source")]
    pub(crate) from_evidence: Option<PathBuf>,

    /// Learn from a file before and after a change, or from a folder with files NAME.before.EXT and NAME.after.EXT
    #[arg(long, value_names = ["BEFORE", "AFTER"], num_args = 1..=2, group = "source")]
    pub(crate) from_pairs: Vec<PathBuf>,

    /// A folder of files that no rule may change
    #[arg(long, value_name = "DIR", requires = "from_pairs")]
    pub(crate) negatives: Option<PathBuf>,

    /// Accept rules that match in unchanged files, too: the change may have missed these places
    ///
    /// Without this option, code that stayed as it is limits the rules.
    #[arg(long, conflicts_with = "from_pairs")]
    pub(crate) allow_unchanged: bool,

    /// Store the rules in this folder [default: the folder of --rules]
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListForm {
    /// A line for each rule
    Human,
    /// All rules as one JSON array
    Json,
}
