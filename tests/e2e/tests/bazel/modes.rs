//! Tests the modes permissive, strict and fix: what each builds, and what makes it fail.

use fixpoint_e2e::Workspace;

use crate::{CLEAN, MESSY, messy};

/// Bazel's exit status if the build failed, and if only tests failed.
const BUILD_FAILED: i32 = 1;
const TESTS_FAILED: i32 = 3;
/// Bazel's exit status if there are no tests.
const NO_TESTS: i32 = 4;

#[test]
fn a_build_without_a_mode_passes_and_analyses_nothing() {
    // C-62 C-65
    let workspace = messy();
    workspace.bazel(["clean"]).succeeds();
    let built = workspace.bazel(["build", "//..."]).succeeds();
    let processes = built.stderr.lines().find(|line| line.contains(" process"));
    let processes = processes.expect("Bazel reports what it executed");
    assert!(
        !processes.contains("sandbox") && !processes.contains("worker"),
        "{built}"
    );
}

#[test]
fn a_test_without_a_mode_passes_and_says_what_is_not_canonical() {
    // C-56 C-63 C-65
    let workspace = messy();
    workspace
        .bazel(["test", "--test_output=all", "//..."])
        .succeeds()
        .says("//pkg:canonical: examined 2 files; 1 not canonical, 1 safe fix pending")
        .says("pkg/messy.py:1:1: not in canonical form [format-python]")
        .says("permissive: this does not fail")
        .does_not_say("pkg/clean.py:");
}

#[test]
fn a_strict_build_names_the_file_shows_the_change_and_the_command_that_makes_it() {
    // C-57 C-66
    let workspace = messy();
    workspace
        .bazel(["build", "--config=strict", "//..."])
        .exits(BUILD_FAILED)
        .says("pkg/messy.py:1:1: not in canonical form [format-python]")
        .says("-x = { 'a':1 }\n+x = {\"a\": 1}")
        .says("bazel run //:fix")
        .does_not_say("pkg/clean.py:");
    workspace.write("pkg/messy.py", CLEAN);
    workspace
        .bazel(["build", "--config=strict", "//..."])
        .succeeds();
}

#[test]
fn a_strict_test_fails_until_the_fix_is_applied() {
    // C-57 C-66
    let workspace = messy();
    workspace
        .bazel(["test", "--config=strict", "//..."])
        .fails()
        .says("pkg/messy.py:1:1: not in canonical form")
        .says("bazel run //:fix")
        .says("Executed 1 out of 1 test: 1 fails locally.")
        .does_not_say("PASSED");
    let log = workspace.read("bazel-testlogs/pkg/canonical/test.log");
    assert!(
        log.contains("pkg/messy.py:1:1: not in canonical form") && log.contains("bazel run //:fix"),
        "{log}"
    );
    // The test itself fails, not only the check that the build runs beside it.
    workspace
        .bazel(["test", "--config=strict", "--norun_validations", "//..."])
        .exits(TESTS_FAILED);
    workspace
        .bazel(["run", "//:fix"])
        .succeeds()
        .says("Fixed pkg/messy.py");
    workspace
        .bazel(["test", "--config=strict", "//..."])
        .succeeds();
}

#[test]
fn a_test_pinned_to_strict_fails_in_every_mode_and_one_pinned_to_permissive_in_none() {
    // C-55
    let workspace = Workspace::new();
    let build = |mode: &str| {
        format!(
            "load(\"@fixpoint//rules:defs.bzl\", \"fix_test\")\n\n\
             fix_test(\n    name = \"canonical\",\n    srcs = [\"messy.py\"],\n    mode = \"{mode}\",\n)\n"
        )
    };
    for mode in ["strict", "permissive"] {
        workspace.write(format!("{mode}/BUILD.bazel"), build(mode));
        workspace.write(format!("{mode}/messy.py"), MESSY);
    }
    workspace
        .bazel(["test", "//strict:all"])
        .exits(TESTS_FAILED);
    workspace.bazel(["test", "//permissive:all"]).succeeds();
    workspace
        .bazel(["test", "--config=strict", "//permissive:all"])
        .succeeds();
}

#[test]
fn switching_modes_keeps_the_analysis_cache() {
    // C-55
    let workspace = messy();
    let keep = "--noallow_analysis_cache_discard";
    workspace.bazel(["build", keep, "//..."]).succeeds();
    for _ in 0..2 {
        workspace
            .bazel(["build", keep, "--config=fix", "//..."])
            .succeeds();
        workspace
            .bazel(["build", keep, "--config=strict", "//..."])
            .exits(BUILD_FAILED);
        workspace.bazel(["test", keep, "//..."]).succeeds();
        workspace
            .bazel(["test", keep, "--config=strict", "//..."])
            .fails();
        workspace
            .bazel(["run", keep, "//:fix", "--", "--check"])
            .exits(1);
        workspace.bazel(["build", keep, "//..."]).succeeds();
    }
}

