//! Adapters for test runners: the flags that produce structured results, and how to read them.
//!
//! An adapter is chosen by the program and arguments of a command. A command without a known runner
//! is one test, named by the command and judged by its exit code: see [`exit_code_results`].

mod alone;
mod arguments;
mod reading;
mod sentinel;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::record::{TestResults, TestStatus};
pub use sentinel::Sentinel;

/// A test runner whose results can be read by test name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    Pytest,
    Unittest,
    Node,
    CargoTest,
    Nextest,
    GoTest,
    Maven,
    Bazel,
    Fixpoint,
}

/// How a command reaches its runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    pub runner: Runner,
    argv: Vec<String>,
    /// The index of the runner's first own argument.
    arguments_at: usize,
    /// Whether a package manager starts the runner from a script, so that only the environment
    /// reaches it.
    in_script: bool,
    tree: PathBuf,
}

impl Adapter {
    /// The adapter for a command that runs in the folder `tree`. None if the runner is not known.
    pub fn for_command(argv: &[String], tree: &Path) -> Option<Self> {
        let start = arguments::after_wrapper(argv);
        let program = arguments::program_name(argv.get(start)?);
        let rest = argv.get(start + 1..)?;
        let word = |at: usize| rest.get(at).map(String::as_str);
        let (runner, own) = if arguments::is_python(program) {
            let (module, at) = arguments::python_module(rest)?;
            match module {
                "pytest" | "py.test" => (Runner::Pytest, at),
                "unittest" => (Runner::Unittest, at),
                _ => return None,
            }
        } else {
            match program {
                "pytest" | "py.test" => (Runner::Pytest, 0),
                "node" | "nodejs" => {
                    let at = rest.iter().position(|argument| argument == "--test")?;
                    (Runner::Node, at + 1)
                }
                "cargo" => {
                    let at = usize::from(word(0).is_some_and(|word| word.starts_with('+')));
                    match word(at)? {
                        "test" | "t" => (Runner::CargoTest, at + 1),
                        "nextest" if matches!(word(at + 1), Some("run" | "r")) => {
                            (Runner::Nextest, at + 2)
                        }
                        _ => return None,
                    }
                }
                "go" if word(0) == Some("test") => (Runner::GoTest, 1),
                "mvn" | "mvnw" => {
                    rest.iter()
                        .find(|word| matches!(word.as_str(), "test" | "verify" | "package"))?;
                    (Runner::Maven, 0)
                }
                "bazel" | "bazelisk" | "bazelw" => {
                    let at = rest.iter().position(|word| !word.starts_with('-'))?;
                    (rest[at] == "test").then_some((Runner::Bazel, at + 1))?
                }
                "fixpoint" => matches!(
                    word(0)?,
                    "check" | "validate" | "format" | "compile" | "run"
                )
                .then_some((Runner::Fixpoint, 0))?,
                "npm" | "yarn" | "pnpm" => {
                    let runner = arguments::script_runner(rest, tree)?;
                    (runner, rest.len())
                }
                _ => return None,
            }
        };
        let unsupported = match runner {
            Runner::CargoTest | Runner::Nextest => &["--no-run", "--doc-only"][..],
            Runner::GoTest => &["-c", "-bench"][..],
            Runner::Pytest => &["--collect-only", "--co"][..],
            _ => &[],
        };
        if rest
            .iter()
            .any(|argument| unsupported.contains(&argument.as_str()))
        {
            return None;
        }
        Some(Self {
            runner,
            argv: argv.to_vec(),
            arguments_at: start + 1 + own,
            in_script: matches!(program, "npm" | "yarn" | "pnpm"),
            tree: tree.to_owned(),
        })
    }

    /// The command with the flags that write structured results to `results_dir`.
    pub fn argv(&self, results_dir: &Path) -> Vec<String> {
        self.instrumented(&self.argv, results_dir)
    }

