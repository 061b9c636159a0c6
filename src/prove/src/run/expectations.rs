//! Shows that the decisive tests look at the result of the code: with another expected value they
//! must fail. A result that claims to equal everything, and a replaced assertion, show here.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::judge::Tests;
use crate::policy::is_test_path;
use crate::record::{Phase, TestStatus, World};
use crate::run::conclusion::{Conclusion, Stop};
use crate::run::executor::Executor;
use crate::run::invocation::{Invocation, Task, Variant};
use crate::scan::{Language, scan};
use crate::scratch::{Changes, FileState, Tree};
use crate::verdict::Verdict;

/// How many tests are checked.
const MAX_TESTS: usize = 4;
/// How many expected values of one test are changed.
const MAX_VALUES: usize = 8;
/// How many lines after its name belong to a test.
const TEST_LINES: usize = 15;

/// Parts of a line that compares a result with an expected value.
const EQUALITIES: [&str; 9] = [
    "==",
    "assertEqual(",
    "assertEquals(",
    "assertListEqual(",
    "assertDictEqual(",
    "trictEqual(",
    "deepEqual(",
    ".toBe(",
    ".toEqual(",
];

/// Rejects a patch whose decisive tests pass with any expected value. A test without a recognised
/// comparison is not checked.
pub(crate) fn check<'t>(
    executor: &mut Executor<'_>,
    task: &Task,
    tree: &Tree,
    tests: impl Iterator<Item = &'t String>,
) -> Result<(), Stop> {
    for test in tests.take(MAX_TESTS) {
        let mut records = Vec::new();
        let mut fails = false;
        for (path, changed) in other_expectations(tree, test)? {
            let changes = Changes::new(BTreeMap::from([(path.clone(), Some(changed.file))]));
            let changed_tree = tree.with(&changes, &executor.fresh("expectation"))?;
            let run = executor.run(&Invocation {
                task,
                tree: &changed_tree,
                phase: Phase::Prevent,
                world: Some(World::Both),
                run: 1,
                variant: Variant::Trial(format!(
                    "another value at {path}:{}: {}",
                    changed.line, changed.value
                )),
            })?;
            let _ = std::fs::remove_dir_all(changed_tree.folder());
            let passes = match &run.tests {
                Tests::ByName(tests) => tests.get(test) == Some(&TestStatus::Passed),
                Tests::NotReported | Tests::Unparsed(_) => false,
            };
            if !passes {
                fails = true;
                break;
            }
            records.push(run.record);
        }
        if !fails && !records.is_empty() {
            let text = format!("the test {test:?} passes whatever value it expects");
            return Err(Conclusion::of(Verdict::RegressionOnly, text, &records).into());
        }
    }
    Ok(())
}

/// A test file with another expected value.
struct Changed {
    line: usize,
    value: String,
    file: FileState,
}

/// Versions of the file of `test`, each with one changed value.
fn other_expectations(tree: &Tree, test: &str) -> Result<Vec<(String, Changed)>, Stop> {
    let name = simple_name(test);
    let mut found = Vec::new();
    for path in tree.paths().iter().filter(|path| is_test_path(path)) {
        let Some(language) = Language::of_path(path) else {
            continue;
        };
        let Some(state) = tree.read(path)? else {
            continue;
        };
        let Ok(text) = std::str::from_utf8(&state.bytes) else {
            continue;
        };
        for (line, range, value) in values(text, name, language) {
            if found.len() == MAX_VALUES {
                return Ok(found);
            }
            let bytes = [&text[..range.start], &value, &text[range.end..]].concat();
            let file = FileState {
                bytes: bytes.into_bytes(),
                is_executable: state.is_executable,
            };
            found.push((path.clone(), Changed { line, value, file }));
        }
    }
    Ok(found)
}

/// The name of a test without its file, its class and its parameters.
fn simple_name(test: &str) -> &str {
    let test = test.split('[').next().unwrap_or(test);
    let name = test.rsplit(['.', ':', '>', '/', '#']).next();
    name.map_or(test, str::trim)
}

