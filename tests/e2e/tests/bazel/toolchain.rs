//! Tests the sources of the toolchain binary.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use fixpoint_e2e::{Outcome, Workspace, binary, run};
use tempfile::TempDir;

use crate::messy;

/// Replaces the lines of MODULE.bazel that select the binary.
fn take(workspace: &Workspace, tag: &str) {
    let module = workspace.read("MODULE.bazel");
    let (before, _) = module.split_once("\nfixpoint.").expect("a tag");
    workspace.write("MODULE.bazel", format!("{before}\nfixpoint.{tag}\n"));
}

/// Runs a build that needs the binary. The variable is removed, because it would override the
/// module.
fn build(workspace: &Workspace) -> Outcome {
    run(workspace
        .command(["build", "--config=fix", "//pkg:files"])
        .env_remove("FIXPOINT_BINARY"))
}

#[test]
fn a_prebuilt_binary_must_have_the_given_digest() {
    let workspace = messy();
    let digest = run(Command::new("sha256sum").arg(binary()))
        .succeeds()
        .stdout;
    let digest = digest.split(' ').next().expect("a digest");
    let prebuilt = |digest: &str| {
        format!(
            "prebuilt(\n    sha256 = \"{digest}\",\n    urls = [\"file://{}\"],\n)",
            binary().display()
        )
    };
    take(&workspace, &prebuilt(digest));
    build(&workspace).succeeds();
    take(
        &workspace,
        &prebuilt(&digest.replace(|it: char| it.is_ascii_digit(), "a")),
    );
    build(&workspace).fails().says("Checksum was");
}

#[test]
fn a_binary_given_by_path_is_copied_again_when_it_changes() {
    let workspace = messy();
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("fixpoint");
    fs::copy(binary(), &path).expect("a copy");
    take(&workspace, &format!("path(path = \"{}\")", path.display()));
    build(&workspace).succeeds();
    fs::remove_file(&path).expect("removed");
    fs::write(&path, "#!/bin/sh\necho another binary >&2\nexit 9\n").expect("another");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    build(&workspace).fails().says("another binary");
}
