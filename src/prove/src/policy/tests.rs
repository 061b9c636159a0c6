//! The rule that a fix comes with a test, from the paths that really changed.

use serde::{Deserialize, Serialize};

use super::build_files::{is_build_file, starts_test_target};
use super::changes::{ChangeKind, ChangedFile};
use super::harness::TestHarness;

/// The changed files, by their role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeClasses {
    pub files: Vec<String>,
    /// Test files that exist after the patch.
    pub test_files: Vec<String>,
    pub non_test_files: Vec<String>,
    /// Test files that the patch deletes, or renames to a path that is not a test.
    pub removed_test_files: Vec<String>,
    pub docs_only: bool,
}

/// The facts that the mandatory test policy decides on.
#[derive(Clone, Copy, Debug)]
pub struct TestPolicyInput<'a> {
    /// `test.required` of the configuration.
    pub required: bool,
    pub changes: &'a ChangeClasses,
    /// Changed files whose added lines contain tests; see [`has_inline_tests`].
    pub inline_test_files: &'a [String],
    pub harness: &'a TestHarness,
    /// The commands that verify the patch, as they were run.
    pub verification_commands: &'a [String],
    /// Whether every edit is a safe fix of a rule that strict mode reports in CI.
    pub safe_autofix_only: bool,
}

/// Whether the patch has the tests that the policy demands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestPolicyDecision {
    pub ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub used_exception: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exception_reason: Option<String>,
    /// What prevents a regression instead of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prevention_alternative: Option<String>,
}

/// Whether a path names a test, or data of a test.
pub fn is_test_path(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "test",
        "tests",
        "__tests__",
        "testing",
        "spec",
        "specs",
        "testdata",
        "__snapshots__",
        "__mocks__",
        "e2e",
    ];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    if folders.split('/').any(|folder| FOLDERS.contains(&folder)) {
        return true;
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if extension == "snap" || name == "conftest.py" {
        return true;
    }
    let is_source = !matches!(
        extension,
        "" | "md" | "rst" | "txt" | "json" | "toml" | "lock"
    );
    let lower = stem.to_ascii_lowercase();
    let inner = lower.rsplit_once('.').map(|(_, inner)| inner);
    let camel = ["Test", "Tests", "TestCase", "IT", "Spec"]
        .iter()
        .any(|suffix| stem.len() > suffix.len() && stem.ends_with(suffix));
    let camel = camel
        && matches!(
            extension,
            "java" | "kt" | "scala" | "groovy" | "cs" | "swift"
        );
    is_source
        && (camel
            || matches!(lower.as_str(), "test" | "tests")
            || lower.starts_with("test_")
            || ["_test", "_tests", "_spec", "-test", "-spec"]
                .iter()
                .any(|suffix| lower.ends_with(suffix))
            || matches!(inner, Some("test" | "spec" | "tests")))
}

fn is_docs_path(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "md" | "rst" | "adoc" | "markdown" => true,
        // `requirements.txt` and `CMakeLists.txt` are not documentation.
        "txt" => folders
            .split('/')
            .any(|folder| matches!(folder, "doc" | "docs")),
        "" => matches!(
            name,
            "LICENSE"
                | "NOTICE"
                | "AUTHORS"
                | "CHANGELOG"
                | "README"
                | "CONTRIBUTING"
                | "CODEOWNERS"
        ),
        _ => false,
    }
}

/// Sorts changed paths by their role. All files count as existing after the patch.
pub fn classify_paths<'a>(paths: impl IntoIterator<Item = &'a str>) -> ChangeClasses {
    let files: Vec<ChangedFile> = paths.into_iter().map(ChangedFile::modified).collect();
    classify_changes(&files)
}

