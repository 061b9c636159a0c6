//! Operator mutants: small changes that a good test notices.

use std::ops::Range;

use crate::scan::{Language, scan};

/// A changed version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The changed line, from 1.
    pub line: usize,
    /// What was replaced, for example "`==` by `!=`".
    pub description: String,
    /// The whole text with the change.
    pub text: String,
}

/// Replacements that need no look at their surroundings. Longer operators come first.
const OPERATORS: [(&str, &str); 14] = [
    ("===", "!=="),
    ("!==", "==="),
    ("==", "!="),
    ("!=", "=="),
    (" <= ", " < "),
    (" >= ", " > "),
    (" < ", " <= "),
    (" > ", " >= "),
    (" += ", " -= "),
    (" -= ", " += "),
    (" + ", " - "),
    (" - ", " + "),
    (" && ", " || "),
    (" || ", " && "),
];

const WORDS: [(&str, &str); 4] = [
    ("true", "false"),
    ("false", "true"),
    ("True", "False"),
    ("False", "True"),
];

/// At most `limit` mutants of the given lines (from 1, the end is exclusive), in the order of the
/// text. Where there are more, they are chosen evenly. Empty for an unknown language.
pub fn mutants(path: &str, text: &str, lines: &[Range<usize>], limit: usize) -> Vec<Mutant> {
    let Some(language) = Language::of_path(path) else {
        return Vec::new();
    };
    let code = scan(text, language).code;
    let mut found: Vec<(usize, Range<usize>, String)> = Vec::new();
    let mut start = 0;
    for (index, line) in code.split_inclusive('\n').enumerate() {
        let number = index + 1;
        if lines.iter().any(|range| range.contains(&number)) {
            for (range, replacement) in replacements(line, language) {
                let range = start + range.start..start + range.end;
                found.push((number, range, replacement));
            }
        }
        start += line.len();
    }
    let count = found.len();
    let chosen = count.min(limit);
    (0..chosen)
        .filter_map(|index| found.get(index * count / chosen))
        .map(|(line, range, replacement)| Mutant {
            line: *line,
            description: format!(
                "`{}` by `{}`",
                text[range.clone()].trim(),
                replacement.trim()
            ),
            text: [&text[..range.start], replacement, &text[range.end..]].concat(),
        })
        .collect()
}

/// The text with wider spaces around the operators of the given lines. The program is the same, so
/// only a test that reads its text can fail. `None` if nothing changes.
pub fn respaced(path: &str, text: &str, lines: &[Range<usize>]) -> Option<String> {
    let language = Language::of_path(path)?;
    let code = scan(text, language).code;
    let mut changed = String::with_capacity(text.len());
    let lines_of_code = text.split_inclusive('\n').zip(code.split_inclusive('\n'));
    for (index, (line, code)) in lines_of_code.enumerate() {
        // A `/` may start a regular expression, in which spaces count.
        let is_chosen = lines.iter().any(|range| range.contains(&(index + 1)))
            && !(language == Language::Script && code.contains('/'));
        for (at, character) in line.char_indices() {
            changed.push(character);
            let is_operator = |c: char| "+-*%<>=!&|".contains(c);
            let (before, after) = (code.get(..at), code.get(at + 1..));
            let is_beside = |(before, after): (&str, &str)| {
                !before.trim().is_empty()
                    && (before.ends_with(is_operator) || after.starts_with(is_operator))
            };
            if is_chosen && character == ' ' && before.zip(after).is_some_and(is_beside) {
                changed.push(' ');
            }
        }
    }
    (changed != text).then_some(changed)
}

/// The replacements in a line of code, in order.
fn replacements(line: &str, language: Language) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let Some(rest) = line.get(at..) else {
            at += 1;
            continue;
        };
        if let Some((old, new)) = OPERATORS.iter().find(|(old, _)| rest.starts_with(old)) {
            if fits(line, at, old) {
                found.push((at..at + old.len(), (*new).to_owned()));
            }
            // The trailing space may start the next operator.
            at += old.trim_end().len().max(1);
            continue;
        }
        let word_start = !line[..at].ends_with(is_word);
        if word_start && rest.starts_with(is_word) {
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let word = &rest[..length];
            if let Some(replacement) = replaced_word(line, at, word, language) {
                found.push((at..at + length, replacement));
            }
            if word == "return"
                && let Some(replaced) = returned_value(line, at + length, language)
            {
                found.push(replaced);
            }
            at += length;
            continue;
        }
        at += 1;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether an operator is binary here.
fn fits(line: &str, at: usize, operator: &str) -> bool {
    let before = line[..at].trim_end();
    match operator.trim() {
        // A prefix operator, or a closure without parameters.
        "-" | "+" | "||" => before.ends_with(|c: char| is_word(c) || ")]}'\"`?".contains(c)),
        // `!=` in a macro call such as `assert!(a)` has no `=`.
        "==" | "===" => !before.is_empty() || !line[..at].is_empty(),
        _ => true,
    }
}

