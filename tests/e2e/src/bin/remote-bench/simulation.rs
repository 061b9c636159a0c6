//! The formula: what a build transfers, from the sizes of its actions.

use std::collections::BTreeMap;

use fixpoint_e2e::PACKAGE;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::spawns::{LoggedFile, Spawn};

/// The most files of an action, as in `rules/private/collect.bzl`.
const BATCH: usize = 64;

/// Bytes of a digest in a message of the remote execution protocol: 64 hexadecimal digits, the size and tags.
const DIGEST: u64 = 72;
/// Bytes of the other fields of an action, a command or a result.
const MESSAGE: u64 = 64;

/// What the actions of a workspace read and write, in bytes.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Costs {
    pub(crate) files: u64,
    pub(crate) actions: u64,
    /// The binary, which all actions share.
    pub(crate) binary: u64,
    /// All sources.
    pub(crate) sources: u64,
    /// The command lines of all actions, which are files.
    pub(crate) command_lines: u64,
    /// Messages that describe all actions and the folders of their inputs. They are computed from the paths.
    pub(crate) messages: u64,
    /// All reports.
    pub(crate) reports: u64,
    /// The results of all actions. They are computed from the paths.
    pub(crate) results: u64,
}

impl Costs {
    pub(crate) fn of(files: usize, spawns: &[Spawn]) -> Self {
        let mut costs = Self {
            files: files as u64,
            actions: spawns.len() as u64,
            binary: 0,
            sources: 0,
            command_lines: 0,
            messages: 0,
            reports: 0,
            results: 0,
        };
        let mut sources = BTreeMap::new();
        for spawn in spawns {
            for input in &spawn.inputs {
                if input.path.ends_with("/fixpoint") {
                    costs.binary = input.size();
                } else if input.path.contains(".params") {
                    costs.command_lines += input.size();
                } else if !input.path.starts_with("external/") {
                    sources.insert(input.hash(), input.size());
                }
            }
            let words: usize = spawn.command_args.iter().map(|it| it.len() + 2).sum();
            costs.messages += 2 * MESSAGE + 2 * DIGEST + words as u64 + tree(&spawn.inputs);
            costs.results += MESSAGE + listed(&spawn.actual_outputs);
            costs.reports += spawn
                .actual_outputs
                .iter()
                .map(LoggedFile::size)
                .sum::<u64>();
        }
        costs.sources = sources.values().sum();
        costs
    }

    pub(crate) fn to_json(&self) -> Value {
        json!(self)
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        serde_json::from_value(value.clone()).ok()
    }

    /// The costs of a workspace with other files of the same kind.
    pub(crate) fn scaled(&self, files: u64) -> Self {
        let actions = actions(files);
        let by = |part: u64, new: u64, old: u64| {
            (u128::from(part) * u128::from(new) / u128::from(old)) as u64
        };
        Self {
            files,
            actions,
            binary: self.binary,
            sources: by(self.sources, files, self.files),
            command_lines: by(self.command_lines, files, self.files),
            messages: by(self.messages, actions, self.actions),
            reports: by(self.reports, files, self.files),
            results: by(self.results, actions, self.actions),
        }
    }

    /// What the first build uploads.
    pub(crate) fn uploaded(&self) -> u64 {
        self.binary + self.sources + self.command_lines + self.messages
    }

    /// What a build downloads for a number of its actions.
    pub(crate) fn downloaded(&self, actions: f64) -> f64 {
        (self.reports + self.results) as f64 / self.actions as f64 * actions
    }

    /// What a build uploads after a number of files changed, which belong to a number of actions.
    pub(crate) fn uploaded_again(&self, changed: f64, actions: f64) -> f64 {
        self.sources as f64 / self.files as f64 * changed
            + self.messages as f64 / self.actions as f64 * actions
    }

    /// How many actions are executed after so many random files changed.
    pub(crate) fn repeated(&self, changed: f64) -> f64 {
        let actions = self.actions as f64;
        actions * (1.0 - (1.0 - 1.0 / actions).powf(changed))
    }
}

/// The number of actions for files in packages of [`PACKAGE`], as `_batches` in `rules/private/collect.bzl` splits them.
pub(crate) fn actions(files: u64) -> u64 {
    let batches = |files: usize| files.div_ceil(BATCH).next_power_of_two() as u64;
    let package = PACKAGE as u64;
    let rest = usize::try_from(files % package).unwrap_or(0);
    files / package * batches(PACKAGE) + if rest > 0 { batches(rest) } else { 0 }
}

/// The bytes of the messages that describe the folders of the inputs.
fn tree(inputs: &[LoggedFile]) -> u64 {
    let mut folders = std::collections::BTreeSet::new();
    for input in inputs {
        folders.extend(std::path::Path::new(&input.path).ancestors().skip(1));
    }
    let name = |path: &std::path::Path| path.file_name().map_or(0, |name| name.len() as u64);
    let files: u64 = inputs
        .iter()
        .map(|input| DIGEST + name(std::path::Path::new(&input.path)))
        .sum();
    files
        + folders
            .iter()
            .map(|folder| DIGEST + name(folder))
            .sum::<u64>()
}

/// The bytes of a list of outputs with their digests.
fn listed(outputs: &[LoggedFile]) -> u64 {
    outputs
        .iter()
        .map(|output| DIGEST + output.path.len() as u64)
        .sum()
}