    /// The same for a variant of the command, from [`Self::alone`] or [`Self::sentinel`].
    pub fn instrumented(&self, argv: &[String], results_dir: &Path) -> Vec<String> {
        let mut argv = argv.to_vec();
        if self.in_script {
            return argv;
        }
        let at = self.arguments_at.min(argv.len());
        let file = |name: &str| results_dir.join(name).display().to_string();
        match self.runner {
            Runner::Pytest => {
                arguments::insert_before_separator(&mut argv, at, pytest_flags(results_dir));
            }
            Runner::Unittest => {
                arguments::remove(&mut argv, at, &["-q", "--quiet", "-v", "--verbose"]);
                argv.push("-v".to_owned());
            }
            Runner::Node => {
                arguments::remove_valued(
                    &mut argv,
                    at,
                    &["--test-reporter", "--test-reporter-destination"],
                );
                argv.splice(at..at, node_flags(results_dir));
            }
            Runner::CargoTest => {
                arguments::remove(&mut argv, at, &["-q", "--quiet"]);
                arguments::add_flag(&mut argv, at, "--no-fail-fast");
            }
            Runner::Nextest => {
                arguments::add_flag(&mut argv, at, "--no-fail-fast");
                let config = format!("fixpoint:{}", file("nextest.toml"));
                let flags = vec!["--tool-config-file".to_owned(), config];
                arguments::insert_before_separator(&mut argv, at, flags);
            }
            Runner::GoTest => {
                arguments::remove(&mut argv, at, &["-json"]);
                let mut flags = vec!["-json".to_owned()];
                if !argv[at..].iter().any(|flag| flag.starts_with("-count")) {
                    flags.push("-count=1".to_owned());
                }
                argv.splice(at..at, flags);
            }
            Runner::Maven => {
                arguments::add_flag(&mut argv, at, "-B");
                arguments::add_flag(&mut argv, at, "--fail-at-end");
            }
            Runner::Bazel => {
                let flags = vec![
                    "--nocache_test_results".to_owned(),
                    "--keep_going".to_owned(),
                    format!("--build_event_json_file={}", file("events.json")),
                ];
                arguments::insert_before_separator(&mut argv, at, flags);
                let root = file("bazel");
                let program = arguments::after_wrapper(&argv);
                argv.insert(program + 1, format!("--output_user_root={root}"));
            }
            Runner::Fixpoint => {}
        }
        argv
    }

    /// Environment variables for the run.
    pub fn environment(&self, results_dir: &Path) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::new();
        let mut set = |name: &str, value: &str| {
            variables.insert(name.to_owned(), value.to_owned());
        };
        match self.runner {
            Runner::Pytest => {
                set("PYTHONDONTWRITEBYTECODE", "1");
                if self.in_script {
                    set("PYTEST_ADDOPTS", &quoted(pytest_flags(results_dir), '\''));
                }
            }
            Runner::Unittest => set("PYTHONDONTWRITEBYTECODE", "1"),
            Runner::Node if self.in_script => {
                set("NODE_OPTIONS", &quoted(node_flags(results_dir), '"'));
            }
            Runner::CargoTest | Runner::Nextest => set("CARGO_TERM_COLOR", "never"),
            _ => {}
        }
        variables
    }

    /// Whether a file that a run writes in the tree is a report of Surefire.
    pub fn is_report(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        path.parent()
            .is_some_and(|folder| folder.ends_with("target/surefire-reports"))
            && name.is_some_and(|name| name.starts_with("TEST-") && name.ends_with(".xml"))
    }

    /// Writes the configuration that the runner needs, and removes reports of earlier runs.
    pub fn prepare(&self, results_dir: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(results_dir)?;
        for name in ["pytest.xml", "node.tap", "nextest.xml", "events.json"] {
            remove_if_present(&results_dir.join(name))?;
        }
        match self.runner {
            Runner::Nextest => {
                // A JSON string is also a TOML string.
                let path = results_dir.join("nextest.xml").display().to_string();
                let path = serde_json::Value::String(path);
                let text = format!("[profile.default.junit]\npath = {path}\n");
                std::fs::write(results_dir.join("nextest.toml"), text)
            }
            _ => Ok(()),
        }
    }
}

/// Flags in one variable. Those with spaces are in quotes.
fn quoted(flags: Vec<String>, quote: char) -> String {
    let flags: Vec<String> = flags
        .into_iter()
        .map(|flag| {
            if flag.contains(char::is_whitespace) {
                format!("{quote}{flag}{quote}")
            } else {
                flag
            }
        })
        .collect();
    flags.join(" ")
}

