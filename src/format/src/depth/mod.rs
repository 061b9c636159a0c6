//! Rejects nesting that only an attack or an accident produces, before a recursive parser reads it.
//!
//! The checks are linear passes over the bytes. Most of them also count brackets in strings, which
//! does not matter with limits this far above what people write.

mod flow;
mod mask;
mod script;

use fixpoint_text::Span;

use crate::FormatError;

/// The maximum nesting of brackets and HTML tags.
const LIMIT: usize = 1000;
/// The maximum nesting of brackets in a script, including those in strings and regular expressions.
const TEXT_LIMIT: usize = 5000;
/// The maximum nesting on one line of quotes and lists in Markdown, and of block lists in YAML.
const LINE_LIMIT: usize = 100;
/// The maximum nesting of parentheses and square brackets in CSS, far above what people write.
const FUNCTION_LIMIT: usize = 200;
/// The maximum nesting of Markdown emphasis, far above what anybody can read.
const EMPHASIS_LIMIT: usize = 200;
/// The maximum number of open emphases in a block, whether or not they are closed later.
const OPEN_LIMIT: usize = 10_000;

/// Checks brackets, including those in strings and comments.
pub(crate) fn brackets(text: &str) -> Result<(), FormatError> {
    count_brackets(text, Strings::Read, LIMIT)
}

pub(crate) fn json(text: &str) -> Result<(), FormatError> {
    count_brackets(text, Strings::Skip, LIMIT)
}

pub(crate) fn script(text: &str) -> Result<(), FormatError> {
    count_brackets(text, Strings::Read, TEXT_LIMIT)?;
    let code = mask::code(text);
    // Each byte of a blanked character is replaced, so the result is valid UTF-8.
    let code = std::str::from_utf8(&code).unwrap_or(text);
    brackets(code).and_then(|()| script::check(code))
}

pub(crate) fn yaml(text: &str) -> Result<(), FormatError> {
    line_markers(text, b"-?").and_then(|()| flow::check(text))
}

pub(crate) fn markdown(text: &str) -> Result<(), FormatError> {
    line_markers(text, b">-*+").and_then(|()| emphasis(text))
}

pub(crate) fn css(text: &str) -> Result<(), FormatError> {
    brackets(text).and_then(|()| functions(text))
}

/// Counts the depth, and returns an error above the limit.
struct DepthCounter {
    depth: usize,
    limit: usize,
}

impl DepthCounter {
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

fn count_brackets(text: &str, strings: Strings, limit: usize) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    if strings == Strings::Read && deepest_by_count(bytes) <= limit {
        return Ok(());
    }
    let mut counter = DepthCounter::new(limit);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => counter.enter(at)?,
            b')' | b']' | b'}' => counter.leave(),
            b'"' if strings == Strings::Skip => at = end_of_string(bytes, at),
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// An upper bound for the depth of brackets, from their number in each chunk of text. Counting is
/// much cheaper than matching, and is enough for what people write.
fn deepest_by_count(bytes: &[u8]) -> usize {
    // The brackets of one chunk must fit in a `u8`.
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
        // A closing bracket without an opening one does not reduce the depth of later brackets.
        depth = (depth + opened).saturating_sub(closed).max(opened);
    }
    deepest
}

/// The position of the closing quote of the double-quoted string that opens at `open`.
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

/// Checks markers that each open a block at the start of a line, such as `> > >` and `- - -`.
fn line_markers(text: &str, markers: &[u8]) -> Result<(), FormatError> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut counter = DepthCounter::new(LINE_LIMIT);
        let bytes = line.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // `-----` is a thematic break or a word, `- - -` opens blocks, and `>>>` always opens
            // blocks.
            let opens = markers.contains(byte)
                && (*byte == b'>' || bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace));
            if opens {
                counter.enter(start + at)?;
            } else if !byte.is_ascii_whitespace() {
                break;
            }
        }
        start += line.len();
    }
    Ok(())
}

/// Checks Markdown emphasis, block by block. Fenced code has no emphasis.
fn emphasis(text: &str) -> Result<(), FormatError> {
    let mut marks = Marks::default();
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let mark = fence_mark(content);
        match fence {
            Some(open) if mark.is_some_and(|mark| mark.starts_with(open) && mark == content) => {
                fence = None;
            }
            Some(_) => {}
            None if content.is_empty() => marks = Marks::default(),
            None if mark.is_some() => fence = mark,
            None => marks.read(line.as_bytes(), start)?,
        }
        start += line.len();
    }
    Ok(())
}

/// The run of fence characters at the start of a line, if it can open or close a fence.
fn fence_mark(content: &str) -> Option<&str> {
    let length = |mark| content.len() - content.trim_start_matches(mark).len();
    let length = length('`').max(length('~'));
    (length >= 3).then(|| &content[..length])
}

/// The runs of `*` or `_` that open and close emphasis in one block.
struct Marks {
    open: DepthCounter,
    closed: usize,
}

impl Default for Marks {
    fn default() -> Self {
        Self {
            open: DepthCounter::new(OPEN_LIMIT),
            closed: 0,
        }
    }
}

