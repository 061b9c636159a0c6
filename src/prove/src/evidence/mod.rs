//! The evidence of a run: hash-chained records of commands, the verdict, and digests of all other
//! artifacts. The field names in JSON are a contract.
//!
//! Times are only in `createdAt`, `startedAt` and `durationMs`, and in the digests that cover them.
//! [`without_times`] removes them, so that two runs can be compared.

mod canonical;
mod chain;
mod recorder;
mod verify;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use canonical::{canonical_json, canonical_sha256};
pub use chain::{ChainError, FIRST_PREVIOUS, check_chain, extend_chain, seal};
pub use recorder::{Recorder, RecorderError};
pub use verify::{Verified, VerifyError, verify, verify_files, verify_with_key};

use crate::engine::TokenUsage;
use crate::record::CommandRecord;
use crate::verdict::Verdict;

/// The version of the layout of `evidence.json`.
pub const SCHEMA_VERSION: u32 = 1;

/// Names of the artifacts. Logs are `logs/DIGEST.txt`; FixReports are below `reports/`.
pub const EVIDENCE_JSON: &str = "evidence.json";
pub const EVIDENCE_MD: &str = "evidence.md";
pub const ENVELOPE: &str = "evidence.intoto.jsonl";
pub const PATCH: &str = "patch.diff";
pub const PR_BODY: &str = "pr-body.md";
pub const PR_TITLE: &str = "pr-title.txt";

/// The whole content of `evidence.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    pub schema_version: u32,
    /// The facts that the orchestrator adds to the records.
    #[serde(flatten)]
    pub outcome: Outcome,
    pub commands: Vec<ChainedRecord>,
    /// SHA-256 of each other artifact except the envelope, by its path in the folder.
    pub artifacts: BTreeMap<String, String>,
    /// SHA-256 of this document in canonical JSON, without this field.
    pub sha256: String,
}

/// The result of a run, and what it was about. Indexes refer to [`ChainedRecord::index`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// RFC 3339, in UTC. The caller reads the clock.
    pub created_at: String,
    pub tool: Tool,
    pub repo_path: String,
    pub repro_command: String,
    /// The issue or pull request that asked for the run.
    pub issue: Option<u64>,
    pub base: Base,
    /// The settings that decided the verdict.
    pub settings: serde_json::Value,
    pub patch: Option<Patch>,
    pub policies: Vec<PolicyCheck>,
    pub verdict: Verdict,
    pub reasons: Vec<Reason>,
    pub minimal: Option<Minimal>,
    pub strength: Option<Strength>,
    /// Text of the engine, which is data: it is quoted and never interpreted.
    pub engine: Option<EngineText>,
    /// The tokens of each call, as the engine reports them.
    pub token_usage: Vec<TokenUsage>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    pub name: String,
    pub version: String,
}

/// The commit that the run started from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Base {
    /// The commit, or empty in a repository without commits.
    pub head: String,
    /// The digest of the files, including changes that are not committed.
    pub tree: String,
    /// Files that differ from the commit. The artifacts do not contain them.
    pub uncommitted: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Patch {
    /// SHA-256 of `patch.diff`.
    pub sha256: String,
    pub files: Vec<PatchFile>,
}

/// A file of the patch, with the numbers of `git diff --numstat --no-renames`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PatchFile {
    pub path: String,
    pub added: u64,
    pub removed: u64,
    pub is_test: bool,
}

/// The decision of one policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyCheck {
    pub policy: String,
    pub ok: bool,
    pub detail: String,
    /// The records that the decision is about. Empty if it is about the patch.
    pub records: Vec<u32>,
}

/// One reason for the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    pub text: String,
    pub records: Vec<u32>,
}

/// The result of minimizing the patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Minimal {
    pub hunks: Vec<MinimalHunk>,
    /// The records of all trials.
    pub trials: Vec<u32>,
}

/// A hunk that survived, because the repro or an added test fails without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MinimalHunk {
    pub path: String,
    /// The `@@` line of the hunk.
    pub header: String,
    /// Records of runs that fail without the hunk.
    pub fails_without: Vec<u32>,
}

/// How many reverted edits and mutants of the patched lines the added tests reject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Strength {
    /// How many edits of the fix were left out, one at a time.
    pub reverted: u32,
    /// How many of these reverted edits make an added test fail.
    pub reverted_killed: u32,
    pub mutants: u32,
    /// How many mutants make an added test fail.
    pub killed: u32,
    /// Runs without results by test name, for example because they exceeded their time limit.
    pub unknown: u32,
    pub records: Vec<u32>,
}

/// What the engine wrote about its patch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EngineText {
    pub name: String,
    pub title: String,
    pub root_cause: String,
    pub fix_summary: String,
    pub tests_summary: String,
    pub risk_rollback: String,
    pub file_justifications: Vec<Justification>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Justification {
    pub file: String,
    pub reason: String,
}

/// A record with its place in the hash chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChainedRecord {
    /// From 1.
    pub index: u32,
    #[serde(flatten)]
    pub record: CommandRecord,
    /// `sha256` of the record before this one; 64 zeros for the first.
    pub previous_sha256: String,
    /// SHA-256 of this record in canonical JSON, without this field.
    pub sha256: String,
}

impl Evidence {
    /// The bytes of `evidence.json`.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let json = serde_json::to_string_pretty(self)?;
        Ok(fixpoint_text::escape_json(&json).into_owned() + "\n")
    }

    pub fn record(&self, index: u32) -> Option<&ChainedRecord> {
        let position = usize::try_from(index).ok()?.checked_sub(1)?;
        self.commands.get(position)
    }

    /// The first index that the outcome cites and that is not the index of a record.
    pub(crate) fn first_unknown_citation(&self) -> Option<u32> {
        let outcome = &self.outcome;
        let of_policies = outcome.policies.iter().map(|policy| &policy.records);
        let of_reasons = outcome.reasons.iter().map(|reason| &reason.records);
        let of_minimal = outcome.minimal.iter().flat_map(|minimal| {
            let hunks = minimal.hunks.iter().map(|hunk| &hunk.fails_without);
            hunks.chain([&minimal.trials])
        });
        let of_strength = outcome.strength.iter().map(|strength| &strength.records);
        let mut cited = of_policies
            .chain(of_reasons)
            .chain(of_minimal)
            .chain(of_strength)
            .flatten();
        cited.find(|index| self.record(**index).is_none()).copied()
    }
}

/// A copy without times, and without the digests that cover them. The evidence of two runs with the
/// same inputs and the same output is equal in this form.
pub fn without_times(evidence: &Evidence) -> Evidence {
    let mut evidence = evidence.clone();
    evidence.outcome.created_at.clear();
    evidence.sha256.clear();
    for command in &mut evidence.commands {
        command.record.started_at.clear();
        command.record.duration_ms = 0;
        command.previous_sha256.clear();
        command.sha256.clear();
    }
    evidence
}