fn replaced_word(line: &str, at: usize, word: &str, language: Language) -> Option<String> {
    if let Some((_, new)) = WORDS.iter().find(|(old, _)| *old == word) {
        let is_python = language == Language::Python;
        let capital = word.starts_with(|c: char| c.is_uppercase());
        return (is_python == capital).then(|| (*new).to_owned());
    }
    if language == Language::Python {
        match word {
            "and" => return Some("or".to_owned()),
            "or" => return Some("and".to_owned()),
            _ => {}
        }
    }
    let before = line[..at].chars().next_back();
    let after = line[at + word.len()..].chars().next();
    // Parts of floats and tuple fields are not integers.
    if before == Some('.') || after == Some('.') || !word.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let value: u64 = word.parse().ok()?;
    value.checked_add(1).map(|value| value.to_string())
}

/// The value after `return` is replaced by nothing, where the language has no static types.
fn returned_value(line: &str, after: usize, language: Language) -> Option<(Range<usize>, String)> {
    let nothing = match language {
        Language::Python => "None",
        Language::Script => "undefined",
        Language::Go | Language::Rust => return None,
    };
    let value = line[after..].trim_end().trim_end_matches(';');
    let trimmed = value.trim_start();
    let start = after + value.len() - trimmed.len();
    // A value that continues on the next line cannot be replaced here.
    let balanced = "([{"
        .chars()
        .zip(")]}".chars())
        .all(|(open, close)| trimmed.matches(open).count() == trimmed.matches(close).count());
    if trimmed.is_empty() || trimmed == nothing || !balanced || trimmed.ends_with('\\') {
        return None;
    }
    let opens_string =
        trimmed.contains("\"\"\"") || trimmed.contains("'''") || trimmed.contains('`');
    if opens_string || trimmed.contains('}') && !trimmed.contains('{') {
        return None;
    }
    Some((start..after + value.len(), nothing.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(path: &str, text: &str) -> Vec<String> {
        mutants(path, text, std::slice::from_ref(&(1..usize::MAX)), 100)
            .into_iter()
            .map(|mutant| mutant.text)
            .collect()
    }

    #[test]
    fn operators_of_each_language() {
        assert_eq!(
            changed("a.py", "x = a == b and not c  # == \"and\"\n"),
            [
                "x = a != b and not c  # == \"and\"\n",
                "x = a == b or not c  # == \"and\"\n",
            ]
        );
        assert_eq!(
            changed("a.py", "return a + '==' + True\n"),
            [
                "return None\n",
                "return a - '==' + True\n",
                "return a + '==' - True\n",
                "return a + '==' + False\n",
            ]
        );
        assert_eq!(
            changed("a.js", "if (a === 9 || b) {}\n"),
            [
                "if (a !== 9 || b) {}\n",
                "if (a === 10 || b) {}\n",
                "if (a === 9 && b) {}\n",
            ]
        );
        assert_eq!(
            changed("a.rs", "let x: Vec<u8> = f(|| a[0] < 1.5, true);\n"),
            [
                "let x: Vec<u8> = f(|| a[1] < 1.5, true);\n",
                "let x: Vec<u8> = f(|| a[0] <= 1.5, true);\n",
                "let x: Vec<u8> = f(|| a[0] < 1.5, false);\n",
            ]
        );
        assert_eq!(changed("a.go", "x += 1\n").len(), 2);
        assert_eq!(changed("a.txt", "a == b\n").len(), 0);
    }

    #[test]
    fn wider_spaces_change_no_string_and_no_indentation() {
        let respaced = |path, text| respaced(path, text, std::slice::from_ref(&(1..2)));
        let text = "    x = a + ' - '  # b + c\ny = 1\n";
        let wider = "    x  =  a  +  ' - '  # b + c\ny = 1\n";
        assert_eq!(respaced("a.py", text).as_deref(), Some(wider));
        for (path, text) in [
            ("a.py", "return f(x)\n"),
            ("a.js", "x = /a + b/;\n"),
            ("a.md", "a + b\n"),
        ] {
            assert_eq!(respaced(path, text), None, "{text}");
        }
    }

    #[test]
    fn lines_and_limit() {
        let text = "a = 1\nb = 2\nc = 3\nd = 4\n";
        let mutants = mutants("a.py", text, std::slice::from_ref(&(2..5)), 2);
        let lines: Vec<usize> = mutants.iter().map(|mutant| mutant.line).collect();
        assert_eq!(lines, [2, 3]);
        assert_eq!(mutants[0].description, "`2` by `3`");
        assert!(super::mutants("a.py", text, std::slice::from_ref(&(2..5)), 0).is_empty());
    }
}
