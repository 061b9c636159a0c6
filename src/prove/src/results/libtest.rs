//! The output of Rust's libtest, for example of `cargo test`.

use super::{Collector, Unparsed, text};
use crate::record::{TestResults, TestStatus};

/// Reads the standard output of `cargo test`. Its standard error has the names of the test
/// binaries; each test is named `crate source: path::test`. Without those names, as in Bazel's
/// test.log, the tests of a single binary have no prefix.
///
/// A binary that ends without a summary adds one failed test.
pub fn parse(stdout: &[u8], stderr: &[u8]) -> Result<TestResults, Unparsed> {
    let text = text(stdout, "the output of cargo test")?;
    let targets = targets(&String::from_utf8_lossy(stderr));
    let blocks = blocks(text);
    if !targets.is_empty() && targets.len() != blocks.len() {
        // A binary that crashes before it prints anything has a target, but no block.
        if targets.len() < blocks.len() {
            return Err(Unparsed::new(format!(
                "cargo ran {} test binaries, but the output has {} lists of tests",
                targets.len(),
                blocks.len()
            )));
        }
    }
    let mut collector = Collector::new("libtest");
    for (index, block) in blocks.iter().enumerate() {
        let prefix = match targets.get(index) {
            Some(target) => format!("{target}: "),
            None if blocks.len() > 1 => format!("binary {}: ", index + 1),
            None => String::new(),
        };
        for (name, status) in &block.tests {
            collector.add(&format!("{prefix}{name}"), *status);
        }
        if !block.finished {
            collector.add(&format!("{prefix}did not finish"), TestStatus::Failed);
        } else if block.tests.len() != block.announced {
            return Err(Unparsed::new(format!(
                "a test binary announces {} tests, but lists {}",
                block.announced,
                block.tests.len()
            )));
        }
    }
    for target in targets.iter().skip(blocks.len()) {
        collector.add(&format!("{target}: did not finish"), TestStatus::Failed);
    }
    Ok(collector.finish())
}

/// What one test binary printed.
#[derive(Default)]
struct Block {
    announced: usize,
    tests: Vec<(String, TestStatus)>,
    /// Whether a summary with the right counts follows.
    finished: bool,
}

