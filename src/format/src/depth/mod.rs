//! Refuses nesting that only an attack or an accident produces, before a recursive parser sees it.
//!
//! One linear pass over the bytes. It does not know strings from code (except in JSON), which is
//! no matter at limits this far above what people write.

mod script;

use fixpoint_text::Span;

use crate::{FormatError, Language};

/// How deep brackets, and tags of HTML, may nest.
const LIMIT: usize = 1000;
/// How deep quotes and lists of Markdown, and block lists of YAML, may nest on one line.
const LINE_LIMIT: usize = 100;
/// How deep flow collections of YAML may nest. The parser tries some of them twice at each level.
const FLOW_LIMIT: usize = 16;
/// How deep emphasis of Markdown may nest, far above what anybody can read.
const EMPHASIS_LIMIT: usize = 200;

pub(crate) fn check(language: Language, text: &str) -> Result<(), FormatError> {
    match language {
        Language::Json | Language::Jsonc => brackets(text, Strings::Skip, LIMIT),
        Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => {
            brackets(text, Strings::Read, LIMIT).and_then(|()| script::check(text))
        }
        Language::Yaml => line_markers(text, b"-?").and_then(|()| flow(text)),
        Language::Markdown => line_markers(text, b">-*+").and_then(|()| emphasis(text)),
        Language::Html => tags(text),
        // Their parsers have limits of their own.
        Language::Clank | Language::Starlark | Language::Toml | Language::Text => Ok(()),
        _ => brackets(text, Strings::Read, LIMIT),
    }
}

/// A depth gauge that gives the error when it runs over.
struct Gauge {
    depth: usize,
    limit: usize,
}

impl Gauge {
    fn new(limit: usize) -> Self {
        Self { depth: 0, limit }
    }

    fn enter(&mut self, at: usize) -> Result<(), FormatError> {
        self.depth += 1;
        if self.depth > self.limit {
            return Err(FormatError::TooDeep {
                depth: self.depth,
                limit: self.limit,
                span: Span::from(at..at + 1),
            });
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}

#[derive(PartialEq)]
enum Strings {
    Skip,
    Read,
}

fn brackets(text: &str, strings: Strings, limit: usize) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    if strings == Strings::Read && deepest_by_count(bytes) <= limit {
        return Ok(());
    }
    let mut gauge = Gauge::new(limit);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => gauge.enter(at)?,
            b')' | b']' | b'}' => gauge.leave(),
            b'"' if strings == Strings::Skip => at = end_of_string(bytes, at),
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// What the depth of brackets cannot exceed, by their number in one stretch of text after another:
/// counting is much cheaper than matching, and enough for what people write.
fn deepest_by_count(bytes: &[u8]) -> usize {
    // No stretch has more brackets than a byte can count.
    const STRETCH: usize = 224;
    let (mut depth, mut deepest) = (0_usize, 0);
    for stretch in bytes.chunks(STRETCH) {
        let (mut opened, mut closed) = (0_u8, 0_u8);
        for byte in stretch {
            opened += u8::from(matches!(byte, b'(' | b'[' | b'{'));
            closed += u8::from(matches!(byte, b')' | b']' | b'}'));
        }
        let (opened, closed) = (usize::from(opened), usize::from(closed));
        deepest = deepest.max(depth + opened);
        // A closing bracket without an opening one takes nothing back from those after it.
        depth = (depth + opened).saturating_sub(closed).max(opened);
    }
    deepest
}

/// Where the double-quoted string that opens at `open` has its closing quote.
fn end_of_string(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

/// `> > >` and `- - -`: markers that open one block each at the start of a line.
fn line_markers(text: &str, markers: &[u8]) -> Result<(), FormatError> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut gauge = Gauge::new(LINE_LIMIT);
        let bytes = line.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // `-----` is a rule or a word, `- - -` are blocks; `>>>` are blocks either way.
            let opens = markers.contains(byte)
                && (*byte == b'>' || bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace));
            if opens {
                gauge.enter(start + at)?;
            } else if !byte.is_ascii_whitespace() {
                break;
            }
        }
        start += line.len();
    }
    Ok(())
}

/// Emphasis of Markdown: runs of `*` or `_` that open one, less those that close one.
fn emphasis(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut gauge = Gauge::new(EMPHASIS_LIMIT);
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'*', b'_', b'\n', &bytes[at..]) {
        at += found;
        let run = bytes[at..]
            .iter()
            .take_while(|byte| **byte == bytes[at])
            .count();
        let spaced = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        let before = at.checked_sub(1).map(|before| &bytes[before]);
        let after = bytes.get(at + run);
        if bytes[at] == b'\n' {
            if run > 1 {
                gauge.depth = 0;
            }
        } else if spaced(before) && !spaced(after) {
            for _ in 0..run.div_ceil(2) {
                gauge.enter(at)?;
            }
        } else if !spaced(before) {
            gauge.depth = gauge.depth.saturating_sub(run.div_ceil(2));
        }
        at += run;
    }
    Ok(())
}

