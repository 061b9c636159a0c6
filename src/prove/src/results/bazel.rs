//! The results of `bazel test`: its build event file, and test.xml and test.log of each target.
//!
//! Some rules write a test.xml with a single case that is named by the target. The tests are then
//! read from test.log.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Collector, Unparsed, go, junit, libtest, text, unittest};
use crate::record::{TestResults, TestStatus};

/// One attempt or shard of a test target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetRun {
    pub label: String,
    /// The status that Bazel reports, for example `PASSED` or `TIMEOUT`.
    pub status: String,
    /// Whether Bazel took the result from a cache instead of a run.
    pub cached: bool,
    /// Paths of test.xml and test.log, where the event names them.
    pub xml: Option<String>,
    pub log: Option<String>,
}

/// What the event file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    pub runs: Vec<TargetRun>,
    /// Test targets that did not build.
    pub not_built: Vec<String>,
    /// Whether the last event was written.
    pub complete: bool,
}

/// Reads the file that `--build_event_json_file` names.
pub fn events(bytes: &[u8]) -> Result<Events, Unparsed> {
    let text = text(bytes, "Bazel's event file")?;
    let mut events = Events::default();
    // Label to whether the target is a test.
    let mut is_test: BTreeMap<String, bool> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let event: Value = serde_json::from_str(line).map_err(|error| {
            Unparsed::new(format!("a line of Bazel's event file is invalid: {error}"))
        })?;
        events.complete |= event["lastMessage"] == Value::Bool(true);
        let label = |key: &str| event["id"][key]["label"].as_str().map(str::to_owned);
        if let Some(label) = label("targetConfigured") {
            let kind = event["configured"]["targetKind"].as_str().unwrap_or("");
            is_test.insert(
                label,
                kind.contains("_test ") || kind.contains("test_suite "),
            );
        } else if let Some(label) = label("testResult") {
            events.runs.push(target_run(label, &event["testResult"]));
        } else if let Some(label) = label("targetCompleted") {
            let built = event["completed"]["success"] == Value::Bool(true);
            // A target whose analysis fails has no `targetConfigured` event.
            if !built && is_test.get(&label).copied().unwrap_or(true) {
                events.not_built.push(label);
            }
        }
    }
    events.not_built.sort();
    events.not_built.dedup();
    Ok(events)
}

fn target_run(label: String, result: &Value) -> TargetRun {
    let file = |name: &str| -> Option<String> {
        let outputs = result["testActionOutput"].as_array()?;
        let output = outputs.iter().find(|output| output["name"] == name)?;
        let path = output["uri"].as_str()?.strip_prefix("file://")?;
        Some(percent_decoded(path))
    };
    TargetRun {
        label,
        status: result["status"].as_str().unwrap_or("").to_owned(),
        cached: result["cachedLocally"] == Value::Bool(true)
            || result["executionInfo"]["cachedRemotely"] == Value::Bool(true),
        xml: file("test.xml"),
        log: file("test.log"),
    }
}

fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |byte: u8| char::from(byte).to_digit(16);
        match (first, tail) {
            (b'%', [high, low, after @ ..])
                if let (Some(high), Some(low)) = (hex(*high), hex(*low)) =>
            {
                bytes.push((high * 16 + low) as u8);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The results of all targets. `read` returns the bytes of a file that an event names. Names are
/// `label: test`, or the label alone where the tests have no names.
pub fn parse(
    event_file: &[u8],
    read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<TestResults, Unparsed> {
    let events = events(event_file)?;
    if !events.complete {
        return Err(Unparsed::new("Bazel's event file is cut off"));
    }
    let mut collector = Collector::new("bazel");
    for run in &events.runs {
        if run.cached {
            return Err(Unparsed::new(format!(
                "Bazel did not run {}, but took its result from a cache",
                run.label
            )));
        }
        let passed = matches!(run.status.as_str(), "PASSED" | "FLAKY");
        let tests = run_tests(run, passed, read)?;
        let failed = tests.values().any(|status| *status == TestStatus::Failed);
        if passed && failed {
            return Err(Unparsed::new(format!(
                "Bazel says that {} passed, but one of its tests failed",
                run.label
            )));
        }
        for (name, status) in &tests {
            collector.add(&format!("{}: {name}", run.label), *status);
        }
        if tests.is_empty() || (!passed && !failed) {
            let status = if passed {
                TestStatus::Passed
            } else {
                TestStatus::Failed
            };
            collector.add(&run.label, status);
        }
    }
    for label in &events.not_built {
        collector.add(label, TestStatus::Failed);
    }
    Ok(collector.finish())
}

/// The named tests of one run; empty if neither file names them.
fn run_tests(
    run: &TargetRun,
    passed: bool,
    read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<BTreeMap<String, TestStatus>, Unparsed> {
    if let Some(xml) = run.xml.as_deref().and_then(&mut *read) {
        let cases = junit::cases(&xml)
            .map_err(|error| Unparsed::new(format!("test.xml of {}: {error}", run.label)))?;
        // Bazel names the suite and its only case by the executable.
        let synthetic = matches!(&cases[..], [case]
            if case.class.is_empty() && case.name == format!("{0} > {0}", case.own_name));
        // Some rules omit the passing tests.
        if !synthetic && !cases.is_empty() {
            let mut collector = Collector::new("junit");
            for case in cases {
                collector.add(&case.name, case.status);
            }
            return Ok(collector.finish().tests);
        }
    }
    let Some(log) = run.log.as_deref().and_then(read) else {
        return Ok(BTreeMap::new());
    };
    let log = without_header(&log);
    let parsed = [
        libtest::parse(log, b""),
        unittest::parse(log),
        go_text(log, passed),
    ];
    let tests = parsed
        .into_iter()
        .filter_map(Result::ok)
        .map(|results| results.tests)
        .find(|tests| !tests.is_empty());
    Ok(tests.unwrap_or_default())
}

/// The log after the lines that Bazel writes: a command, the label and a line of dashes.
fn without_header(log: &[u8]) -> &[u8] {
    let mut start = 0;
    for line in log.split_inclusive(|byte| *byte == b'\n').take(3) {
        start += line.len();
        let dashes = line.trim_ascii_end();
        if dashes.len() > 70 && dashes.iter().all(|byte| *byte == b'-') {
            return &log[start..];
        }
    }
    log
}

/// `go test -v` as text: `--- PASS: TestA (0.00s)`; or `go test -json`.
fn go_text(log: &[u8], passed: bool) -> Result<TestResults, Unparsed> {
    let text = text(log, "test.log")?;
    if text.lines().any(|line| line.starts_with("{\"Time\":")) {
        return go::parse(log);
    }
    let mut collector = Collector::new("go");
    for line in text.lines() {
        let line = line.trim_start();
        let found = [
            ("--- PASS: ", TestStatus::Passed),
            ("--- FAIL: ", TestStatus::Failed),
            ("--- SKIP: ", TestStatus::Skipped),
        ]
        .into_iter()
        .find_map(|(mark, status)| Some((line.strip_prefix(mark)?, status)));
        if let Some((rest, status)) = found
            && let Some((name, time)) = rest.rsplit_once(" (")
            && time.ends_with("s)")
        {
            collector.add(name, status);
        }
    }
    // Without `-v` only failures are listed, so a passing target has no names.
    if passed && collector.len() == 0 {
        return Err(Unparsed::new("test.log names no tests"));
    }
    Ok(collector.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event_file(status: &str, extra: &str) -> String {
        format!(
            r#"{{"id":{{"targetConfigured":{{"label":"//a:t"}}}},"configured":{{"targetKind":"rust_test rule"}}}}
{{"id":{{"targetConfigured":{{"label":"//a:broken"}}}},"configured":{{"targetKind":"py_test rule"}}}}
{{"id":{{"targetConfigured":{{"label":"//a:lib"}}}},"configured":{{"targetKind":"rust_library rule"}}}}
{{"id":{{"targetCompleted":{{"label":"//a:lib"}}}},"completed":{{}}}}
{{"id":{{"targetCompleted":{{"label":"//a:t"}}}},"completed":{{"success":true}}}}
{extra}
{{"id":{{"testResult":{{"label":"//a:t","run":1}}}},"testResult":{{"status":"{status}","testActionOutput":[{{"name":"test.log","uri":"file:///o/a%20b/test.log"}},{{"name":"test.xml","uri":"file:///o/test.xml"}}]}}}}
{{"id":{{"buildFinished":{{}}}},"finished":{{}},"lastMessage":true}}
"#
        )
    }

    const SYNTHETIC: &[u8] = br#"<testsuites><testsuite name="a/t" tests="1" failures="0" errors="0">
<testcase name="a/t" status="run" duration="0" time="0"></testcase><system-out><![CDATA[x]]></system-out></testsuite></testsuites>"#;
    const LOG: &[u8] = b"exec ${PAGER:-/usr/bin/less} \"$0\" || exit 1\n\nrunning 2 tests\ntest x::a ... ok\ntest x::b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";

    fn read(path: &str) -> Option<Vec<u8>> {
        match path {
            "/o/test.xml" => Some(SYNTHETIC.to_vec()),
            "/o/a b/test.log" => Some(LOG.to_vec()),
            _ => None,
        }
    }

    #[test]
    fn recorded_run() {
        let events = include_bytes!("../../tests/data/bazel-events.json");
        let mut read = |path: &str| -> Option<Vec<u8>> {
            let bytes: &[u8] = match path.strip_prefix("/checkout/testlogs/a/")? {
                "rust_test/test.xml" => include_bytes!("../../tests/data/bazel-rust_test.xml"),
                "rust_test/test.log" => include_bytes!("../../tests/data/bazel-rust_test.log"),
                "plain_test/test.xml" => include_bytes!("../../tests/data/bazel-plain_test.xml"),
                "plain_test/test.log" => include_bytes!("../../tests/data/bazel-plain_test.log"),
                _ => return None,
            };
            Some(bytes.to_vec())
        };
        let tests: Vec<(String, TestStatus)> = parse(events, &mut read)
            .unwrap()
            .tests
            .into_iter()
            .collect();
        let expected = [
            ("//a:broken_test", TestStatus::Failed),
            ("//a:plain_test", TestStatus::Passed),
            ("//a:rust_test: x::a", TestStatus::Passed),
            ("//a:rust_test: x::b", TestStatus::Failed),
        ];
        assert_eq!(
            tests,
            expected.map(|(name, status)| (name.to_owned(), status))
        );
    }

    #[test]
    fn logs_of_python_tests() {
        let log = "exec ${PAGER:-/usr/bin/less} \"$0\" || exit 1\nExecuting tests from //a:t\n\
            -----------------------------------------------------------------------------\n\
            test_a (m.T.test_a) ... ok\n\nRan 1 test in 0.1s\n\nOK\n";
        let tests = unittest::parse(without_header(log.as_bytes())).unwrap();
        assert_eq!(tests.tests["m.T.test_a"], TestStatus::Passed);
    }

    #[test]
    fn the_log_names_the_tests_of_a_synthetic_report() {
        let broken = r#"{"id":{"targetCompleted":{"label":"//a:broken"}},"completed":{}}"#;
        let file = event_file("PASSED", broken);
        let tests = parse(file.as_bytes(), &mut read).unwrap().tests;
        let names: Vec<&str> = tests.keys().map(String::as_str).collect();
        assert_eq!(names, ["//a:broken", "//a:t: x::a", "//a:t: x::b"]);
        assert_eq!(tests["//a:broken"], TestStatus::Failed);
        // A failing target whose listed tests all pass fails as a whole.
        let file = event_file("FAILED", broken);
        let tests = parse(file.as_bytes(), &mut read).unwrap().tests;
        assert_eq!(tests["//a:t"], TestStatus::Failed);
    }

    #[test]
    fn cached_and_cut_off_results_are_rejected() {
        let cached = event_file("PASSED", "").replace(
            r#""testResult":{"status""#,
            r#""testResult":{"cachedLocally":true,"status""#,
        );
        assert!(parse(cached.as_bytes(), &mut read).is_err());
        let file = event_file("PASSED", "").replace(r#","lastMessage":true"#, "");
        assert!(parse(file.as_bytes(), &mut read).is_err());
    }
}