/// Sorts changed files by their role. A deleted test is not a test that the patch brings.
pub fn classify_changes(files: &[ChangedFile]) -> ChangeClasses {
    let mut classes = ChangeClasses::default();
    for file in files {
        let is_test = is_test_path(&file.path);
        let deleted = file.kind == ChangeKind::Deleted;
        classes.files.push(file.path.clone());
        if is_test && !deleted {
            classes.test_files.push(file.path.clone());
        }
        if is_test && deleted {
            classes.removed_test_files.push(file.path.clone());
        }
        if !is_test {
            classes.non_test_files.push(file.path.clone());
        }
        let renamed = file
            .old_path
            .as_ref()
            .filter(|_| file.kind == ChangeKind::Renamed);
        if let Some(old) = renamed.filter(|old| is_test_path(old) && !is_test) {
            classes.removed_test_files.push(old.clone());
        }
    }
    classes.docs_only = !files.is_empty()
        && files.iter().all(|file| {
            let paths = [Some(&file.path), file.old_path.as_ref()];
            paths
                .into_iter()
                .flatten()
                .all(|path| is_docs_path(path) && !is_test_path(path))
        });
    classes
}

/// Whether lines that a patch adds to a source file contain a test, as in Rust, Python and BUILD files.
pub fn has_inline_tests<'a>(path: &str, added: impl IntoIterator<Item = &'a str>) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    added.into_iter().any(|line| {
        if is_build_file(path) {
            return starts_test_target(line);
        }
        let line = line.trim();
        match extension {
            "rs" => {
                let attribute = line
                    .strip_prefix("#[")
                    .and_then(|rest| rest.split_once(']'));
                attribute.is_some_and(|(name, _)| {
                    name == "test" || name.ends_with("::test") || name.starts_with("rstest")
                })
            }
            "py" => line.starts_with("def test_") || line.starts_with("async def test_"),
            "zig" => line.starts_with("test \""),
            _ => false,
        }
    })
}

/// Demands a changed test, unless one of three exceptions holds: the repository has no tests, the
/// patch changes only documentation, or every edit is a safe fix that CI demands anyway.
pub fn evaluate_mandatory_test_policy(input: TestPolicyInput<'_>) -> TestPolicyDecision {
    let accept = TestPolicyDecision {
        ok: true,
        ..TestPolicyDecision::default()
    };
    let exception = |reason: &str, alternative: &str| TestPolicyDecision {
        used_exception: true,
        exception_reason: Some(reason.to_owned()),
        prevention_alternative: Some(alternative.to_owned()),
        ..accept.clone()
    };
    let refuse = |reason: String| TestPolicyDecision {
        reason: Some(reason),
        ..TestPolicyDecision::default()
    };
    let changes = input.changes;
    if let Some(removed) = changes.removed_test_files.first() {
        return refuse(format!("the patch removes the test {removed}"));
    }
    if input.verification_commands.is_empty() {
        return refuse("no command verifies the patch".to_owned());
    }
    if !input.required {
        return accept;
    }
    let inline = |file: &String| changes.files.contains(file);
    if !changes.test_files.is_empty() || input.inline_test_files.iter().any(inline) {
        return accept;
    }
    if changes.docs_only {
        return exception(
            "the patch changes only documentation",
            "review of the documentation",
        );
    }
    if input.safe_autofix_only {
        return exception(
            "every edit is a safe fix of a rule",
            "strict CI prevents it: `fixpoint check` fails while the rule reports a finding",
        );
    }
    if !input.harness.detected {
        return exception(
            &format!("the repository has no tests: {}", input.harness.reason),
            "the repro command is recorded; run it in CI, or add a test framework",
        );
    }
    refuse(format!(
        "the patch changes no test, but the repository has tests: {}",
        input.harness.reason
    ))
}

#[cfg(test)]
mod unit {
    use super::*;

    fn decide(paths: &[&str], detected: bool, safe: bool) -> TestPolicyDecision {
        let harness = TestHarness {
            detected,
            reason: "r".to_owned(),
        };
        evaluate_mandatory_test_policy(TestPolicyInput {
            required: true,
            changes: &classify_paths(paths.iter().copied()),
            inline_test_files: &[],
            harness: &harness,
            verification_commands: &["npm test".to_owned()],
            safe_autofix_only: safe,
        })
    }

