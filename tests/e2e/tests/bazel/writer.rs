//! Tests `bazel run //:fix`: what it writes, and what it refuses to write.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use fixpoint_e2e::{Outcome, Tree, Workspace, run};

use crate::{CLEAN, MESSY, messy};

/// A workspace whose `//pkg:fix` writes only the files of one target.
fn with_targets() -> Workspace {
    let workspace = Workspace::new();
    workspace.write(
        "pkg/BUILD.bazel",
        "load(\"@fixpoint//rules:defs.bzl\", \"fix\")\n\nfilegroup(\n    name = \"files\",\n    srcs = \
         [\"messy.py\"],\n)\n\nfix(\n    name = \"fix\",\n    targets = [\":files\"],\n)\n",
    );
    workspace.write("pkg/messy.py", MESSY);
    workspace.write("pkg/unlisted.py", MESSY);
    workspace
}

/// The executable of a `fix` target, started as `bazel run` starts it, without building it again.
fn start(workspace: &Workspace, program: &str) -> Command {
    let mut command = Command::new(workspace.path("bazel-bin").join(program));
    command
        .current_dir(workspace.path(format!("bazel-bin/{program}.runfiles/_main")))
        .env("BUILD_WORKSPACE_DIRECTORY", workspace.root())
        .env("BUILD_WORKING_DIRECTORY", workspace.root());
    command
}

fn git(workspace: &Workspace, arguments: &[&str]) -> Outcome {
    run(Command::new("git")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.com"])
        .args(arguments)
        .current_dir(workspace.root()))
    .succeeds()
}

#[test]
fn without_targets_the_whole_workspace_is_written_build_files_and_unlisted_files_included() {
    // C-60 C-61 C-67
    let workspace = messy();
    workspace.write("unlisted/notes.md", "#  Title\n");
    workspace.write("deep/BUILD.bazel", "exports_files( [ 'x' ] )\n");
    workspace
        .bazel(["run", "//:fix"])
        .succeeds()
        .says("Fixed deep/BUILD.bazel (format-starlark)")
        .says("Fixed pkg/messy.py (format-python)")
        .says("Fixed unlisted/notes.md (format-markdown)")
        .says("0 fixes rejected, 0 findings remaining");
    assert_eq!(workspace.read("pkg/messy.py"), CLEAN);
    assert_eq!(workspace.read("unlisted/notes.md"), "# Title\n");
    let after = Tree::of(workspace.root());
    workspace
        .bazel(["run", "//:fix"])
        .succeeds()
        .says("Fixed 0 of ");
    after.is_unchanged();
}

#[test]
fn with_targets_their_files_are_written_and_no_others() {
    // C-60 C-61
    let workspace = with_targets();
    workspace
        .bazel(["run", "//pkg:fix"])
        .succeeds()
        .says("Fixed pkg/messy.py (format-python)\nFixed 1 of 1 file");
    assert_eq!(workspace.read("pkg/messy.py"), CLEAN);
    assert_eq!(workspace.read("pkg/unlisted.py"), MESSY);
}

#[test]
fn the_reports_of_a_build_are_applied() {
    // C-60
    let workspace = messy();
    workspace.bazel(["clean"]).succeeds();
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .succeeds()
        .says("Fixed pkg/messy.py (format-python)");
    assert_eq!(workspace.read("pkg/messy.py"), CLEAN);
}

#[test]
fn a_stale_report_is_refused_and_the_others_are_applied() {
    // C-60
    let workspace = messy();
    workspace.bazel(["clean"]).succeeds();
    workspace.write("pkg/clean.py", MESSY);
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    let edited = "y = { 'b':2 }\n";
    workspace.write("pkg/messy.py", edited);
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .exits(3)
        .says("pkg/messy.py: the report of the build is out of date")
        .says("nothing was written to it. Run `bazel build --config=fix //...` again");
    assert_eq!(workspace.read("pkg/messy.py"), edited);
    assert_eq!(workspace.read("pkg/clean.py"), CLEAN);
}

#[test]
fn a_file_that_changed_between_build_and_run_is_refused_and_nothing_is_written() {
    let workspace = with_targets();
    workspace.bazel(["build", "//pkg:fix"]).succeeds();
    workspace.write("pkg/messy.py", "y = { 'b':2 }\n");
    let before = Tree::of(workspace.root());
    run(&mut start(&workspace, "pkg/fix"))
        .exits(3)
        .says("pkg/messy.py")
        .says("nothing was written");
    before.is_unchanged();
}

#[test]
fn the_writer_runs_in_a_subfolder_with_relative_paths() {
    let workspace = messy();
    workspace.write("other/messy.py", MESSY);
    run(workspace
        .command(["run", "//:fix", "--", "messy.py"])
        .current_dir(workspace.path("pkg")))
    .succeeds()
    .says("Fixed pkg/messy.py");
    assert_eq!(workspace.read("other/messy.py"), MESSY);
    run(workspace
        .command(["run", "//:fix"])
        .current_dir(workspace.path("pkg")))
    .succeeds()
    .says("Fixed other/messy.py");
    run(workspace
        .command(["build", "--config=strict", "//..."])
        .current_dir(workspace.path("pkg")))
    .succeeds();
}

