//! Appends records to the chain and writes the folder of artifacts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fixpoint_text::Digest;
use fixpoint_workspace::{MAX_REPORT_SIZE, read_file};
use thiserror::Error;

use super::{
    ChainError, ChainedRecord, ENVELOPE, EVIDENCE_JSON, EVIDENCE_MD, Evidence, Outcome, PATCH,
    PR_BODY, PR_TITLE, SCHEMA_VERSION, check_chain, extend_chain, seal,
};
use crate::atomic::{TEMPORARY_PREFIX, write_atomic};
use crate::envelope::{self, EnvelopeError};
use crate::key::SigningKey;
use crate::record::CommandRecord;
use crate::render;

/// Why an artifact cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecorderError {
    #[error(
        "{folder} contains {file}, which is not an artifact of an earlier run; pass an empty folder"
    )]
    NotEmpty { folder: PathBuf, file: String },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("`{name}` is not a name for an artifact: use `{PATCH}` or a path below `reports/`")]
    Name { name: String },
    #[error("the result cites record {index}, which does not exist")]
    UnknownRecord { index: u32 },
    #[error("the digest of the patch differs from that of the stored {PATCH}")]
    OtherPatch,
    #[error(transparent)]
    Chain(#[from] ChainError),
    #[error("the evidence cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
}

/// Collects the records of one run in a folder. Only the recorder computes digests.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    commands: Vec<ChainedRecord>,
    artifacts: BTreeMap<String, String>,
}

impl Recorder {
    /// Starts a run. Artifacts of an earlier run in `folder` are removed. Other files are not: they
    /// are an error.
    pub fn create(folder: &Path) -> Result<Self, RecorderError> {
        Self::resume(folder, Vec::new())
    }

    /// Continues a run with the records of a checkpoint. Logs of other records are removed. The
    /// caller adds the patch and the reports again.
    pub fn resume(folder: &Path, commands: Vec<ChainedRecord>) -> Result<Self, RecorderError> {
        check_chain(&commands)?;
        let mut recorder = Self {
            folder: folder.to_owned(),
            commands,
            artifacts: BTreeMap::new(),
        };
        for digest in recorder
            .commands
            .iter()
            .flat_map(|chained| [&chained.record.stdout_sha256, &chained.record.stderr_sha256])
        {
            recorder
                .artifacts
                .insert(log_name(digest), digest.to_owned());
        }
        for name in ["", "logs", "reports"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(|source| io_error(&path, source))?;
            let found = fs::symlink_metadata(&path).map_err(|source| io_error(&path, source))?;
            if !name.is_empty() && !found.is_dir() {
                return Err(io_error(&path, io::Error::other("not a folder")));
            }
        }
        recorder.remove_earlier_run()?;
        for name in recorder.artifacts.keys() {
            let path = folder.join(name);
            fs::symlink_metadata(&path).map_err(|source| io_error(&path, source))?;
        }
        Ok(recorder)
    }

    pub fn commands(&self) -> &[ChainedRecord] {
        &self.commands
    }

    /// Stores the whole redacted streams as logs, sets their digests in the record, and appends the
    /// record. Returns its index.
    pub fn append(
        &mut self,
        mut record: CommandRecord,
        stdout: &[u8],
        stderr: &[u8],
    ) -> Result<u32, RecorderError> {
        record.stdout_sha256 = self.store_log(stdout)?;
        record.stderr_sha256 = self.store_log(stderr)?;
        Ok(extend_chain(&mut self.commands, record)?)
    }

    fn store_log(&mut self, text: &[u8]) -> Result<String, RecorderError> {
        let digest = Digest::of(text).to_string();
        self.write(&log_name(&digest), text)?;
        Ok(digest)
    }

    /// Stores the patch or a report. Storing the same name again replaces it.
    pub fn add(&mut self, name: &str, contents: &[u8]) -> Result<(), RecorderError> {
        let is_report = name.strip_prefix("reports/").is_some_and(is_plain_name);
        if name != PATCH && !is_report {
            let name = name.to_owned();
            return Err(RecorderError::Name { name });
        }
        self.write(name, contents)
    }

