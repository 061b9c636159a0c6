//! The commands for Clank programs, with their options and help texts.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::SafetyLevel;

#[derive(Debug, Subcommand)]
pub(crate) enum ClankCommand {
    /// Compile a Clank program to JavaScript or TypeScript; print it, or write files with `--output`
    ///
    /// Errors, warnings and unproved obligations go to standard error. A program with errors has
    /// no code, but `--emit=json` still prints its diagnostics. Exit status: 0 compiled; 1 the program
    /// has errors or is incomplete, or strict mode fails; 2 wrong usage; 3 a file could not be read or written.
    #[command(after_long_help = COMPILE_EXAMPLES)]
    Compile(CompileOptions),
    /// Compile all Clank programs below the paths into a folder
    ///
    /// Every program is compiled from its canonical text, in memory; source files do not change. The
    /// modules that programs use are found in the workspace by their names, and compiled first. The code
    /// of `app/main.clank` is written to `app/main.mjs` and `app/main.mts` below the folder. If a
    /// program has errors, nothing is written. Exit status: 0 compiled; 1 a program has errors, or
    /// strict mode fails; 2 wrong usage, or there is no program; 3 a file could not be read or written.
    #[command(after_long_help = BUILD_EXAMPLES)]
    Build(BuildOptions),
    /// Compile a Clank program and run its function `main`; write nothing
    ///
    /// The program runs in a JavaScript engine inside this command; the same code runs in Node. It can
    /// print, and has no other access to the machine. Exit status: 0 the program ended normally; 1 it
    /// has errors, panicked or was stopped, or strict mode fails; 2 wrong usage, or there is no `main`; 3 the file could not
    /// be read.
    #[command(after_long_help = RUN_EXAMPLES)]
    Run(RunOptions),
    /// Repair a Clank program in memory and print the result; write nothing
    ///
    /// Applies the permitted repairs of the compiler in rounds: first those for errors, then those for
    /// obligations, holes and warnings. After each round the program is compiled again, and a repair
    /// that does not have its promised effect is undone. The command ends in one of four ways: success;
    /// the ids of repairs that need your approval; problems that only you can clarify; or stuck, with
    /// the reason. `fixpoint fix` writes repairs to files. Exit status: 0 success; 1 problems are left;
    /// 2 wrong usage; 3 the file could not be read, or does not match --base.
    #[command(after_long_help = REPAIR_EXAMPLES)]
    Repair(RepairOptions),
    /// Apply PatchOps to a Clank program and print the result; write nothing
    ///
    /// OPS.json is a list of ops, or `{"base_sha256": ..., "ops": [...]}`. With a hash, the command
    /// fails unless it is the sha256 of the program. The ids of nodes are those that `fixpoint compile
    /// --emit=json` prints. Either all ops are applied or none. Exit status: 0 applied; 1 an op cannot
    /// be applied; 2 wrong usage; 3 a file could not be read, or does not match the hash.
    #[command(after_long_help = PATCH_EXAMPLES)]
    Patch(PatchOptions),
}

const COMPILE_EXAMPLES: &str = "Examples:
  fixpoint compile app.clank > app.js          JavaScript, with its source map inside
  fixpoint compile app.clank --emit=all -o out everything, as files
  fixpoint compile app.json --emit=json        diagnostics, obligations and code as data";

const BUILD_EXAMPLES: &str = "Examples:
  fixpoint build --output out                  every program of the current folder
  fixpoint build app lib --output out --strict fail if a file is not canonical";

const PATCH_EXAMPLES: &str = "Examples:
  fixpoint patch app.clank --ops ops.json             the patched text, with its comments
  fixpoint patch app.clank --ops ops.json --emit=ast  the patched program as AST JSON
  fixpoint patch app.json --ops ops.json              a program as AST JSON";

const REPAIR_EXAMPLES: &str = "Examples:
  fixpoint repair app.clank                       the repaired program; the steps go to standard error
  fixpoint repair app.clank --format=diff         the same as a diff
  fixpoint repair app.clank --approve rc_1f0c...  also a repair that changes behavior
  fixpoint repair app.json --format=json          every step, for a program as AST JSON";

