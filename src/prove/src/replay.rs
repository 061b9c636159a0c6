//! Runs the commands of a proof again, from the same trees.

use std::path::Path;

use serde::Serialize;
use thiserror::Error;

use fixpoint_workspace::{MAX_FILE_SIZE, MAX_REPORT_SIZE, ReadError, read_file, read_text_file};

use crate::evidence::{EVIDENCE_JSON, Evidence, PATCH, VerifyError, verify};
use crate::judge::SAFE_FIXES;
use crate::run::proposals::Recorded;
use crate::run::protocol::prove_patch;
use crate::run::{Options, ProveError};
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
    #[error(transparent)]
    Prove(#[from] ProveError),
    #[error("cannot create a folder for the new artifacts: {0}")]
    Folder(#[source] std::io::Error),
}

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replayed {
    /// Whether the new runs lead to the recorded verdict, from the recorded tree.
    pub holds: bool,
    pub recorded_verdict: Verdict,
    pub verdict: Verdict,
    /// Whether the repository has the files that the proof started from.
    pub same_base: bool,
    pub notes: Vec<String>,
}

/// Verifies the artifacts in `folder`, and runs their commands again on the repository that they
/// name.
pub fn replay(folder: &Path, progress: &mut dyn FnMut(&str)) -> Result<Replayed, ReplayError> {
    verify(folder)?;
    let recorded = read_evidence(folder)?;
    let outcome = &recorded.outcome;
    let patch = match outcome.patch {
        Some(_) => Some(Recorded {
            diff: read_text_file(&folder.join(PATCH), MAX_FILE_SIZE)?,
            is_safe: outcome
                .reasons
                .iter()
                .any(|reason| reason.text == SAFE_FIXES),
            text: outcome.engine.clone().unwrap_or_default(),
        }),
        None => None,
    };
    let artifacts = tempfile::tempdir().map_err(ReplayError::Folder)?;
    let new = artifacts.path().join("artifacts");
    let options = Options {
        repro: outcome.repro_command.clone(),
        repo: outcome.repo_path.clone().into(),
        config: None,
        engine: None,
        issue: outcome.issue,
        artifacts: Some(new.clone()),
        time_limit: None,
        dry_run: false,
        resume: false,
    };
    let summary = prove_patch(&options, patch, progress)?;
    let replayed = read_evidence(&new)?;
    let same_base = replayed.outcome.base.tree == outcome.base.tree;
    let mut notes = summary.notes;
    if !same_base {
        notes.push(format!(
            "the files of {} are not those that the proof started from; check out {} without other \
             changes, and replay again",
            outcome.repo_path, outcome.base.head
        ));
    }
    Ok(Replayed {
        holds: same_base && summary.verdict == outcome.verdict,
        recorded_verdict: outcome.verdict,
        verdict: summary.verdict,
        same_base,
        notes,
    })
}

fn read_evidence(folder: &Path) -> Result<Evidence, ReplayError> {
    let bytes = read_file(&folder.join(EVIDENCE_JSON), MAX_REPORT_SIZE)?;
    Ok(serde_json::from_slice(&bytes)?)
}
