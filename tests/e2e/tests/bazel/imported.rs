//! Tests rules that import the output of a tool.

use fixpoint_e2e::Workspace;

const LINTED: &str = r#"load("@fixpoint//rules:defs.bzl", "FixInfo", "fix_action")

def _linted_impl(ctx):
    file = struct(
        source = ctx.file.src,
        report = ctx.actions.declare_file(ctx.label.name + ".fix.pb"),
    )
    fix_action.import_reports(
        ctx,
        files = [file],
        tool_output = ctx.file.output,
        format = ctx.attr.format,
        tool = "old-names",
        safety = "behavior_preserving",
    )
    return [FixInfo(files = depset([file]))]

linted = rule(
    implementation = _linted_impl,
    attrs = {
        "format": attr.string(),
        "output": attr.label(allow_single_file = True),
        "src": attr.label(allow_single_file = True),
    },
    toolchains = [fix_action.toolchain_type],
)
"#;

const BUILD: &str = r#"load("@fixpoint//rules:defs.bzl", "fix", "fix_test")
load(":linted.bzl", "linted")

linted(
    name = "linted",
    src = "case.py",
    format = "FORMAT",
    output = "output",
)

fix(
    name = "fix",
    reports = [":linted"],
)

fix_test(
    name = "linted_test",
    targets = [":linted"],
)
"#;

const OLD: &str = "def test(case):\n    case.assertEquals(1, 1)\n";
const NEW: &str = "def test(case):\n    case.assertEqual(1, 1)\n";

const SARIF: &str = r#"{
  "version": "2.1.0",
  "runs": [{
    "tool": { "driver": { "name": "old-names", "rules": [{ "id": "assert-equals" }] } },
    "results": [{
      "ruleIndex": 0,
      "message": { "text": "assertEquals is an old name" },
      "locations": [{ "physicalLocation": {
        "artifactLocation": { "uri": "case.py" },
        "region": { "startLine": 2, "startColumn": 10, "endColumn": 22 }
      } }],
      "fixes": [{ "artifactChanges": [{
        "artifactLocation": { "uri": "case.py" },
        "replacements": [{
          "deletedRegion": { "startLine": 2, "startColumn": 10, "endColumn": 22 },
          "insertedContent": { "text": "assertEqual" }
        }]
      }] }]
    }]
  }]
}
"#;

const DIFF: &str = "--- a/case.py\n+++ b/case.py\n@@ -1,2 +1,2 @@\n def test(case):\n-    case.assertEquals(1, 1)\n+    case.assertEqual(1, 1)\n";

fn workspace(format: &str, output: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("linted.bzl", LINTED);
    workspace.write("BUILD.bazel", BUILD.replace("FORMAT", format));
    workspace.write("case.py", OLD);
    workspace.write("output", output);
    workspace
}

#[test]
fn sarif_and_diffs_become_reports_that_are_checked_and_applied() {
    for (format, output, finding) in [
        (
            "sarif",
            SARIF,
            "case.py:2:10: assertEquals is an old name [assert-equals]",
        ),
        (
            "diff",
            DIFF,
            "case.py:2:1: old-names changes this [old-names]",
        ),
    ] {
        let workspace = workspace(format, output);
        workspace
            .bazel([
                "test",
                "--config=strict",
                "--test_output=errors",
                "//:linted_test",
            ])
            .fails()
            .says(finding);
        workspace.bazel(["run", "//:fix"]).says("Fixed case.py");
        assert_eq!(workspace.read("case.py"), NEW, "{format}");
    }
}

#[test]
fn output_that_does_not_fit_its_file_fails_the_action() {
    let workspace = workspace("diff", DIFF);
    workspace.write("case.py", NEW);
    workspace.bazel(["run", "//:fix"]).fails().says(
        "cannot import output: it was made from a different version of case.py: line 2 is not",
    );
    assert_eq!(workspace.read("case.py"), NEW);
}
