//! The evidence as in-toto statements in DSSE envelopes: `evidence.intoto.jsonl`.
//!
//! The file has one envelope per line: a test result and a verification summary (VSA). Both are
//! computed from `evidence.json` only, so that an unsigned file can be checked too. A signature
//! shows that the holder of the key wrote the evidence; only a replay shows that it is true.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fixpoint_text::Digest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use crate::evidence::{EVIDENCE_JSON, Evidence, PATCH, canonical_json, canonical_sha256};
use crate::key::{KeyError, PublicKey, SigningKey};
use crate::record::{TestStatus, World};

pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
pub const TEST_RESULT_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";
pub const VSA_TYPE: &str = "https://slsa.dev/verification_summary/v1";
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// Why envelopes cannot be written or do not match the evidence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    #[error("the policies cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("line {line} is not an envelope: {reason}")]
    Line { line: usize, reason: String },
    #[error("the file has {found} envelopes instead of {expected}")]
    Count { expected: usize, found: usize },
    #[error("line {line}: the statement does not match {EVIDENCE_JSON}")]
    OtherStatement { line: usize },
    #[error("line {line} has no signature, but a key was given")]
    Unsigned { line: usize },
    #[error("line {line} is signed by another key: {found}")]
    OtherKey { line: usize, found: String },
    #[error("line {line}: the signature is wrong")]
    Signature { line: usize },
    #[error("line {line}: {source}")]
    Key { line: usize, source: KeyError },
    #[error("the envelopes are signed by different keys")]
    MixedKeys,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Envelope {
    payload: String,
    payload_type: String,
    signatures: Vec<EnvelopeSignature>,
}

/// `publicKey` is an extension: DSSE readers ignore it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EnvelopeSignature {
    keyid: String,
    public_key: String,
    sig: String,
}

/// The text of `evidence.intoto.jsonl`. Without a key the envelopes have no signatures.
pub fn envelope(
    evidence: &Evidence,
    evidence_json: &[u8],
    key: Option<&SigningKey>,
) -> Result<String, EnvelopeError> {
    let mut lines = String::new();
    for statement in statements(evidence, evidence_json)? {
        let payload = canonical_json(&statement);
        let signatures = key.map(|key| EnvelopeSignature {
            keyid: key.public().fingerprint(),
            public_key: key.public().to_line(),
            sig: STANDARD.encode(key.sign(&pre_authentication(PAYLOAD_TYPE, payload.as_bytes()))),
        });
        let envelope = Envelope {
            payload: STANDARD.encode(&payload),
            payload_type: PAYLOAD_TYPE.to_owned(),
            signatures: signatures.into_iter().collect(),
        };
        lines.push_str(&serde_json::to_string(&envelope)?);
        lines.push('\n');
    }
    Ok(lines)
}

/// Checks that the envelopes are about this evidence, and their signatures. Returns the fingerprint
/// of the key, or `None` if there are no signatures and no key was given.
pub fn check(
    evidence: &Evidence,
    evidence_json: &[u8],
    envelopes: &[u8],
    key: Option<&PublicKey>,
) -> Result<Option<String>, EnvelopeError> {
    let expected = statements(evidence, evidence_json)?;
    let text = str::from_utf8(envelopes).map_err(|error| EnvelopeError::Line {
        line: 1,
        reason: error.to_string(),
    })?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() != expected.len() {
        return Err(EnvelopeError::Count {
            expected: expected.len(),
            found: lines.len(),
        });
    }
    let mut signers = Vec::new();
    for (line, (text, statement)) in (1..).zip(lines.into_iter().zip(expected)) {
        let failed = |reason: String| EnvelopeError::Line { line, reason };
        let envelope: Envelope =
            serde_json::from_str(text).map_err(|error| failed(error.to_string()))?;
        if serde_json::to_string(&envelope)? + "\n" != text {
            return Err(failed(
                "it is not in the form that this program writes".into(),
            ));
        }
        let payload = canonical_json(&statement);
        if envelope.payload_type != PAYLOAD_TYPE || envelope.payload != STANDARD.encode(&payload) {
            return Err(EnvelopeError::OtherStatement { line });
        }
        signers.push(check_signatures(line, &envelope, payload.as_bytes(), key)?);
    }
    signers.dedup();
    match signers.as_slice() {
        [signer] => Ok(signer.clone()),
        _ => Err(EnvelopeError::MixedKeys),
    }
}