    /// Renders the pages, writes `evidence.json` and the envelope, and returns the evidence.
    ///
    /// `evidence.json` is written after all artifacts that it names, so that a folder with this file
    /// is complete except for the envelope.
    pub fn finish(
        mut self,
        outcome: Outcome,
        key: Option<&SigningKey>,
    ) -> Result<Evidence, RecorderError> {
        let patch = outcome.patch.as_ref().map(|patch| &patch.sha256);
        if patch != self.artifacts.get(PATCH) {
            return Err(RecorderError::OtherPatch);
        }
        let is_proved = outcome.verdict.is_success();
        let mut evidence = Evidence {
            schema_version: SCHEMA_VERSION,
            outcome,
            commands: std::mem::take(&mut self.commands),
            artifacts: BTreeMap::new(),
            sha256: String::new(),
        };
        if let Some(index) = evidence.first_unknown_citation() {
            return Err(RecorderError::UnknownRecord { index });
        }
        self.write(EVIDENCE_MD, render::evidence_page(&evidence).as_bytes())?;
        if is_proved {
            self.write(PR_BODY, render::pr_body(&evidence).as_bytes())?;
            self.write(PR_TITLE, render::pr_title(&evidence).as_bytes())?;
        } else {
            self.write(PR_BODY, render::failure_summary(&evidence).as_bytes())?;
        }
        evidence.artifacts = std::mem::take(&mut self.artifacts);
        seal(&mut evidence)?;
        let json = evidence.to_json()?;
        self.write(EVIDENCE_JSON, json.as_bytes())?;
        let envelope = envelope::envelope(&evidence, json.as_bytes(), key)?;
        self.write(ENVELOPE, envelope.as_bytes())?;
        Ok(evidence)
    }

    fn write(&mut self, name: &str, contents: &[u8]) -> Result<(), RecorderError> {
        let path = self.folder.join(name);
        write_atomic(&path, contents).map_err(|source| io_error(&path, source))?;
        let digest = Digest::of(contents).to_string();
        self.artifacts.insert(name.to_owned(), digest);
        Ok(())
    }

    fn remove_earlier_run(&self) -> Result<(), RecorderError> {
        let fixed = [
            EVIDENCE_JSON,
            EVIDENCE_MD,
            ENVELOPE,
            PATCH,
            PR_BODY,
            PR_TITLE,
        ];
        let mut own: BTreeSet<String> = fixed.map(str::to_owned).into();
        // The reports of a finished run are listed in its evidence.
        if let Ok(bytes) = read_file(&self.folder.join(EVIDENCE_JSON), MAX_REPORT_SIZE)
            && let Ok(earlier) = serde_json::from_slice::<Evidence>(&bytes)
        {
            own.extend(earlier.artifacts.into_keys());
        }
        for (folder, prefix) in [("", ""), ("logs", "logs/"), ("reports", "reports/")] {
            let path = self.folder.join(folder);
            let entries = fs::read_dir(&path).map_err(|source| io_error(&path, source))?;
            for entry in entries {
                let entry = entry.map_err(|source| io_error(&path, source))?;
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if self.artifacts.contains_key(&name) || ["logs", "reports"].contains(&&*name) {
                    continue;
                }
                let is_temporary = name
                    .strip_prefix(prefix)
                    .is_some_and(|name| name.starts_with(TEMPORARY_PREFIX));
                if !own.contains(&name) && !is_log_name(&name) && !is_temporary {
                    return Err(RecorderError::NotEmpty {
                        folder: self.folder.clone(),
                        file: name,
                    });
                }
                let path = entry.path();
                fs::remove_file(&path).map_err(|source| io_error(&path, source))?;
            }
        }
        Ok(())
    }
}

pub(super) fn log_name(digest: &str) -> String {
    format!("logs/{digest}.txt")
}

fn is_log_name(name: &str) -> bool {
    let digest = name
        .strip_prefix("logs/")
        .and_then(|name| name.strip_suffix(".txt"));
    digest.is_some_and(|digest| Digest::parse(digest).is_some())
}

/// A name without folders that is not hidden.
pub(super) fn is_plain_name(name: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && name.chars().all(is_plain)
}

fn io_error(path: &Path, source: io::Error) -> RecorderError {
    RecorderError::Io {
        path: path.to_owned(),
        source,
    }
}
