//! Removes secrets from text before it reaches a record, a log or a prompt.
//!
//! A [`Redactor`] searches for the values of named secrets and for their usual encodings: base64
//! (standard and URL-safe, at all three alignments inside longer data) and hex, both also with blanks
//! and line ends between their characters, URL encoding and JSON escapes. Each line of a secret that has several lines is a secret of its own. Values shorter than
//! [`MIN_LENGTH`] bytes are not redacted, because they occur in ordinary text; [`Redactor::too_short`]
//! names them. [`RedactorStream`] also finds a secret that is split across chunks.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, BuildError, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The length in bytes of the shortest value that is redacted.
pub const MIN_LENGTH: usize = 4;

/// The length in bytes of the shortest line of a secret with several lines that is redacted.
const MIN_LINE_LENGTH: usize = 8;

/// The length in bytes of the shortest base64 or hex form that is found between blanks. Shorter ones
/// occur in ordinary text without its blanks.
const MIN_SPACED_LENGTH: usize = 8;

/// More blanks than these in a row end a value.
const MAX_BLANKS: usize = 2;

/// How many bytes of text one byte of a pattern may take: `%2F`, or a character after two blanks.
const MAX_EXPANSION: usize = 3;

#[derive(Debug, thiserror::Error)]
#[error(
    "the secrets are too large to search for: {0}\nhelp: list fewer or shorter variables under `security.secrets`"
)]
pub struct RedactError(#[from] BuildError);

/// Replaces secrets by `[redacted:NAME]`.
#[derive(Debug)]
pub struct Redactor {
    /// All forms of the secrets.
    forms: Option<Search>,
    /// The forms that are also found with blanks in them.
    spaced: Option<Search>,
    /// The length of the longest text that is replaced.
    longest: usize,
    too_short: Vec<String>,
}

/// An automaton that finds patterns, and the name of the secret for each of them.
#[derive(Debug)]
struct Search {
    automaton: AhoCorasick,
    names: Vec<String>,
    longest: usize,
}

impl Search {
    /// None if there is nothing to search for.
    fn new(patterns: BTreeMap<Vec<u8>, String>) -> Result<Option<Self>, RedactError> {
        let Some(longest) = patterns.keys().map(Vec::len).max() else {
            return Ok(None);
        };
        // Overlapping matches need the standard kind.
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::Standard);
        Ok(Some(Self {
            automaton: builder.build(patterns.keys())?,
            names: patterns.into_values().collect(),
            longest,
        }))
    }

    fn find(&self, view: &View) -> impl Iterator<Item = Span<'_>> {
        let found = self.automaton.find_overlapping_iter(&view.bytes);
        found.map(|found| Span {
            start: view.places[found.start()].start,
            end: view.places[found.end() - 1].end,
            name: &self.names[found.pattern()],
        })
    }
}

/// A text in another form, and the places in the original of each of its bytes.
#[derive(Default)]
struct View {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl View {
    fn push(&mut self, byte: u8, place: Range<usize>) {
        self.bytes.push(byte);
        self.places.push(place);
    }

    fn plain(text: &[u8]) -> Self {
        Self {
            bytes: text.to_vec(),
            places: (0..text.len()).map(|at| at..at + 1).collect(),
        }
    }

    /// Without URL encoding.
    fn percent_decoded(text: &[u8], plus_is_blank: bool) -> Self {
        let mut view = Self::default();
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let (byte, length) = match escaped(&text[at..]) {
                Some(byte) => (byte, 3),
                None if byte == b'+' && plus_is_blank => (b' ', 1),
                None => (byte, 1),
            };
            view.push(byte, at..at + length);
            at += length;
        }
        view
    }

    /// Without blanks, line ends and colons, as base64 and hex are printed.
    fn without_blanks(text: &[u8]) -> Self {
        let is_blank = |byte: u8| byte.is_ascii_whitespace() || byte == b':';
        let mut view = Self::default();
        let mut blanks = 0;
        for (at, byte) in text.iter().copied().enumerate() {
            blanks = if is_blank(byte) { blanks + 1 } else { 0 };
            if blanks == 0 || blanks > MAX_BLANKS {
                view.push(byte, at..at + 1);
            }
        }
        view
    }
}

/// The byte of an escape such as `%2F` at the start of the text.
fn escaped(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    if text.first() != Some(&b'%') {
        return None;
    }
    u8::try_from(digit(1)? * 16 + digit(2)?).ok()
}

impl Redactor {
    /// Takes the names and values of the secrets.
    pub fn new(values: impl Iterator<Item = (String, String)>) -> Result<Self, RedactError> {
        let mut patterns: BTreeMap<Vec<u8>, String> = BTreeMap::new();
        let mut spaced: BTreeMap<Vec<u8>, String> = BTreeMap::new();
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
                let printed = printed_forms(part.as_bytes());
                for form in printed.iter().filter(|it| it.len() >= MIN_SPACED_LENGTH) {
                    spaced.entry(form.clone()).or_insert_with(|| name.clone());
                }
                let plain = [part.as_bytes().to_vec()];
                for form in plain.into_iter().chain(printed).chain(json(part)) {
                    if form.len() >= MIN_LENGTH {
                        patterns.entry(form).or_insert_with(|| name.clone());
                    }
                }
            }
        }
        let (forms, spaced) = (Search::new(patterns)?, Search::new(spaced)?);
        let longest = forms
            .iter()
            .chain(&spaced)
            .map(|search| search.longest)
            .max();
        Ok(Self {
            forms,
            spaced,
            longest: longest.unwrap_or(0) * MAX_EXPANSION,
            too_short,
        })
    }

    /// A redactor without secrets.
    pub const fn none() -> Self {
        Self {
            forms: None,
            spaced: None,
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
        !self.spans(text).is_empty()
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
    fn spans(&self, bytes: &[u8]) -> Vec<Span<'_>> {
        let mut found: Vec<Span<'_>> = Vec::new();
        if let Some(forms) = &self.forms {
            found.extend(forms.find(&View::plain(bytes)));
            for (mark, plus_is_blank) in [(b'%', false), (b'+', true)] {
                if bytes.contains(&mark) {
                    found.extend(forms.find(&View::percent_decoded(bytes, plus_is_blank)));
                }
            }
        }
        if let Some(spaced) = &self.spaced {
            found.extend(spaced.find(&View::without_blanks(bytes)));
        }
        found.sort_by_key(|span| (span.start, usize::MAX - span.end));
        let mut merged: Vec<Span<'_>> = Vec::new();
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
struct Span<'a> {
    start: usize,
    end: usize,
    name: &'a str,
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
        if self.redactor.forms.is_none() {
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
            output.extend_from_slice(b"[redacted:");
            output.extend_from_slice(span.name.as_bytes());
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

/// Base64 and hex of a value.
fn printed_forms(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![hex(value, false), hex(value, true)];
    for base64 in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
        forms.push(base64.encode(value).into_bytes());
        for offset in 0..3 {
            forms.push(base64_inside(base64, value, offset));
        }
    }
    forms
}

/// The content of the JSON string for a value.
fn json(value: &str) -> Option<Vec<u8>> {
    let quoted = serde_json::to_string(value).ok()?;
    let content = quoted.strip_prefix('"')?.strip_suffix('"')?;
    Some(content.as_bytes().to_vec())
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
    let digits = bytes.iter().map(|byte| match upper {
        true => format!("{byte:02X}"),
        false => format!("{byte:02x}"),
    });
    digits.collect::<String>().into_bytes()
}
