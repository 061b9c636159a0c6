//! Tests in BUILD files of Bazel.

pub(crate) fn is_build_file(path: &str) -> bool {
    let name = path.rsplit('/').next();
    matches!(name, Some("BUILD" | "BUILD.bazel"))
}

/// Whether a line is `cc_test(`, or the start of another rule for tests.
pub(crate) fn starts_test_target(line: &str) -> bool {
    let Some((rule, _)) = line.split_once('(') else {
        return false;
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (rule.ends_with("_test") || rule == "test_suite") && rule.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_tests_end_in_test() {
        for line in ["py_test(", "test_suite(name = \"a\")", "_x_test("] {
            assert!(starts_test_target(line), "{line}");
        }
        for line in [
            "py_library(",
            "    py_test(",
            "def a_test",
            "x = py_test(",
            "load(\"a_test\")",
        ] {
            assert!(!starts_test_target(line), "{line}");
        }
        assert!(is_build_file("a/BUILD.bazel"));
        assert!(!is_build_file("a/BUILD.md"));
    }
}
