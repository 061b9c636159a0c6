//! Removes secrets from text before it reaches a record, a log or a prompt.
//!
//! A [`Redactor`] searches for the values of named secrets and for their usual encodings: base64
//! (standard and URL-safe, at all three alignments inside longer data), hex, URL encoding and JSON
//! escapes. Each line of a secret that has several lines is a secret of its own. Values shorter than
//! [`MIN_LENGTH`] bytes are not redacted, because they occur in ordinary text; [`Redactor::too_short`]
//! names them. [`RedactorStream`] also finds a secret that is split across chunks.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, BuildError, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The length in bytes of the shortest value that is redacted.
pub const MIN_LENGTH: usize = 4;

/// The length in bytes of the shortest line of a secret with several lines that is redacted.
const MIN_LINE_LENGTH: usize = 8;

#[derive(Debug, thiserror::Error)]
#[error(
    "the secrets are too large to search for: {0}\nhelp: list fewer or shorter variables under `security.secrets`"
)]
pub struct RedactError(#[from] BuildError);

/// Replaces secrets by `[redacted:NAME]`.
#[derive(Debug)]
pub struct Redactor {
    /// None if there is nothing to search for.
    search: Option<AhoCorasick>,
    /// The name of the secret, by the number of its pattern.
    names: Vec<String>,
    longest: usize,
    too_short: Vec<String>,
}

impl Redactor {
    /// Takes the names and values of the secrets.
    pub fn new(values: impl Iterator<Item = (String, String)>) -> Result<Self, RedactError> {
        let mut patterns: BTreeMap<Vec<u8>, String> = BTreeMap::new();
        let mut too_short = Vec::new();
        for (name, value) in values {
            let trimmed = value.trim();
            if trimmed.len() < MIN_LENGTH {
                too_short.push(name);
                continue;
            }
            let lines = value
                .lines()
                .map(str::trim)
                .filter(|line| line.len() >= MIN_LINE_LENGTH);
            for part in [value.as_str(), trimmed].into_iter().chain(lines) {
                for form in encodings(part.as_bytes()) {
                    patterns.entry(form).or_insert_with(|| name.clone());
                }
            }
        }
        let longest = patterns.keys().map(Vec::len).max().unwrap_or(0);
        let search = if patterns.is_empty() {
            None
        } else {
            // Overlapping matches need the standard kind.
            let mut builder = AhoCorasick::builder();
            builder.match_kind(MatchKind::Standard);
            Some(builder.build(patterns.keys())?)
        };
        Ok(Self {
            search,
            names: patterns.into_values().collect(),
            longest,
            too_short,
        })
    }

    /// A redactor without secrets.
    pub const fn none() -> Self {
        Self {
            search: None,
            names: Vec::new(),
            longest: 0,
            too_short: Vec::new(),
        }
    }

    /// Names of secrets whose values are too short to redact. The caller should warn about them.
    pub fn too_short(&self) -> &[String] {
        &self.too_short
    }

    /// Whether the text contains a secret in any known encoding.
    pub fn finds(&self, text: &[u8]) -> bool {
        self.search
            .as_ref()
            .is_some_and(|search| search.is_match(text))
    }

    pub fn redact(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.redact_bytes(text.as_bytes())).into_owned()
    }

    pub fn redact_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.stream();
        let mut output = Vec::with_capacity(bytes.len());
        stream.push(bytes, &mut output);
        stream.finish(&mut output);
        output
    }

    /// Redacts text that arrives in chunks.
    pub fn stream(&self) -> RedactorStream<'_> {
        RedactorStream {
            redactor: self,
            buffer: Vec::new(),
            covered: 0,
        }
    }

    /// The secrets in `bytes`, with overlapping ones merged, in order.
    fn spans(&self, bytes: &[u8]) -> Vec<Span> {
        let mut found: Vec<Span> = match &self.search {
            Some(search) => search
                .find_overlapping_iter(bytes)
                .map(|found| Span {
                    start: found.start(),
                    end: found.end(),
                    pattern: found.pattern().as_usize(),
                })
                .collect(),
            None => Vec::new(),
        };
        found.sort_by_key(|span| (span.start, usize::MAX - span.end));
        let mut merged: Vec<Span> = Vec::new();
        for span in found {
            match merged.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        merged
    }
}

/// A part of a buffer that contains a secret.
struct Span {
    start: usize,
    end: usize,
    pattern: usize,
}

/// Redacts text that arrives in chunks. It holds back fewer bytes than two of the longest patterns.
#[derive(Debug)]
pub struct RedactorStream<'a> {
    redactor: &'a Redactor,
    buffer: Vec<u8>,
    /// The length of the start of `buffer` that was already replaced. It is kept because a secret that
    /// begins there may continue in the next chunk.
    covered: usize,
}