    #[test]
    fn tests_are_recognised_by_path() {
        for path in [
            "tests/a.rs",
            "src/test/java/A.java",
            "a/test_x.py",
            "x_test.go",
            "x.test.ts",
            "x.spec.jsx",
            "FooTest.java",
            "FooIT.kt",
            "__tests__/a.js",
            "pkg/testdata/x.json",
            "src/tests.rs",
            "test.js",
            "a/__snapshots__/x.snap",
            "web/e2e/login.ts",
            "conftest.py",
            "x_spec.rb",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "src/lib.rs",
            "contest.py",
            "latest.js",
            "attest/a.go",
            "src/testament.rs",
            "IT.java",
            "test_plan.md",
            "x.test.md",
            "protest.ts",
            "src/test-utils.txt",
            "Fastest.java",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    // E-49 E-53
    #[test]
    fn changes_are_classified() {
        let classes = classify_paths(["src/a.py", "tests/test_a.py"]);
        assert_eq!(classes.test_files, ["tests/test_a.py"]);
        assert_eq!(classes.non_test_files, ["src/a.py"]);
        assert!(!classes.docs_only);
        assert!(classify_paths(["README.md", "docs/a.txt", "LICENSE"]).docs_only);
        for code in [
            "requirements.txt",
            "docs/conf.py",
            "CMakeLists.txt",
            "tests/golden.md",
        ] {
            assert!(!classify_paths(["README.md", code]).docs_only, "{code}");
        }
        assert!(!classify_paths([]).docs_only);
        let deleted = classify_changes(&[ChangedFile::deleted("tests/test_a.py")]);
        assert_eq!(deleted.test_files, [""; 0]);
        assert_eq!(deleted.removed_test_files, ["tests/test_a.py"]);
        let renamed = ChangedFile {
            old_path: Some("tests/test_a.py".to_owned()),
            kind: ChangeKind::Renamed,
            ..ChangedFile::modified("README.md")
        };
        let renamed = classify_changes(&[renamed]);
        assert_eq!(renamed.removed_test_files, ["tests/test_a.py"]);
        assert!(!renamed.docs_only);
    }

    // E-05 E-09 E-31
    #[test]
    fn a_fix_needs_a_test() {
        assert!(!decide(&["src/a.py"], true, false).ok);
        let with_test = decide(&["src/a.py", "tests/test_a.py"], true, false);
        assert!(with_test.ok && !with_test.used_exception);
    }

    // E-61 X-27
    #[test]
    fn exceptions_name_what_prevents_a_regression() {
        for decision in [
            decide(&["src/a.py"], false, false),
            decide(&["README.md"], true, false),
            decide(&["src/a.py"], true, true),
        ] {
            assert!(decision.ok && decision.used_exception);
            assert!(decision.exception_reason.is_some());
            assert!(decision.prevention_alternative.is_some());
        }
    }

    // E-65
    #[test]
    fn claims_do_not_count() {
        let changes = classify_paths(["src/lib.rs"]);
        let harness = TestHarness {
            detected: true,
            reason: "r".to_owned(),
        };
        let claimed = ["tests/never.rs".to_owned()];
        let inline = ["src/lib.rs".to_owned()];
        let input = TestPolicyInput {
            required: true,
            changes: &changes,
            inline_test_files: &claimed,
            harness: &harness,
            verification_commands: &inline,
            safe_autofix_only: false,
        };
        assert!(!evaluate_mandatory_test_policy(input).ok);
        let input = TestPolicyInput {
            inline_test_files: &inline,
            ..input
        };
        assert!(evaluate_mandatory_test_policy(input).ok);
        let input = TestPolicyInput {
            verification_commands: &[],
            ..input
        };
        assert!(!evaluate_mandatory_test_policy(input).ok);
        assert!(has_inline_tests("a.rs", ["    #[test]"]));
        assert!(has_inline_tests("a.rs", ["#[tokio::test]"]));
        assert!(!has_inline_tests("a.rs", ["// #[test]", "#[cfg(test)]"]));
        assert!(has_inline_tests("a.py", ["def test_x():"]));
    }
}
