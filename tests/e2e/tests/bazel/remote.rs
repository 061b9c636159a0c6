//! Tests Fixpoint's actions on a remote executor. It runs each action in a root that contains only the inputs of the
//! action, so these tests also show that the actions need nothing else.

use std::collections::BTreeMap;

use fixpoint_e2e::{Outcome, RemoteExecutor, Workspace};

use crate::cache::{made, processes};
use crate::{CLEAN, MESSY, add_messy};

const CLANK: &str = r#"load("@fixpoint//rules:defs.bzl", "canonical_sources", "clank_binary")

clank_binary(
    name = "program",
    srcs = ["program.clank"],
)

canonical_sources(
    name = "canonical",
    srcs = ["other.py"],
)
"#;

/// A workspace with the files of all kinds of actions, and nothing built.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    add_messy(&workspace);
    workspace.write("clank/BUILD.bazel", CLANK);
    workspace.write(
        "clank/program.clank",
        "fn main() -> IO + Unit {\n  println(\"it runs\")\n}\n",
    );
    workspace.write("clank/other.py", MESSY);
    workspace.bazel(["clean"]).succeeds();
    workspace
}

fn build(workspace: &Workspace, executor: &RemoteExecutor, flags: &[&str]) -> Outcome {
    let flag = executor.flag();
    workspace.bazel(["build", &flag].iter().chain(flags).chain(&["//..."]))
}

/// The reports that a build has made, by path.
fn reports(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
    reports_among(&made(workspace))
}

fn reports_among(made: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let is_report = |(path, _): &(&String, &Vec<u8>)| path.ends_with(".fix.pb");
    let reports = made.iter().filter(is_report);
    let reports: BTreeMap<_, _> = reports
        .map(|(path, bytes)| (path.clone(), bytes.clone()))
        .collect();
    assert!(!reports.is_empty());
    reports
}

#[test]
fn every_action_runs_in_a_root_with_nothing_but_its_inputs() {
    let (workspace, executor) = (workspace(), RemoteExecutor::start());
    let built = build(&workspace, &executor, &["--config=fix"]).succeeds();
    let ran = processes(&built);
    assert!(
        ran.contains("remote") && !ran.contains("sandbox"),
        "{built}"
    );
    let remote = made(&workspace);
    let canonical = workspace.read("bazel-bin/clank/other.py");
    assert_eq!(canonical, CLEAN);
    // The same build on this machine has the same bytes.
    workspace.bazel(["clean"]).succeeds();
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    assert!(
        reports(&workspace) == reports_among(&remote),
        "bytes differ"
    );

    build(&workspace, &executor, &["--config=strict"])
        .exits(1)
        .says("pkg/messy.py:1:1: not in canonical form [format-python]");
    workspace.bazel(["run", "//:fix"]).succeeds();
    build(&workspace, &executor, &["--config=strict"]).succeeds();
}

#[test]
fn a_second_checkout_executes_nothing() {
    let executor = RemoteExecutor::start();
    let (first, second) = (workspace(), workspace());
    assert_ne!(first.root(), second.root());
    build(&first, &executor, &["--config=fix"]).succeeds();
    let reused = build(&second, &executor, &["--config=fix"]).succeeds();
    let hits = processes(&reused);
    assert!(hits.contains("remote cache hit"), "{reused}");
    assert!(
        !hits.replace("remote cache hit", "").contains("remote"),
        "{reused}"
    );
    assert!(reports(&first) == reports(&second), "bytes differ");
}

#[test]
fn with_path_mapping_another_configuration_executes_nothing() {
    let (workspace, executor) = (workspace(), RemoteExecutor::start());
    let module = workspace.read("MODULE.bazel") + "fixpoint.sandbox()\n";
    workspace.write("MODULE.bazel", module);
    let mapped = ["--config=fix", "--experimental_output_paths=strip"];
    build(&workspace, &executor, &mapped).succeeds();
    let optimized = [&mapped[..], &["--compilation_mode=opt"]].concat();
    let reused = build(&workspace, &executor, &optimized).succeeds();
    let hits = processes(&reused);
    assert!(hits.contains("remote cache hit"), "{reused}");
    assert!(
        !hits.replace("remote cache hit", "").contains("remote"),
        "{reused}"
    );
}

#[test]
fn reports_that_are_not_downloaded_are_named_and_can_be_fetched() {
    let (workspace, executor) = (workspace(), RemoteExecutor::start());
    let minimal = ["--config=fix", "--remote_download_minimal"];
    let without_the_flag = [
        "--aspects=@fixpoint//rules:defs.bzl%fix_aspect",
        "--output_groups=+fixpoint_reports",
        "--remote_download_minimal",
    ];
    build(&workspace, &executor, &without_the_flag).succeeds();
    for argument in ["--from-build", "--audit"] {
        workspace
            .bazel(["run", "//:fix", "--", argument])
            .fails()
            .says("--remote_download_regex");
    }
    assert_eq!(workspace.read("pkg/messy.py"), MESSY);
    workspace.bazel(["clean"]).succeeds();
    build(&workspace, &executor, &minimal).succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .succeeds()
        .says("Fixed pkg/messy.py");
    assert_eq!(workspace.read("pkg/messy.py"), CLEAN);
    // Strict mode needs no download.
    build(
        &workspace,
        &executor,
        &["--config=strict", "--remote_download_minimal"],
    )
    .succeeds();
}

#[test]
fn an_executor_that_dies_fails_the_build_and_harms_nothing() {
    let (workspace, mut executor) = (workspace(), RemoteExecutor::start());
    build(&workspace, &executor, &["--config=fix"]).succeeds();
    executor.kill();
    workspace.write("pkg/clean.py", "y = [ 1 ]\n");
    let no_retries = ["--config=fix", "--remote_retries=0"];
    build(&workspace, &executor, &no_retries).fails();
    workspace.bazel(["run", "//:fix"]).succeeds();
    assert_eq!(workspace.read("pkg/clean.py"), "y = [1]\n");
    workspace
        .bazel(["build", "--config=strict", "//..."])
        .succeeds();
}