/// The line, the place and another value of each literal that the test compares, last ones first.
fn values(text: &str, name: &str, language: Language) -> Vec<(usize, Range<usize>, String)> {
    if name.is_empty() {
        return Vec::new();
    }
    let code = scan(text, language).code;
    let mut found = Vec::new();
    let mut start = 0;
    let mut left = 0;
    let lines = text.split_inclusive('\n').zip(code.split_inclusive('\n'));
    for (number, (line, code)) in lines.enumerate() {
        if line.contains(name) {
            left = TEST_LINES;
        }
        if left > 0 && EQUALITIES.iter().any(|mark| code.contains(mark)) {
            let of_line = literals(code).into_iter().rev();
            found.extend(of_line.map(|(at, value)| {
                let range = start + at.start..start + at.end;
                (number + 1, range, value)
            }));
        }
        left = left.saturating_sub(1);
        start += line.len();
    }
    found
}

/// The numbers, strings and truth values of a line of code, with other values.
fn literals(code: &str) -> Vec<(Range<usize>, String)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut found = Vec::new();
    let mut at = 0;
    let mut quote = None;
    while let Some(rest) = code.get(at..)
        && let Some(first) = rest.chars().next()
    {
        match quote {
            Some(open) => {
                if first == open {
                    quote = None;
                }
                at += first.len_utf8();
            }
            None if matches!(first, '"' | '\'') => {
                let inside = at + 1..at + 1;
                if !rest[1..].starts_with([first]) {
                    found.push((inside, "x".to_owned()));
                }
                quote = Some(first);
                at += 1;
            }
            None if is_word(first) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let word = &rest[..length];
                let is_number =
                    first.is_ascii_digit() && word.chars().all(|c| c.is_ascii_digit() || c == '.');
                let other = match word {
                    "True" => Some("False".to_owned()),
                    "False" => Some("True".to_owned()),
                    "true" => Some("false".to_owned()),
                    "false" => Some("true".to_owned()),
                    _ if is_number => Some(format!("1{word}")),
                    _ => None,
                };
                found.extend(other.map(|other| (at..at + length, other)));
                at += length;
            }
            None => at += first.len_utf8(),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, name: &str) -> Vec<String> {
        let values = values(text, name, Language::Python).into_iter();
        let changed = values.map(|(line, range, value)| {
            let text = [&text[..range.start], &value, &text[range.end..]].concat();
            text.lines().nth(line - 1).unwrap().trim().to_owned()
        });
        changed.collect()
    }

    #[test]
    fn expected_values_are_changed_first() {
        let text = "def test_a():\n    assert add(5, 7) == 12\n";
        assert_eq!(
            changed(text, "test_a"),
            [
                "assert add(5, 7) == 112",
                "assert add(5, 17) == 12",
                "assert add(15, 7) == 12"
            ]
        );
        let text = "def test_a(self):\n    self.assertEqual(f('a'), [True, 'b'])\n";
        assert_eq!(
            changed(text, "test_a"),
            [
                "self.assertEqual(f('a'), [True, 'xb'])",
                "self.assertEqual(f('a'), [False, 'b'])",
                "self.assertEqual(f('xa'), [True, 'b'])"
            ]
        );
    }

    #[test]
    fn other_lines_and_tests_keep_their_values() {
        let text = "X = 1 == 2\n\n\ndef test_a():\n    y = 3\n    assert f(4)\n";
        assert!(changed(text, "test_a").is_empty());
        assert!(changed(text, "test_b").is_empty());
    }

    #[test]
    fn names_of_tests_lose_their_files_and_parameters() {
        assert_eq!(simple_name("tests.test_a.Added.test_b"), "test_b");
        assert_eq!(simple_name("tests/test_a.py::test_b[1.5-x]"), "test_b");
        assert_eq!(simple_name("adds numbers"), "adds numbers");
    }
}