fn check_signatures(
    line: usize,
    envelope: &Envelope,
    payload: &[u8],
    key: Option<&PublicKey>,
) -> Result<Option<String>, EnvelopeError> {
    let signature = match (envelope.signatures.as_slice(), key) {
        ([], None) => return Ok(None),
        ([], Some(_)) => return Err(EnvelopeError::Unsigned { line }),
        ([signature], _) => signature,
        _ => {
            let reason = "it has more than one signature".to_owned();
            return Err(EnvelopeError::Line { line, reason });
        }
    };
    let embedded = PublicKey::parse(&signature.public_key)
        .map_err(|source| EnvelopeError::Key { line, source })?;
    let found = embedded.fingerprint();
    if key.is_some_and(|key| *key != embedded) || embedded.to_line() != signature.public_key {
        return Err(EnvelopeError::OtherKey { line, found });
    }
    let bytes = STANDARD.decode(&signature.sig).ok();
    let bytes: Option<[u8; 64]> = bytes.and_then(|bytes| bytes.try_into().ok());
    let message = pre_authentication(PAYLOAD_TYPE, payload);
    let is_valid = bytes.is_some_and(|bytes| embedded.verifies(&message, &bytes));
    if !is_valid || signature.keyid != found {
        return Err(EnvelopeError::Signature { line });
    }
    Ok(Some(found))
}

/// The pre-authentication encoding (PAE) of DSSE: the bytes that are signed.
pub fn pre_authentication(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!(
        "DSSEv1 {} {payload_type} {} ",
        payload_type.len(),
        payload.len()
    );
    [head.as_bytes(), payload].concat()
}

fn statements(evidence: &Evidence, evidence_json: &[u8]) -> Result<[Value; 2], EnvelopeError> {
    let outcome = &evidence.outcome;
    let is_proved = outcome.verdict.is_success();
    let result = if is_proved { "PASSED" } else { "FAILED" };
    let evidence_digest = json!({"sha256": Digest::of(evidence_json).to_string()});
    let policies = serde_json::to_value(&outcome.policies)?;
    let (passed, failed) = tests_with_the_patch(evidence);
    let test_result = json!({
        "result": result,
        "configuration": [{"name": EVIDENCE_JSON, "digest": evidence_digest}],
        "passedTests": passed,
        "failedTests": failed,
    });
    let levels: &[&str] = if is_proved { &["FIXPOINT_PROVED"] } else { &[] };
    let summary = json!({
        "verifier": {
            "id": "fixpoint:prove",
            "version": {&outcome.tool.name: outcome.tool.version},
        },
        "timeVerified": outcome.created_at,
        "resourceUri": format!("gitoid:commit:sha1:{}", outcome.base.head),
        "policy": {
            "uri": "fixpoint:prove/policies",
            "digest": {"sha256": canonical_sha256(&policies)},
        },
        "inputAttestations": [{"uri": EVIDENCE_JSON, "digest": evidence_digest}],
        "verificationResult": result,
        "verifiedLevels": levels,
        "slsaVersion": "1.0",
    });
    let subject = subjects(evidence);
    Ok(
        [(TEST_RESULT_TYPE, test_result), (VSA_TYPE, summary)].map(
            |(predicate_type, predicate)| {
                json!({
                    "_type": STATEMENT_TYPE,
                    "subject": subject,
                    "predicateType": predicate_type,
                    "predicate": predicate,
                })
            },
        ),
    )
}

/// The patch, the tree before it and the tree with it.
fn subjects(evidence: &Evidence) -> Vec<Value> {
    let outcome = &evidence.outcome;
    let patch = outcome.patch.as_ref();
    let patch =
        patch.map(|patch| json!({"name": PATCH, "digest": {"sha256": patch.sha256.as_str()}}));
    let with_patch = runs_with_the_patch(evidence).last();
    let trees = [
        ("base-tree", Some(&outcome.base.tree)),
        ("patched-tree", with_patch.map(|record| &record.tree_before)),
    ];
    let trees = trees.into_iter().filter_map(|(name, tree)| {
        let tree = tree.filter(|tree| !tree.is_empty())?;
        let algorithm = match tree.len() {
            64 => "sha256",
            _ => "gitTree",
        };
        Some(json!({"name": name, "digest": {algorithm: tree}}))
    });
    patch.into_iter().chain(trees).collect()
}

fn runs_with_the_patch(evidence: &Evidence) -> impl Iterator<Item = &crate::record::CommandRecord> {
    let records = evidence.commands.iter().map(|chained| &chained.record);
    records.filter(|record| record.world == Some(World::Both) && record.variant.is_none())
}

/// A test is passed if it passed in every run with the patch and was not only skipped.
fn tests_with_the_patch(evidence: &Evidence) -> (Vec<&str>, Vec<&str>) {
    let mut all = std::collections::BTreeMap::new();
    for record in runs_with_the_patch(evidence) {
        for (name, status) in record.tests.iter().flat_map(|results| &results.tests) {
            let failed = match status {
                TestStatus::Passed => false,
                TestStatus::Failed => true,
                TestStatus::Skipped => continue,
            };
            *all.entry(name.as_str()).or_insert(false) |= failed;
        }
    }
    let named = |wanted: bool| {
        let tests = all.iter().filter(move |(_, failed)| **failed == wanted);
        tests.map(|(name, _)| *name).collect()
    };
    (named(false), named(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the DSSE specification.
    #[test]
    fn the_encoding_is_that_of_the_specification() {
        let encoded = pre_authentication("http://example.com/HelloWorld", b"hello world");
        let expected = "DSSEv1 29 http://example.com/HelloWorld 11 hello world";
        assert_eq!(String::from_utf8_lossy(&encoded), expected);
    }
}
