//! Adapters with real runners.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "these tests run test runners in temporary folders"
)]

use std::path::Path;
use std::process::{Command, Output};

use fixpoint_prove::adapter::Adapter;
use fixpoint_prove::record::{TestResults, TestStatus};
use fixpoint_prove::results::Unparsed;

#[path = "support/tools.rs"]
mod tools;

struct Project {
    tree: tempfile::TempDir,
    results: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self {
            tree: tempfile::tempdir().unwrap(),
            // A space in the path shows flags that are not quoted.
            results: tempfile::Builder::new().prefix("a b").tempdir().unwrap(),
        };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.tree.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn adapter(&self, command: &str) -> Adapter {
        Adapter::for_command(&words(command), self.tree.path()).unwrap()
    }

    fn run(
        &self,
        adapter: &Adapter,
        argv: Option<&[String]>,
    ) -> Result<Option<TestResults>, Unparsed> {
        let results: &Path = self.results.path();
        adapter.prepare(results).unwrap();
        let argv = match argv {
            Some(argv) => adapter.instrumented(argv, results),
            None => adapter.argv(results),
        };
        let Output {
            status,
            stdout,
            stderr,
        } = Command::new(&argv[0])
            .args(&argv[1..])
            .current_dir(self.tree.path())
            .env("CARGO_TARGET_DIR", self.results.path().join("target"))
            .envs(tools::environment().iter().cloned())
            .envs(adapter.environment(results))
            .env_remove("NODE_TEST_CONTEXT")
            .output()
            .unwrap();
        let read = adapter.read(results, &stdout, &stderr, status.code());
        if read.is_err() {
            eprintln!("{argv:?}\n{}", String::from_utf8_lossy(&stdout));
            eprintln!("{}", String::from_utf8_lossy(&stderr));
        }
        read
    }

    fn statuses(&self, command: &str) -> Vec<(String, TestStatus)> {
        let results = self.run(&self.adapter(command), None).unwrap().unwrap();
        results.tests.into_iter().collect()
    }

    /// Whether the sentinel is reported as failed.
    fn sentinel(&self, command: &str) -> bool {
        let adapter = self.adapter(command);
        let sentinel = adapter.sentinel("a1b2c3d4e5").unwrap();
        for (path, text) in &sentinel.files {
            assert!(!self.tree.path().join(path).exists());
            self.write(path, text);
        }
        let found = match self.run(&adapter, Some(&sentinel.argv)) {
            Ok(Some(results)) => sentinel.is_reported(&results),
            _ => false,
        };
        for path in sentinel.files.keys() {
            std::fs::remove_file(self.tree.path().join(path)).unwrap();
        }
        found
    }

    fn alone(&self, command: &str, name: &str) -> Option<TestStatus> {
        let adapter = self.adapter(command);
        let argv = adapter.alone(&words(command), name).unwrap();
        let results = self.run(&adapter, Some(&argv)).unwrap().unwrap();
        let ran = results
            .tests
            .values()
            .filter(|status| **status != TestStatus::Skipped);
        assert_eq!(ran.count(), 1, "{results:?}");
        results.tests.get(name).copied()
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn pair(name: &str, status: TestStatus) -> (String, TestStatus) {
    (name.to_owned(), status)
}

const UNITTEST: &str = "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_ok(self):\n        self.assertEqual(calc.add(1, 1), 2)\n\n    def test_bad(self):\n        self.assertEqual(calc.add(1, 1), 3)\n";
const CALC: &str = "def add(a, b):\n    return a + b\n";

#[test]
fn unittest() {
    let project = Project::new(&[("test_calc.py", UNITTEST), ("calc.py", CALC)]);
    let (bad, ok) = ("test_calc.T.test_bad", "test_calc.T.test_ok");
    let expected = [pair(bad, TestStatus::Failed), pair(ok, TestStatus::Passed)];
    for command in [
        "python3 -m unittest",
        "python3 -m unittest discover -q",
        "python3 -m unittest test_calc",
    ] {
        assert_eq!(project.statuses(command), expected, "{command}");
        assert_eq!(project.alone(command, ok), Some(TestStatus::Passed));
        assert_eq!(project.alone(command, bad), Some(TestStatus::Failed));
        assert!(project.sentinel(command), "{command}");
    }
    // Code under test that ends the process with success.
    project.write("calc.py", "import os\nos._exit(0)\n");
    let adapter = project.adapter("python3 -m unittest");
    assert!(project.run(&adapter, None).is_err());
    assert!(!project.sentinel("python3 -m unittest"));
}

#[test]
fn node() {
    let tests = "const { test, describe, it } = require('node:test');\nconst assert = require('node:assert');\n\
        test('ok', () => {});\ntest('bad (1)', () => assert.equal(1, 2));\ndescribe('s', () => { it('inner', () => {}); });\n";
    let project = Project::new(&[
        ("a.test.js", tests),
        ("package.json", r#"{"scripts":{"test":"node --test"}}"#),
    ]);
    let expected = [
        pair("bad (1)", TestStatus::Failed),
        pair("ok", TestStatus::Passed),
        pair("s > inner", TestStatus::Passed),
    ];
    for command in ["node --test", "node --test a.test.js", "npm test"] {
        assert_eq!(project.statuses(command), expected, "{command}");
        assert!(project.sentinel(command), "{command}");
    }
    let command = "node --test";
    assert_eq!(project.alone(command, "bad (1)"), Some(TestStatus::Failed));
    assert_eq!(
        project.alone(command, "s > inner"),
        Some(TestStatus::Passed)
    );
    project.write("a.test.js", "throw new Error('x');\n");
    assert_eq!(
        project.statuses("node --test"),
        [pair("a.test.js", TestStatus::Failed)]
    );
}

#[test]
fn cargo_test() {
    let project = Project::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
        ),
        (
            "src/lib.rs",
            "#[test]\nfn ok() {}\n#[test]\nfn bad() { panic!() }\n",
        ),
    ]);
    let (bad, ok) = ("calc src/lib.rs: bad", "calc src/lib.rs: ok");
    assert_eq!(
        project.statuses("cargo test"),
        [pair(bad, TestStatus::Failed), pair(ok, TestStatus::Passed)]
    );
    assert_eq!(
        project.alone("cargo test --lib", ok),
        Some(TestStatus::Passed)
    );
    project.write("src/lib.rs", "fn broken( {}\n");
    let adapter = project.adapter("cargo test");
    assert_eq!(project.run(&adapter, None), Ok(None));
}

