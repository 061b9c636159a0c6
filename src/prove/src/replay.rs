//! Runs the commands of a proof again, from the same trees.

use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use fixpoint_workspace::{
    ChangedError, MAX_FILE_SIZE, MAX_REPORT_SIZE, ReadError, Workspace, WorkspaceError, read_file,
    read_text_file,
};

use crate::config::{ConfigError, ProveConfig};
use crate::evidence::{EVIDENCE_JSON, Evidence, Outcome, PATCH, VerifyError, verify};
use crate::judge::SAFE_FIXES;
use crate::run::proposals::Recorded;
use crate::run::protocol::prove_patch;
use crate::run::{Options, ProveError};
use crate::scratch::{PatchError, ScratchError, Tree, checkout};
use crate::verdict::Verdict;

/// Why a proof could not be run again.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("evidence.json cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error(
        "the repository {} cannot be opened: {source}\n\
         help: pass a clone of it with --repo; nothing ran", path.display()
    )]
    Repository {
        path: PathBuf,
        source: WorkspaceError,
    },
    #[error(transparent)]
    Changed(#[from] ChangedError),
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    #[error(
        "the proof started from the commit {commit}, which {} does not have: {source}\n\
         help: fetch the commit, and replay again; nothing ran", path.display()
    )]
    Commit {
        commit: String,
        path: PathBuf,
        source: PatchError,
    },
    #[error(
        "the proof started from other files than those in {}\n\
         help: restore them, and replay again; nothing ran", path.display()
    )]
    NoCommit { path: PathBuf },
    #[error(
        "the proof started from the commit {commit} with changes that are not committed in: {}\n\
         help: the artifacts do not contain them; restore them in {}, and replay again; nothing ran",
        files.join(", "), path.display()
    )]
    Uncommitted {
        commit: String,
        files: Vec<String>,
        path: PathBuf,
    },
    #[error(
        "the settings of the proof differ from those here in: {}\n\
         help: pass the file that it used with --config; `settings` in evidence.json has its values; \
         nothing ran", keys.join(", ")
    )]
    Settings { keys: Vec<String> },
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Prove(#[from] ProveError),
    #[error("cannot create a folder for the new artifacts: {0}")]
    Folder(#[source] std::io::Error),
}

/// Where a replay finds what the artifacts do not contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    /// The repository, if it is not where the proof ran.
    pub repo: Option<&'a Path>,
    /// The settings, if they are not those of the repository.
    pub config: Option<&'a Path>,
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replayed {
    /// Whether the new runs lead to the recorded verdict, from the recorded tree.
    pub holds: bool,
    pub recorded_verdict: Verdict,
    pub verdict: Verdict,
    pub notes: Vec<String>,
}

/// Verifies the artifacts in `folder`, and runs their commands again: on the files of the repository if
/// they are those that the proof started from, else on a copy of its commit.
pub fn replay(
    folder: &Path,
    sources: Sources<'_>,
    progress: &mut dyn FnMut(&str),
) -> Result<Replayed, ReplayError> {
    verify(folder)?;
    let recorded = read_evidence(folder)?;
    let outcome = &recorded.outcome;
    let patch = Recorded {
        diff: match outcome.patch {
            Some(_) => Some(read_text_file(&folder.join(PATCH), MAX_FILE_SIZE)?),
            None => None,
        },
        is_safe: outcome
            .reasons
            .iter()
            .any(|reason| reason.text == SAFE_FIXES),
        text: outcome.engine.clone().unwrap_or_default(),
        artifacts: folder.canonicalize().map_err(ReplayError::Folder)?,
    };
    let new = tempfile::tempdir().map_err(ReplayError::Folder)?;
    let path = sources.repo.unwrap_or(Path::new(&outcome.repo_path));
    let repo = base_of(
        outcome,
        path,
        &patch,
        &new.path().join("repository"),
        progress,
    )?;
    check_settings(outcome, &repo, sources.config)?;
    let options = Options {
        repro: outcome.repro_command.clone(),
        repo,
        config: sources.config.map(Path::to_owned),
        engine: None,
        issue: outcome.issue,
        artifacts: Some(new.path().join("artifacts")),
        time_limit: None,
        dry_run: false,
        resume: false,
    };
    let summary = prove_patch(&options, Some(patch), progress)?;
    let replayed = read_evidence(&new.path().join("artifacts"))?;
    let same_base = replayed.outcome.base.tree == outcome.base.tree;
    Ok(Replayed {
        holds: same_base && summary.verdict == outcome.verdict,
        recorded_verdict: outcome.verdict,
        verdict: summary.verdict,
        notes: summary.notes,
    })
}

/// A folder with the files that the proof started from: the repository itself, or `copy`.
fn base_of(
    outcome: &Outcome,
    path: &Path,
    recorded: &Recorded,
    copy: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<PathBuf, ReplayError> {
    let digest = |path: &Path| -> Result<String, ReplayError> {
        let workspace = Workspace::open(path).map_err(|source| ReplayError::Repository {
            path: path.to_owned(),
            source,
        })?;
        let excluded = recorded.artifacts.strip_prefix(workspace.root()).ok();
        let tree = Tree::in_place(&workspace)?.without(excluded);
        Ok(tree.digest(None)?)
    };
    if digest(path)? == outcome.base.tree {
        return Ok(path.to_owned());
    }
    let commit = &outcome.base.head;
    if commit.is_empty() {
        let path = path.to_owned();
        return Err(ReplayError::NoCommit { path });
    }
    progress(&format!("replay: check out {commit}"));
    let copied = checkout(path, commit, copy).map_err(|source| ReplayError::Commit {
        commit: commit.clone(),
        path: path.to_owned(),
        source,
    })?;
    if digest(&copied)? == outcome.base.tree {
        return Ok(copied);
    }
    Err(ReplayError::Uncommitted {
        commit: commit.clone(),
        files: outcome.base.uncommitted.clone(),
        path: path.to_owned(),
    })
}

/// The settings of the artifacts are not used: who wrote them would choose which commands may run.
fn check_settings(
    outcome: &Outcome,
    repo: &Path,
    config: Option<&Path>,
) -> Result<(), ReplayError> {
    let here = ProveConfig::load(repo, config)?.config.decisive();
    let none = serde_json::Value::Null;
    let differs =
        |key: &&String| outcome.settings.get(*key) != here.get(*key).unwrap_or(&none).into();
    let keys: Vec<String> = here
        .as_object()
        .into_iter()
        .flat_map(|it| it.keys())
        .filter(differs)
        .cloned()
        .collect();
    match keys.is_empty() {
        true => Ok(()),
        false => Err(ReplayError::Settings { keys }),
    }
}

fn read_evidence(folder: &Path) -> Result<Evidence, ReplayError> {
    let bytes = read_file(&folder.join(EVIDENCE_JSON), MAX_REPORT_SIZE)?;
    Ok(serde_json::from_slice(&bytes)?)
}
