//! The output of a command: redacted, and limited in size.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::environment::hex;
use crate::redact::{Redactor, RedactorStream};

/// The number of bytes of a stream that are kept for parsers and logs.
pub const MAX_WHOLE: usize = 64 << 20;

/// One stream of a command that has ended. Everything in it is redacted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The start and the end of the stream, for records.
    pub text: String,
    /// Whether `text` lacks a middle part.
    pub truncated: bool,
    /// The stream up to [`MAX_WHOLE`] bytes, for parsers and logs.
    pub whole: Vec<u8>,
    /// Whether `whole` lacks the end of the stream. Results that were parsed from it are incomplete.
    pub overflowed: bool,
    /// SHA-256 of `whole`.
    pub sha256: String,
}

/// Collects a stream while the command runs.
pub(crate) struct Collector<'a> {
    stream: RedactorStream<'a>,
    whole: Vec<u8>,
    /// The last bytes of the stream, once `whole` is full.
    tail: Vec<u8>,
    total: usize,
    max_whole: usize,
    max_text: usize,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(redactor: &'a Redactor, max_text: usize, max_whole: usize) -> Self {
        Self {
            stream: redactor.stream(),
            whole: Vec::new(),
            tail: Vec::new(),
            total: 0,
            max_whole: max_whole.max(max_text),
            max_text,
        }
    }

    /// Reads until the stream ends. A stream that cannot be read further ends there.
    pub(crate) fn collect(mut self, mut source: impl Read) -> Output {
        let mut chunk = vec![0; 64 << 10];
        let mut redacted = Vec::new();
        loop {
            match source.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => self.stream.push(&chunk[..length], &mut redacted),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
            self.add(&redacted);
            redacted.clear();
        }
        self.finish()
    }

    fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len();
        let room = self.max_whole - self.whole.len();
        let (fits, rest) = bytes.split_at(room.min(bytes.len()));
        self.whole.extend_from_slice(fits);
        if !rest.is_empty() {
            self.tail.extend_from_slice(rest);
            let excess = self.tail.len().saturating_sub(self.max_text);
            self.tail.drain(..excess);
        }
    }

    fn finish(mut self) -> Output {
        let mut rest = Vec::new();
        let stream = std::mem::replace(&mut self.stream, EMPTY.stream());
        stream.finish(&mut rest);
        self.add(&rest);
        let overflowed = self.total > self.whole.len();
        let truncated = self.total > self.max_text;
        let text = if truncated {
            self.shortened()
        } else {
            String::from_utf8_lossy(&self.whole).into_owned()
        };
        Output {
            text,
            truncated,
            sha256: hex(&Sha256::digest(&self.whole)),
            whole: self.whole,
            overflowed,
        }
    }

    /// The start and the end of the stream, with a line between them.
    fn shortened(&self) -> String {
        let half = self.max_text / 2;
        let head = &self.whole[..half];
        let mut end = self.whole[self.whole.len().saturating_sub(half)..].to_vec();
        end.extend_from_slice(&self.tail);
        // A character that was cut in two does not become two replacement characters.
        let head = match std::str::from_utf8(head) {
            Err(error) if error.error_len().is_none() => &head[..error.valid_up_to()],
            _ => head,
        };
        let mut start = end.len().saturating_sub(half);
        while end.get(start).is_some_and(|byte| byte & 0xc0 == 0x80) {
            start += 1;
        }
        let tail = &end[start..];
        let left_out = self.total - head.len() - tail.len();
        format!(
            "{}\n[{left_out} bytes left out]\n{}",
            String::from_utf8_lossy(head),
            String::from_utf8_lossy(tail)
        )
    }
}

/// Replaces the stream of a collector that is finished.
static EMPTY: Redactor = Redactor::none();
