//! JUnit XML as pytest, nextest, Maven, node and Bazel write it.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Collector, Unparsed, text};
use crate::record::{TestResults, TestStatus};

const MAX_DEPTH: usize = 64;

/// Reads one report. Names are `file::Class::name` where the report has the file (pytest),
/// else `classname::name`, else the names of the suites and of the test joined with ` > `.
pub fn parse(bytes: &[u8]) -> Result<TestResults, Unparsed> {
    let mut collector = Collector::new("junit");
    for case in cases(bytes)? {
        collector.add(&case.name, case.status);
    }
    Ok(collector.finish())
}

/// A test case, in the order of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: String,
    /// The `name` attribute alone.
    pub own_name: String,
    /// The `classname` attribute; empty if there is none.
    pub class: String,
    pub status: TestStatus,
}

/// The test cases of a report, after its own counts were checked.
pub fn cases(bytes: &[u8]) -> Result<Vec<Case>, Unparsed> {
    let text = text(bytes, "the JUnit report")?;
    let mut reader = Reader::from_str(text);
    let mut state = State::default();
    loop {
        match reader
            .read_event()
            .map_err(|error| Unparsed::new(format!("the JUnit report is not XML: {error}")))?
        {
            Event::Start(element) => state.open(&element)?,
            Event::Empty(element) => {
                state.open(&element)?;
                state.close()?;
            }
            Event::End(_) => state.close()?,
            Event::DocType(_) => {
                return Err(Unparsed::new("the JUnit report has a document type"));
            }
            Event::GeneralRef(reference) => {
                let name = reference.into_inner();
                if !name.starts_with('#')
                    && !matches!(&*name, "amp" | "lt" | "gt" | "quot" | "apos")
                {
                    return Err(Unparsed::new(format!(
                        "the JUnit report uses the entity `{name}`"
                    )));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if !state.open.is_empty() || !state.has_root {
        return Err(Unparsed::new("the JUnit report is incomplete"));
    }
    Ok(state.cases)
}

#[derive(Default)]
struct State {
    open: Vec<Element>,
    cases: Vec<Case>,
    has_root: bool,
}

enum Element {
    Suite(Suite),
    Case(OpenCase),
    /// Another element, for example `system-out`.
    Other,
}

#[derive(Default)]
struct Suite {
    name: String,
    is_root: bool,
    declared: [Option<usize>; 4],
    /// Tests, failures, errors and skipped tests directly in this suite.
    direct: [usize; 4],
    /// The same, including nested suites.
    deep: [usize; 4],
    nested_suites: usize,
    nested_failed: usize,
}

struct OpenCase {
    name: String,
    own_name: String,
    class: String,
    failed: bool,
    error: bool,
    skipped: bool,
}

const COUNTS: [&str; 4] = ["tests", "failures", "errors", "skipped"];

impl State {
    fn open(&mut self, element: &BytesStart<'_>) -> Result<(), Unparsed> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Unparsed::new("the JUnit report is nested too deeply"));
        }
        let name = element.name();
        let opened = match name.as_ref() {
            "testsuites" | "testsuite" if self.in_suite() => {
                let mut suite = Suite {
                    is_root: name.as_ref() == "testsuites",
                    name: attribute(element, "name")?.unwrap_or_default(),
                    ..Suite::default()
                };
                for (declared, key) in suite.declared.iter_mut().zip(COUNTS) {
                    *declared = attribute(element, key)?.and_then(|value| value.parse().ok());
                }
                self.has_root = true;
                Element::Suite(suite)
            }
            "testcase" if self.in_suite() && self.has_root => self.open_case(element)?,
            other => {
                if self.open.is_empty() {
                    return Err(Unparsed::new(format!(
                        "the JUnit report starts with `{other}`"
                    )));
                }
                if let Some(Element::Case(case)) = self.open.last_mut() {
                    match other {
                        "failure" => case.failed = true,
                        "error" => case.error = true,
                        "skipped" => case.skipped = true,
                        _ => {}
                    }
                }
                Element::Other
            }
        };
        self.open.push(opened);
        Ok(())
    }

    fn in_suite(&self) -> bool {
        match self.open.last() {
            None => !self.has_root,
            Some(element) => matches!(element, Element::Suite(_)),
        }
    }

    fn open_case(&self, element: &BytesStart<'_>) -> Result<Element, Unparsed> {
        let own_name = attribute(element, "name")?
            .filter(|name| !name.is_empty())
            .ok_or_else(|| Unparsed::new("a test case of the JUnit report has no name"))?;
        let class = attribute(element, "classname")?.unwrap_or_default();
        let file = attribute(element, "file")?.unwrap_or_default();
        let name = if let Some(class) = class_in_file(&class, &file) {
            match class {
                "" => format!("{file}::{own_name}"),
                class => format!("{file}::{}::{own_name}", class.replace('.', "::")),
            }
        } else if class.is_empty() || class == "test" {
            let mut path: Vec<&str> = self
                .open
                .iter()
                .filter_map(|element| match element {
                    Element::Suite(suite) if !suite.is_root => Some(suite.name.as_str()),
                    _ => None,
                })
                .filter(|name| !name.is_empty())
                .collect();
            path.push(&own_name);
            path.join(" > ")
        } else {
            format!("{class}::{own_name}")
        };
        Ok(Element::Case(OpenCase {
            name,
            own_name,
            class,
            failed: attribute(element, "failure")?.is_some(),
            error: false,
            skipped: attribute(element, "status")?.as_deref() == Some("notrun"),
        }))
    }

    fn close(&mut self) -> Result<(), Unparsed> {
        match self.open.pop() {
            Some(Element::Suite(suite)) => {
                suite.check()?;
                if let Some(Element::Suite(parent)) = self.open.last_mut() {
                    for (sum, count) in parent.deep.iter_mut().zip(suite.deep) {
                        *sum += count;
                    }
                    parent.nested_suites += 1;
                    parent.nested_failed += usize::from(suite.deep[1] > 0);
                }
            }
            Some(Element::Case(case)) => {
                let counts = [
                    1,
                    usize::from(case.failed && !case.skipped),
                    usize::from(case.error && !case.skipped),
                    usize::from(case.skipped),
                ];
                if let Some(Element::Suite(parent)) = self.open.last_mut() {
                    for (index, count) in counts.into_iter().enumerate() {
                        parent.direct[index] += count;
                        parent.deep[index] += count;
                    }
                }
                let status = match (case.skipped, case.failed || case.error) {
                    (true, _) => TestStatus::Skipped,
                    (false, true) => TestStatus::Failed,
                    (false, false) => TestStatus::Passed,
                };
                self.cases.push(Case {
                    name: case.name,
                    own_name: case.own_name,
                    class: case.class,
                    status,
                });
            }
            Some(Element::Other) => {}
            None => return Err(Unparsed::new("the JUnit report has a stray end tag")),
        }
        Ok(())
    }
}

impl Suite {
    /// Compares the suite's own counts with its cases. Runners differ in whether they count
    /// nested suites, so each way of counting is accepted.
    fn check(&self) -> Result<(), Unparsed> {
        for (index, key) in COUNTS.into_iter().enumerate() {
            let Some(declared) = self.declared[index] else {
                continue;
            };
            let nested = match index {
                0 => self.nested_suites,
                1 => self.nested_failed,
                _ => 0,
            };
            let (direct, deep) = (self.direct[index], self.deep[index]);
            // pytest counts a test that fails twice once, but lists two cases.
            let double = if index == 0 {
                self.deep[1].min(self.deep[2])
            } else {
                0
            };
            let accepted = declared == deep
                || (self.nested_suites > 0 && (declared == direct || declared == direct + nested))
                || (declared < deep && declared + double >= deep);
            if !accepted {
                return Err(Unparsed::new(format!(
                    "the suite `{}` declares {key}=\"{declared}\", but lists {deep}",
                    self.name
                )));
            }
        }
        Ok(())
    }
}

/// The class within a Python file: `pkg.test_a.TestB` in `pkg/test_a.py` is `TestB`.
fn class_in_file<'a>(class: &'a str, file: &str) -> Option<&'a str> {
    let module = file.strip_suffix(".py")?.replace('/', ".");
    let rest = class.strip_prefix(&module)?;
    match rest.strip_prefix('.') {
        Some(class) => Some(class),
        None if rest.is_empty() => Some(""),
        None => None,
    }
}

fn attribute(element: &BytesStart<'_>, key: &str) -> Result<Option<String>, Unparsed> {
    let invalid = |error: &dyn std::fmt::Display| {
        Unparsed::new(format!(
            "an attribute of the JUnit report is invalid: {error}"
        ))
    };
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| invalid(&error))?;
        if attribute.key.as_ref() == key {
            let value =
                quick_xml::escape::unescape(&attribute.value).map_err(|error| invalid(&error))?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Counts;

    fn counts(bytes: &[u8]) -> (usize, usize, usize) {
        let counts = Counts::of(&parse(bytes).unwrap());
        (counts.passed, counts.failed, counts.skipped)
    }

    #[test]
    fn pytest_names_are_node_ids() {
        let bytes = include_bytes!("../../tests/data/pytest.xml");
        let results = parse(bytes).unwrap();
        assert_eq!(counts(bytes), (4, 3, 2));
        let failed = TestStatus::Failed;
        assert_eq!(
            results.tests["test_calc.py::test_param[a b]"],
            TestStatus::Passed
        );
        assert_eq!(results.tests["test_calc.py::TestAdd::test_bad"], failed);
        assert_eq!(results.tests["test_calc.py::test_teardown_error"], failed);
        assert_eq!(
            results.tests["test_calc.py::test_xfail"],
            TestStatus::Skipped
        );
    }

    #[test]
    fn nextest_node_and_maven_reports() {
        let nextest = include_bytes!("../../tests/data/nextest.xml");
        assert_eq!(counts(nextest), (4, 1, 0));
        assert!(
            parse(nextest)
                .unwrap()
                .tests
                .contains_key("calc::more::other")
        );
        let node = include_bytes!("../../tests/data/node.xml");
        assert_eq!(counts(node), (6, 2, 2));
        let names = parse(node).unwrap().tests;
        assert!(names.contains_key("suite > deep > inner"));
        assert!(names.contains_key("bad#3"));
        let maven = br#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x.CalcTest" time="0.05" tests="4" errors="1" skipped="1" failures="1">
  <properties><property name="java" value="17"/></properties>
  <testcase name="ok" classname="x.CalcTest" time="0"/>
  <testcase name="bad" classname="x.CalcTest" time="0"><failure message="1 != 2"/></testcase>
  <testcase name="err" classname="x.CalcTest" time="0"><error message="x">at &lt;init&gt;</error></testcase>
  <testcase name="skipped" classname="x.CalcTest" time="0"><skipped/></testcase>
</testsuite>"#;
        assert_eq!(counts(maven), (1, 2, 1));
    }

    #[test]
    fn forged_and_hostile_reports_are_rejected() {
        for report in [
            "",
            "plain text",
            "<html/>",
            "<testsuite><testcase name='a'/>",
            "<testsuite tests='2'><testcase name='a'/></testsuite>",
            "<testsuite failures='1'><testcase name='a'/></testsuite>",
            "<testsuite><testcase/></testsuite>",
            "<!DOCTYPE x [<!ENTITY e 'x'>]><testsuite><testcase name='a'/></testsuite>",
            "<testsuite><testcase name='a'>&e;</testcase></testsuite>",
            "<testsuite><testcase name='&e;'/></testsuite>",
            "<testsuite/><testsuite/>",
        ] {
            assert!(parse(report.as_bytes()).is_err(), "{report}");
        }
        let deep = format!("{}{}", "<testsuite>".repeat(99), "</testsuite>".repeat(99));
        assert!(parse(deep.as_bytes()).is_err());
    }
}