fn remove_if_present(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The report with the `xunit1` family has the file of each test. The verbosity makes up for `-q`
/// in a configuration file, because `-qq` prints no summary.
fn pytest_flags(results_dir: &Path) -> Vec<String> {
    vec![
        format!("--junitxml={}", results_dir.join("pytest.xml").display()),
        "-o".to_owned(),
        "junit_family=xunit1".to_owned(),
        "-o".to_owned(),
        format!("cache_dir={}", results_dir.join("pytest-cache").display()),
        "-p".to_owned(),
        "no:randomly".to_owned(),
        "-v".to_owned(),
    ]
}

fn node_flags(results_dir: &Path) -> Vec<String> {
    vec![
        "--test-reporter=tap".to_owned(),
        format!(
            "--test-reporter-destination={}",
            results_dir.join("node.tap").display()
        ),
        "--test-reporter=spec".to_owned(),
        "--test-reporter-destination=stdout".to_owned(),
    ]
}

/// The result of a command without a known runner: one test, named by the command.
pub fn exit_code_results(command: &str, exit_code: Option<i32>) -> TestResults {
    let status = if exit_code == Some(0) {
        TestStatus::Passed
    } else {
        TestStatus::Failed
    };
    TestResults {
        source: "exit-code".to_owned(),
        tests: BTreeMap::from([(command.to_owned(), status)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn runner(command: &str) -> Option<Runner> {
        Adapter::for_command(&words(command), Path::new("/nonexistent"))
            .map(|adapter| adapter.runner)
    }

    #[test]
    fn runners_are_recognized() {
        for (command, expected) in [
            ("pytest -q tests", Runner::Pytest),
            ("python -m pytest", Runner::Pytest),
            ("/usr/bin/python3.11 -X dev -m pytest x", Runner::Pytest),
            ("uv run --frozen pytest", Runner::Pytest),
            ("python3 -m unittest discover", Runner::Unittest),
            ("node --test", Runner::Node),
            ("cargo test -p x", Runner::CargoTest),
            ("cargo +nightly test", Runner::CargoTest),
            ("cargo nextest run", Runner::Nextest),
            ("go test ./...", Runner::GoTest),
            ("mvn -B test", Runner::Maven),
            ("bazel --batch test //x", Runner::Bazel),
            ("fixpoint check x", Runner::Fixpoint),
        ] {
            assert_eq!(runner(command), Some(expected), "{command}");
        }
        for command in [
            "nodemon --test",
            "node app.js",
            "cargo build",
            "cargo test --no-run",
            "go build",
            "bazel build //test",
            "python x.py -m pytest",
            "make test",
            "npm test",
            "pytest --collect-only",
        ] {
            assert_eq!(runner(command), None, "{command}");
        }
    }

    #[test]
    fn flags_precede_a_separator() {
        let argv = |command: &str| {
            let adapter = Adapter::for_command(&words(command), Path::new("/t")).unwrap();
            adapter.argv(Path::new("/r")).join(" ")
        };
        assert_eq!(
            argv("cargo test -q x -- --nocapture"),
            "cargo test x --no-fail-fast -- --nocapture"
        );
        assert_eq!(argv("go test -v ./..."), "go test -json -count=1 -v ./...");
        assert_eq!(
            argv("bazel test //x -- -//y"),
            "bazel --output_user_root=/r/bazel test //x --nocache_test_results --keep_going \
             --build_event_json_file=/r/events.json -- -//y"
        );
        assert_eq!(
            argv("node --test --test-reporter dot a.js"),
            "node --test --test-reporter=tap --test-reporter-destination=/r/node.tap \
             --test-reporter=spec --test-reporter-destination=stdout a.js"
        );
        assert_eq!(
            argv("python -m unittest discover -q -s x"),
            "python -m unittest discover -s x -v"
        );
    }

    #[test]
    fn a_command_without_a_runner_is_one_test() {
        let results = exit_code_results("make test", Some(2));
        assert_eq!(results.tests["make test"], TestStatus::Failed);
        assert_eq!(
            exit_code_results("make test", None).tests["make test"],
            TestStatus::Failed
        );
    }
}
