//! Tests the sources of the toolchain binary.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use fixpoint_e2e::{Outcome, Workspace, binary, run};
use tempfile::TempDir;

use crate::messy;
use crate::release::{host, package};

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

/// A digest that no archive has.
const WRONG: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A platform of a release that is not this machine's, and its constraint on the operating system.
fn other_platform() -> (&'static str, &'static str) {
    match host().1 {
        "macos-arm64" => ("linux-arm64", "linux"),
        _ => ("macos-arm64", "osx"),
    }
}

/// A `prebuilt` tag for archives in a folder.
fn prebuilt(folder: &Path, digests: &[(&str, &str)]) -> String {
    let digests = digests
        .iter()
        .map(|(platform, digest)| format!("        \"{platform}\": \"{digest}\",\n"));
    format!(
        "prebuilt(\n    sha256 = {{\n{}    }},\n    urls = [\"file://{}/fixpoint-{{platform}}.tar.gz\"],\n)",
        digests.collect::<String>(),
        folder.display()
    )
}

#[test]
fn a_prebuilt_archive_is_fetched_only_for_the_platform_that_actions_run_on() {
    let workspace = messy();
    let folder = TempDir::new().expect("a folder");
    package(folder.path());
    let digests = folder.path().join(format!("fixpoint-{}.sha256", host().1));
    let digests = fs::read_to_string(digests).expect("the digests");
    let digest = digests.split(' ').next().expect("a digest");

    // The other platform has no archive, so that fetching it would fail.
    let (other, os) = other_platform();
    let both = [(host().1, digest), (other, WRONG)];
    take(&workspace, &prebuilt(folder.path(), &both));
    build(&workspace).succeeds();

    // Actions run on the other platform, and `bazel run` still on this one.
    let module = workspace.read("MODULE.bazel");
    workspace.write(
        "MODULE.bazel",
        module + "\nbazel_dep(name = \"platforms\", version = \"0.0.10\")\n",
    );
    workspace.write(
        "remote/BUILD.bazel",
        format!(
            "platform(\n    name = \"remote\",\n    constraint_values = [\n        \
             \"@platforms//cpu:aarch64\",\n        \"@platforms//os:{os}\",\n    ],\n)\n"
        ),
    );
    let remote = "--extra_execution_platforms=//remote";
    workspace
        .bazel(["build", "--config=fix", remote, "//pkg:files"])
        .fails()
        .says(&format!("fixpoint-{other}.tar.gz"));
    workspace
        .bazel(["run", remote, "//:fix", "--", "--check"])
        .exits(1)
        .says("pkg/messy.py:1:1");
}

#[test]
fn a_prebuilt_archive_with_another_digest_is_rejected() {
    let workspace = messy();
    let folder = TempDir::new().expect("a folder");
    let archive = folder.path().join(format!("fixpoint-{}.tar.gz", host().1));
    fs::write(archive, "not the archive").expect("an archive");
    take(&workspace, &prebuilt(folder.path(), &[(host().1, WRONG)]));
    build(&workspace).fails().says("Checksum was");
}

#[test]
fn a_wrong_prebuilt_tag_is_reported_with_the_key_and_the_value() {
    let workspace = messy();
    let folder = TempDir::new().expect("a folder");
    let (other, _) = other_platform();
    let check = |digests: &[(&str, &str)], message: &str| {
        take(&workspace, &prebuilt(folder.path(), digests));
        build(&workspace).fails().says(message);
    };
    check(
        &[("linux-amd64", WRONG)],
        "`sha256` has the unknown platform `linux-amd64`; use `linux-arm64`, `linux-x86_64`,",
    );
    check(
        &[("linux-x86_64", "abc")],
        "the `sha256` of `linux-x86_64` is `abc`, with 3 characters",
    );
    check(
        &[("linux-x86_64", &WRONG.replace('0', "g"))],
        "it must be the 64 hexadecimal digits that `sha256sum` prints",
    );
    check(
        &[(other, WRONG)],
        &format!("`sha256` has no digest for `{}`", host().1),
    );
    let both = [(host().1, WRONG), (other, WRONG)];
    take(
        &workspace,
        &prebuilt(folder.path(), &both).replace("{platform}", host().1),
    );
    build(&workspace)
        .fails()
        .says("put `{platform}` where their archives differ");
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

#[test]
fn another_path_does_not_build_the_binary_again() {
    let workspace = messy();
    let module = workspace.read("MODULE.bazel");
    let (module, _) = module.split_once("\nfixpoint = ").expect("a tag");
    workspace.write("MODULE.bazel", module);
    let given = format!("--repo_env=FIXPOINT_BINARY={}", binary().display());
    let build = |path: &str| {
        let arguments = ["build", "--config=fix", &given, "//pkg:files"];
        run(workspace.command(arguments).env("PATH", path)).succeeds();
        let base = workspace.bazel(["info", "output_base"]).succeeds().stdout;
        let external = fs::read_dir(Path::new(base.trim()).join("external")).expect("a folder");
        let mut folders = external.map(|entry| entry.expect("an entry").path());
        let is_binary = |folder: &PathBuf| folder.to_string_lossy().ends_with("fixpoint_binary");
        folders.find(is_binary).expect("the repository")
    };
    let path = env::var("PATH").expect("a path");
    // If Bazel fetches the repository again, this file is removed.
    let kept = build(&path).join("kept");
    fs::write(&kept, "").expect("written");
    build(&format!("{path}:/nowhere"));
    assert!(kept.exists());
}
