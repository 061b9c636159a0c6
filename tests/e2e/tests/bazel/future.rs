//! Tests the flags of Bazel 7 that have the effect of later versions.

use fixpoint_e2e::Workspace;

use crate::{CLEAN, add_messy};

const FLAGS: [&str; 4] = [
    "--noenable_workspace",
    "--incompatible_autoload_externally=",
    "--incompatible_disallow_empty_glob",
    "--incompatible_use_plus_in_repo_names",
];

#[test]
fn every_command_works_with_the_defaults_of_bazel_8_and_9() {
    let workspace = Workspace::new();
    add_messy(&workspace);
    let rc = workspace.read(".bazelrc");
    let flags = FLAGS.map(|flag| format!("common {flag}\n")).concat();
    workspace.write(".bazelrc", rc + &flags);
    let root =
        workspace
            .read("BUILD.bazel")
            .replacen("\"fix\")", "\"fix\", \"fix_workspace_test\")", 1);
    let test = "\nfix_workspace_test(name = \"fixpoint_test\")\n";
    workspace.write("BUILD.bazel", root + test);
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    workspace
        .bazel(["build", "--config=strict", "//pkg:files"])
        .exits(1)
        .says("pkg/messy.py:1:1: not in canonical form [format-python]");
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .says("Fixed pkg/messy.py");
    assert_eq!(workspace.read("pkg/messy.py"), CLEAN);
    workspace.bazel(["run", "//:fix"]).succeeds();
    workspace
        .bazel(["test", "--config=strict", "//..."])
        .succeeds();
}
