//! Commands that run a single test.

use super::arguments::{
    self, CARGO_VALUED, GO_VALUED, NODE_VALUED, PYTEST_VALUED, UNITTEST_VALUED,
};
use super::{Adapter, Runner};

impl Adapter {
    /// The command that runs only the named test, so that results which depend on other tests or on
    /// their order show. What the runner does around a test also differs, as far as tests cannot
    /// depend on it: output is captured exactly if it is not captured in the other runs. None if the runner has no such option, or the name is not unique.
    pub fn alone(&self, argv: &[String], test_name: &str) -> Option<Vec<String>> {
        let at = self.arguments_at.min(argv.len());
        let repeated = test_name
            .rsplit_once('#')
            .is_some_and(|(_, number)| number.parse::<u32>().is_ok());
        if self.in_script || repeated {
            return None;
        }
        match self.runner {
            Runner::Pytest => {
                let (file, _) = test_name.split_once("::")?;
                // Names of collection errors and of plugins are not node ids.
                if !file.ends_with(".py") {
                    return None;
                }
                let mut argv = arguments::without_positionals(argv, at, PYTEST_VALUED);
                let mut words = vec!["-p".to_owned(), "no:faulthandler".to_owned()];
                if !argv
                    .iter()
                    .any(|word| word == "-s" || word == "--capture=no")
                {
                    words.push("-s".to_owned());
                }
                words.push(test_name.to_owned());
                arguments::insert_before_separator(&mut argv, at, words);
                Some(argv)
            }
            Runner::Unittest => {
                if test_name.starts_with("unittest.loader.") {
                    return None;
                }
                let mut argv = argv.to_vec();
                let captures = argv.iter().any(|word| word == "-b" || word == "--buffer");
                argv.retain(|word| word != "-b" && word != "--buffer");
                arguments::remove_valued(&mut argv, at, &["-k"]);
                let positional = arguments::positionals(&argv, at, UNITTEST_VALUED);
                let discovers = positional.is_empty()
                    || positional.first().is_some_and(|at| argv[*at] == "discover");
                if discovers {
                    // A pattern with a wildcard matches the whole name.
                    argv.push("-k".to_owned());
                    argv.push(format!("*{test_name}"));
                } else {
                    argv = arguments::without_positionals(&argv, at, UNITTEST_VALUED);
                    argv.push(test_name.to_owned());
                }
                if !captures {
                    argv.push("-b".to_owned());
                }
                Some(argv)
            }
            Runner::Node => {
                let own = test_name.rsplit(" > ").next()?;
                let mut argv = argv.to_vec();
                arguments::remove_valued(&mut argv, at, &["--test-name-pattern"]);
                let pattern = format!("--test-name-pattern=^{}$", escaped(own, "/"));
                argv.insert(at, pattern);
                Some(argv)
            }
            Runner::CargoTest => {
                let (target, name) = test_name.split_once(": ")?;
                if target.ends_with("doc-tests") || name == "did not finish" {
                    return None;
                }
                let filters = arguments::positionals(argv, at, CARGO_VALUED);
                let mut argv: Vec<String> = argv
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| !filters.contains(index))
                    .map(|(_, word)| word.clone())
                    .collect();
                if arguments::separator(&argv, at) == argv.len() {
                    argv.push("--".to_owned());
                }
                argv.push("--exact".to_owned());
                argv.push(name.to_owned());
                Some(argv)
            }
            Runner::Nextest => {
                let (binary, test) = test_name.split_once(' ')?;
                if test_name.contains(['(', ')', '\\']) {
                    return None;
                }
                let mut argv = arguments::without_positionals(argv, at, CARGO_VALUED);
                let filter = format!("binary_id(={binary}) and test(={test})");
                let flags = vec!["-E".to_owned(), filter];
                arguments::insert_before_separator(&mut argv, at, flags);
                Some(argv)
            }
            Runner::GoTest => {
                let (package, name) = test_name.split_once(' ')?;
                let pattern: Vec<String> = name
                    .split('/')
                    .map(|part| format!("^{}$", escaped(part, "")))
                    .collect();
                let mut argv = arguments::without_positionals(argv, at, GO_VALUED);
                arguments::remove_valued(&mut argv, at, &["-run"]);
                argv.insert(at, format!("-run={}", pattern.join("/")));
                argv.push(package.to_owned());
                Some(argv)
            }
            Runner::Maven => {
                let (class, method) = test_name.rsplit_once("::")?;
                let mut argv = argv.to_vec();
                argv.retain(|word| !word.starts_with("-Dtest="));
                argv.push(format!("-Dtest={class}#{method}"));
                // Other modules have no such test.
                argv.push("-DfailIfNoTests=false".to_owned());
                argv.push("-Dsurefire.failIfNoSpecifiedTests=false".to_owned());
                Some(argv)
            }
            Runner::Bazel => {
                let (label, name) = match test_name.split_once(": ") {
                    Some((label, name)) => (label, Some(name)),
                    None => (test_name, None),
                };
                let end = arguments::separator(argv, at);
                let mut argv: Vec<String> = argv[..end]
                    .iter()
                    .enumerate()
                    .filter(|(index, word)| *index < at || word.starts_with('-'))
                    .map(|(_, word)| word.clone())
                    .collect();
                argv.retain(|word| !word.starts_with("--test_filter="));
                // Rules without support for the filter run the whole target.
                argv.extend(name.map(|name| format!("--test_filter={name}")));
                argv.push(label.to_owned());
                Some(argv)
            }
            Runner::Fixpoint => None,
        }
    }

    /// The command that builds all tests and runs none. With its outputs, the other runs need not
    /// build the dependencies. `None` if the runner has no such command.
    pub fn build_only(&self) -> Option<Vec<String>> {
        if self.in_script || !matches!(self.runner, Runner::CargoTest | Runner::Nextest) {
            return None;
        }
        let end = arguments::separator(&self.argv, self.arguments_at);
        let filters = arguments::positionals(&self.argv, self.arguments_at, CARGO_VALUED);
        let words = self.argv[..end].iter().enumerate();
        let words = words.filter(|(index, _)| !filters.contains(index));
        let words = words.map(|(_, word)| word.clone());
        Some(words.chain(["--no-run".to_owned()]).collect())
    }

    /// The positional arguments of the command, for [`Self::sentinel`].
    pub(super) fn positional(&self) -> Vec<String> {
        let valued = match self.runner {
            Runner::Pytest => PYTEST_VALUED,
            Runner::Unittest => UNITTEST_VALUED,
            Runner::GoTest => GO_VALUED,
            Runner::Node => NODE_VALUED,
            _ => CARGO_VALUED,
        };
        arguments::positionals(&self.argv, self.arguments_at, valued)
            .into_iter()
            .map(|at| self.argv[at].clone())
            .collect()
    }
}

