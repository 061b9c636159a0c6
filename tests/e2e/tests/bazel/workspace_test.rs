//! Tests `fix_workspace_test`, which covers every file of the workspace.

use fixpoint_e2e::{Tree, Workspace};

use crate::{CLEAN, MESSY};

/// Bazel's exit status if only tests failed.
const TESTS_FAILED: i32 = 3;

const STRICT: [&str; 4] = ["test", "--config=strict", "--test_output=errors", "//..."];

/// A workspace with the test at its root, and nothing of Fixpoint in any other package.
fn covered(attributes: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write(
        "BUILD.bazel",
        format!(
            "load(\"@fixpoint//rules:defs.bzl\", \"fix\", \"fix_workspace_test\")\n\n\
             fix(name = \"fix\")\n\n\
             fix_workspace_test(\n    name = \"fixpoint_test\",\n{attributes})\n"
        ),
    );
    workspace.bazel(["run", "//:fix"]).succeeds();
    workspace
}

#[test]
fn one_test_at_the_root_covers_build_files_and_files_that_no_target_names() {
    let workspace = covered("");
    workspace.write("pkg/BUILD.bazel", "exports_files( [ 'a.bzl' ] )\n");
    workspace.write("pkg/a.bzl", "A = [1,2]\n");
    workspace.write("pkg/deep/nobody_names.py", MESSY);
    let files = Tree::of(workspace.root());
    workspace
        .bazel(["test", "--test_output=all", "//..."])
        .succeeds()
        .says("pkg/BUILD.bazel:1:1: not in canonical form")
        .says("permissive: this does not fail");
    let strict = workspace
        .bazel(STRICT)
        .exits(TESTS_FAILED)
        .says("//:fixpoint_test")
        .says("FAILED")
        .says("bazel run //:fix");
    for name in ["BUILD.bazel", "a.bzl", "deep/nobody_names.py"] {
        let line = format!("pkg/{name}:1:");
        assert!(strict.said().contains(&line), "{name}: {strict}");
    }
    files.is_unchanged();
    workspace.bazel(["run", "//:fix"]).succeeds();
    workspace.bazel(STRICT).succeeds();
}

#[test]
fn the_next_run_sees_every_changed_added_removed_and_renamed_file() {
    let workspace = covered("");
    workspace.write("pkg/a.py", CLEAN);
    workspace.bazel(STRICT).succeeds();
    workspace.write("pkg/a.py", MESSY);
    workspace.bazel(STRICT).fails().says("pkg/a.py:1:1:");
    // The file has the bytes of the first run again, which the test knows.
    workspace.write("pkg/a.py", CLEAN);
    workspace.bazel(STRICT).succeeds();
    workspace.write("new/b.py", MESSY);
    workspace.bazel(STRICT).fails().says("new/b.py:1:1:");
    let rename = |from: &str, to: &str| {
        std::fs::rename(workspace.path(from), workspace.path(to)).expect("renamed");
    };
    rename("new/b.py", "new/c.py");
    workspace
        .bazel(STRICT)
        .fails()
        .says("new/c.py:1:1:")
        .does_not_say("new/b.py");
    // A file of this name is not examined, although its bytes are the same.
    rename("new/c.py", "new/c.unknown");
    workspace.bazel(STRICT).succeeds();
    rename("new/c.unknown", "new/c.py");
    std::fs::remove_dir_all(workspace.path("new")).expect("removed");
    workspace.bazel(STRICT).succeeds();
    workspace.write(".gitignore", "made/\n");
    workspace.write("made/d.py", MESSY);
    workspace.bazel(STRICT).succeeds();
    workspace.write(".gitignore", "");
    workspace.bazel(STRICT).fails().says("made/d.py:1:1:");
}

#[test]
fn settings_and_files_that_a_file_refers_to_are_seen_too() {
    let workspace = covered("");
    workspace.write("a.json", "{ \"$schema\": \"./s.json\", \"port\": 1 }\n");
    workspace.write("s.json", "{}\n");
    workspace.bazel(["run", "//:fix"]).succeeds();
    workspace.bazel(STRICT).succeeds();
    let schema = "{ \"properties\": { \"port\": { \"type\": \"string\" } } }\n";
    workspace.write("s.json", schema);
    workspace.bazel(STRICT).fails().says("a.json:");
    workspace.write("s.json", "{}\n");
    workspace.bazel(STRICT).succeeds();
    workspace.write("pkg/a.py", MESSY);
    workspace.write("fixpoint.toml", "exclude = [\"pkg/**\"]\n");
    workspace.bazel(STRICT).succeeds();
    workspace.write("fixpoint.toml", "");
    workspace.bazel(STRICT).fails().says("pkg/a.py:1:1:");
}

#[test]
fn the_mode_can_be_pinned() {
    let workspace = covered("    mode = \"strict\",\n");
    workspace.bazel(["test", "//..."]).succeeds();
    workspace.write("a.py", MESSY);
    workspace.bazel(["test", "//..."]).exits(TESTS_FAILED);
    let build = workspace.read("BUILD.bazel");
    workspace.write("BUILD.bazel", build.replace("\"strict\"", "\"permissive\""));
    workspace
        .bazel(["test", "--config=strict", "--test_output=all", "//..."])
        .succeeds()
        .says("(permissive: this does not fail)");
}

#[test]
fn the_test_checks_documents_by_the_schemas_it_is_given() {
    let workspace = covered("    schemas = [\":numbers\"],\n");
    let build = workspace.read("BUILD.bazel");
    let build = build.replace("\"fix\",", "\"document_schema\", \"fix\",");
    let schema = "\ndocument_schema(\n    name = \"numbers\",\n    srcs = [\"numbers.json\"],\n    \
                  schema = \"schema.json\",\n)\n";
    workspace.write("BUILD.bazel", build + schema);
    workspace.write("schema.json", "{ \"type\": \"array\" }\n");
    workspace.write("numbers.json", "{}\n");
    workspace.bazel(STRICT).fails().says("numbers.json:1:1:");
    workspace.write("numbers.json", "[]\n");
    workspace.bazel(STRICT).succeeds();
}

#[test]
fn the_test_belongs_to_the_root() {
    let workspace = Workspace::new();
    workspace.write(
        "pkg/BUILD.bazel",
        "load(\"@fixpoint//rules:defs.bzl\", \"fix_workspace_test\")\n\n\
         fix_workspace_test(name = \"fixpoint_test\")\n",
    );
    workspace
        .bazel(["build", "//pkg:all"])
        .fails()
        .says("declare it in the BUILD file at the root, not in //pkg");
}
