//! Tests the interface for other rule sets: the provider, the action and the output groups.

use std::fs;
use std::process::Command;

use fixpoint_e2e::{Workspace, binary, run};
use serde_json::{Value, json};

use crate::{CLEAN, MESSY, VIEW_ASPECT, messy};

/// A rule that provides a report of another tool.
const IMPORTED: &str = r#"load("@fixpoint//rules:defs.bzl", "FixInfo")

def _imported_impl(ctx):
    file = struct(source = ctx.file.src, report = ctx.file.report)
    return [FixInfo(
        allow_empty = False,
        external = 0,
        files = depset([file]),
        generated = 0,
        mode = "",
        must_examine = True,
    )]

imported = rule(
    implementation = _imported_impl,
    attrs = {
        "report": attr.label(allow_single_file = True),
        "src": attr.label(allow_single_file = True),
    },
)
"#;

/// The report for `pkg/file.py` as the command line creates it.
fn report(workspace: &Workspace) -> Value {
    let folder = tempfile::TempDir::new().expect("a folder");
    run(Command::new(binary())
        .args(["check", "pkg/file.py", "--report-dir"])
        .arg(folder.path())
        .current_dir(workspace.root()))
    .succeeds();
    let text = fs::read(folder.path().join("pkg/file.py.fix.json")).expect("a report");
    serde_json::from_slice(&text).expect("JSON")
}

fn imported() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("pkg/imported.bzl", IMPORTED);
    workspace.write(
        "pkg/BUILD.bazel",
        "load(\"@fixpoint//rules:defs.bzl\", \"fix\")\nload(\":imported.bzl\", \"imported\")\n\nimported(\n    \
         name = \"imported\",\n    src = \"file.py\",\n    report = \"report.json\",\n)\n\nfix(\n    \
         name = \"fix\",\n    targets = [\":imported\"],\n)\n",
    );
    workspace.write("pkg/file.py", MESSY);
    workspace
}

#[test]
fn reports_of_other_rules_are_checked_and_applied() {
    let workspace = imported();
    workspace.write("pkg/report.json", report(&workspace).to_string());
    workspace
        .bazel(["build", "--config=strict", "//pkg:imported"])
        .exits(1)
        .says("pkg/file.py:1:1: not in canonical form");
    workspace
        .bazel(["run", "//pkg:fix"])
        .succeeds()
        .says("Fixed pkg/file.py");
    assert_eq!(workspace.read("pkg/file.py"), CLEAN);
}

#[test]
fn a_style_finding_that_no_safe_fix_resolves_fails_strict() {
    // C-58
    let workspace = imported();
    let mut report = report(&workspace);
    report["diagnostics"][0]["fix_ids"] = json!([]);
    report["fixes"] = json!([]);
    let base = report["base"].clone();
    report["canonical"] =
        json!({ "sha256": base["sha256"], "length": base["length"], "edits": [], "steps": [] });
    workspace.write("pkg/report.json", report.to_string());
    workspace
        .bazel(["build", "--config=strict", "//pkg:imported"])
        .exits(1)
        .says("1 style finding without a safe fix");
    workspace.bazel(["build", "//pkg:imported"]).succeeds();
}

#[test]
fn output_groups_give_json_and_diffs() {
    // C-64
    let workspace = messy();
    workspace
        .bazel([
            "build",
            "--config=fix",
            VIEW_ASPECT,
            "--output_groups=+fixpoint_json,+fixpoint_diff",
            "//pkg:files",
        ])
        .succeeds();
    let outputs = "bazel-bin/pkg/files.fixpoint";
    let diff = workspace.read(format!("{outputs}/diff/pkg/messy.py.fix.diff"));
    assert!(diff.contains("-x = { 'a':1 }\n+x = {\"a\": 1}\n"), "{diff}");
    let report: Value =
        serde_json::from_str(&workspace.read(format!("{outputs}/json/pkg/messy.py.fix.json")))
            .expect("JSON");
    assert_eq!(report["base"]["path"], "pkg/messy.py");
    assert_eq!(report["fixes"][0]["safety"], "behavior_preserving");
}

const SHA256_OF_OLD_NAME: &str = "850715323c296141a5dbcaa013736dc1bb773cf1d180d82cc424c1eb75c3672b";

const OLD_NAME: &str = "def test(case):\n    case.assertEquals( 1, 1 )\n";

