//! Writes what a run leaves behind.

use fixpoint_text::Digest;
use fixpoint_workspace::read_text_file;

use crate::evidence::{
    Base, EVIDENCE_JSON, EVIDENCE_MD, Outcome, PATCH, PR_BODY, Patch, PatchFile, Tool,
};
use crate::key::SigningKey;
use crate::policy::is_test_path;
use crate::run::conclusion::Conclusion;
use crate::run::executor::Executor;
use crate::run::protocol::Run;
use crate::run::{ProveError, RunSummary};

/// A key file is a few hundred bytes.
const MAX_KEY_SIZE: u64 = 16 * 1024;

/// Writes the artifacts, and returns the summary for standard output.
pub(crate) fn write_artifacts(
    run: &Run<'_>,
    executor: Executor<'_>,
    conclusion: &Conclusion,
) -> Result<RunSummary, ProveError> {
    let key = signing_key(run)?;
    let notes = executor.notes().to_vec();
    let token_usage = executor.tokens().to_vec();
    let redacted_command = executor.redact(&run.options.repro);
    let settings = executor.redact(&run.config.decisive().to_string());
    let settings = serde_json::from_str(&settings).unwrap_or_default();
    let created_at = executor.started_at().to_owned();
    let (mut recorder, patches) = executor.into_recorder();
    let mut patch = None;
    if let (Some(proposal), Some(patches)) = (&conclusion.proposal, patches) {
        let (diff, summary) = patches.diff_of(&proposal.changes)?;
        recorder.add(PATCH, diff.as_bytes())?;
        let files = summary.by_file.into_iter().map(|file| PatchFile {
            is_test: is_test_path(&file.file),
            path: file.file,
            added: file.added,
            removed: file.removed,
        });
        patch = Some(Patch {
            sha256: Digest::of(diff.as_bytes()).to_string(),
            files: files.collect(),
        });
    }
    let head = run.workspace.head_commit().ok().flatten();
    let has_patch = patch.is_some();
    let outcome = Outcome {
        created_at,
        tool: Tool {
            name: "fixpoint".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
        repo_path: run.workspace.root().to_string_lossy().into_owned(),
        repro_command: redacted_command,
        issue: run.options.issue,
        base: Base {
            head: head.unwrap_or_default(),
            tree: run.base_digest.clone(),
            uncommitted: run.uncommitted.clone(),
        },
        settings,
        patch,
        policies: conclusion.policies.clone(),
        verdict: conclusion.verdict,
        reasons: conclusion.reasons.clone(),
        minimal: conclusion.minimal.clone(),
        strength: conclusion.strength.clone(),
        engine: conclusion.proposal.as_ref().map(|it| it.text.clone()),
        token_usage,
        notes: notes.clone(),
    };
    recorder.finish(outcome, key.as_ref())?;
    let path = |name: &str| run.artifacts.join(name).to_string_lossy().into_owned();
    let reasons = conclusion.reasons.iter().map(|reason| reason.text.clone());
    Ok(RunSummary {
        success: conclusion.verdict.is_success(),
        verdict: conclusion.verdict,
        artifacts_dir: run.artifacts.to_string_lossy().into_owned(),
        pr_body_path: path(PR_BODY),
        evidence_json_path: path(EVIDENCE_JSON),
        evidence_md_path: path(EVIDENCE_MD),
        patch_path: has_patch.then(|| path(PATCH)),
        notes: reasons.chain(notes).collect(),
    })
}

/// The key that `sign.key` names, relative to the repository.
fn signing_key(run: &Run<'_>) -> Result<Option<SigningKey>, ProveError> {
    let Some(path) = &run.config.sign.key else {
        return Ok(None);
    };
    let failed = |message: String| ProveError::Other {
        what: "the signing key cannot be used",
        message,
    };
    let text = read_text_file(&run.workspace.root().join(path), MAX_KEY_SIZE)
        .map_err(|error| failed(error.to_string()))?;
    let key = SigningKey::parse(&text).map_err(|error| failed(error.to_string()))?;
    Ok(Some(key))
}