impl Block {
    fn matches(&self, summary: [usize; 3]) -> bool {
        let count = |wanted| {
            self.tests
                .iter()
                .filter(|(_, status)| *status == wanted)
                .count()
        };
        summary
            == [
                count(TestStatus::Passed),
                count(TestStatus::Failed),
                count(TestStatus::Skipped),
            ]
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // The test whose status is on a later line, because the test printed something.
    let mut pending: Option<String> = None;
    let mut in_failures = false;
    for line in text.lines() {
        let open = blocks.last().is_some_and(|block| !block.finished);
        if (!open || !in_failures)
            && let Some(announced) = announced(line)
        {
            blocks.push(Block {
                announced,
                ..Block::default()
            });
            (pending, in_failures) = (None, false);
            continue;
        }
        let Some(block) = blocks.last_mut().filter(|block| !block.finished) else {
            continue;
        };
        if let Some(summary) = summary(line) {
            // Captured output may contain the summary of another run, which has other counts.
            block.finished = block.matches(summary);
        } else if in_failures {
            continue;
        } else if line == "failures:" {
            in_failures = true;
        } else if let Some((name, rest)) = line
            .strip_prefix("test ")
            .and_then(|line| line.split_once(" ... "))
            .or_else(|| Some((line.strip_prefix("test ")?.strip_suffix(" ...")?, "")))
        {
            match status(rest) {
                Some(status) => block.tests.push((stable_name(name), status)),
                None => pending = Some(stable_name(name)),
            }
        } else if let Some(status) = status(line)
            && let Some(name) = pending.take()
        {
            block.tests.push((name, status));
        }
    }
    blocks
}

fn announced(line: &str) -> Option<usize> {
    let count = line.strip_prefix("running ")?;
    let count = count
        .strip_suffix(" tests")
        .or_else(|| count.strip_suffix(" test"))?;
    count.parse().ok()
}

fn status(text: &str) -> Option<TestStatus> {
    match text {
        "ok" => Some(TestStatus::Passed),
        "FAILED" => Some(TestStatus::Failed),
        "ignored" => Some(TestStatus::Skipped),
        _ if text.starts_with("ignored, ") => Some(TestStatus::Skipped),
        _ if text.starts_with("bench: ") => Some(TestStatus::Passed),
        // `--report-time` appends the duration.
        _ => match text.split_once(" <")? {
            (status_text @ ("ok" | "FAILED"), time) if time.ends_with("s>") => status(status_text),
            _ => None,
        },
    }
}

/// Passed (including measured), failed and ignored tests of a `test result:` line.
fn summary(line: &str) -> Option<[usize; 3]> {
    let rest = line.strip_prefix("test result: ")?;
    let rest = rest
        .strip_prefix("ok. ")
        .or_else(|| rest.strip_prefix("FAILED. "))?;
    let count = |word: &str| -> Option<usize> {
        rest.split("; ")
            .find_map(|part| part.strip_suffix(word))?
            .trim()
            .parse()
            .ok()
    };
    let passed = count(" passed")?.checked_add(count(" measured").unwrap_or(0))?;
    Some([passed, count(" failed")?, count(" ignored")?])
}

/// Drops parts of a name that change with unrelated edits: the line of a doc test.
fn stable_name(name: &str) -> String {
    let name = ["should panic", "compile fail", "compile"]
        .iter()
        .find_map(|mode| name.strip_suffix(mode)?.strip_suffix(" - "))
        .unwrap_or(name);
    match name.split_once(" (line ") {
        Some((start, rest)) if rest.ends_with(')') => start.to_owned(),
        _ => name.to_owned(),
    }
}

/// The test binaries that cargo announces, in order: `calc src/lib.rs`, `calc doc-tests`.
fn targets(stderr: &str) -> Vec<String> {
    stderr
        .lines()
        .filter_map(|line| {
            let line = line.trim_start();
            if let Some(name) = line.strip_prefix("Doc-tests ") {
                return Some(format!("{name} doc-tests"));
            }
            let (source, binary) = line
                .strip_prefix("Running ")?
                .strip_suffix(')')?
                .rsplit_once(" (")?;
            let binary = binary.rsplit(['/', '\\']).next().unwrap_or(binary);
            let name = match binary.rsplit_once('-') {
                Some((name, hash)) if hash.len() == 16 => name,
                _ => binary,
            };
            let source = source.strip_prefix("unittests ").unwrap_or(source);
            Some(format!("{name} {source}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STDOUT: &[u8] = include_bytes!("../../tests/data/cargo.out");
    const STDERR: &[u8] = include_bytes!("../../tests/data/cargo.err");

    #[test]
    fn recorded_output_of_three_binaries() {
        let results = parse(STDOUT, STDERR).unwrap().tests;
        let expected = [
            ("calc doc-tests: src/lib.rs - add", TestStatus::Passed),
            ("calc src/lib.rs: tests::bad", TestStatus::Failed),
            ("calc src/lib.rs: tests::ok", TestStatus::Passed),
            ("calc src/lib.rs: tests::panics", TestStatus::Passed),
            ("calc src/lib.rs: tests::skipped", TestStatus::Skipped),
            ("more tests/more.rs: ok", TestStatus::Passed),
            ("more tests/more.rs: other", TestStatus::Passed),
        ];
        let found: Vec<(&str, TestStatus)> = results
            .iter()
            .map(|(name, status)| (name.as_str(), *status))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(parse(STDOUT, b"").unwrap().tests.len(), 7);
    }

    #[test]
    fn noise_crashes_and_forged_summaries() {
        let noisy = "running 2 tests\ntest a ... noise\nok\ntest b ... FAILED\n\nfailures:\n\
            ---- b stdout ----\nrunning 9 tests\ntest c ... ok\n\
            test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
            test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
        let results = parse(noisy.as_bytes(), b"").unwrap().tests;
        assert_eq!(results.len(), 2);
        assert_eq!(results["a"], TestStatus::Passed);
        let crashed = parse(b"running 2 tests\ntest a ... ok\n", b"")
            .unwrap()
            .tests;
        assert_eq!(crashed["did not finish"], TestStatus::Failed);
        let forged = "running 2 tests\ntest a ... ok\n\
            test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert!(parse(forged.as_bytes(), b"").is_err());
    }
}
