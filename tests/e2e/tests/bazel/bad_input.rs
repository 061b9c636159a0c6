//! Tests mistakes of users: each gives one clear line and the documented exit status, and nothing
//! is written.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use fixpoint_e2e::{Tree, binary, run};

use crate::messy;

#[test]
fn a_missing_toolchain_binary_is_named() {
    let workspace = messy();
    let module = workspace.read("MODULE.bazel");
    let there = format!("\"{}\"", binary().display());
    workspace.write(
        "MODULE.bazel",
        module.replace(&there, "\"/no/such/fixpoint\""),
    );
    // The variable would override the path in MODULE.bazel.
    let bazel =
        |arguments: &[&str]| run(workspace.command(arguments).env_remove("FIXPOINT_BINARY"));
    bazel(&["build", "--config=fix", "//pkg:files"])
        .fails()
        .says("there is no Fixpoint binary at /no/such/fixpoint; build it, or correct the path");
    // A build without fixes does not need the binary.
    bazel(&["build", "//pkg:files"]).succeeds();
}

#[test]
fn a_missing_cargo_is_reported_if_the_toolchain_is_built_from_source() {
    let workspace = messy();
    let module = workspace.read("MODULE.bazel");
    let without = module
        .split("fixpoint = use_extension")
        .next()
        .expect("a part");
    workspace.write("MODULE.bazel", without);
    run(workspace
        .command([
            "build",
            "--config=fix",
            "--repo_env=PATH=/usr/bin:/bin",
            "//pkg:files",
        ])
        .env_remove("FIXPOINT_BINARY"))
    .fails()
    .says("there is no cargo on the PATH; install Rust");
}

#[test]
fn an_unknown_key_in_the_configuration_is_named_with_the_nearest_valid_one() {
    let workspace = messy();
    workspace.write("fixpoint.toml", "exclud = [\"pkg/**\"]\n");
    let before = Tree::of(workspace.root());
    for arguments in [
        &["build", "--config=fix", "//..."][..],
        &["build", "--config=strict", "//..."],
        &["run", "//:fix"],
    ] {
        let outcome = workspace
            .bazel(arguments)
            .fails()
            .says("exclud")
            .says("exclude");
        assert!(outcome.said().contains("fixpoint.toml"), "{outcome}");
    }
    before.is_unchanged();
}

#[test]
fn a_report_of_another_version_is_refused() {
    let workspace = messy();
    workspace.bazel(["clean"]).succeeds();
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    let report = workspace.path("bazel-bin/pkg/files.fixpoint/report/pkg/messy.py.fix.pb");
    let bytes = fs::read(&report).expect("a report");
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let at = bytes
        .windows(version.len())
        .position(|window| window == version)
        .expect("a report names the version that made it");
    let mut other = bytes.clone();
    other[at] = b'9';
    fs::set_permissions(&report, fs::Permissions::from_mode(0o644)).expect("a mode");
    fs::write(&report, other).expect("a report");
    let before = Tree::of(workspace.root());
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .exits(3)
        .says("pkg/messy.py")
        .says("bazel build --config=fix //...");
    before.is_unchanged();
}

#[test]
fn outside_a_workspace_the_writer_says_how_to_start_it() {
    let workspace = messy();
    workspace.bazel(["build", "//:fix"]).succeeds();
    let before = Tree::of(workspace.root());
    run(Command::new(workspace.path("bazel-bin/fix")).current_dir("/"))
        .exits(2)
        .says("start it with `bazel run //:fix`");
    before.is_unchanged();
    let elsewhere = tempfile::TempDir::new().expect("a folder");
    run(workspace
        .command(["run", "//:fix"])
        .current_dir(elsewhere.path()))
    .fails();
}
