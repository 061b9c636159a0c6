//! Ed25519 keys in files: PKCS#8 PEM, or an OpenSSH private key without a passphrase.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use fixpoint_text::Digest;
use thiserror::Error;

/// Longer key files are rejected.
pub const MAX_KEY_SIZE: u64 = 16 * 1024;

const ALGORITHM: &[u8] = b"ssh-ed25519";
const OPENSSH_MAGIC: &[u8] = b"openssh-key-v1\0";
/// The DER of a PKCS#8 Ed25519 key, after the outer length and the version.
const PKCS8_ALGORITHM_AND_SEED: [u8; 11] = [
    0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// Why a key cannot be used. No error contains a part of the key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeyError {
    #[error("the key file is larger than {MAX_KEY_SIZE} bytes")]
    TooLarge,
    #[error("the file has no `PRIVATE KEY` or `OPENSSH PRIVATE KEY` block")]
    NoKey,
    #[error("the key block is not valid base64")]
    Base64,
    #[error("the key is not an Ed25519 key; make one with `ssh-keygen -t ed25519 -N ''`")]
    NotEd25519,
    #[error("the key has a passphrase; use a key without one")]
    Encrypted,
    #[error("the key block is damaged")]
    Damaged,
    #[error("`{0}` is not a public key of the form `ssh-ed25519 BASE64`")]
    Public(String),
}

/// A key that signs envelopes.
pub struct SigningKey(ed25519_dalek::SigningKey);

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SigningKey({})", self.public().fingerprint())
    }
}

impl SigningKey {
    /// Reads the text of a key file.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        if text.len() as u64 > MAX_KEY_SIZE {
            return Err(KeyError::TooLarge);
        }
        if let Some(block) = pem_block(text, "OPENSSH PRIVATE KEY")? {
            return from_openssh(&block);
        }
        match pem_block(text, "PRIVATE KEY")? {
            Some(block) => from_pkcs8(&block),
            None if text.contains("ENCRYPTED PRIVATE KEY") => Err(KeyError::Encrypted),
            None => Err(KeyError::NoKey),
        }
    }

    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

/// A key that checks signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Reads a line such as `ssh-ed25519 BASE64 comment`.
    pub fn parse(line: &str) -> Result<Self, KeyError> {
        let failed = || KeyError::Public(line.chars().take(100).collect());
        let mut words = line.split_ascii_whitespace();
        if words.next().map(str::as_bytes) != Some(ALGORITHM) {
            return Err(failed());
        }
        let blob = words.next().and_then(|word| STANDARD.decode(word).ok());
        let blob = blob.ok_or_else(failed)?;
        Self::from_blob(&blob).ok_or_else(failed)
    }

    fn from_blob(blob: &[u8]) -> Option<Self> {
        let mut rest = blob;
        let algorithm = take_string(&mut rest)?;
        let key: [u8; 32] = take_string(&mut rest)?.try_into().ok()?;
        if algorithm != ALGORITHM || !rest.is_empty() {
            return None;
        }
        VerifyingKey::from_bytes(&key).ok().map(Self)
    }

    fn blob(&self) -> Vec<u8> {
        let mut blob = Vec::new();
        for part in [ALGORITHM, self.0.as_bytes().as_slice()] {
            blob.extend((part.len() as u32).to_be_bytes());
            blob.extend(part);
        }
        blob
    }

    /// The form that [`PublicKey::parse`] reads, without a comment.
    pub fn to_line(&self) -> String {
        format!("ssh-ed25519 {}", STANDARD.encode(self.blob()))
    }

    /// The fingerprint that `ssh-keygen -l` prints.
    pub fn fingerprint(&self) -> String {
        let digest = Digest::of(&self.blob());
        format!("SHA256:{}", STANDARD_NO_PAD.encode(digest.as_bytes()))
    }

    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let signature = Signature::from_bytes(signature);
        self.0.verify_strict(message, &signature).is_ok()
    }
}

fn pem_block(text: &str, label: &str) -> Result<Option<Vec<u8>>, KeyError> {
    let begin = format!("-----BEGIN {label}-----");
    let end = format!("-----END {label}-----");
    let Some((_, after)) = text.split_once(&begin) else {
        return Ok(None);
    };
    let (body, _) = after.split_once(&end).ok_or(KeyError::Damaged)?;
    let body: String = body.split_ascii_whitespace().collect();
    let bytes = STANDARD.decode(body).map_err(|_| KeyError::Base64)?;
    Ok(Some(bytes))
}

