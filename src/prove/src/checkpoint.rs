//! Checkpoints: which steps of a run are done, and their data, so that a killed run can continue.
//!
//! A checkpoint is a file in a folder outside of the user's tree. It belongs to one set of inputs.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fixpoint_text::Digest;
use fixpoint_workspace::{MAX_REPORT_SIZE, ReadError, read_file};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::atomic::write_atomic;
use crate::evidence::{ChainError, ChainedRecord, canonical_json, canonical_sha256, check_chain};

/// The file in the folder that the caller gives.
pub const CHECKPOINT: &str = "checkpoint.json";

const VERSION: u32 = 1;

/// The steps of a run, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The repro fails in the user's tree and in the scratch tree.
    Reproduced,
    /// Files are ranked.
    Localized,
    /// There is a candidate patch.
    Patched,
    /// The four worlds have run.
    Proved,
    /// The patch is minimal.
    Minimized,
    /// The strength of the added tests is known.
    Measured,
    /// The artifacts are written.
    Written,
}

/// Why a checkpoint cannot be used or saved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    #[error(
        "{path} belongs to a run with another command, tree or configuration; \
         run without --resume, or undo the change"
    )]
    OtherInputs { path: PathBuf },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the data of the step {step:?} cannot be stored or read: {source}")]
    Data {
        step: Step,
        source: serde_json::Error,
    },
    #[error("the checkpoint cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    version: u32,
    inputs: String,
    steps: BTreeMap<Step, Value>,
    records: Vec<ChainedRecord>,
    /// SHA-256 of the other members in canonical JSON.
    sha256: String,
}

/// The result of [`Checkpoint::load`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Without steps if there was no usable checkpoint.
    pub checkpoint: Checkpoint,
    /// Why a checkpoint that exists was ignored. The text names the file.
    pub ignored: Option<String>,
}

/// The digest of everything that the result of a run depends on.
pub fn inputs_digest(command: &str, base_tree: &str, config: &Value) -> Digest {
    let config = canonical_json(config);
    Digest::of_parts([command, base_tree, &config].map(str::as_bytes))
}

impl Checkpoint {
    pub fn new(inputs: Digest) -> Self {
        Self {
            version: VERSION,
            inputs: inputs.to_string(),
            steps: BTreeMap::new(),
            records: Vec::new(),
            sha256: String::new(),
        }
    }

    /// Loads the checkpoint of `folder`. A damaged one is ignored, and one of other inputs is an
    /// error.
    pub fn load(folder: &Path, inputs: Digest) -> Result<Loaded, CheckpointError> {
        let path = folder.join(CHECKPOINT);
        let fresh = |ignored| Loaded {
            checkpoint: Self::new(inputs),
            ignored,
        };
        let bytes = match read_file(&path, MAX_REPORT_SIZE) {
            Ok(bytes) => bytes,
            Err(ReadError::Vanished { .. }) => return Ok(fresh(None)),
            Err(error) => return Err(error.into()),
        };
        match parse(&bytes) {
            Err(reason) => {
                let path = path.display();
                let ignored = format!("{path} is damaged and ignored: {reason}");
                Ok(fresh(Some(ignored)))
            }
            Ok(checkpoint) if checkpoint.inputs != inputs.to_string() => {
                Err(CheckpointError::OtherInputs { path })
            }
            Ok(checkpoint) => Ok(Loaded {
                checkpoint,
                ignored: None,
            }),
        }
    }

    /// Replaces the checkpoint of `folder`. A reader sees the old or the new one.
    pub fn save(&self, folder: &Path) -> Result<(), CheckpointError> {
        let mut sealed = self.clone();
        sealed.sha256 = sealed.digest()?;
        let json = serde_json::to_string(&sealed)?;
        let path = folder.join(CHECKPOINT);
        fs::create_dir_all(folder)
            .and_then(|()| write_atomic(&path, json.as_bytes()))
            .map_err(|source| CheckpointError::Io { path, source })
    }

