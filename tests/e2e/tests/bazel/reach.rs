//! Tests which files are examined.

use fixpoint_e2e::Workspace;

use crate::{CLEAN, MESSY, messy};

#[test]
fn generated_and_external_files_are_skipped_and_counted() {
    let workspace = Workspace::new();
    let module = workspace.read("MODULE.bazel")
        + "\nbazel_dep(name = \"other\")\nlocal_path_override(\n    module_name = \"other\",\n    path = \"other\",\n)\n";
    workspace.write("MODULE.bazel", module);
    workspace.write(".bazelignore", "other\n");
    workspace.write("other/MODULE.bazel", "module(name = \"other\")\n");
    workspace.write("other/BUILD.bazel", "exports_files([\"theirs.py\"])\n");
    workspace.write("other/theirs.py", MESSY);
    workspace.write(
        "pkg/BUILD.bazel",
        r#"load("@fixpoint//rules:defs.bzl", "fix_test")

genrule(
    name = "generate",
    outs = ["generated.py"],
    cmd = "echo \"x = { 'b':2 }\" > $@",
)

filegroup(
    name = "files",
    srcs = [
        "generated.py",
        "ours.py",
        "@other//:theirs.py",
    ],
)

fix_test(
    name = "canonical",
    targets = [":files"],
)
"#,
    );
    workspace.write("pkg/ours.py", CLEAN);
    workspace
        .bazel([
            "test",
            "--config=strict",
            "--test_output=all",
            "//pkg:canonical",
        ])
        .succeeds()
        .says("examined 1 file (left out: 1 generated, 1 of other repositories)");
    workspace
        .bazel(["build", "--config=strict", "//..."])
        .succeeds();
}

#[test]
fn the_tag_no_fixpoint_excludes_a_target() {
    let workspace = Workspace::new();
    workspace.write(
        "pkg/BUILD.bazel",
        "filegroup(\n    name = \"files\",\n    srcs = [\"messy.py\"],\n    tags = [\"no-fixpoint\"],\n)\n",
    );
    workspace.write("pkg/messy.py", MESSY);
    workspace
        .bazel(["build", "--config=strict", "//..."])
        .succeeds();
    let analyzed = workspace
        .bazel([
            "aquery",
            "--config=fix",
            "--output=text",
            "mnemonic('FixpointAnalyze', //pkg:all)",
        ])
        .succeeds();
    assert!(!analyzed.stdout.contains("FixpointAnalyze"), "{analyzed}");
}

#[test]
fn file_names_may_contain_spaces_quotes_and_any_letters() {
    let workspace = Workspace::new();
    let names = [
        "with space.py",
        "größe.py",
        "日本.py",
        "it's.py",
        "a+b=c,d@e.py",
    ];
    let list: String = names
        .iter()
        .map(|name| format!("        \"{name}\",\n"))
        .collect();
    workspace.write(
        "pkg/BUILD.bazel",
        format!(
            "load(\"@fixpoint//rules:defs.bzl\", \"fix\", \"fix_test\")\n\nfilegroup(\n    name = \"files\",\n    \
             srcs = [\n{list}    ],\n)\n\nfix(\n    name = \"fix\",\n    targets = [\":files\"],\n)\n\n\
             fix_test(\n    name = \"canonical\",\n    targets = [\":files\"],\n)\n"
        ),
    );
    for name in names {
        workspace.write(format!("pkg/{name}"), MESSY);
    }
    let strict = workspace
        .bazel(["build", "--config=strict", "//pkg:files"])
        .exits(1);
    for name in names {
        assert!(
            strict.said().contains(&format!("pkg/{name}:1:1:")),
            "{name}: {strict}"
        );
    }
    workspace
        .bazel(["test", "--test_output=all", "//pkg:canonical"])
        .succeeds()
        .says("examined 5 files; 5 not canonical");
    workspace
        .bazel(["run", "//pkg:fix"])
        .succeeds()
        .says("Fixed 5 of 5 files");
    for name in names {
        assert_eq!(workspace.read(format!("pkg/{name}")), CLEAN, "{name}");
    }
    workspace
        .bazel(["test", "--config=strict", "//pkg:all"])
        .succeeds();
}

#[test]
fn every_attribute_that_names_source_files_counts() {
    let workspace = Workspace::new();
    workspace.write(
        "pkg/BUILD.bazel",
        r#"genrule(
    name = "generate",
    srcs = ["in_srcs.py"],
    outs = ["out.txt"],
    cmd = "echo > $@",
    tools = ["in_tools.py"],
)

sh_library(
    name = "library",
    srcs = ["library.sh"],
    data = ["in_data.py"],
)

cc_library(
    name = "headers",
    hdrs = ["in_hdrs.h"],
)
"#,
    );
    for name in ["in_srcs.py", "in_tools.py", "in_data.py"] {
        workspace.write(format!("pkg/{name}"), MESSY);
    }
    workspace.write("fixpoint.toml", "[language.text]\ninclude = [\"*.h\"]\n");
    workspace.write("pkg/library.sh", "true\n");
    workspace.write("pkg/in_hdrs.h", "#pragma once");
    let strict = workspace
        .bazel(["build", "--keep_going", "--config=strict", "//pkg:all"])
        .exits(1);
    for name in ["in_srcs.py", "in_tools.py", "in_data.py", "in_hdrs.h"] {
        assert!(
            strict.said().contains(&format!("pkg/{name}:1:1:")),
            "{name}: {strict}"
        );
    }
}

#[test]
fn a_file_that_a_test_names_twice_is_printed_once() {
    let workspace = messy();
    let build = workspace.read("pkg/BUILD.bazel");
    let build = build.replace(
        "    targets = [\":files\"],",
        "    srcs = [\"messy.py\"],\n    targets = [\":files\"],",
    );
    workspace.write("pkg/BUILD.bazel", build);
    let strict = workspace
        .bazel([
            "test",
            "--config=strict",
            "--test_output=errors",
            "//pkg:canonical",
        ])
        .fails()
        .says("//pkg:canonical: examined 2 files; 1 not canonical, 1 safe fix pending");
    // The check of the build prints it once, and the test prints it once.
    let said = strict.said();
    assert_eq!(said.matches("pkg/messy.py:1:1:").count(), 2, "{strict}");
}

#[test]
fn the_audit_lists_the_files_that_nothing_checks() {
    let workspace = messy();
    workspace.write("pkg/forgotten.yaml", "a: 1\n");
    workspace.bazel(["clean"]).succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--audit"])
        .exits(3)
        .says("run `bazel build --config=fix //...` first");
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--audit"])
        .exits(1)
        .says("pkg/forgotten.yaml: no target lists it")
        .does_not_say("pkg/messy.py");
    workspace.write("pkg/messy.py", "y = 1\n");
    workspace
        .bazel(["run", "//:fix", "--", "--audit"])
        .exits(1)
        .says("pkg/messy.py: changed since the build");
}
