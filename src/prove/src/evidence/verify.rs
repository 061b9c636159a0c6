//! Checks that a folder of artifacts is complete and unchanged, without running anything.
//!
//! This shows integrity only. A person who can write the folder can also write another consistent
//! one; running the recorded commands again shows that the verdict is true.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use fixpoint_text::Digest;
use fixpoint_workspace::{MAX_FILE_SIZE, MAX_REPORT_SIZE, ReadError, read_file};
use thiserror::Error;

use super::recorder::{is_plain_name, log_name};
use super::{
    ChainError, ENVELOPE, EVIDENCE_JSON, EVIDENCE_MD, Evidence, PATCH, PR_BODY, PR_TITLE,
    SCHEMA_VERSION, check_chain,
};
use crate::envelope::{self, EnvelopeError};
use crate::evidence::chain::sha256_without_own;
use crate::key::PublicKey;
use crate::verdict::Verdict;

/// Larger folders are rejected before they are read.
const MAX_FILES: usize = 100_000;
const MAX_TOTAL_SIZE: u64 = 8 * MAX_REPORT_SIZE;

/// Why a folder is not the unchanged result of a run. Each error names the record or the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
    #[error("the folder has more than {MAX_FILES} files or {MAX_TOTAL_SIZE} bytes")]
    TooLarge,
    #[error("{file} is missing")]
    Missing { file: String },
    #[error("{file} is not listed in {EVIDENCE_JSON}")]
    Unknown { file: String },
    #[error("{file} was changed: its digest differs from the one in {EVIDENCE_JSON}")]
    Changed { file: String },
    #[error("{EVIDENCE_JSON} cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{EVIDENCE_JSON} has the schema version {found}; this program reads {SCHEMA_VERSION}")]
    Version { found: u32 },
    #[error("{EVIDENCE_JSON} is not in the form that this program writes")]
    Form,
    #[error("{EVIDENCE_JSON}: {0}")]
    Chain(#[from] ChainError),
    #[error("{EVIDENCE_JSON} was changed outside of the records: its `sha256` differs")]
    Document,
    #[error("record {index}: its log {file} is missing")]
    Log { index: u32, file: String },
    #[error("{EVIDENCE_JSON} cites record {index}, which does not exist")]
    Citation { index: u32 },
    #[error("{EVIDENCE_JSON}: the digest of the patch is not that of {PATCH}")]
    Patch,
    #[error("{ENVELOPE}: {0}")]
    Envelope(#[from] EnvelopeError),
}

/// A summary of an unchanged folder.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    pub verdict: Verdict,
    pub records: usize,
    pub files: usize,
    /// SHA-256 of the document, from `evidence.json`.
    pub sha256: String,
    /// The fingerprint of the key that signed the envelope.
    pub signed_by: Option<String>,
}

/// Verifies a folder. A signature is checked with the key that the envelope contains.
pub fn verify(folder: &Path) -> Result<Verified, VerifyError> {
    verify_with_key(folder, None)
}

/// Verifies a folder. With a key, the envelope must have a signature of this key.
pub fn verify_with_key(folder: &Path, key: Option<&PublicKey>) -> Result<Verified, VerifyError> {
    verify_files(&read_folder(folder)?, key)
}

/// Verifies the files of a folder, by their paths in it.
pub fn verify_files(
    files: &BTreeMap<String, Vec<u8>>,
    key: Option<&PublicKey>,
) -> Result<Verified, VerifyError> {
    let json = required(files, EVIDENCE_JSON)?;
    let envelope = required(files, ENVELOPE)?;
    let evidence: Evidence = serde_json::from_slice(json)?;
    if evidence.schema_version != SCHEMA_VERSION {
        let found = evidence.schema_version;
        return Err(VerifyError::Version { found });
    }
    check_chain(&evidence.commands)?;
    if evidence.sha256 != sha256_without_own(&evidence)? {
        return Err(VerifyError::Document);
    }
    // Digests cover the values. Comparing the bytes also rejects unknown and repeated members.
    if evidence.to_json()?.as_bytes() != json {
        return Err(VerifyError::Form);
    }
    check_files(&evidence, files)?;
    let signed_by = envelope::check(&evidence, json, envelope, key)?;
    Ok(Verified {
        verdict: evidence.outcome.verdict,
        records: evidence.commands.len(),
        files: files.len(),
        sha256: evidence.sha256,
        signed_by,
    })
}

