//! What is recorded about a command that was run. The field names in JSON are a contract.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The step of the protocol that a command belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Reproduce,
    Localize,
    Fix,
    Prevent,
    Prove,
}

/// The scratch tree that a command runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum World {
    Base,
    /// The base with the tests of the patch.
    TestsOnly,
    /// The base with the patch, except its tests.
    FixOnly,
    /// The base with the whole patch.
    Both,
}

/// A command that was run, and its result. Texts are redacted and capped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommandRecord {
    /// The command as the user wrote it.
    pub command: String,
    /// The arguments that were run, including those added to obtain structured results.
    pub argv: Vec<String>,
    pub phase: Phase,
    pub world: Option<World>,
    /// The number of this run among the runs of the command in the same world, from 1.
    pub run: u32,
    /// Why this run differs from a plain one, for example `alone` or `sentinel`.
    pub variant: Option<String>,
    /// RFC 3339, in UTC.
    pub started_at: String,
    pub duration_ms: u64,
    /// None if a signal ended the command.
    pub exit_code: Option<i32>,
    pub timed_out: bool,
    pub stdout: String,
    pub stderr: String,
    /// Whether `stdout` or `stderr` lacks a middle part.
    pub truncated: bool,
    /// SHA-256 of the whole redacted stream, which is stored as `logs/DIGEST.txt`.
    pub stdout_sha256: String,
    pub stderr_sha256: String,
    pub allowed_by_policy: bool,
    /// SHA-256 of the environment's variables, sorted by name.
    pub environment_sha256: String,
    /// Digests of the files of the scratch tree.
    pub tree_before: String,
    pub tree_after: String,
    pub sandbox: Layers,
    /// Results by test name, if the runner's output has them.
    pub tests: Option<TestResults>,
    /// Why the results of tests cannot be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unparsed: Option<String>,
}

/// Which layers of the sandbox were active. A layer that the kernel refused has a reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layers {
    pub active: Vec<String>,
    pub refused: BTreeMap<String, String>,
}

/// The result of one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    Passed,
    Failed,
    Skipped,
}

/// The results of a test run, by a name that is unique within the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestResults {
    /// Which format the results were read from: `junit`, `go-json`, `libtest`, `tap`, `bazel`.
    pub source: String,
    pub tests: BTreeMap<String, TestStatus>,
}
