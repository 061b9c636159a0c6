//! Whether a repository has a way to run tests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tests::is_test_path;

/// Whether the repository has a way to run tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestHarness {
    pub detected: bool,
    pub reason: String,
}

/// Looks for a way to run tests. `texts` holds the manifests by path: `package.json`, `setup.cfg`,
/// `pyproject.toml` and BUILD files. The first match in a fixed order decides.
pub fn detect_test_harness(paths: &[String], texts: &BTreeMap<String, String>) -> TestHarness {
    let found = |reason: String| TestHarness {
        detected: true,
        reason,
    };
    for (path, text) in texts {
        let name = path
            .rsplit_once('/')
            .map_or(path.as_str(), |(_, name)| name);
        let reason = match name {
            "package.json" if has_test_script(text) => "has a test script",
            "setup.cfg" if text.contains("[tool:pytest]") => "configures pytest",
            "pyproject.toml" if text.contains("[tool.pytest") => "configures pytest",
            "BUILD" | "BUILD.bazel" if has_test_rule(text) => "has a test rule",
            _ => continue,
        };
        return found(format!("{path} {reason}"));
    }
    const FILES: &[(&str, &str)] = &[
        ("pytest.ini", "configures pytest"),
        (".pytest.ini", "configures pytest"),
        ("pytest.toml", "configures pytest"),
        ("tox.ini", "configures tox"),
        ("noxfile.py", "configures nox"),
        ("conftest.py", "configures pytest"),
        ("Cargo.toml", "is a Cargo package, which `cargo test` tests"),
        ("go.mod", "is a Go module, which `go test` tests"),
        ("pom.xml", "is a Maven project"),
        ("build.gradle", "is a Gradle project"),
        ("build.gradle.kts", "is a Gradle project"),
    ];
    for (file, reason) in FILES {
        let path = paths.iter().find(|path| {
            path.rsplit_once('/')
                .map_or(path.as_str(), |(_, name)| name)
                == *file
        });
        if let Some(path) = path {
            return found(format!("{path} {reason}"));
        }
    }
    match paths.iter().find(|path| is_test_path(path)) {
        Some(path) => found(format!("{path} is a test")),
        None => TestHarness {
            detected: false,
            reason: "no test script, test configuration or test file was found".to_owned(),
        },
    }
}

/// Whether `npm test` does more than npm's own placeholder.
fn has_test_script(text: &str) -> bool {
    let Ok(json) = serde_json::from_str::<serde_json::Value>(text) else {
        return false;
    };
    let script = json
        .pointer("/scripts/test")
        .and_then(|script| script.as_str());
    script.is_some_and(|script| !script.trim().is_empty() && !script.contains("no test specified"))
}

fn has_test_rule(text: &str) -> bool {
    text.lines().any(|line| {
        let rule = line
            .trim_start()
            .split_once('(')
            .map_or("", |(rule, _)| rule);
        let rule = rule.trim_end();
        rule.ends_with("_test")
            && rule
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod unit {
    use super::*;

    // E-31 E-60
    #[test]
    fn harnesses_are_detected() {
        let detect = |paths: &[&str], texts: &[(&str, &str)]| {
            let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
            let texts = texts
                .iter()
                .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
            detect_test_harness(&paths, &texts.collect()).detected
        };
        assert!(!detect(
            &["a.js", "package.json"],
            &[("package.json", "{}")]
        ));
        assert!(detect(
            &[],
            &[("package.json", r#"{"scripts":{"test":"node --test"}}"#)]
        ));
        let placeholder = r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#;
        assert!(!detect(&[], &[("package.json", placeholder)]));
        assert!(!detect(&[], &[("package.json", "{broken")]));
        assert!(detect(&["pytest.ini"], &[]));
        assert!(detect(&["a/Cargo.toml"], &[]));
        assert!(detect(&["x/test_a.py"], &[]));
        assert!(detect(
            &[],
            &[("p/BUILD.bazel", "py_test(\n  name = \"x\",\n)\n")]
        ));
        assert!(!detect(
            &[],
            &[("p/BUILD.bazel", "py_library(\n    name = \"a_test\")\n")]
        ));
        assert!(!detect(&["main.c"], &[]));
    }
}
