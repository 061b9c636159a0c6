//! A simple scanner that separates code from strings and comments.

use std::ops::Range;

/// The language of a source file, as far as its strings and comments differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    /// JavaScript or TypeScript.
    Script,
    Go,
    Rust,
}

impl Language {
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "py" | "pyi" => Some(Self::Python),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Some(Self::Script),
            "go" => Some(Self::Go),
            "rs" => Some(Self::Rust),
            _ => None,
        }
    }
}

/// A text in which some parts are blank. Lines and byte offsets are those of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// Without comments and without the contents of strings. Quotes remain, and so do expressions
    /// in strings, without the quotes around them.
    pub code: String,
    /// Without comments.
    pub without_comments: String,
    /// The contents of string literals.
    pub strings: Vec<Range<usize>>,
}

/// Scans a text. Never fails: an unterminated string or comment ends with the text or the line.
pub fn scan(text: &str, language: Language) -> Scanned {
    let bytes = text.as_bytes();
    let (mut strings, mut comments) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if let Some(length) = comment(rest, language) {
            comments.push(at..at + length);
            at += length;
        } else if let Some((open, content, close)) = string(bytes, at, language) {
            strings.push(at + open..at + open + content);
            at += open + content + close;
        } else {
            at += 1;
        }
    }
    let hidden: Vec<Range<usize>> = strings
        .iter()
        .flat_map(|string| without_expressions(bytes, string, language))
        .collect();
    let blank = |ranges: &[&[Range<usize>]]| {
        let mut copy = bytes.to_vec();
        for range in ranges.iter().copied().flatten() {
            for byte in &mut copy[range.clone()] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        // Ranges start and end at ASCII delimiters, so the copy is UTF-8.
        String::from_utf8(copy).unwrap_or_default()
    };
    Scanned {
        code: blank(&[&comments, &hidden]),
        without_comments: blank(&[&comments]),
        strings,
    }
}

