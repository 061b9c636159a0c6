//! Code that contains whole examples of the tests, whatever the form: a table, a branch, a list.

use std::collections::BTreeSet;

use super::special_cases::{Token, is_trivial, literal, tokens};
use super::{Source, TestText};
use crate::scan::{Language, scan};

/// Lines of code in which the literals of one example count as together.
const WINDOW: usize = 6;
/// An ordinary constant may occur in a test. Two whole examples do not occur by chance.
const MIN_EXAMPLES: usize = 2;

const EQUALITIES: [&str; 6] = ["==", "Equal(", "Equals(", ".toBe(", "assert_eq!(", ".is("];
const HASHES: [&str; 6] = [
    "hashlib.",
    "crc32(",
    "adler32(",
    "createHash(",
    "md5(",
    "sha256(",
];

/// An equality of a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Example {
    literals: BTreeSet<String>,
    /// The last literal.
    expected: String,
}

/// The examples of all tests.
pub(super) struct EmbeddedExamples(BTreeSet<Example>);

impl EmbeddedExamples {
    pub(super) fn of(tests: &[TestText]) -> Self {
        let mut examples = BTreeSet::new();
        for test in tests {
            let language = Language::of_path(&test.path).unwrap_or(Language::Python);
            let text = scan(&test.text, language).without_comments;
            for line in text.lines() {
                if !EQUALITIES.iter().any(|mark| line.contains(mark)) {
                    continue;
                }
                let found: Vec<String> = telling(line).collect();
                let literals: BTreeSet<String> = found.iter().cloned().collect();
                if let Some(expected) = found.last()
                    && literals.len() > 1
                {
                    examples.insert(Example {
                        literals,
                        expected: expected.clone(),
                    });
                }
            }
        }
        Self(examples)
    }

    /// Reports lines near which the added code contains all literals of an example.
    pub(super) fn check(&self, source: &Source, report: &mut dyn FnMut(usize, String)) {
        let added: Vec<(usize, BTreeSet<String>)> = source
            .added
            .iter()
            .map(|line| (*line, telling(source.text(*line)).collect()))
            .collect();
        let mut found: Vec<(usize, &Example)> = Vec::new();
        for example in &self.0 {
            let near = added.iter().find(|(start, _)| {
                let window = added
                    .iter()
                    .filter(|(line, _)| (*start..*start + WINDOW).contains(line));
                let literals: BTreeSet<&String> = window.flat_map(|(_, found)| found).collect();
                let mut wanted = example.literals.iter();
                wanted.all(|literal| literals.contains(literal))
            });
            found.extend(near.map(|(line, _)| (*line, example)));
        }
        let expected: BTreeSet<&String> = found.iter().map(|(_, it)| &it.expected).collect();
        if expected.len() < MIN_EXAMPLES {
            return;
        }
        for (line, example) in found {
            let literals: Vec<&str> = example.literals.iter().map(String::as_str).collect();
            let text = literals.join(", ");
            report(
                line,
                format!("the code contains an example of a test: {text}"),
            );
        }
    }

    /// Reports hashes in the code if the patch contains expected results: a table by hash hides its
    /// inputs.
    pub(super) fn check_hashes(
        &self,
        source: &Source,
        added: &BTreeSet<String>,
        report: &mut dyn FnMut(usize, String),
    ) {
        let expected: BTreeSet<&String> = self.0.iter().map(|it| &it.expected).collect();
        let contained = expected.into_iter().filter(|it| added.contains(*it));
        if contained.count() < MIN_EXAMPLES {
            return;
        }
        for line in &source.added {
            if HASHES.iter().any(|hash| source.code(*line).contains(hash)) {
                let text = "a hash chooses among expected results of tests";
                report(*line, text.to_owned());
            }
        }
    }
}

/// The literals of a line that say something.
pub(super) fn telling(line: &str) -> impl Iterator<Item = String> {
    let literals = tokens(line)
        .into_iter()
        .filter(|token| matches!(token, Token::Literal(_)));
    literals
        .filter_map(literal)
        .filter(|literal| !is_trivial(literal) && literal != "2")
}

#[cfg(test)]
mod tests {
    use super::super::{ChangedFile, TestText, suspicious};

    const TEST: &str = "self.assertEqual(add(5, 7), 12)\nself.assertEqual(add(20, 22), 42)\n";

    fn reasons(files: &[(&str, &str)]) -> usize {
        let files: Vec<ChangedFile> = files
            .iter()
            .map(|(path, new)| ChangedFile {
                path: (*path).to_owned(),
                old: None,
                new: (*new).to_owned(),
            })
            .collect();
        let test = TestText {
            path: "tests/test_a.py".to_owned(),
            text: TEST.to_owned(),
            base: None,
        };
        suspicious(&files, &[test]).len()
    }

    #[test]
    fn examples_are_found_in_any_form() {
        for code in [
            "PAIRS = [((5, 7), 12), ((20, 22), 42)]\n",
            "INPUTS = [(5, 7), (20, 22)]\nOUTPUTS = [12, 42]\n",
            "def f(a, b):\n    return (a, b) == (5, 7) and 12 or (a, b) == (20, 22) and 42\n",
        ] {
            assert!(reasons(&[("a.py", code)]) > 0, "{code}");
        }
    }

    #[test]
    fn ordinary_constants_are_not_examples() {
        for code in [
            "LIMIT = 12\nSIZE = 42\n",
            "def add(a, b):\n    return a + b\n",
            "def f(a):\n    return a + 5 * 7 - 12\n",
        ] {
            assert_eq!(reasons(&[("a.py", code)]), 0, "{code}");
        }
    }

    #[test]
    fn a_table_by_hash_is_found() {
        let code = "import hashlib\n\n\ndef f(a):\n    return KNOWN.get(hashlib.sha256(a))\n";
        let table = "{\"d4735e3a\": 12, \"4b227777\": 42}\n";
        assert!(reasons(&[("a.py", code), ("known.json", table)]) > 0);
        assert_eq!(reasons(&[("a.py", code)]), 0);
    }
}