    /// Removes the checkpoint of `folder`, if there is one.
    pub fn remove(folder: &Path) -> Result<(), CheckpointError> {
        let path = folder.join(CHECKPOINT);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(CheckpointError::Io { path, source })
            }
            _ => Ok(()),
        }
    }

    /// The last step that is done.
    pub fn last(&self) -> Option<Step> {
        self.steps.keys().next_back().copied()
    }

    /// The data of a step, or `None` if the step is not done.
    pub fn data<T: DeserializeOwned>(&self, step: Step) -> Result<Option<T>, CheckpointError> {
        let data = self.steps.get(&step).map(T::deserialize).transpose();
        data.map_err(|source| CheckpointError::Data { step, source })
    }

    /// The records up to the last step that is done.
    pub fn records(&self) -> &[ChainedRecord] {
        &self.records
    }

    /// Replaces the records, without marking a step as done.
    pub fn set_records(&mut self, records: &[ChainedRecord]) {
        self.records = records.to_vec();
    }

    /// Marks a step as done with its data and all records so far. Later steps must be done again.
    pub fn complete(
        &mut self,
        step: Step,
        data: &impl Serialize,
        records: &[ChainedRecord],
    ) -> Result<(), CheckpointError> {
        let data = serde_json::to_value(data);
        let data = data.map_err(|source| CheckpointError::Data { step, source })?;
        self.steps.retain(|done, _| *done < step);
        self.steps.insert(step, data);
        self.records = records.to_vec();
        Ok(())
    }

    fn digest(&self) -> Result<String, serde_json::Error> {
        let mut value = serde_json::to_value(self)?;
        if let Value::Object(members) = &mut value {
            members.remove("sha256");
        }
        Ok(canonical_sha256(&value))
    }
}

/// Why the bytes are not a checkpoint.
#[derive(Debug, Error)]
enum Damage {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("its version is {0}, and this program reads {VERSION}")]
    Version(u32),
    #[error("its digest differs")]
    Digest,
    #[error(transparent)]
    Chain(#[from] ChainError),
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, Damage> {
    let checkpoint: Checkpoint = serde_json::from_slice(bytes)?;
    if checkpoint.version != VERSION {
        return Err(Damage::Version(checkpoint.version));
    }
    if checkpoint.sha256 != checkpoint.digest()? {
        return Err(Damage::Digest);
    }
    check_chain(&checkpoint.records)?;
    Ok(Checkpoint {
        sha256: String::new(),
        ..checkpoint
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_saved_checkpoint_is_loaded_again() -> Result<(), CheckpointError> {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("new");
        let inputs = inputs_digest("make test", "tree", &json!({"b": 1, "a": 2}));
        assert_eq!(
            inputs,
            inputs_digest("make test", "tree", &json!({"a": 2, "b": 1}))
        );
        let mut checkpoint = Checkpoint::load(&folder, inputs)?.checkpoint;
        assert_eq!(checkpoint.last(), None);
        checkpoint.complete(Step::Reproduced, &"first", &[])?;
        checkpoint.complete(Step::Patched, &vec![1, 2], &[])?;
        checkpoint.save(&folder)?;

        let loaded = Checkpoint::load(&folder, inputs)?;
        assert_eq!(loaded.ignored, None);
        assert_eq!(loaded.checkpoint, checkpoint);
        assert_eq!(loaded.checkpoint.last(), Some(Step::Patched));
        let data: Option<Vec<u32>> = loaded.checkpoint.data(Step::Patched)?;
        assert_eq!(data, Some(vec![1, 2]));
        assert_eq!(loaded.checkpoint.data::<u32>(Step::Proved)?, None);
        assert!(loaded.checkpoint.data::<u32>(Step::Patched).is_err());

        checkpoint.complete(Step::Localized, &(), &[])?;
        assert_eq!(checkpoint.last(), Some(Step::Localized));
        Checkpoint::remove(&folder)?;
        Checkpoint::remove(&folder)?;
        assert_eq!(Checkpoint::load(&folder, inputs)?.checkpoint.last(), None);
        Ok(())
    }

    #[test]
    fn a_checkpoint_of_other_inputs_is_refused() -> Result<(), CheckpointError> {
        let folder = tempfile::tempdir().expect("a folder");
        let config = json!({});
        Checkpoint::new(inputs_digest("a", "bc", &config)).save(folder.path())?;
        for other in [("ab", "c"), ("a", "b"), ("b", "bc")] {
            let inputs = inputs_digest(other.0, other.1, &config);
            let refused = Checkpoint::load(folder.path(), inputs);
            assert!(matches!(refused, Err(CheckpointError::OtherInputs { .. })));
        }
        Ok(())
    }

    #[test]
    fn a_damaged_checkpoint_is_named_and_ignored() -> Result<(), CheckpointError> {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = inputs_digest("a", "b", &json!(null));
        let mut checkpoint = Checkpoint::new(inputs);
        checkpoint.complete(Step::Reproduced, &"data", &[])?;
        checkpoint.save(folder.path())?;
        let path = folder.path().join(CHECKPOINT);
        let whole = fs::read(&path).expect("saved");
        let part = whole[..whole.len() / 2].to_vec();
        let changed = String::from_utf8_lossy(&whole).replace("data", "date");
        for damaged in [part, changed.into_bytes(), Vec::new()] {
            fs::write(&path, damaged).expect("written");
            let loaded = Checkpoint::load(folder.path(), inputs)?;
            assert_eq!(loaded.checkpoint.last(), None);
            let ignored = loaded.ignored.expect("named");
            assert!(ignored.contains(CHECKPOINT), "{ignored}");
        }
        Ok(())
    }
}
