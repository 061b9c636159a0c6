//! The standard error of `python -m unittest -v`.

use super::{Collector, Unparsed};
use crate::record::{TestResults, TestStatus};

/// Reads the list of tests. Names are dotted: `module.Class.method`.
pub fn parse(stderr: &[u8]) -> Result<TestResults, Unparsed> {
    if stderr.len() > super::MAX_BYTES {
        return Err(Unparsed::new("the output of unittest is too large"));
    }
    let text = String::from_utf8_lossy(stderr);
    let (tests, counted) = list(&text);
    let closing = Closing::read(&text)?;
    if closing.ran != counted {
        return Err(Unparsed::new(format!(
            "unittest says that it ran {} tests, but lists {counted}",
            closing.ran
        )));
    }
    let mut collector = Collector::new("unittest");
    let mut failed = 0;
    for (name, status) in &tests {
        failed += usize::from(*status == TestStatus::Failed);
        collector.add(name, *status);
    }
    // A test with subtests may fail more than once.
    if failed > closing.failed || (failed == 0) != (closing.failed == 0) {
        return Err(Unparsed::new(format!(
            "unittest says that {} tests failed, but lists {failed}",
            closing.failed
        )));
    }
    Ok(collector.finish())
}

/// The tests, and how many of them count in `Ran N tests`.
fn list(text: &str) -> (Vec<(String, TestStatus)>, usize) {
    let mut tests: Vec<(String, TestStatus)> = Vec::new();
    let mut counted = 0;
    let mut pending: Option<String> = None;
    let mut push = |name: String, status: TestStatus| {
        let fixture = [
            "setUpClass",
            "tearDownClass",
            "setUpModule",
            "tearDownModule",
        ]
        .iter()
        .any(|fixture| name.ends_with(&format!(".{fixture}")));
        counted += usize::from(!fixture);
        tests.push((name, status));
    };
    for line in text.lines() {
        if line.len() >= 70 && line.chars().all(|c| c == '=' || c == '-') {
            break;
        }
        if let Some(name) = test_name(line) {
            if line.starts_with("  ") {
                // A subtest, which fails or is skipped; it decides the result of its test.
                let failed = matches!(line_status(line), Some(TestStatus::Failed));
                if pending.as_deref() == Some(&name) && failed {
                    pending = None;
                    push(name, TestStatus::Failed);
                }
                continue;
            }
            match line_status(line) {
                Some(status) => push(name, status),
                None => pending = Some(name),
            }
        } else if let Some(status) = line_status(line).or_else(|| status(line.trim()))
            && let Some(name) = pending.take()
        {
            push(name, status);
        }
    }
    (tests, counted)
}

/// `method (module.Class.method)`, or `method (module.Class)` before Python 3.11.
fn test_name(line: &str) -> Option<String> {
    let line = line.strip_prefix("  ").unwrap_or(line);
    let (method, rest) = line.split_once(" (")?;
    let (dotted, _) = rest.split_once(')')?;
    let is_name = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    };
    if !is_name(method) || !is_name(dotted) {
        return None;
    }
    let last = dotted.rsplit('.').next().unwrap_or(dotted);
    Some(if last == method {
        dotted.to_owned()
    } else {
        format!("{dotted}.{method}")
    })
}

fn line_status(line: &str) -> Option<TestStatus> {
    status(line.rsplit_once(" ... ")?.1)
}

fn status(text: &str) -> Option<TestStatus> {
    match text {
        "ok" => Some(TestStatus::Passed),
        "FAIL" | "ERROR" | "unexpected success" => Some(TestStatus::Failed),
        "skipped" | "expected failure" => Some(TestStatus::Skipped),
        _ if text.starts_with("skipped ") => Some(TestStatus::Skipped),
        _ => None,
    }
}

/// The lines `Ran N tests in ...` and `OK` or `FAILED (...)`.
struct Closing {
    ran: usize,
    failed: usize,
}

impl Closing {
    fn read(text: &str) -> Result<Self, Unparsed> {
        let lines: Vec<&str> = text.lines().collect();
        let at = lines
            .iter()
            .rposition(|line| line.starts_with("Ran ") && line.contains(" in "))
            .ok_or_else(|| Unparsed::new("unittest printed no line `Ran N tests`"))?;
        let ran = lines[at]
            .split(' ')
            .nth(1)
            .and_then(|count| count.parse().ok())
            .ok_or_else(|| Unparsed::new("unittest's line `Ran N tests` has no number"))?;
        let verdict = lines[at + 1..]
            .iter()
            .find(|line| !line.is_empty())
            .copied()
            .unwrap_or_default();
        let failed = if let Some(parts) = verdict.strip_prefix("FAILED") {
            parts
                .trim_matches([' ', '(', ')'])
                .split(", ")
                .filter_map(|part| part.split_once('='))
                .filter(|(key, _)| matches!(*key, "failures" | "errors" | "unexpected successes"))
                .filter_map(|(_, count)| count.parse::<usize>().ok())
                .fold(0, usize::saturating_add)
        } else if verdict.starts_with("OK") || verdict == "NO TESTS RAN" {
            0
        } else {
            return Err(Unparsed::new("unittest printed neither OK nor FAILED"));
        };
        Ok(Self { ran, failed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDED: &str = include_str!("../../tests/data/unittest.err");

    #[test]
    fn recorded_output() {
        let results = parse(RECORDED.as_bytes()).unwrap().tests;
        assert_eq!(results.len(), 10);
        assert_eq!(results["test_calc.Calc.test_doc"], TestStatus::Passed);
        assert_eq!(results["test_calc.Calc.test_noise"], TestStatus::Passed);
        assert_eq!(results["test_calc.Calc.test_sub"], TestStatus::Failed);
        assert_eq!(results["test_calc.Calc.test_xf"], TestStatus::Skipped);
        assert_eq!(results["test_calc.Calc.test_xp"], TestStatus::Failed);
        let broken = "unittest.loader._FailedTest.test_broken";
        assert_eq!(results[broken], TestStatus::Failed);
    }

    #[test]
    fn names_of_older_versions() {
        let old = "test_a (test_x.X) ... ok\n\n------\nRan 1 test in 0.000s\n\nOK\n";
        let results = parse(old.as_bytes()).unwrap().tests;
        assert_eq!(results["test_x.X.test_a"], TestStatus::Passed);
    }

    #[test]
    fn contradictions_are_rejected() {
        assert!(parse(b"").is_err());
        assert!(parse(RECORDED.replace("Ran 10", "Ran 11").as_bytes()).is_err());
        let forged = "test_a (test_x.X) ... FAIL\n\nRan 1 test in 0.000s\n\nOK\n";
        assert!(parse(forged.as_bytes()).is_err());
    }
}