/// Version 1 ends after the seed. Version 2 may add the public key.
fn from_pkcs8(der: &[u8]) -> Result<SigningKey, KeyError> {
    let [0x30, length, 0x02, 0x01, version, rest @ ..] = der else {
        return Err(KeyError::Damaged);
    };
    if usize::from(*length) + 2 != der.len() || *length >= 0x80 || *version > 1 {
        // A longer length is that of another algorithm, such as RSA.
        return Err(KeyError::NotEd25519);
    }
    let rest = rest
        .strip_prefix(&PKCS8_ALGORITHM_AND_SEED)
        .ok_or(KeyError::NotEd25519)?;
    let (seed, rest) = rest.split_first_chunk().ok_or(KeyError::Damaged)?;
    let key = SigningKey::from_seed(seed);
    match rest {
        [] => Ok(key),
        [0x81, 0x21, 0x00, public @ ..] if public == key.0.verifying_key().as_bytes() => Ok(key),
        _ => Err(KeyError::Damaged),
    }
}

fn from_openssh(bytes: &[u8]) -> Result<SigningKey, KeyError> {
    let mut rest = bytes.strip_prefix(OPENSSH_MAGIC).ok_or(KeyError::Damaged)?;
    let mut string = || take_string(&mut rest).ok_or(KeyError::Damaged);
    let (cipher, derivation) = (string()?, string()?);
    if cipher != b"none" || derivation != b"none" {
        return Err(KeyError::Encrypted);
    }
    if !string()?.is_empty() || take_number(&mut rest) != Some(1) {
        return Err(KeyError::Damaged);
    }
    let mut string = || take_string(&mut rest).ok_or(KeyError::Damaged);
    let public = string()?;
    let private = string()?;
    let public = PublicKey::from_blob(public).ok_or(KeyError::NotEd25519)?;
    let key = openssh_private(private).ok_or(KeyError::Damaged)?;
    if !rest.is_empty() || key.public() != public {
        return Err(KeyError::Damaged);
    }
    Ok(key)
}

fn openssh_private(private: &[u8]) -> Option<SigningKey> {
    let mut rest = private;
    let (first, second) = (take_number(&mut rest)?, take_number(&mut rest)?);
    let algorithm = take_string(&mut rest)?;
    let public = take_string(&mut rest)?;
    let (seed, copy) = take_string(&mut rest)?.split_first_chunk()?;
    let _comment = take_string(&mut rest)?;
    let is_padding = rest.len() < 8 && (1..).zip(rest).all(|(count, byte)| count == *byte);
    let is_valid = first == second && algorithm == ALGORITHM && public == copy && is_padding;
    is_valid.then(|| SigningKey::from_seed(seed))
}

fn take_number(rest: &mut &[u8]) -> Option<u32> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_be_bytes(*number))
}

fn take_string<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_number(rest)?).ok()?;
    let (string, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(string)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED_7: &str = "-----BEGIN PRIVATE KEY-----\n\
        MC4CAQAwBQYDK2VwBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH\n\
        -----END PRIVATE KEY-----\n";

    #[test]
    fn a_pkcs8_key_is_read() -> Result<(), KeyError> {
        let key = SigningKey::parse(SEED_7)?;
        assert_eq!(key.public(), SigningKey::from_seed(&[7; 32]).public());
        let line = key.public().to_line() + " someone@example";
        assert_eq!(PublicKey::parse(&line)?, key.public());
        let signature = key.sign(b"message");
        assert!(key.public().verifies(b"message", &signature));
        assert!(!key.public().verifies(b"massage", &signature));
        Ok(())
    }

    #[test]
    fn damaged_and_other_keys_are_rejected() {
        for (text, expected) in [
            (String::new(), "no `PRIVATE KEY`"),
            (SEED_7.replace("MC4C", "MC4D"), "damaged"),
            (SEED_7.replace("K2Vw", "K2Vx"), "not an Ed25519"),
            (SEED_7.replace("MC4C", "M!4C"), "base64"),
            (SEED_7.replace("-----END", ""), "damaged"),
            (SEED_7.replace("PRIVATE", "ENCRYPTED PRIVATE"), "passphrase"),
            (" ".repeat(20_000), "larger"),
        ] {
            let error = SigningKey::parse(&text).expect_err("rejected").to_string();
            assert!(error.contains(expected), "{error}");
        }
        for line in ["", "ssh-rsa AAAA", "ssh-ed25519", "ssh-ed25519 AAAA"] {
            assert!(PublicKey::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn every_prefix_of_a_key_is_rejected_without_a_panic() {
        for end in 0..SEED_7.len() - 1 {
            let part = &SEED_7[..end];
            let is_whole = part.ends_with("-----END PRIVATE KEY-----");
            assert_eq!(SigningKey::parse(part).is_ok(), is_whole, "{part}");
        }
    }
}
