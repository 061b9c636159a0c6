//! What an engine receives. Every text in it is redacted by the caller.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::response::{PatchResponse, Plan};
use crate::config::{Network, ProveConfig};
use crate::policy::{DiffSummary, TestPolicyDecision};
use crate::record::{CommandRecord, Phase};

/// The result of a command, without the digests of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandResult {
    pub command: String,
    pub stdout: String,
    pub stderr: String,
    pub exit_code: Option<i32>,
    pub duration_ms: u64,
    pub phase: Phase,
    pub started_at: String,
    pub timed_out: bool,
    pub truncated: bool,
}

impl From<&CommandRecord> for CommandResult {
    fn from(record: &CommandRecord) -> Self {
        Self {
            command: record.command.clone(),
            stdout: record.stdout.clone(),
            stderr: record.stderr.clone(),
            exit_code: record.exit_code,
            duration_ms: record.duration_ms,
            phase: record.phase,
            started_at: record.started_at.clone(),
            timed_out: record.timed_out,
            truncated: record.truncated,
        }
    }
}

/// The policies, so that an engine can comply. They are enforced after the fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policies {
    pub max_files: u64,
    pub max_loc: u64,
    pub hard_max_files: u64,
    pub hard_max_loc: u64,
    pub tests_required: bool,
    pub required_suites: Vec<String>,
    pub paths_allow: Vec<String>,
    pub paths_protect: Vec<String>,
    pub network: Network,
}

impl From<&ProveConfig> for Policies {
    fn from(config: &ProveConfig) -> Self {
        Self {
            max_files: config.diff.max_files,
            max_loc: config.diff.max_loc,
            hard_max_files: config.diff.hard_max_files,
            hard_max_loc: config.diff.hard_max_loc,
            tests_required: config.test.required,
            required_suites: config.test.required_suites.clone(),
            paths_allow: config.paths.allow.clone(),
            paths_protect: config.paths.protect.clone(),
            network: config.security.network,
        }
    }
}

/// The instructions for a model, one per step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptPack {
    pub system: String,
    pub reproduce: String,
    pub fix: String,
    pub tests: String,
    pub verify: String,
    pub summarize: String,
}

/// The failure to fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditContext {
    /// A scratch copy of the repository, without git's folder.
    pub repo_path: String,
    pub repro_command: String,
    pub repro_result: CommandResult,
    /// The paths of the repository's files.
    pub files: Vec<String>,
    /// The text of the files that the plan names, by path. It is empty during `plan`.
    pub contents: BTreeMap<String, String>,
    pub policies: Policies,
    pub prompt_pack: PromptPack,
    /// Why the previous proposal was not accepted.
    #[serde(default)]
    pub feedback: Option<String>,
}

/// One of the four calls, with what the engine receives.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Request<'a> {
    Plan(&'a EditContext),
    ApplyEdits {
        #[serde(flatten)]
        context: &'a EditContext,
        plan: &'a Plan,
    },
    Verify(&'a VerifyContext),
    SummarizePr(&'a SummaryContext),
}

/// The runs that verify a patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyContext {
    pub repo_path: String,
    pub verification_results: Vec<CommandResult>,
    pub policies: Policies,
}

/// A whole run, for the text of the pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SummaryContext {
    pub repo_path: String,
    pub repro_command: String,
    pub repro_result: CommandResult,
    pub verification_results: Vec<CommandResult>,
    #[serde(serialize_with = "snake_case")]
    pub diff_summary: DiffSummary,
    #[serde(serialize_with = "snake_case")]
    pub test_policy: TestPolicyDecision,
    pub patch: PatchResponse,
}

/// Serializes a type of the evidence, whose keys are camelCase, with snake_case keys.
fn snake_case<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let json = serde_json::to_value(value).map_err(serde::ser::Error::custom)?;
    renamed(json).serialize(serializer)
}

fn renamed(json: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match json {
        Value::Object(members) => {
            let members = members.into_iter().map(|(key, value)| {
                let mut snake = String::with_capacity(key.len() + 4);
                for character in key.chars() {
                    if character.is_ascii_uppercase() {
                        snake.push('_');
                    }
                    snake.push(character.to_ascii_lowercase());
                }
                (snake, renamed(value))
            });
            Value::Object(members.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(renamed).collect()),
        other => other,
    }
}
