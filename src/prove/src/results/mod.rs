//! Parsers from the output of test runners to results by test name.
//!
//! Every parser is a pure function of bytes. A contradiction between the listed tests, the runner's
//! own summary and the exit code is an error, so that a forged or cut-off report never counts as a
//! pass.

pub mod bazel;
pub mod fixpoint;
pub mod go;
pub mod junit;
pub mod libtest;
pub mod summary;
pub mod tap;
pub mod unittest;

use std::collections::BTreeMap;

use crate::record::{TestResults, TestStatus};

/// The size above which a report is rejected.
pub const MAX_BYTES: usize = 64 << 20;

/// Results that cannot be read, or that contradict one another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unparsed {
    pub reason: String,
}

impl Unparsed {
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

/// The number of tests by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// Tests that the runner may count both as passed and as failed: pytest reports a test whose
    /// teardown fails as `1 passed, 1 error`.
    pub counted_twice: usize,
}

impl Counts {
    pub fn of(results: &TestResults) -> Self {
        let mut counts = Self::default();
        for status in results.tests.values() {
            match status {
                TestStatus::Passed => counts.passed += 1,
                TestStatus::Failed => counts.failed += 1,
                TestStatus::Skipped => counts.skipped += 1,
            }
        }
        counts
    }

    pub fn total(&self) -> usize {
        self.passed + self.failed + self.skipped
    }
}

/// Checks results against the runner's own summary and its exit code.
pub fn reconcile(
    results: TestResults,
    summary: Option<Counts>,
    exit_code: Option<i32>,
) -> Result<TestResults, Unparsed> {
    let listed = Counts::of(&results);
    if let Some(summary) = summary {
        let passed = listed.passed..=listed.passed + summary.counted_twice;
        if !passed.contains(&summary.passed)
            || summary.failed != listed.failed
            || summary.skipped != listed.skipped
        {
            return Err(Unparsed::new(format!(
                "the report lists {} passed, {} failed and {} skipped tests, but the runner's \
                 summary says {}, {} and {}",
                listed.passed,
                listed.failed,
                listed.skipped,
                summary.passed,
                summary.failed,
                summary.skipped
            )));
        }
    }
    check_exit(&listed, exit_code)?;
    Ok(results)
}

fn check_exit(listed: &Counts, exit_code: Option<i32>) -> Result<(), Unparsed> {
    match exit_code {
        None => Err(Unparsed::new("a signal ended the runner")),
        Some(0) if listed.failed > 0 => Err(Unparsed::new(format!(
            "the runner exits with 0, but {} tests failed",
            listed.failed
        ))),
        Some(0) if listed.total() == 0 => Err(Unparsed::new("no test ran")),
        Some(code) if code != 0 && listed.failed == 0 => Err(Unparsed::new(format!(
            "the runner exits with {code}, but no test failed"
        ))),
        Some(_) => Ok(()),
    }
}

/// Collects results and makes names unique: the second `name` becomes `name#2`.
pub(crate) struct Collector {
    results: TestResults,
    repeated: BTreeMap<String, usize>,
}

impl Collector {
    pub(crate) fn new(source: &str) -> Self {
        Self {
            results: TestResults {
                source: source.to_owned(),
                tests: BTreeMap::new(),
            },
            repeated: BTreeMap::new(),
        }
    }

    pub(crate) fn add(&mut self, name: &str, status: TestStatus) {
        let mut unique = name.to_owned();
        // A runner may also report a test that is itself named `name#2`.
        while self.results.tests.contains_key(&unique) {
            let number = self.repeated.entry(name.to_owned()).or_insert(1);
            *number += 1;
            unique = format!("{name}#{number}");
        }
        self.results.tests.insert(unique, status);
    }

    pub(crate) fn len(&self) -> usize {
        self.results.tests.len()
    }

    pub(crate) fn finish(self) -> TestResults {
        self.results
    }
}

/// The text of a report, which must be UTF-8 and not too large.
pub(crate) fn text<'a>(bytes: &'a [u8], what: &str) -> Result<&'a str, Unparsed> {
    if bytes.len() > MAX_BYTES {
        return Err(Unparsed::new(format!(
            "{what} is larger than {MAX_BYTES} bytes"
        )));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Unparsed::new(format!("{what} is not UTF-8: {error}")))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(statuses: &[TestStatus]) -> TestResults {
        let mut collector = Collector::new("junit");
        for status in statuses {
            collector.add("a", *status);
        }
        collector.finish()
    }

    #[test]
    fn repeated_names_are_numbered() {
        let mut collector = Collector::new("junit");
        for name in ["a", "a#2", "a", "a"] {
            collector.add(name, TestStatus::Passed);
        }
        let names: Vec<String> = collector.finish().tests.into_keys().collect();
        assert_eq!(names, ["a", "a#2", "a#3", "a#4"]);
    }

    #[test]
    fn contradictions_are_errors() {
        use TestStatus::{Failed, Passed, Skipped};
        let counts = |passed, failed, skipped| {
            Some(Counts {
                passed,
                failed,
                skipped,
                counted_twice: 0,
            })
        };
        assert!(reconcile(results(&[Passed]), counts(1, 0, 0), Some(0)).is_ok());
        assert!(reconcile(results(&[Passed, Failed]), None, Some(1)).is_ok());
        assert!(reconcile(results(&[Passed]), counts(2, 0, 0), Some(0)).is_err());
        assert!(reconcile(results(&[Passed]), counts(1, 1, 0), Some(1)).is_err());
        assert!(reconcile(results(&[Passed, Failed]), None, Some(0)).is_err());
        assert!(reconcile(results(&[Passed]), None, Some(1)).is_err());
        assert!(reconcile(results(&[]), None, Some(0)).is_err());
        assert!(reconcile(results(&[Passed]), None, None).is_err());
        assert!(reconcile(results(&[Skipped]), None, Some(0)).is_ok());
    }
}
