//! The output of `go test -json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Collector, Unparsed, text};
use crate::record::{TestResults, TestStatus};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GoEvent {
    action: String,
    package: Option<String>,
    test: Option<String>,
}

#[derive(Default)]
struct Package {
    status: Option<TestStatus>,
    /// Tests in the order in which they started; None while a test runs.
    tests: Vec<(String, Option<TestStatus>)>,
}

/// Reads events. Names are `package TestName/subtest`. A package that fails without a failing test,
/// for example because it does not build, is one failed test named by the package.
pub fn parse(bytes: &[u8]) -> Result<TestResults, Unparsed> {
    let text = text(bytes, "the output of go test")?;
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('{')) {
        // A test may print lines that start with a brace; the runner wraps those in events.
        let Ok(event) = serde_json::from_str::<GoEvent>(line) else {
            return Err(Unparsed::new("a line of go test's output is not an event"));
        };
        let Some(name) = event.package else { continue };
        let package = packages.entry(name).or_default();
        let status = match event.action.as_str() {
            "pass" => TestStatus::Passed,
            "fail" => TestStatus::Failed,
            "skip" => TestStatus::Skipped,
            "run" => {
                if let Some(test) = event.test {
                    package.tests.push((test, None));
                }
                continue;
            }
            _ => continue,
        };
        match event.test {
            None => package.status = Some(status),
            Some(test) => {
                let running = package
                    .tests
                    .iter_mut()
                    .rev()
                    .find(|(name, status)| *name == test && status.is_none());
                match running {
                    Some((_, slot)) => *slot = Some(status),
                    None => package.tests.push((test, Some(status))),
                }
            }
        }
    }
    let mut collector = Collector::new("go-json");
    for (name, package) in packages {
        package.add_to(&name, &mut collector)?;
    }
    Ok(collector.finish())
}

impl Package {
    fn add_to(self, package: &str, collector: &mut Collector) -> Result<(), Unparsed> {
        let passed = match self.status {
            // A package without test files.
            Some(TestStatus::Skipped) if self.tests.is_empty() => return Ok(()),
            Some(TestStatus::Passed | TestStatus::Skipped) => true,
            // The runner was killed, or the output is cut off.
            Some(TestStatus::Failed) | None => false,
        };
        let mut has_failure = false;
        for (test, status) in self.tests {
            // A test that panics or exits has no result of its own.
            let status = status.unwrap_or(TestStatus::Failed);
            has_failure |= status == TestStatus::Failed;
            collector.add(&format!("{package} {test}"), status);
        }
        if passed && has_failure {
            return Err(Unparsed::new(format!(
                "the package {package} passes, but one of its tests fails or does not finish"
            )));
        }
        if !passed && !has_failure {
            collector.add(package, TestStatus::Failed);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_output() {
        let results = parse(include_bytes!("../../tests/data/go.json")).unwrap();
        let expected = [
            ("example.com/calc TestBad", TestStatus::Failed),
            ("example.com/calc TestOk", TestStatus::Passed),
            ("example.com/calc TestSkip", TestStatus::Skipped),
            ("example.com/calc TestSub", TestStatus::Failed),
            ("example.com/calc TestSub/a_b", TestStatus::Passed),
            ("example.com/calc TestSub/c", TestStatus::Failed),
            ("example.com/calc/broken", TestStatus::Failed),
        ];
        let expected: BTreeMap<String, TestStatus> = expected
            .into_iter()
            .map(|(name, status)| (name.to_owned(), status))
            .collect();
        assert_eq!(results.tests, expected);
    }

    #[test]
    fn a_test_without_a_result_is_not_a_pass() {
        let run = r#"{"Action":"run","Package":"p","Test":"TestA"}"#;
        let pass = r#"{"Action":"pass","Package":"p"}"#;
        let fail = r#"{"Action":"fail","Package":"p"}"#;
        assert!(parse(format!("{run}\n{pass}\n").as_bytes()).is_err());
        let results = parse(format!("{run}\n{fail}\n").as_bytes()).unwrap();
        assert_eq!(results.tests["p TestA"], TestStatus::Failed);
        let results = parse(run.as_bytes()).unwrap();
        assert_eq!(results.tests["p TestA"], TestStatus::Failed);
        assert!(parse(b"{\"Action\":\"ru").is_err());
    }
}