/// Flow collections of YAML.
fn flow(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut gauge = Gauge::new(FLOW_LIMIT);
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'[', b'{', &bytes[at..]) {
        at += found;
        if begins_flow(&bytes[..at]) {
            gauge.enter(at)?;
        }
        at += 1;
        while gauge.depth > 0
            && let Some(byte) = bytes.get(at)
        {
            match byte {
                b'[' | b'{' => gauge.enter(at)?,
                b']' | b'}' => gauge.leave(),
                b'"' => at = end_of_string(bytes, at),
                _ => {}
            }
            at = bytes.len().min(at + 1);
        }
    }
    Ok(())
}

/// Whether a bracket can begin a value behind what stands `before` it; elsewhere it is text.
fn begins_flow(before: &[u8]) -> bool {
    let last = before.iter().rfind(|byte| !matches!(byte, b' ' | b'\t'));
    last.is_none_or(|byte| matches!(byte, b':' | b'-' | b'?' | b'\n'))
}

fn tags(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut gauge = Gauge::new(LIMIT);
    for at in memchr::memchr_iter(b'<', bytes) {
        match bytes.get(at + 1) {
            Some(b'/') => gauge.leave(),
            Some(byte) if byte.is_ascii_alphabetic() && !stands_alone(&bytes[at + 1..]) => {
                gauge.enter(at)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether the tag whose name begins here has no content: a void element, or closed at once.
fn stands_alone(tag: &[u8]) -> bool {
    const VOID: [&[u8]; 13] = [
        b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta",
        b"source", b"track", b"wbr",
    ];
    let name_end = tag
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric())
        .unwrap_or(tag.len());
    if VOID
        .iter()
        .any(|void| tag[..name_end].eq_ignore_ascii_case(void))
    {
        return true;
    }
    memchr::memchr2(b'<', b'>', tag).is_some_and(|end| end > 0 && tag[end - 1] == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn too_deep(language: Language, text: &str) -> bool {
        matches!(check(language, text), Err(FormatError::TooDeep { .. }))
    }

    #[test]
    fn deep_nesting_is_refused_in_every_language() {
        let many = |part: &str| part.repeat(100_000);
        for language in [
            Language::Python,
            Language::TypeScript,
            Language::Css,
            Language::GraphQl,
        ] {
            for part in ["(", "[", "{", "a("] {
                assert!(too_deep(language, &many(part)), "{language:?} {part}");
            }
        }
        for part in ["[", "{\"a\":"] {
            assert!(too_deep(Language::Json, &many(part)), "{part}");
            assert!(too_deep(Language::Yaml, &many(part)), "{part}");
        }
        assert!(too_deep(Language::Yaml, &many("- ")));
        assert!(too_deep(Language::Yaml, &many("? ")));
        assert!(too_deep(Language::Markdown, &many("> ")));
        assert!(too_deep(Language::Markdown, &many(">")));
        assert!(too_deep(Language::Markdown, &many("- ")));
        assert!(too_deep(Language::Html, &many("<div>")));
        assert!(too_deep(Language::Markdown, &many("**a ")));
        assert!(too_deep(Language::Markdown, &format!("{}a", many("*"))));
    }

    #[test]
    fn closing_brackets_hide_no_depth() {
        for hidden in ["]".repeat(2000), "[]]".repeat(700)] {
            let text = format!("{hidden}{}", "[".repeat(LIMIT + 1));
            assert!(too_deep(Language::Python, &text));
            let text = format!("{}\"{hidden}\", [", "[".repeat(LIMIT));
            assert!(too_deep(Language::Json, &text));
        }
    }

    #[test]
    fn what_is_not_nested_is_not_counted() {
        let many = |part: &str| part.repeat(100_000);
        assert_eq!(
            check(Language::Json, &format!("[\"{}\"]", many("["))),
            Ok(())
        );
        assert_eq!(
            check(Language::Json, &format!("[\"{}\"]", many("\\\"["))),
            Ok(())
        );
        assert_eq!(check(Language::TypeScript, &many("f(); ")), Ok(()));
        assert_eq!(
            check(Language::Html, &many("<br><img src=a/><p>a</p>")),
            Ok(())
        );
        assert_eq!(check(Language::Yaml, &many("a: see [1\n")), Ok(()));
        assert_eq!(check(Language::Yaml, &many("a: [b, {c: d}]\n")), Ok(()));
        assert_eq!(check(Language::Markdown, &many("-")), Ok(()));
        assert_eq!(check(Language::Markdown, &many("> a > b\n")), Ok(()));
        assert_eq!(check(Language::Markdown, &many("**a** _b_ * c\n")), Ok(()));
        assert_eq!(
            check(Language::Markdown, &many("a_b_c 2*3\n\n****\n")),
            Ok(())
        );
    }
}
