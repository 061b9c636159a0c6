//! The digest that identifies file contents: sha256, which Bazel uses too.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// The sha256 of some bytes. `Display` and `parse` use 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of several parts. Each part is prefixed with its length, so that two different
    /// lists of parts never hash the same input.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// The HMAC-SHA256 of `message`: only those who know `key` can compute it.
    pub fn keyed(key: &[u8], message: &[u8]) -> Self {
        const BLOCK: usize = 64;
        let mut block = [0; BLOCK];
        if key.len() > BLOCK {
            block[..32].copy_from_slice(Self::of(key).as_bytes());
        } else {
            block[..key.len()].copy_from_slice(key);
        }
        let round = |pad: u8, message: &[u8]| {
            let mut hasher = Sha256::new();
            hasher.update(block.map(|byte| byte ^ pad));
            hasher.update(message);
            Self(hasher.finalize().into())
        };
        round(0x5c, round(0x36, message).as_bytes())
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Parses the 64-digit form; returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = hex_value(pair[0])? << 4 | hex_value(pair[1])?;
        }
        Some(Self(bytes))
    }

    /// The first twelve hexadecimal digits, which are enough to be unique within a workspace.
    pub fn short(&self) -> String {
        let mut hex = self.to_string();
        hex.truncate(12);
        hex
    }
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; 64];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        f.write_str(str::from_utf8(&hex).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_sha256_in_lower_case_hex() {
        let digest = Digest::of(b"abc");
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), hex);
        assert_eq!(Digest::parse(hex), Some(digest));
        assert_eq!(digest.short(), "ba7816bf8f01");
    }

    /// Test cases 2 and 6 of RFC 4231.
    #[test]
    fn the_keyed_digest_is_hmac_sha256() {
        let short = Digest::keyed(b"Jefe", b"what do ya want for nothing?");
        let hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(short.to_string(), hex);
        let message = b"Test Using Larger Than Block-Size Key - Hash Key First";
        let long = Digest::keyed(&[0xaa; 131], message);
        let hex = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
        assert_eq!(long.to_string(), hex);
    }

    #[test]
    fn other_notations_are_rejected() {
        assert_eq!(Digest::parse(""), None);
        assert_eq!(Digest::parse(&"A".repeat(64)), None);
        assert_eq!(Digest::parse(&"0".repeat(63)), None);
    }

    #[test]
    fn different_parts_have_different_digests() {
        let joined = Digest::of_parts([b"ab".as_slice(), b"c"]);
        let split = Digest::of_parts([b"a".as_slice(), b"bc"]);
        assert_ne!(joined, split);
    }
}