/// A regular expression that matches exactly this text.
pub(super) fn escaped(text: &str, also: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\^$.|?*+()[]{}".contains(character) || also.contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::words;
    use super::*;

    fn alone(command: &str, name: &str) -> Option<String> {
        let argv = words(command);
        let adapter = Adapter::for_command(&argv, Path::new("/t")).unwrap();
        Some(adapter.alone(&argv, name)?.join(" "))
    }

    #[test]
    fn cargo_builds_tests_without_running_them() {
        let build = |command: &str| {
            let adapter = Adapter::for_command(&words(command), Path::new("/t"))?;
            Some(adapter.build_only()?.join(" "))
        };
        for (command, expected) in [
            ("cargo test", "cargo test --no-run"),
            (
                "cargo test -p calc filter -- --exact a",
                "cargo test -p calc --no-run",
            ),
            (
                "cargo nextest run --workspace",
                "cargo nextest run --workspace --no-run",
            ),
        ] {
            assert_eq!(build(command).as_deref(), Some(expected));
        }
        assert_eq!(build("go test ./..."), None);
    }

    #[test]
    fn one_test_per_runner() {
        for (command, name, expected) in [
            (
                "pytest -k x tests -q",
                "tests/test_a.py::T::test_b[1]",
                "pytest -k x -q -p no:faulthandler -s tests/test_a.py::T::test_b[1]",
            ),
            (
                "python -m unittest",
                "a.B.test_c",
                "python -m unittest -k *a.B.test_c -b",
            ),
            (
                "python -m unittest discover -s t",
                "a.B.test_c",
                "python -m unittest discover -s t -k *a.B.test_c -b",
            ),
            (
                "python -m unittest -b a b",
                "a.B.test_c",
                "python -m unittest a.B.test_c",
            ),
            (
                "node --test x.js",
                "suite > adds (1+1)",
                r"node --test --test-name-pattern=^adds \(1\+1\)$ x.js",
            ),
            (
                "cargo test -p calc filter -- --nocapture",
                "calc src/lib.rs: tests::ok",
                "cargo test -p calc -- --nocapture --exact tests::ok",
            ),
            (
                "go test -v -run X ./...",
                "e.com/p TestA/b.c",
                r"go test -run=^TestA$/^b\.c$ -v e.com/p",
            ),
            (
                "mvn test",
                "x.CalcTest::ok",
                "mvn test -Dtest=x.CalcTest#ok -DfailIfNoTests=false \
                 -Dsurefire.failIfNoSpecifiedTests=false",
            ),
            (
                "bazel test -k //a/... -- -//b",
                "//a:t: x::y",
                "bazel test -k --test_filter=x::y //a:t",
            ),
        ] {
            assert_eq!(alone(command, name).as_deref(), Some(expected), "{command}");
        }
        assert_eq!(alone("pytest", "test_a.py::test_b#2"), None);
        assert_eq!(
            alone("cargo test", "calc doc-tests: src/lib.rs - add"),
            None
        );
    }
}