impl Marks {
    fn read(&mut self, line: &[u8], start: usize) -> Result<(), FormatError> {
        let spaced = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'*', b'_', &line[at..]) {
            at += found;
            let run = line[at..]
                .iter()
                .take_while(|byte| **byte == line[at])
                .count();
            let before = at.checked_sub(1).map(|before| &line[before]);
            let marks = run.div_ceil(2);
            if spaced(before) && !spaced(line.get(at + run)) {
                for _ in 0..marks {
                    self.open.enter(start + at)?;
                }
            } else if !spaced(before) {
                self.closed += marks.min(self.open.depth);
                self.open.depth = self.open.depth.saturating_sub(marks);
            }
            // Emphasis that is never closed is not nested.
            if self.closed > EMPHASIS_LIMIT && self.open.depth > EMPHASIS_LIMIT {
                return Err(FormatError::TooDeep {
                    depth: self.open.depth,
                    limit: EMPHASIS_LIMIT,
                    span: Span::from(start + at..start + at + 1),
                });
            }
            at += run;
        }
        Ok(())
    }
}

/// Checks the functions, parentheses and brackets of CSS outside of strings and comments.
fn functions(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut counter = DepthCounter::new(FUNCTION_LIMIT);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' => counter.enter(at)?,
            b')' | b']' => counter.leave(),
            b'"' | b'\'' => at = end_of_line_string(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = memchr::memmem::find(&bytes[at + 2..], b"*/");
                at = end.map_or(bytes.len(), |end| at + end + 3);
            }
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// The position of the closing quote of the string that opens at `open`. Returns `open` if the
/// string does not end on its line: then the quote may be an apostrophe in a text.
fn end_of_line_string(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return open,
            _ if byte == bytes[open] => return at,
            _ => {}
        }
        at += 1;
    }
    open
}

pub(crate) fn html(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut counter = DepthCounter::new(LIMIT);
    for at in memchr::memchr_iter(b'<', bytes) {
        match bytes.get(at + 1) {
            Some(b'/') => counter.leave(),
            Some(byte) if byte.is_ascii_alphabetic() && !is_empty_element(&bytes[at + 1..]) => {
                counter.enter(at)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether the tag at this name has no content: it is a void element or self-closing.
fn is_empty_element(tag: &[u8]) -> bool {
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
    use crate::Language;
    use crate::printer::printer_of;

    fn check(language: Language, text: &str) -> Result<(), FormatError> {
        printer_of(language).expect("a printer").check_depth(text)
    }

    fn too_deep(language: Language, text: &str) -> bool {
        matches!(check(language, text), Err(FormatError::TooDeep { .. }))
    }

    #[test]
    fn deep_nesting_is_rejected_in_every_language() {
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
        for part in ["f(", ":not(", "[", "f(1, "] {
            let text = format!("a {{ b: {}", part.repeat(201));
            assert!(too_deep(Language::Css, &text), "{part}");
        }
        assert!(too_deep(Language::Yaml, &many("- ")));
        assert!(too_deep(Language::Yaml, &many("? ")));
        assert!(too_deep(Language::Markdown, &many("> ")));
        assert!(too_deep(Language::Markdown, &many(">")));
        assert!(too_deep(Language::Markdown, &many("- ")));
        assert!(too_deep(Language::Html, &many("<div>")));
        assert!(too_deep(Language::Markdown, &many("**a ")));
        assert!(too_deep(Language::Markdown, &format!("{}a", many("*"))));
        let nested = format!("{}{}", "*a ".repeat(5000), "a* ".repeat(5000));
        assert!(too_deep(Language::Markdown, &nested));
    }

    #[test]
    fn closing_brackets_do_not_hide_depth() {
        for hidden in ["]".repeat(2000), "[]]".repeat(700)] {
            let text = format!("{hidden}{}", "[".repeat(LIMIT + 1));
            assert!(too_deep(Language::Python, &text));
            let text = format!("{}\"{hidden}\", [", "[".repeat(LIMIT));
            assert!(too_deep(Language::Json, &text));
        }
    }

    #[test]
    fn brackets_that_are_not_nested_are_not_counted() {
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
        assert_eq!(check(Language::Yaml, &many("- - [a]\n- b [1\n")), Ok(()));
        assert_eq!(check(Language::Markdown, &many("-")), Ok(()));
        assert_eq!(check(Language::Markdown, &many("> a > b\n")), Ok(()));
        assert_eq!(check(Language::Markdown, &many("**a** _b_ * c\n")), Ok(()));
        assert_eq!(
            check(Language::Markdown, &many("a_b_c 2*3\n\n****\n")),
            Ok(())
        );
        let strings = format!("a {{ b: \"{0}\" /* {0} */ '{0}' }}", "f(".repeat(300));
        assert_eq!(check(Language::Css, &strings), Ok(()));
        assert_eq!(check(Language::Css, &many("a { b: f(g(1)) }")), Ok(()));
        for text in [
            format!("a = /{}{}/;\n", "(".repeat(40), ")".repeat(40)),
            format!("a = /[{}]/;\n", "(".repeat(2000)),
            format!("a = `{}${{f(b)}}{}`;\n", "[".repeat(2000), "{".repeat(40)),
            format!("a = '{}';\n", "(".repeat(2000)),
            format!("// {}\n", "(".repeat(2000)),
        ] {
            assert_eq!(check(Language::TypeScript, &text), Ok(()), "{text}");
        }
        let code = format!("```c\n{}```\n", many("int *a;\n"));
        assert_eq!(check(Language::Markdown, &code), Ok(()));
        let table = format!("| a |\n| - |\n{}", "| a *a |\n".repeat(5000));
        assert_eq!(check(Language::Markdown, &table), Ok(()));
    }
}