const RUN_EXAMPLES: &str = "Examples:
  fixpoint run app.clank
  fixpoint run app.json                        a program as AST JSON
  fixpoint run app.clank --module geo=geo.clank    with a module it uses
  fixpoint run app.clank --run-limit 10        stopped after ten seconds";

#[derive(Debug, Args)]
pub(crate) struct ProgramOptions {
    /// The program file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The form of the program [default: AST JSON if the file is named .json, else source]
    #[arg(long, short, value_enum, value_name = "FORM")]
    pub(crate) input: Option<InputForm>,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ModeOptions {
    /// Exit with 1 if safe fixes or style findings are pending, or an obligation is not proved; without
    /// it, these are warnings
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BuildOptions {
    /// Files and folders [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Write the code into this folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) mode: ModeOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ModuleOptions {
    /// Let `use NAME` import from this file, which is the source of the module or its interface from
    /// --emit=interface; may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) module: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputForm {
    /// Clank text
    Source,
    /// A program as AST JSON
    Ast,
}

#[derive(Debug, Args)]
pub(crate) struct CompileOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,

    /// What to produce
    #[arg(long, value_enum, default_value_t = Emit::Js, value_name = "WHAT")]
    pub(crate) emit: Emit,

    /// Write files into this folder instead of printing
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) module_options: ModuleOptions,

    /// Compile the program as an ES module; a `use` of a module that --module does not name is then an
    /// error
    #[arg(long)]
    pub(crate) modules: bool,

    #[command(flatten)]
    pub(crate) mode: ModeOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// JavaScript that runs `main`, or exports its functions if another script requires it; an ES
    /// module runs `main` unless the program names itself with `mod`
    Js,
    /// A TypeScript module that exports everything
    Ts,
    /// The whole result: status, canonical AST, code, diagnostics, obligations, holes, repairs
    Json,
    /// The canonical program as AST JSON
    Ast,
    /// The canonical text
    Clank,
    /// The interface of the program, for programs that use it as a module
    Interface,
    /// All of these except the interface, as files; needs --output
    All,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,

    #[command(flatten)]
    pub(crate) module_options: ModuleOptions,

    /// Stop the program after this many seconds [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) run_limit: Option<u64>,

    #[command(flatten)]
    pub(crate) mode: ModeOptions,
}

#[derive(Debug, Args)]
pub(crate) struct RepairOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,

    #[command(flatten)]
    pub(crate) module_options: ModuleOptions,

    /// Apply only repairs that are known to keep behavior, or also those that likely keep it
    #[arg(long, value_enum, default_value_t = SafetyLevel::Likely, value_name = "LEVEL")]
    pub(crate) safety: SafetyLevel,

    /// Also apply the repair with this id, regardless of its safety; may be repeated
    #[arg(long, value_name = "ID")]
    pub(crate) approve: Vec<String>,

    /// Fail unless the program has this sha256, which is the `base_sha256` of the result with the ids
    #[arg(long, value_name = "SHA256")]
    pub(crate) base: Option<String>,

    /// Give up after this many rounds
    #[arg(long, value_name = "N", default_value_t = fixpoint_clank::repair::MAX_ROUNDS)]
    pub(crate) max_rounds: usize,

    /// What to print
    #[arg(long, value_enum, default_value_t = RepairForm::Program, value_name = "FORM")]
    pub(crate) format: RepairForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RepairForm {
    /// The repaired program, in the same form as the input
    Program,
    /// A unified diff from the program to the repaired one
    Diff,
    /// The outcome, every step, the repaired program and its result, as one JSON document
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct PatchOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,

    /// The ops, as JSON
    #[arg(long, value_name = "OPS.json")]
    pub(crate) ops: PathBuf,

    /// What to print [default: the form of the input]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) emit: Option<PatchOutput>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PatchOutput {
    /// Clank text
    Clank,
    /// The canonical program as AST JSON
    Ast,
}
