//! Reads Bazel's log of executed actions.

use serde::Deserialize;
use serde_json::Deserializer;

/// An action that Bazel executed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spawn {
    mnemonic: String,
    pub(crate) command_args: Vec<String>,
    pub(crate) inputs: Vec<LoggedFile>,
    pub(crate) actual_outputs: Vec<LoggedFile>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LoggedFile {
    pub(crate) path: String,
    digest: LoggedDigest,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LoggedDigest {
    hash: String,
    #[serde(default)]
    size_bytes: String,
}

impl LoggedFile {
    pub(crate) fn hash(&self) -> &str {
        &self.digest.hash
    }

    pub(crate) fn size(&self) -> u64 {
        // An empty file has no size in the log.
        self.digest.size_bytes.parse().unwrap_or(0)
    }
}

/// The actions that analyze sources.
pub(crate) fn analyses(log: &str) -> Vec<Spawn> {
    let spawns = Deserializer::from_str(log).into_iter::<Spawn>();
    let spawns = spawns.map(|spawn| spawn.expect("Bazel's log"));
    spawns
        .filter(|spawn| spawn.mnemonic == "FixpointAnalyze")
        .collect()
}