#[test]
fn a_check_of_no_files_fails_unless_that_is_allowed() {
    let workspace = Workspace::new();
    let build = |allow: &str| {
        format!(
            "load(\"@fixpoint//rules:defs.bzl\", \"fix_test\")\n\n\
             fix_test(\n    name = \"canonical\",\n    allow_empty = {allow},\n    mode = \"strict\",\n)\n"
        )
    };
    workspace.write("none/BUILD.bazel", build("False"));
    workspace.write("allowed/BUILD.bazel", build("True"));
    workspace
        .bazel(["test", "--test_output=errors", "//none:all"])
        .exits(TESTS_FAILED)
        .says("No file was examined, so nothing was checked");
    workspace
        .bazel(["build", "--config=strict", "//none:all"])
        .exits(BUILD_FAILED);
    workspace
        .bazel(["test", "--config=strict", "//allowed:all"])
        .succeeds();
}

#[test]
fn a_syntax_error_in_one_file_does_not_hide_the_others() {
    let workspace = messy();
    workspace.write("pkg/clean.py", "def (:\n");
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    workspace
        .bazel(["build", "--config=strict", "//..."])
        .exits(BUILD_FAILED)
        .says("pkg/clean.py:1:5: ")
        .says("1 of them cannot be parsed")
        .says("pkg/messy.py:1:1: not in canonical form")
        .says("+x = {\"a\": 1}");
    workspace
        .bazel(["run", "//:fix"])
        .exits(1)
        .says("Fixed pkg/messy.py");
    assert_eq!(workspace.read("pkg/messy.py"), CLEAN);
    assert_eq!(workspace.read("pkg/clean.py"), "def (:\n");
    // A file that cannot be examined is not canonical. Without a mode, its compiler decides.
    workspace
        .bazel(["test", "--config=strict", "--test_output=errors", "//..."])
        .fails()
        .says("//pkg:canonical: examined 2 files, 1 of them cannot be parsed; 1 error")
        .does_not_say("PASSED");
    workspace
        .bazel(["run", "//:fix", "--", "--check"])
        .exits(1)
        .says("1 of them cannot be parsed; 1 error");
    workspace.bazel(["test", "//..."]).succeeds();
}

#[test]
fn with_build_tests_only_strict_mode_checks_only_tests() {
    let workspace = messy();
    let strict = ["test", "--config=strict", "--build_tests_only", "//..."];
    // The test and the check of its target both fail.
    workspace
        .bazel(strict)
        .exits(BUILD_FAILED)
        .says("//pkg:canonical: examined 2 files; 1 not canonical")
        .does_not_say("//pkg:files: examined");
    workspace
        .bazel(strict.iter().chain(&["--norun_validations"]))
        .exits(TESTS_FAILED);
    workspace
        .bazel(["test", "--build_tests_only", "//..."])
        .succeeds();
    // No test is left that covers the files.
    workspace
        .bazel([
            "test",
            "--config=strict",
            "--build_tests_only",
            "--test_tag_filters=none",
            "//...",
        ])
        .exits(NO_TESTS);
}

#[test]
fn both_modes_together_make_reports_and_are_strict_in_any_order() {
    let workspace = messy();
    for modes in [
        ["--config=fix", "--config=strict"],
        ["--config=strict", "--config=fix"],
    ] {
        workspace.bazel(["clean"]).succeeds();
        workspace
            .bazel(["build", modes[0], modes[1], "//pkg:files"])
            .exits(BUILD_FAILED)
            .says("pkg/messy.py:1:1: not in canonical form [format-python]");
        let report = "bazel-bin/pkg/files.fixpoint/report/pkg/messy.py.fix.pb";
        assert!(workspace.path(report).exists(), "{modes:?}");
    }
}

#[test]
fn a_language_that_another_formatter_lays_out_keeps_its_layout() {
    let workspace = messy();
    let pyproject = "[project]\nname = \"shop\"\n\n[tool.black]\nline-length = 100\n";
    workspace.write("pyproject.toml", pyproject);
    let strict = ["test", "--config=strict", "//..."];
    workspace.bazel(strict).succeeds();
    workspace.write("pyproject.toml", "[project]\nname = \"shop\"\n");
    workspace
        .bazel(strict)
        .fails()
        .says("pkg/messy.py:1:1: not in canonical form");
    workspace.write("pyproject.toml", pyproject);
    workspace.write("fixpoint.toml", "[language.python]\nformat = true\n");
    workspace
        .bazel(strict)
        .fails()
        .says("pkg/messy.py:1:1: not in canonical form");
}