impl RedactorStream<'_> {
    /// Appends to `output` what is certain to contain no secret.
    pub fn push(&mut self, chunk: &[u8], output: &mut Vec<u8>) {
        if self.redactor.search.is_none() {
            output.extend_from_slice(chunk);
            return;
        }
        self.buffer.extend_from_slice(chunk);
        let held_back = self.redactor.longest.saturating_sub(1);
        self.emit(self.buffer.len().saturating_sub(held_back), output);
    }

    /// Appends the rest to `output`.
    pub fn finish(mut self, output: &mut Vec<u8>) {
        self.emit(self.buffer.len(), output);
    }

    /// Emits everything before `limit`. A secret that starts before `limit` is complete in the buffer.
    fn emit(&mut self, limit: usize, output: &mut Vec<u8>) {
        let mut position = self.covered;
        // The start of the secret that ends at `position`.
        let mut secret_start = (self.covered > 0).then_some(0);
        for span in self.redactor.spans(&self.buffer) {
            if span.start < position {
                position = position.max(span.end);
                continue;
            }
            if span.start >= limit {
                break;
            }
            output.extend_from_slice(&self.buffer[position..span.start]);
            let name = self.redactor.names.get(span.pattern);
            output.extend_from_slice(b"[redacted:");
            output.extend_from_slice(name.map_or("secret", String::as_str).as_bytes());
            output.push(b']');
            position = span.end;
            secret_start = Some(span.start);
        }
        if position < limit {
            output.extend_from_slice(&self.buffer[position..limit]);
            position = limit;
            secret_start = None;
        }
        let keep = secret_start.map_or(0, |start| {
            (position - start).min(self.redactor.longest.saturating_sub(1))
        });
        self.buffer.drain(..position - keep);
        self.covered = keep;
    }
}

/// The forms of a value that are searched for.
fn encodings(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![
        value.to_vec(),
        hex(value, false),
        hex(value, true),
        percent(value, &|_| false, true),
        percent(value, &|_| false, false),
    ];
    for keep in [
        &b"-._~"[..],
        b"-._~/",
        b"-_.!~*'()",
        b"-_.~:/?#[]@!$&'()*+,;=",
    ] {
        let keeps = |byte: u8| byte.is_ascii_alphanumeric() || keep.contains(&byte);
        for upper in [true, false] {
            let form = percent(value, &keeps, upper);
            forms.push(replace(&form, b"%20", b"+"));
            forms.push(form);
        }
    }
    for base64 in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
        let whole = base64.encode(value).into_bytes();
        forms.push(percent(&whole, &|byte| byte.is_ascii_alphanumeric(), true));
        forms.push(whole);
        for offset in 0..3 {
            forms.push(base64_inside(base64, value, offset));
        }
    }
    if let Ok(json) = serde_json::to_string(&String::from_utf8_lossy(value)) {
        // Without the quotes around the string.
        forms.push(json.into_bytes());
        if let Some(form) = forms.last_mut() {
            form.pop();
            form.remove(0);
        }
    }
    forms.retain(|form| form.len() >= MIN_LENGTH);
    forms
}

/// The characters of base64 that depend only on the value, where `offset` bytes precede it.
fn base64_inside(
    base64: &base64::engine::general_purpose::GeneralPurpose,
    value: &[u8],
    offset: usize,
) -> Vec<u8> {
    let mut padded = vec![0; offset];
    padded.extend_from_slice(value);
    let text = base64.encode(&padded).into_bytes();
    let start = (offset * 8).div_ceil(6);
    let end = padded.len() * 8 / 6;
    text.get(start..end).unwrap_or_default().to_vec()
}

fn hex(bytes: &[u8], upper: bool) -> Vec<u8> {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push_str(&digits(*byte, upper));
    }
    text.into_bytes()
}

fn digits(byte: u8, upper: bool) -> String {
    if upper {
        format!("{byte:02X}")
    } else {
        format!("{byte:02x}")
    }
}

fn percent(bytes: &[u8], keeps: &dyn Fn(u8) -> bool, upper: bool) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if keeps(byte) {
            text.push(byte);
        } else {
            text.push(b'%');
            text.extend_from_slice(digits(byte, upper).as_bytes());
        }
    }
    text
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.first() {
        if let Some(after) = rest.strip_prefix(from) {
            result.extend_from_slice(to);
            rest = after;
        } else {
            result.push(*first);
            rest = &rest[1..];
        }
    }
    result
}
