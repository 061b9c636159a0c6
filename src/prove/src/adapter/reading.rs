//! Reading the results of a run.

use std::path::{Path, PathBuf};

use fixpoint_workspace::read_file;

use super::{Adapter, Runner};
use crate::record::{TestResults, TestStatus};
use crate::results::{
    Collector, Counts, MAX_BYTES, Unparsed, bazel, fixpoint, go, junit, libtest, reconcile,
    summary, tap, unittest,
};
use crate::runner::REPORTS;

/// A report of a run. A command may put a pipe or a device in its place, which is not read.
fn read(path: &Path) -> Option<Vec<u8>> {
    read_file(path, MAX_BYTES as u64).ok()
}

impl Adapter {
    /// The results of a run whose report is in `results_dir`. The result is `None` if the command
    /// failed before a test ran, for example because the code does not compile.
    pub fn read(
        &self,
        results_dir: &Path,
        stdout: &[u8],
        stderr: &[u8],
        exit_code: Option<i32>,
    ) -> Result<Option<TestResults>, Unparsed> {
        let report = |name: &str| read(&results_dir.join(name));
        let (results, summary) = match self.runner {
            Runner::Pytest => match report("pytest.xml") {
                Some(bytes) => {
                    let summary = summary::pytest(stdout)
                        .ok_or_else(|| Unparsed::new("pytest printed no summary"))?;
                    (junit::parse(&bytes)?, Some(summary))
                }
                None => return no_report("pytest", exit_code),
            },
            Runner::Node => match report("node.tap") {
                Some(bytes) if !bytes.is_empty() => {
                    let results = tap::parse(&bytes)?;
                    let summary = summary::node(stdout)
                        .ok_or_else(|| Unparsed::new("node printed no summary"))?;
                    let suites = suites_without_failing_tests(&results, &summary);
                    let summary = Counts {
                        failed: summary.failed + suites,
                        ..summary
                    };
                    (self.without_tree(results), Some(summary))
                }
                _ => return no_report("node", exit_code),
            },
            Runner::Nextest => match report("nextest.xml") {
                Some(bytes) => {
                    let summary = summary::nextest(stderr)
                        .ok_or_else(|| Unparsed::new("nextest printed no summary"))?;
                    let mut collector = Collector::new("junit");
                    for case in junit::cases(&bytes)? {
                        // The name as nextest prints it: the id of the binary, then the test.
                        let name = format!("{} {}", case.class, case.own_name);
                        collector.add(&name, case.status);
                    }
                    (collector.finish(), Some(summary))
                }
                None => return no_report("nextest", exit_code),
            },
            Runner::Unittest => match unittest::parse(stderr) {
                Ok(results) => (results, None),
                // The interpreter may end before the runner starts.
                Err(error) => {
                    let ran = String::from_utf8_lossy(stderr).contains("\nRan ");
                    return if ran || exit_code.is_none_or(|code| code == 0) {
                        Err(error)
                    } else {
                        Ok(None)
                    };
                }
            },
            Runner::CargoTest => (libtest::parse(stdout, stderr)?, None),
            Runner::GoTest => (go::parse(stdout)?, None),
            Runner::Maven => read_maven(&results_dir.join(REPORTS), stdout)?,
            Runner::Bazel => match report("events.json") {
                Some(bytes) => {
                    let mut read = |path: &str| read(Path::new(path));
                    (bazel::parse(&bytes, &mut read)?, None)
                }
                None => return no_report("bazel", exit_code),
            },
            Runner::Fixpoint => {
                let command = self.argv.join(" ");
                (fixpoint::parse(&command, exit_code), None)
            }
        };
        if results.tests.is_empty() && exit_code.is_some_and(|code| code != 0) {
            // pytest has an exit code of its own for a run without tests.
            if self.runner == Runner::Pytest && exit_code == Some(5) {
                return Err(Unparsed::new("pytest found no tests"));
            }
            return Ok(None);
        }
        reconcile(results, summary, exit_code).map(Some)
    }

    /// Names of files relative to the tree, because its place differs between worlds.
    fn without_tree(&self, results: TestResults) -> TestResults {
        let tree = format!("{}/", self.tree.display());
        let mut collector = Collector::new(&results.source);
        for (name, status) in &results.tests {
            collector.add(name.strip_prefix(&tree).unwrap_or(name), *status);
        }
        collector.finish()
    }
}

/// Surefire has no option for another folder of reports, so that the runner copies them after the run.
fn read_maven(folder: &Path, stdout: &[u8]) -> Result<(TestResults, Option<Counts>), Unparsed> {
    let mut collector = Collector::new("junit");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let bytes = read(&path).ok_or_else(|| Unparsed::new("a report cannot be read"))?;
        for case in junit::cases(&bytes)? {
            collector.add(&case.name, case.status);
        }
    }
    let results = collector.finish();
    let summary = summary::maven(stdout);
    if summary.is_none() && !results.tests.is_empty() {
        return Err(Unparsed::new("Maven printed no summary"));
    }
    Ok((results, summary))
}

/// Suites that fail by themselves are in the results, but node does not count them as tests.
fn suites_without_failing_tests(results: &TestResults, summary: &Counts) -> usize {
    let failed = results
        .tests
        .values()
        .filter(|status| **status == TestStatus::Failed)
        .count();
    let listed = results.tests.len();
    let counted = summary.total();
    if listed > counted && failed > summary.failed {
        (listed - counted).min(failed - summary.failed)
    } else {
        0
    }
}

fn no_report(runner: &str, exit_code: Option<i32>) -> Result<Option<TestResults>, Unparsed> {
    match exit_code {
        Some(0) => Err(Unparsed::new(format!(
            "{runner} exits with 0, but wrote no report"
        ))),
        None => Err(Unparsed::new(format!("a signal ended {runner}"))),
        Some(_) => Ok(None),
    }
}
