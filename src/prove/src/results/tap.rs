//! The TAP that node's test runner writes.

use super::{Collector, Counts, Unparsed, text};
use crate::record::{TestResults, TestStatus};

/// Reads a report. Names are those of the suites and of the test, joined with ` > `. Suites are not
/// tests, except a suite that fails although none of its tests does.
///
/// JUnit reports of node lack the result of a test that has subtests, so TAP is used for node.
pub fn parse(bytes: &[u8]) -> Result<TestResults, Unparsed> {
    let text = text(bytes, "the TAP report")?;
    if !text.starts_with("TAP version ") {
        return Err(Unparsed::new("the TAP report has no version line"));
    }
    let mut path: Vec<String> = Vec::new();
    let mut points: Vec<Point> = Vec::new();
    let mut own = OwnCounts::default();
    // The end of the YAML block that is being skipped.
    let mut block_end: Option<String> = None;
    for line in text.lines() {
        if let Some(end) = &block_end {
            if line == end {
                block_end = None;
            } else if line.trim_start() == "type: 'suite'"
                && let Some(point) = points.last_mut()
            {
                point.is_suite = true;
            }
            continue;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        let content = &line[indent..];
        let level = indent / 4;
        if content == "---" {
            block_end = Some(format!("{}...", " ".repeat(indent)));
        } else if let Some(name) = content.strip_prefix("# Subtest: ") {
            path.truncate(level);
            path.resize(level, String::new());
            path.push(unescape(name));
        } else if let Some(point) = point(content, level, &path) {
            points.push(point);
        } else if indent == 0
            && let Some(comment) = content.strip_prefix("# ")
        {
            own.read(comment);
        }
    }
    if block_end.is_some() {
        return Err(Unparsed::new("the TAP report is cut off"));
    }
    collect(&points, &own)
}

struct Point {
    /// The names of the suites, then of the test.
    path: Vec<String>,
    status: TestStatus,
    is_suite: bool,
}

fn point(content: &str, level: usize, path: &[String]) -> Option<Point> {
    let (passed, rest) = match content.strip_prefix("not ok ") {
        Some(rest) => (false, rest),
        None => (true, content.strip_prefix("ok ")?),
    };
    let (number, rest) = rest.split_once(" - ")?;
    number.parse::<usize>().ok()?;
    let (name, directive) = split_directive(rest);
    let skipped = directive.is_some();
    let status = match (skipped, passed) {
        (true, _) => TestStatus::Skipped,
        (false, true) => TestStatus::Passed,
        (false, false) => TestStatus::Failed,
    };
    let mut full: Vec<String> = path.iter().take(level).cloned().collect();
    full.push(unescape(name));
    Some(Point {
        path: full,
        status,
        is_suite: false,
    })
}

/// Splits `name # SKIP reason`. A `#` within a name is escaped.
fn split_directive(rest: &str) -> (&str, Option<&str>) {
    for word in [" # SKIP", " # TODO"] {
        if let Some(at) = rest.rfind(word) {
            return (&rest[..at], Some(word));
        }
    }
    (rest, None)
}

fn unescape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut escaped = false;
    for character in name.chars() {
        if !escaped && character == '\\' {
            escaped = true;
            continue;
        }
        if escaped && character != '\\' && character != '#' {
            text.push('\\');
        }
        escaped = false;
        text.push(character);
    }
    if escaped {
        text.push('\\');
    }
    text
}

/// The counts at the end of the report.
#[derive(Default)]
struct OwnCounts {
    tests: Option<usize>,
    counts: [Option<usize>; 5],
}

const KEYS: [&str; 5] = ["pass", "fail", "cancelled", "skipped", "todo"];

impl OwnCounts {
    fn read(&mut self, comment: &str) {
        let Some((key, number)) = comment.split_once(' ') else {
            return;
        };
        let Ok(number) = number.parse() else { return };
        // Output of tests is also written as comments; the real counts are the last ones.
        if key == "tests" {
            self.tests = Some(number);
        }
        if let Some(index) = KEYS.iter().position(|known| *known == key) {
            self.counts[index] = Some(number);
        }
    }
}

fn collect(points: &[Point], own: &OwnCounts) -> Result<TestResults, Unparsed> {
    let [
        Some(passed),
        Some(failed),
        Some(cancelled),
        Some(skipped),
        Some(todo),
    ] = own.counts
    else {
        return Err(Unparsed::new("the TAP report has no closing counts"));
    };
    let mut collector = Collector::new("tap");
    let mut counts = Counts::default();
    for point in points.iter().filter(|point| !point.is_suite) {
        match point.status {
            TestStatus::Passed => counts.passed += 1,
            TestStatus::Failed => counts.failed += 1,
            TestStatus::Skipped => counts.skipped += 1,
        }
        collector.add(&point.path.join(" > "), point.status);
    }
    let sum = |a: usize, b: usize| a.saturating_add(b);
    if own.tests != Some(counts.total())
        || passed != counts.passed
        || sum(failed, cancelled) != counts.failed
        || sum(skipped, todo) != counts.skipped
    {
        return Err(Unparsed::new(format!(
            "the TAP report lists {} passed, {} failed and {} skipped tests, but its closing \
             counts say {passed}, {} and {}",
            counts.passed,
            counts.failed,
            counts.skipped,
            sum(failed, cancelled),
            sum(skipped, todo)
        )));
    }
    for suite in points.iter().filter(|point| point.is_suite) {
        let failed_inside = points.iter().any(|point| {
            !point.is_suite
                && point.status == TestStatus::Failed
                && point.path.starts_with(&suite.path)
        });
        if suite.status == TestStatus::Failed && !failed_inside {
            collector.add(&suite.path.join(" > "), TestStatus::Failed);
        }
    }
    Ok(collector.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: &str = include_str!("../../tests/data/node.tap");

    #[test]
    fn recorded_output() {
        let results = parse(NODE.as_bytes()).unwrap().tests;
        assert_eq!(results.len(), 11);
        assert_eq!(results["adds \"quoted\" <x>"], TestStatus::Passed);
        assert_eq!(results["suite > inner bad"], TestStatus::Failed);
        assert_eq!(results["suite > deep > inner"], TestStatus::Passed);
        assert_eq!(results["parent"], TestStatus::Passed);
        assert_eq!(results["parent > sub"], TestStatus::Passed);
        assert_eq!(results["todo"], TestStatus::Skipped);
        assert_eq!(results["bad#3"], TestStatus::Passed);
    }

    #[test]
    fn forged_reports_are_rejected() {
        assert!(parse(b"").is_err());
        assert!(parse(NODE.replace("# pass 7", "# pass 8").as_bytes()).is_err());
        assert!(parse(NODE.replace("not ok 2 - bad", "ok 2 - bad").as_bytes()).is_err());
        assert!(parse(&NODE.as_bytes()[..NODE.len() / 2]).is_err());
    }

    #[test]
    fn names_are_unescaped() {
        assert_eq!(unescape(r"a \# b \\ c \n"), r"a # b \ c \n");
        assert_eq!(split_directive("a # SKIP b").0, "a");
    }
}
