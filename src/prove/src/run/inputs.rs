//! The inputs of a test: the literals in its body that are not expected values.

use std::ops::Range;

use crate::policy::is_test_path;
use crate::run::conclusion::Stop;
use crate::run::expectations::{is_operand, simple_name};
use crate::run::test_body::TestBody;
use crate::scan::{Language, scan};
use crate::scratch::{Changes, FileState, Tree};

/// Longer strings are not changed.
const MAX_STRING: usize = 200;

/// A literal of a test that is not an expected value.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) path: String,
    /// From 1.
    pub(super) line: usize,
    at: Range<usize>,
    /// Values to try instead.
    pub(super) others: Vec<String>,
}

impl Input {
    /// The text of the literal.
    pub(super) fn value(&self, tree: &Tree) -> Result<Option<String>, Stop> {
        let state = tree.read(&self.path)?;
        let bytes = state
            .as_ref()
            .and_then(|state| state.bytes.get(self.at.clone()));
        Ok(bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
    }

    pub(super) fn replaced_by(&self, tree: &Tree, value: &str) -> Result<Changes, Stop> {
        let mut changes = Changes::default();
        if let Some(state) = tree.read(&self.path)? {
            let (before, after) = (&state.bytes[..self.at.start], &state.bytes[self.at.end..]);
            let bytes = [before, value.as_bytes(), after].concat();
            changes.set(self.path.clone(), Some(FileState { bytes, ..state }));
        }
        Ok(changes)
    }
}

/// The inputs of a test by its name, in the order of the text.
pub(super) fn inputs_of(tree: &Tree, test: &str) -> Result<Vec<Input>, Stop> {
    let name = simple_name(test);
    let mut found = Vec::new();
    for path in tree.paths() {
        let Some(language) = Language::of_path(path) else {
            continue;
        };
        if name.is_empty() || !(is_test_path(path) || path.ends_with(".rs")) {
            continue;
        }
        let Some(state) = tree.read(path)? else {
            continue;
        };
        let Ok(text) = std::str::from_utf8(&state.bytes) else {
            continue;
        };
        // The tests of a Rust source are in a module at its end.
        let start = match is_test_path(path) {
            true => Some(0),
            false => text.find("#[cfg(test)]"),
        };
        let of_file =
            start.map(|start| inputs(text, name, language).filter(move |it| it.1.start >= start));
        found.extend(
            of_file
                .into_iter()
                .flatten()
                .map(|(line, at, others)| Input {
                    path: path.clone(),
                    line,
                    at,
                    others,
                }),
        );
    }
    Ok(found)
}

/// The line, the place and other values of each input in the body of a test.
fn inputs(
    text: &str,
    name: &str,
    language: Language,
) -> impl Iterator<Item = (usize, Range<usize>, Vec<String>)> {
    const HEADS: [&str; 5] = ["def ", "fn ", "func ", "test(", "it("];
    let code = scan(text, language).code;
    let mut found = Vec::new();
    let mut start = 0;
    let mut body = TestBody::of(name);
    for (number, (line, code)) in text
        .split_inclusive('\n')
        .zip(code.split_inclusive('\n'))
        .enumerate()
    {
        let is_head = HEADS.iter().any(|head| code.contains(head));
        if let Some(from) = body.next(line, is_head) {
            let literals = literals(line, code).into_iter();
            let own = literals.filter(|(at, _)| at.start >= from);
            let own = own.map(|(at, others)| (start + at.start..start + at.end, others));
            let own = own.filter(|(at, _)| !is_operand(text, at));
            found.extend(own.map(|(at, others)| (number + 1, at, others)));
        }
        start += line.len();
    }
    found.into_iter()
}

/// The numbers and strings of a line, with other values. `code` is the line without the contents of
/// strings.
fn literals(line: &str, code: &str) -> Vec<(Range<usize>, Vec<String>)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = code.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let length = if matches!(first, '"' | '\'' | '`')
            && let Some(close) = rest[1..].find(first)
        {
            let inside = at + 1..at + 1 + close;
            let content = line.get(inside.clone()).unwrap_or("");
            if !content.is_empty() && content.len() <= MAX_STRING {
                found.push((inside, other_strings(content)));
            }
            close + 2
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if first.is_ascii_digit() {
                found.push((at..at + length, other_numbers(&rest[..length])));
            }
            length
        } else {
            first.len_utf8()
        };
        at += length;
    }
    found.retain(|(_, others)| !others.is_empty());
    found
}

/// Neighbors, multiples and larger numbers: a range, a factor or a table may be what the fix changes.
fn other_numbers(text: &str) -> Vec<String> {
    if let Ok(number) = text.parse::<u32>() {
        let number = i64::from(number);
        let others = [number + 1, 2 * number, number - 1, 10 * number + 3];
        let others = others.into_iter().filter(|it| *it >= 0 && *it != number);
        return others.map(|it| it.to_string()).collect();
    }
    let is_float = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    match is_float {
        true => ["1", "2"].map(|digit| format!("{digit}{text}")).to_vec(),
        false => Vec::new(),
    }
}

fn other_strings(text: &str) -> Vec<String> {
    if text.contains('\\') {
        return vec![format!("x{text}")];
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let next = |c: char| match c {
        '9' => '0',
        'z' => 'a',
        'Z' => 'A',
        c => char::from_u32(u32::from(c) + 1).unwrap_or('x'),
    };
    let bumped = |at: Option<usize>| {
        let at = at?;
        let letter = text[at..].chars().next()?;
        Some(format!(
            "{}{}{}",
            &text[..at],
            next(letter),
            &text[at + 1..]
        ))
    };
    let others = [
        bumped(text.rfind(is_letter)),
        bumped(text.find(is_letter)),
        Some(format!("{text}{text}")),
        Some(format!("x{text}")),
    ];
    others.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, name: &str) -> Vec<String> {
        let inputs = inputs(text, name, Language::Python);
        inputs.map(|(_, at, _)| text[at].to_owned()).collect()
    }

    #[test]
    fn inputs_are_the_literals_of_a_test_without_expected_values() {
        let text = "def test_a():\n    values = [4, 'b c']\n    assert f(values, 7) == 12\n\n\
                    def test_b():\n    assert f(9) == 1\n";
        assert_eq!(found(text, "test_a"), ["4", "b c", "7"]);
        assert_eq!(found(text, "test_b"), ["9"]);
        assert!(found("x = test_a(3)\n", "test_a").is_empty());
    }

    #[test]
    fn other_values_are_near_and_far() {
        assert_eq!(other_numbers("15"), ["16", "30", "14", "153"]);
        assert_eq!(other_numbers("0"), ["1", "3"]);
        assert_eq!(other_numbers("1.5"), ["11.5", "21.5"]);
        assert!(other_numbers("0x5").is_empty());
        assert_eq!(other_strings("a-9"), ["a-0", "b-9", "a-9a-9", "xa-9"]);
        assert_eq!(other_strings("\\n"), ["x\\n"]);
    }
}
