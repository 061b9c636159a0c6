//! Shows that the decisive tests look at the result of the code: with another expected value they
//! must fail. A result that claims to equal everything, and a replaced assertion, show here.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::judge::Tests;
use crate::policy::is_test_path;
use crate::record::{Phase, TestStatus, World};
use crate::run::conclusion::{Conclusion, Stop};
use crate::run::executor::Executor;
use crate::run::invocation::{Invocation, Task, Variant};
use crate::run::test_body::TestBody;
use crate::scan::{Language, scan};
use crate::scratch::{Changes, FileState, Tree};
use crate::verdict::Verdict;

/// How many tests are checked.
const MAX_TESTS: usize = 4;
/// How many expected values of one test are changed.
const MAX_VALUES: usize = 8;
/// How many expected values of other tests are tried.
const MAX_SWAPPED: usize = 2;

/// Parts of a line that compares a result with an expected value.
const EQUALITIES: [&str; 11] = [
    "==",
    "!=",
    "assert_eq!(",
    "assertEqual(",
    "assertEquals(",
    "assertListEqual(",
    "assertDictEqual(",
    "trictEqual(",
    "deepEqual(",
    ".toBe(",
    ".toEqual(",
];

/// Rejects a patch whose decisive tests pass with any expected value, or with the expected value of
/// another test. A test without a recognised comparison is not checked.
pub(crate) fn check<'t>(
    executor: &mut Executor<'_>,
    task: &Task,
    tree: &Tree,
    tests: impl Iterator<Item = &'t String>,
) -> Result<(), Stop> {
    let tests: Vec<&String> = tests.take(MAX_TESTS).collect();
    let mut values = Vec::new();
    for test in &tests {
        values.push(literals_of(tree, test)?);
    }
    let expected: BTreeSet<String> = values
        .iter()
        .flatten()
        .filter_map(Literal::expected)
        .collect();
    for (test, literals) in tests.into_iter().zip(&values) {
        let mut passing = Vec::new();
        let mut compared = None;
        for literal in literals {
            let (passes, record) = run_with(executor, task, tree, test, literal, &literal.other)?;
            if !passes {
                compared = Some(literal);
                break;
            }
            passing.push(record);
        }
        if compared.is_none() && !passing.is_empty() {
            let text = format!("the test {test:?} passes whatever value it expects");
            return Err(Conclusion::of(Verdict::RegressionOnly, text, &passing).into());
        }
        let Some(literal) = compared.filter(|literal| literal.is_expected) else {
            continue;
        };
        let others = expected.iter().filter(|other| literal.is_like(other));
        for other in others.take(MAX_SWAPPED) {
            let (passes, record) = run_with(executor, task, tree, test, literal, other)?;
            if passes {
                let text = format!("the test {test:?} also passes if it expects {other}");
                return Err(Conclusion::of(Verdict::RegressionOnly, text, &[record]).into());
            }
        }
    }
    Ok(())
}

/// Whether the test passes with another value in place of a literal, and the record of the run.
fn run_with(
    executor: &mut Executor<'_>,
    task: &Task,
    tree: &Tree,
    test: &String,
    literal: &Literal,
    value: &str,
) -> Result<(bool, u32), Stop> {
    let Literal { path, line, at, .. } = literal;
    let Some(state) = tree.read(path)? else {
        return Ok((false, 0));
    };
    let bytes = [
        &state.bytes[..at.start],
        value.as_bytes(),
        &state.bytes[at.end..],
    ]
    .concat();
    let file = FileState { bytes, ..state };
    let changes = Changes::new(BTreeMap::from([(path.clone(), Some(file))]));
    let changed_tree = tree.with(&changes, &executor.fresh("expectation"))?;
    let run = executor.run(&Invocation {
        task,
        tree: &changed_tree,
        phase: Phase::Prevent,
        world: Some(World::Both),
        run: 1,
        variant: Variant::Trial(format!("another value at {path}:{line}: {value}")),
    })?;
    let _ = std::fs::remove_dir_all(changed_tree.folder());
    let passes = match &run.tests {
        Tests::ByName(tests) => tests.get(test) == Some(&TestStatus::Passed),
        Tests::NotReported | Tests::Unparsed(_) => false,
    };
    Ok((passes, run.record))
}