fn check_files(evidence: &Evidence, files: &BTreeMap<String, Vec<u8>>) -> Result<(), VerifyError> {
    for (name, digest) in &evidence.artifacts {
        let contents = required(files, name)?;
        if Digest::parse(digest) != Some(Digest::of(contents)) {
            let file = name.clone();
            return Err(VerifyError::Changed { file });
        }
    }
    let is_listed = |name: &str| {
        name == EVIDENCE_JSON || name == ENVELOPE || evidence.artifacts.contains_key(name)
    };
    if let Some(file) = files.keys().find(|name| !is_listed(name)) {
        let file = file.clone();
        return Err(VerifyError::Unknown { file });
    }
    let body = [EVIDENCE_MD, PR_BODY].into_iter();
    let title = evidence.outcome.verdict.is_success().then_some(PR_TITLE);
    for name in body.chain(title) {
        required(&evidence.artifacts, name)?;
    }
    for chained in &evidence.commands {
        let record = &chained.record;
        for digest in [&record.stdout_sha256, &record.stderr_sha256] {
            let file = log_name(digest);
            if evidence.artifacts.get(&file) != Some(digest) {
                let index = chained.index;
                return Err(VerifyError::Log { index, file });
            }
        }
    }
    if let Some(index) = evidence.first_unknown_citation() {
        return Err(VerifyError::Citation { index });
    }
    let patch = evidence.outcome.patch.as_ref().map(|patch| &patch.sha256);
    if patch != evidence.artifacts.get(PATCH) {
        return Err(VerifyError::Patch);
    }
    Ok(())
}

fn required<'a, T>(files: &'a BTreeMap<String, T>, name: &str) -> Result<&'a T, VerifyError> {
    files.get(name).ok_or_else(|| VerifyError::Missing {
        file: name.to_owned(),
    })
}

/// Reads the files at the top, in `logs` and in `reports`. Links, pipes and other folders are
/// rejected.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, VerifyError> {
    let mut files = BTreeMap::new();
    let mut total = 0;
    for (name, prefix) in [("", ""), ("logs", "logs/"), ("reports", "reports/")] {
        let inner = folder.join(name);
        let io_error = |source| VerifyError::Io {
            path: inner.to_string_lossy().into_owned(),
            source,
        };
        if !name.is_empty() {
            match fs::symlink_metadata(&inner) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => return Err(unknown(name)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(io_error(error)),
            }
        }
        for entry in fs::read_dir(&inner).map_err(io_error)? {
            let entry = entry.map_err(io_error)?;
            let file_name = entry.file_name();
            let file_name = file_name.to_string_lossy();
            let path = format!("{prefix}{file_name}");
            let metadata = fs::symlink_metadata(entry.path()).map_err(io_error)?;
            if name.is_empty() && metadata.is_dir() && ["logs", "reports"].contains(&&*path) {
                continue;
            }
            if !metadata.is_file() || !is_plain_name(&file_name) {
                return Err(unknown(&path));
            }
            total += metadata.len();
            if files.len() >= MAX_FILES || total > MAX_TOTAL_SIZE {
                return Err(VerifyError::TooLarge);
            }
            let limit = match path.as_str() {
                EVIDENCE_JSON => MAX_REPORT_SIZE,
                _ => MAX_FILE_SIZE,
            };
            files.insert(path, read_file(&entry.path(), limit)?);
        }
    }
    Ok(files)
}

fn unknown(file: &str) -> VerifyError {
    let file = file.to_owned();
    VerifyError::Unknown { file }
}