/// The parts of a string that are not expressions: `f"{code} text"` and `${code}` in a template.
fn without_expressions(
    bytes: &[u8],
    string: &Range<usize>,
    language: Language,
) -> Vec<Range<usize>> {
    let before = &bytes[..string.start];
    let opening: &[u8] = match language {
        Language::Python => {
            let quotes = before.iter().rev().take_while(|it| b"'\"".contains(it));
            let end = before.len() - quotes.count();
            let prefix = before[..end].iter().rev();
            let prefix = prefix.take_while(|it| it.is_ascii_alphanumeric() || **it == b'_');
            let prefix: Vec<u8> = prefix.map(u8::to_ascii_lowercase).collect();
            let is_template = prefix.len() <= 2 && prefix.iter().any(|it| b"ft".contains(it));
            if !is_template {
                return vec![string.clone()];
            }
            b"{"
        }
        Language::Script if before.ends_with(b"`") => b"${",
        Language::Script | Language::Go | Language::Rust => return vec![string.clone()],
    };
    let mut found = Vec::new();
    let quotes = before
        .iter()
        .rev()
        .take_while(|it| b"`'\"".contains(it))
        .count();
    let (mut at, mut start) = (string.start, string.start - quotes);
    while at < string.end {
        let rest = &bytes[at..string.end];
        if language == Language::Python && rest.starts_with(b"{{") {
            at += 2;
        } else if rest.starts_with(opening) {
            found.push(start..at + opening.len());
            let mut depth = 1;
            at += opening.len();
            while at < string.end {
                match bytes[at] {
                    b'{' => depth += 1,
                    b'}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
                at += 1;
            }
            start = at;
        } else {
            at += 1;
        }
    }
    let after = bytes[string.end..].iter();
    let close = after
        .take(quotes)
        .take_while(|it| b"`'\"".contains(it))
        .count();
    found.push(start..string.end + close);
    found
}

/// The length of the comment that starts here.
fn comment(rest: &[u8], language: Language) -> Option<usize> {
    let line_end = || {
        let end = rest.iter().position(|byte| *byte == b'\n');
        end.unwrap_or(rest.len())
    };
    if language == Language::Python {
        return rest.starts_with(b"#").then(line_end);
    }
    if rest.starts_with(b"//") {
        return Some(line_end());
    }
    if !rest.starts_with(b"/*") {
        return None;
    }
    let (mut depth, mut at) = (1, 2);
    while at < rest.len() && depth > 0 {
        if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
        } else if language == Language::Rust && rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    Some(at)
}

/// The lengths of the opening quote, the content and the closing quote of the string that starts
/// at `at`.
fn string(bytes: &[u8], at: usize, language: Language) -> Option<(usize, usize, usize)> {
    let rest = &bytes[at..];
    let quote = *rest.first()?;
    let found = |open: usize, close: &[u8], escapes: bool, lines: bool| {
        let mut end = open;
        while end < rest.len() {
            if rest[end..].starts_with(close) {
                return Some((open, end - open, close.len()));
            }
            if rest[end] == b'\n' && !lines {
                return Some((open, end - open, 0));
            }
            end += if escapes && rest[end] == b'\\' { 2 } else { 1 };
        }
        Some((open, rest.len() - open, 0))
    };
    match (language, quote) {
        (Language::Python, b'"' | b'\'') => {
            let triple = [quote; 3];
            if rest.starts_with(&triple) {
                found(3, &triple, true, true)
            } else {
                found(1, &[quote], true, false)
            }
        }
        (Language::Script, b'"' | b'\'') => found(1, &[quote], true, false),
        (Language::Script, b'`') => found(1, b"`", true, true),
        (Language::Script, b'/') if starts_regex(&bytes[..at]) => found(1, b"/", true, false),
        (Language::Go, b'"' | b'\'') => found(1, &[quote], true, false),
        (Language::Go, b'`') => found(1, b"`", false, true),
        (Language::Rust, b'"') => found(1, b"\"", true, true),
        (Language::Rust, b'r') => {
            let in_word =
                at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
            let in_word = in_word && bytes[at - 1] != b'b';
            let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
            if in_word || rest.get(1 + hashes) != Some(&b'"') {
                return None;
            }
            let close = [&b"\""[..], &b"#".repeat(hashes)].concat();
            found(2 + hashes, &close, false, true)
        }
        (Language::Rust, b'\'') => {
            // A lifetime has no closing quote.
            let width = if rest.get(1) == Some(&b'\\') {
                rest.iter().skip(3).position(|byte| *byte == b'\'')? + 3
            } else {
                rest.iter()
                    .enumerate()
                    .skip(2)
                    .take(4)
                    .find(|(index, byte)| {
                        **byte == b'\''
                            && std::str::from_utf8(&rest[1..*index])
                                .is_ok_and(|content| content.chars().count() == 1)
                    })?
                    .0
            };
            (width <= 12).then_some((1, width - 1, 1))
        }
        _ => None,
    }
}

/// Whether a slash after this code starts a regular expression instead of a division.
fn starts_regex(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    match before.last() {
        None => true,
        Some(byte) if b"(,=:[!&|?{};+~".contains(byte) => true,
        Some(_) => before.ends_with(b"return"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_are_blank() {
        for (language, text, code) in [
            (Language::Python, "a = 'x#y' # c\n", "a = '   '    \n"),
            (
                Language::Python,
                "\"\"\"a\n'b\"\"\" + 1",
                "\"\"\" \n  \"\"\" + 1",
            ),
            (
                Language::Script,
                "x = /a\"b/ / 2 // c",
                "x = /   / / 2     ",
            ),
            (Language::Script, "x = a / b / c", "x = a / b / c"),
            (
                Language::Go,
                "`a\"` + '\"' + \"\\\"\"",
                "`  ` + ' ' + \"  \"",
            ),
            (
                Language::Rust,
                "r#\"a\"b\"# /* /* */ x */ 'a' &'a y",
                "r#\"   \"#               ' ' &'a y",
            ),
            (
                Language::Python,
                "f'{{a {b} c' + 'f{d}'",
                "f      b     + '    '",
            ),
            (
                Language::Script,
                "`a ${b({})} c` + '${d}'",
                "     b({})     + '    '",
            ),
            (Language::Rust, "for x in '\\'' y", "for x in '  ' y"),
        ] {
            assert_eq!(scan(text, language).code, code, "{text}");
        }
    }
}