#[test]
fn two_runs_at_once_write_each_file_once() {
    let workspace = messy();
    for number in 0..100 {
        workspace.write(format!("many/file_{number}.py"), MESSY);
    }
    workspace.bazel(["build", "//:fix"]).succeeds();
    let runs = [0, 1].map(|_| start(&workspace, "fix").spawn().expect("a run"));
    let codes: Vec<_> = runs
        .map(|mut it| it.wait().expect("its end").code())
        .to_vec();
    // A run that finds the workspace locked may refuse, and then has written nothing.
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert!(
        codes.iter().all(|code| matches!(code, Some(0 | 3))),
        "{codes:?}"
    );
    for number in 0..100 {
        assert_eq!(workspace.read(format!("many/file_{number}.py")), CLEAN);
    }
    run(&mut start(&workspace, "fix"))
        .succeeds()
        .says("Fixed 0 of ");
}

#[test]
fn arguments_reach_the_writer() {
    let workspace = messy();
    let before = Tree::of(workspace.root());
    workspace
        .bazel(["run", "//:fix", "--", "--check"])
        .exits(1)
        .says("1 safe fix pending");
    workspace
        .bazel(["run", "//:fix", "--", "--diff"])
        .says("-x = { 'a':1 }\n+x = {\"a\": 1}");
    workspace
        .bazel(["run", "//:fix", "--", "--dry-run"])
        .succeeds()
        .says("pkg/messy.py");
    workspace
        .bazel(["run", "//:fix", "--", "--no-such-flag"])
        .exits(2)
        .says("--no-such-flag");
    before.is_unchanged();
    workspace
        .bazel(["run", "//:fix", "--", "--safety=likely"])
        .succeeds()
        .says("Fixed pkg/messy.py");
    workspace
        .bazel(["run", "//:fix", "--", "--check"])
        .succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--approve", "no-such-fix"])
        .fails()
        .says("no-such-fix");
}

#[test]
fn fixes_that_may_change_behavior_need_approval() {
    // C-61
    let workspace = messy();
    let text =
        "\"\"\"Values.\"\"\"\n\nload(\":other.bzl\", \"one\", \"two\")\n\nHALF = len(two) / 2\n";
    workspace.write("pkg/values.bzl", text);
    workspace.write(
        "pkg/other.bzl",
        "\"\"\"Others.\"\"\"\n\none = [1]\ntwo = [2]\n",
    );
    let output = workspace
        .bazel(["run", "//:fix"])
        .says("applied with --safety=likely")
        .says("0 fixes rejected, 2 findings remaining");
    assert_eq!(workspace.read("pkg/values.bzl"), text);
    let id = output
        .stdout
        .split_once("--approve ")
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(id, _)| id.to_owned())
        .expect("the id of the fix");

    workspace
        .bazel(["run", "//:fix", "--", "--safety=likely"])
        .says("Fixed pkg/values.bzl")
        .says("1 finding remaining");
    let without_load = text.replace("\"one\", ", "");
    assert_eq!(workspace.read("pkg/values.bzl"), without_load);

    workspace
        .bazel(["run", "//:fix", "--", "--approve", &id])
        .says("Fixed pkg/values.bzl (integer-division)")
        .says("0 findings remaining");
    assert_eq!(
        workspace.read("pkg/values.bzl"),
        without_load.replace(" / ", " // ")
    );
}

#[test]
fn a_commit_hook_that_runs_it_keeps_strict_green() {
    // C-68
    let workspace = messy();
    workspace.write(".gitignore", "/bazel-*\n");
    git(&workspace, &["init", "--quiet"]);
    git(
        &workspace,
        &["commit", "--quiet", "--allow-empty", "--message=start"],
    );
    let command = format!(
        "{:?}",
        workspace.command(["run", "//:fix", "--", "--changed"])
    );
    workspace.write(
        ".git/hooks/pre-commit",
        format!("#!/bin/sh\nset -e\n{command}\ngit add --update\n"),
    );
    let hook = workspace.path(".git/hooks/pre-commit");
    fs::set_permissions(hook, fs::Permissions::from_mode(0o755)).expect("a mode");
    git(&workspace, &["add", "."]);
    git(&workspace, &["commit", "--quiet", "--message=first"]);
    let committed = git(&workspace, &["show", "HEAD:pkg/messy.py"]);
    assert_eq!(committed.stdout, CLEAN);
    workspace
        .bazel(["test", "--config=strict", "//..."])
        .succeeds();
}

#[test]
fn the_flag_changed_limits_the_run_to_changed_files() {
    let workspace = messy();
    workspace.write(".gitignore", "/bazel-*\n");
    git(&workspace, &["init", "--quiet"]);
    git(&workspace, &["add", "."]);
    git(&workspace, &["commit", "--quiet", "--message=first"]);
    workspace.write("pkg/new.py", MESSY);
    workspace
        .bazel(["run", "//:fix", "--", "--changed"])
        .succeeds()
        .says("Fixed pkg/new.py");
    assert_eq!(workspace.read("pkg/messy.py"), MESSY);
}
