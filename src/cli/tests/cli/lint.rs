//! The lint phase on the command line.

use crate::project::Project;

const OLD_CALL: &str = "x = len(x = \"abc\")\n\ny = [x]\n\nfilegroup(name = y)\n";

#[test]
fn strict_counts_pending_safe_fixes_and_not_other_findings() {
    let project = Project::new(&[("BUILD", OLD_CALL)]);
    project
        .run(&["check", "--strict"])
        .exits_with(1)
        .prints("[keyword-positional-params]")
        .prints("1 safe fix pending");
    project.run(&["fix"]).exits_with(0);
    assert_eq!(project.read("BUILD"), OLD_CALL.replace("x = \"", "\""));
    project.write("BUILD", "unused = 1\n");
    project
        .run(&["check", "--strict"])
        .exits_with(0)
        .prints("warning[unused-variable]");
}

#[test]
fn fix_applies_only_fixes_that_its_options_admit() {
    let file = "load(\":a.bzl\", \"a\")\n\nlen(x = 1)\n";
    let fixed = |arguments: &[&str], status| {
        let project = Project::new(&[("d.bzl", file)]);
        project.run(arguments).exits_with(status);
        project.read("d.bzl")
    };
    assert_eq!(fixed(&["fix"], 0), "load(\":a.bzl\", \"a\")\n\nlen(1)\n");
    assert_eq!(fixed(&["fix", "--safety=likely"], 0), "len(1)\n");
    // Other safe fixes stay pending.
    assert_eq!(fixed(&["fix", "--only", "load"], 1), file);
    assert_eq!(
        fixed(&["fix", "--only", "load", "--safety=likely"], 1).trim_start(),
        "len(x = 1)\n"
    );
    assert_eq!(fixed(&["fix", "--only", "format"], 1), file);
    let project = Project::new(&[("d.bzl", file)]);
    project
        .run(&["fix", "--only", "format"])
        .prints("warning[load]");
}

#[test]
fn format_changes_only_layout() {
    let project = Project::new(&[("BUILD", OLD_CALL)]);
    let printed = project.run(&["format", "BUILD"]).exits_with(0).stdout;
    assert_eq!(printed, OLD_CALL);
}

#[test]
fn the_settings_switch_rules_on_and_off() {
    let project = Project::new(&[("BUILD", "unused = {\n    \"b\": 1,\n    \"a\": 2,\n}\n")]);
    let output = |project: &Project| project.run(&["check"]).exits_with(0).stdout;
    assert!(output(&project).contains("unused-variable"));
    assert!(!output(&project).contains("unsorted-dict-items"));
    project.write(
        "fixpoint.toml",
        "[lint]\ndisable = [\"unused-variable\"]\nenable = [\"unsorted-dict-items\"]\n",
    );
    assert!(!output(&project).contains("unused-variable"));
    assert!(output(&project).contains("unsorted-dict-items"));
    project.write("fixpoint.toml", "[lint]\ndisable = [\"unused-variabel\"]\n");
    project
        .run(&["check"])
        .exits_with(2)
        .complains("did you mean `unused-variable`?");
}

#[test]
fn the_settings_that_the_page_on_starlark_shows_are_valid() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/starlark.md");
    let page = std::fs::read_to_string(page).expect("a page");
    let (_, rest) = page.split_once("```toml\n").expect("settings");
    let (settings, _) = rest.split_once("```").expect("their end");
    let project = Project::new(&[("fixpoint.toml", settings)]);
    project.run(&["check", "--strict"]).exits_with(0);
}

#[test]
fn loads_of_deprecated_functions_are_reported_if_their_file_is_visible() {
    let defs = "def old():\n    \"\"\"Old.\n\n    Deprecated:\n      Use new.\n    \"\"\"\n\ndef new():\n    \"\"\"New.\"\"\"\n";
    let project = Project::new(&[
        ("MODULE.bazel", ""),
        ("pkg/BUILD", ""),
        ("pkg/f.bzl", defs),
        ("pkg/sub/f.bzl", defs),
        ("nested/MODULE.bazel", ""),
        ("nested/f.bzl", defs),
    ]);
    let count = |path: &str, label: &str, below: &str| {
        let text = format!("load(\"{label}\", \"new\", \"old\")\n\nnew()\n\nold()\n{below}");
        project.write(path, &text);
        let printed = project.run(&["check", path]).exits_with(0).stdout;
        printed.matches("warning[deprecated-function]").count()
    };
    for label in [
        ":f.bzl",
        "f.bzl",
        "//pkg:f.bzl",
        "@//pkg:f.bzl",
        "@@//pkg:f.bzl",
        ":sub/f.bzl",
    ] {
        assert_eq!(count("pkg/BUILD", label, ""), 1, "{label}");
    }
    assert_eq!(count("pkg/deep/x.bzl", ":f.bzl", ""), 1);
    assert_eq!(count("nested/BUILD", "//:f.bzl", ""), 1);
    let gone = [
        "@other//pkg:f.bzl",
        "//pkg:gone.bzl",
        "//:f.bzl",
        "//pkg:../pkg/f.bzl",
        "//pkg",
    ];
    for label in gone {
        assert_eq!(count("pkg/BUILD", label, ""), 0, "{label}");
    }
    // Large files are analyzed in a process that sees no workspace.
    let below = "\n# and so on\n".repeat(30_000);
    assert_eq!(count("pkg/BUILD", ":f.bzl", &below), 1);
}
