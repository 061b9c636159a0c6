//! Tests that only `bazel run //:fix` writes source files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use fixpoint_e2e::{Outcome, Tree, Workspace, run};

use crate::{MESSY, add_messy, messy};

#[test]
fn a_hostile_action_cannot_write_a_source() {
    // C-13 C-53 C-93
    let workspace = messy();
    let hostile = r#"
genrule(
    name = "hostile",
    srcs = ["messy.py"],
    outs = ["out.txt"],
    cmd = "echo hostile >> $$(readlink -f $(location messy.py)); echo done > $@",
    tags = ["no-cache"],
)
"#;
    let build = workspace.read("pkg/BUILD.bazel") + hostile;
    workspace.write("pkg/BUILD.bazel", build);
    let before = Tree::of(workspace.root());
    workspace.bazel(["build", "--config=fix", "//pkg:hostile"]);
    before.is_unchanged();
    // The attack is real: without the sandbox, it succeeds.
    workspace
        .bazel([
            "build",
            "--spawn_strategy=local",
            "//pkg:hostile",
            "--action_env=AGAIN=1",
        ])
        .succeeds();
    assert_eq!(before.changed(), ["pkg/messy.py"]);
}

#[test]
fn builds_tests_and_strict_runs_change_no_file() {
    // C-53 C-62 C-67 C-93
    let workspace = messy();
    let before = Tree::of(workspace.root());
    run_everything_except_the_writer(|arguments| workspace.bazel(arguments));
    before.is_unchanged();
}

#[test]
fn everything_except_the_writer_works_in_a_read_only_tree() {
    // C-53 C-62 C-67 C-93
    let workspace = Workspace::fresh();
    add_messy(&workspace);
    workspace.write(
        "run/BUILD.bazel",
        "sh_binary(\n    name = \"run\",\n    srcs = [\"run.sh\"],\n)\n",
    );
    workspace.write("run/run.sh", "#!/bin/sh\necho it runs\n");
    let program = workspace.path("run/run.sh");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).expect("a mode");
    let before = Tree::of(workspace.root());
    let read_only = |arguments: &[&str]| {
        let mut with_links = arguments.to_vec();
        with_links.insert(1, "--experimental_convenience_symlinks=ignore");
        mounted_read_only(workspace.root(), &workspace.command(with_links))
    };
    let touch = Command::new("touch");
    let touched = mounted_read_only(
        workspace.root(),
        Command::new(touch.get_program()).arg("pkg/new"),
    );
    touched.fails().says("Read-only file system");
    run_everything_except_the_writer(read_only);
    read_only(&["run", "//run"]).succeeds().says("it runs");
    // The writer prints one line about it, and writes nothing.
    read_only(&["run", "//:fix"]).exits(3).says("ead-only");
    assert_eq!(workspace.read("pkg/messy.py"), MESSY);
    before.is_unchanged();
}

fn run_everything_except_the_writer(bazel: impl Fn(&[&str]) -> Outcome) {
    bazel(&["build", "//..."]).succeeds();
    bazel(&["build", "--config=fix", "//..."]).succeeds();
    bazel(&["test", "//..."]).succeeds();
    bazel(&["build", "--config=strict", "//..."]).exits(1);
    bazel(&["test", "--config=strict", "//..."]).fails();
    bazel(&["run", "//:fix", "--", "--check"]).exits(1);
    bazel(&["run", "//:fix", "--", "--diff"]).says("+x = {\"a\": 1}");
}

/// Runs a command with a folder mounted read-only. Unlike permission bits, a mount applies to a
/// superuser, too.
fn mounted_read_only(folder: &Path, command: &Command) -> Outcome {
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && cd \"$1\" && shift && exec \"$@\"";
    run(Command::new("unshare")
        .args(["--map-root-user", "--mount", "--", "sh", "-c", script, "sh"])
        .arg(folder)
        .arg(command.get_program())
        .args(command.get_args()))
}
