//! Tests the interface for other rule sets: the provider, the action and the output groups.

use std::fs;
use std::process::Command;

use fixpoint_e2e::{Workspace, binary, run};
use serde_json::{Value, json};

use crate::{CLEAN, MESSY, VIEW_ASPECT, messy};

/// A rule that provides a report of another tool.
const IMPORTED: &str = r#"load("@fixpoint//rules:defs.bzl", "FixInfo")

def _imported_impl(ctx):
    file = struct(source = ctx.file.src, report = ctx.file.report, canonical = ctx.file.src)
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