/// A workspace in which a rule reports the old name in [`OLD_NAME`]. Fixpoint finds the layout itself.
fn old_name(safety: &str) -> Workspace {
    let workspace = imported();
    workspace.write("pkg/file.py", OLD_NAME);
    let mut report = report(&workspace);
    let start = OLD_NAME.find("assertEquals").expect("the name");
    let end = start + "assertEquals".len();
    report["tool"] = json!({ "name": "old-names" });
    report["diagnostics"] = json!([{
        "id": "d-1",
        "rule": "old-name",
        "severity": "warning",
        "message": "assertEquals is an old name",
        "span": { "start": start, "end": end },
        "fix_ids": ["f-1"],
    }]);
    report["fixes"] = json!([{
        "id": "f-1",
        "title": "Rename to assertEqual",
        "rule": "old-name",
        "safety": safety,
        "rationale": "Both names are the same method.",
        "edits": [{
            "start": start,
            "end": end,
            "replacement": "assertEqual",
            "expected_sha256": SHA256_OF_OLD_NAME,
        }],
    }]);
    report
        .as_object_mut()
        .expect("an object")
        .remove("canonical");
    workspace.write("pkg/report.json", report.to_string());
    workspace.write(
        "BUILD.bazel",
        r#"load("@fixpoint//rules:defs.bzl", "fix", "fix_test", "fix_workspace_test")

fix(
    name = "fix",
    reports = ["//pkg:imported"],
)

fix_test(
    name = "imported_test",
    targets = ["//pkg:imported"],
)

fix_workspace_test(
    name = "fixpoint_test",
    reports = ["//pkg:imported"],
)
"#,
    );
    let build = workspace.read("pkg/BUILD.bazel");
    let build = build.replace(
        "    name = \"imported\",",
        "    name = \"imported\",\n    visibility = [\"//visibility:public\"],",
    );
    workspace.write("pkg/BUILD.bazel", build);
    workspace
}

#[test]
fn reports_of_other_rules_count_in_tests_and_are_merged_by_the_fix_of_the_workspace() {
    let workspace = old_name("behavior_preserving");
    let strict = [
        "test",
        "--config=strict",
        "--norun_validations",
        "--test_output=errors",
    ];
    for test in ["//:imported_test", "//:fixpoint_test"] {
        workspace
            .bazel(strict.iter().chain(&[test]))
            .fails()
            .says("pkg/file.py:2:10: assertEquals is an old name [old-name]")
            .says("not in canonical form [format-python]");
    }
    workspace
        .bazel(["run", "//:fix", "--", "--check"])
        .exits(1)
        .says("[old-name]");
    workspace
        .bazel(["run", "//:fix", "--", "--only=old-name"])
        .says("Fixed pkg/file.py (old-name)");
    let renamed = OLD_NAME.replace("assertEquals", "assertEqual");
    assert_eq!(workspace.read("pkg/file.py"), renamed);
    workspace.write("pkg/file.py", OLD_NAME);
    workspace
        .bazel(["run", "//:fix"])
        .says("Fixed pkg/file.py (format-python, old-name)");
    let fixed = "def test(case):\n    case.assertEqual(1, 1)\n";
    assert_eq!(workspace.read("pkg/file.py"), fixed);
}

#[test]
fn reports_of_other_rules_are_applied_with_those_of_the_build() {
    let workspace = old_name("behavior_preserving");
    let build = workspace.read("pkg/BUILD.bazel");
    let files = "\nfilegroup(\n    name = \"files\",\n    srcs = [\"file.py\"],\n)\n";
    workspace.write("pkg/BUILD.bazel", build + files);
    workspace.bazel(["clean"]).succeeds();
    workspace
        .bazel(["build", "--config=fix", "//pkg:files"])
        .succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .says("Fixed pkg/file.py (format-python, old-name)");
    let fixed = "def test(case):\n    case.assertEqual(1, 1)\n";
    assert_eq!(workspace.read("pkg/file.py"), fixed);
}

#[test]
fn a_fix_of_another_rule_that_is_not_safe_needs_an_option() {
    let workspace = old_name("likely_preserving");
    workspace.bazel(["run", "//:fix"]);
    assert!(workspace.read("pkg/file.py").contains("assertEquals(1, 1)"));
    workspace.write("pkg/file.py", OLD_NAME);
    workspace.bazel(["run", "//:fix", "--", "--safety=likely"]);
    assert!(workspace.read("pkg/file.py").contains("assertEqual(1, 1)"));
}

#[test]
fn a_report_that_is_out_of_date_blocks_no_other_fix() {
    let workspace = old_name("behavior_preserving");
    workspace.write("pkg/file.py", format!("{OLD_NAME}x = 1\n"));
    workspace.write("pkg/other.py", MESSY);
    workspace
        .bazel(["run", "//:fix"])
        .exits(3)
        .says("pkg/file.py: the report of the build is out of date")
        .says("Fixed pkg/other.py");
    assert_eq!(workspace.read("pkg/other.py"), CLEAN);
    workspace
        .bazel(["run", "//:fix", "--", "--check"])
        .exits(3)
        .says("made from a different version of the file");
}