#[test]
fn pytest() {
    let tests = "import calc, pytest\n\n\nclass TestA:\n    @pytest.mark.parametrize('x', ['a b', 'c::d'])\n    def test_ok(self, x):\n        assert calc.add(1, 1) == 2\n\n\ndef test_bad():\n    assert calc.add(1, 1) == 3\n";
    let project = Project::new(&[("tests/test_calc.py", tests), ("calc.py", CALC)]);
    let bad = "tests/test_calc.py::test_bad";
    let ok = "tests/test_calc.py::TestA::test_ok[c::d]";
    for command in [
        "python3 -m pytest",
        "python3 -m pytest -q -q tests",
        "python3 -m pytest -k bad tests/test_calc.py",
    ] {
        let statuses = project.statuses(command);
        assert!(statuses.contains(&pair(bad, TestStatus::Failed)));
        assert!(project.sentinel(command), "{command}");
        assert_eq!(project.alone(command, bad), Some(TestStatus::Failed));
    }
    assert_eq!(
        project.alone("python3 -m pytest tests", ok),
        Some(TestStatus::Passed)
    );
    let entries = std::fs::read_dir(project.tree.path()).unwrap().count();
    assert_eq!(entries, 2, "the runs left files in the tree");
    for cheat in [
        "import os\nos._exit(0)\n",
        "import pytest\npytest.exit('done', 0)\n",
        "raise SystemExit(0)\n",
    ] {
        project.write("calc.py", cheat);
        let adapter = project.adapter("python3 -m pytest");
        if let Ok(Some(results)) = project.run(&adapter, None) {
            assert_ne!(results.tests.get(bad), Some(&TestStatus::Passed));
        }
    }
    project.write("calc.py", CALC);
    project.write(
        "conftest.py",
        "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    r = yield\n    r.get_result().outcome = 'passed'\n",
    );
    assert!(!project.sentinel("python3 -m pytest tests"));
}

#[test]
fn go() {
    let tests = "package calc\nimport \"testing\"\nfunc TestOk(t *testing.T) { t.Run(\"a b\", func(t *testing.T) {}) }\nfunc TestBad(t *testing.T) { t.Fail() }\n";
    let project = Project::new(&[
        ("go.mod", "module example.com/calc\n\ngo 1.22\n"),
        ("calc_test.go", tests),
    ]);
    for command in ["go test", "go test ./...", "go test -run Bad ./..."] {
        let statuses = project.statuses(command);
        assert!(statuses.contains(&pair("example.com/calc TestBad", TestStatus::Failed)));
        assert!(project.sentinel(command), "{command}");
    }
    assert_eq!(
        project.alone("go test ./...", "example.com/calc TestBad"),
        Some(TestStatus::Failed)
    );
    project.write(
        "main_test.go",
        "package calc\nimport (\"os\"; \"testing\")\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n",
    );
    assert!(!project.sentinel("go test"));
    let adapter = project.adapter("go test");
    assert!(project.run(&adapter, None).is_err());
}
