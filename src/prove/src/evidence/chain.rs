//! The hash chain over the records, and the digest over the whole document.

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use super::{ChainedRecord, Evidence, canonical_sha256};
use crate::record::CommandRecord;

/// `previousSha256` of the first record.
pub const FIRST_PREVIOUS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Why the records are not a chain. Each error names the first wrong record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChainError {
    #[error("record {expected} has the index {found}")]
    Index { expected: u32, found: u32 },
    #[error("record {index} does not follow the record before it: `previousSha256` differs")]
    Previous { index: u32 },
    #[error("record {index} was changed: its `sha256` differs")]
    Record { index: u32 },
    #[error("there are more records than an index can count")]
    TooMany,
    #[error("a record cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Appends `record`, and returns its index.
pub fn extend_chain(
    chain: &mut Vec<ChainedRecord>,
    record: CommandRecord,
) -> Result<u32, ChainError> {
    let index = u32::try_from(chain.len() + 1).map_err(|_| ChainError::TooMany)?;
    let previous = chain.last().map_or(FIRST_PREVIOUS, |last| &last.sha256);
    let mut chained = ChainedRecord {
        index,
        record,
        previous_sha256: previous.to_owned(),
        sha256: String::new(),
    };
    chained.sha256 = sha256_without_own(&chained)?;
    chain.push(chained);
    Ok(index)
}

/// Checks the index, the link and the digest of every record.
pub fn check_chain(chain: &[ChainedRecord]) -> Result<(), ChainError> {
    let mut previous = FIRST_PREVIOUS;
    for (expected, chained) in (1..).zip(chain) {
        let index = chained.index;
        if index != expected {
            return Err(ChainError::Index {
                expected,
                found: index,
            });
        }
        if chained.previous_sha256 != previous {
            return Err(ChainError::Previous { index });
        }
        if chained.sha256 != sha256_without_own(chained)? {
            return Err(ChainError::Record { index });
        }
        previous = &chained.sha256;
    }
    Ok(())
}

/// Sets the digest over the whole document.
pub fn seal(evidence: &mut Evidence) -> Result<(), serde_json::Error> {
    evidence.sha256 = sha256_without_own(evidence)?;
    Ok(())
}

/// The digest of a value without its member `sha256`.
pub(super) fn sha256_without_own(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut value = serde_json::to_value(value)?;
    if let Value::Object(members) = &mut value {
        members.remove("sha256");
    }
    Ok(canonical_sha256(&value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Layers, Phase, World};

    fn record(run: u32) -> CommandRecord {
        CommandRecord {
            command: "make test".to_owned(),
            argv: vec!["make".to_owned(), "test".to_owned()],
            phase: Phase::Prove,
            world: Some(World::Base),
            run,
            variant: None,
            unparsed: None,
            started_at: "2026-01-01T00:00:00Z".to_owned(),
            duration_ms: 5,
            exit_code: Some(1),
            timed_out: false,
            stdout: String::new(),
            stderr: "failed".to_owned(),
            truncated: false,
            stdout_sha256: String::new(),
            stderr_sha256: String::new(),
            allowed_by_policy: true,
            environment_sha256: String::new(),
            tree_before: String::new(),
            tree_after: String::new(),
            sandbox: Layers::default(),
            tests: None,
        }
    }

    #[test]
    fn a_changed_removed_or_reordered_record_breaks_the_chain() -> Result<(), ChainError> {
        let mut chain = Vec::new();
        for run in 1..=3 {
            extend_chain(&mut chain, record(run))?;
        }
        check_chain(&chain)?;

        let mut changed = chain.clone();
        changed[1].record.exit_code = Some(0);
        let error = check_chain(&changed);
        assert!(matches!(error, Err(ChainError::Record { index: 2 })));

        let mut removed = chain.clone();
        removed.remove(1);
        let error = check_chain(&removed);
        assert!(matches!(error, Err(ChainError::Index { expected: 2, .. })));

        let mut replaced = chain.clone();
        replaced[1].record.exit_code = Some(0);
        replaced[1].sha256 = sha256_without_own(&replaced[1])?;
        let error = check_chain(&replaced);
        assert!(matches!(error, Err(ChainError::Previous { index: 3 })));
        Ok(())
    }
}