/// A literal that a test compares.
struct Literal {
    path: String,
    line: usize,
    at: Range<usize>,
    text: String,
    /// Another value, which no test expects.
    other: String,
    /// Whether the literal alone is one side of the comparison.
    is_expected: bool,
}

impl Literal {
    fn expected(&self) -> Option<String> {
        let is_number = self.text.starts_with(|first: char| first.is_ascii_digit());
        (self.is_expected && is_number).then(|| self.text.clone())
    }

    /// Whether a number differs from this one, and has the same form.
    fn is_like(&self, other: &str) -> bool {
        self.expected()
            .is_some_and(|own| own != other && own.contains('.') == other.contains('.'))
    }
}

/// The literals that `test` compares, last ones first.
fn literals_of(tree: &Tree, test: &str) -> Result<Vec<Literal>, Stop> {
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
        for (line, at, other) in values(text, name, language) {
            if found.len() == MAX_VALUES {
                return Ok(found);
            }
            found.push(Literal {
                path: path.clone(),
                line,
                text: text[at.clone()].to_owned(),
                is_expected: is_operand(text, &at),
                at,
                other,
            });
        }
    }
    Ok(found)
}

/// Whether a literal is all that follows a comparison, as in `== 12` and `assertEqual(f(1), 12)`.
pub(super) fn is_operand(text: &str, at: &Range<usize>) -> bool {
    let line = text[..at.start].rfind('\n').map_or(0, |end| end + 1);
    let (before, after) = (text[line..at.start].trim_end(), &text[at.end..]);
    let after = after.lines().next().unwrap_or("").trim_start();
    let ends = after.chars().all(|c| " ):;{,".contains(c));
    if before.ends_with("==") || before.ends_with("!=") {
        return ends;
    }
    // The last argument of the outermost call, after another one.
    let open =
        before.matches('(').count() - before.matches(')').count().min(before.matches('(').count());
    let calls = EQUALITIES.iter().filter(|mark| mark.ends_with('('));
    ends && open == 1
        && calls.into_iter().any(|mark| before.contains(mark))
        && (before.ends_with(',') || before.ends_with(".toBe(") || before.ends_with(".toEqual("))
}

/// The name of a test without its file, its class and its parameters.
pub(super) fn simple_name(test: &str) -> &str {
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
    let mut body = TestBody::of(name);
    let lines = text.split_inclusive('\n').zip(code.split_inclusive('\n'));
    for (number, (line, code)) in lines.enumerate() {
        let is_own = body.next(line, true).is_some();
        if is_own && EQUALITIES.iter().any(|mark| code.contains(mark)) {
            let of_line = literals(code).into_iter().rev();
            found.extend(of_line.map(|(at, value)| {
                let range = start + at.start..start + at.end;
                (number + 1, range, value)
            }));
        }
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
    fn only_a_whole_side_of_a_comparison_is_expected() {
        let expected = |line: &str, literal: &str| {
            let at = line.rfind(literal).unwrap();
            is_operand(line, &(at..at + literal.len()))
        };
        for line in [
            "    assert add(5, 7) == 12",
            "self.assertEqual(add(5, 7), 12)",
            "    assert_eq!(add(5, 7), 12);",
            "if Add(5, 7) != 12 {",
            "expect(add(5, 7)).toBe(12);",
        ] {
            assert!(expected(line, "12"), "{line}");
            assert!(!expected(line, "7"), "{line}");
        }
        for line in [
            "assert 3 == pick(1, 12)",
            "assertEqual(3, pick(1, 12))",
            "assert a == 12 + b",
        ] {
            assert!(!expected(line, "12"), "{line}");
        }
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
