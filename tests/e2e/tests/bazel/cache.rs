//! Tests that reports are build outputs: they have the same bytes wherever and however they are
//! built, and are built once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use fixpoint_e2e::{Outcome, Workspace, binary, generate, run};

use crate::{MESSY, VIEW_ASPECT, add_messy, messy};

/// The processes that Bazel reports as executed, such as "9 processes: 3 internal, 6
/// linux-sandbox."
pub(crate) fn processes(outcome: &Outcome) -> &str {
    let line = outcome
        .stderr
        .lines()
        .find(|line| line.contains(" process"));
    line.unwrap_or_else(|| panic!("Bazel does not report its processes:\n{outcome}"))
}

/// All reports and canonical texts under Bazel's outputs, by path.
pub(crate) fn made(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let outputs = fs::canonicalize(workspace.path("bazel-bin")).expect("outputs");
    collect(&outputs, &outputs, &mut files);
    files
}

/// Command lines are outputs, too, but they name the paths of their configuration.
fn is_result(path: &str) -> bool {
    path.contains(".fixpoint/") && !path.ends_with(".params")
}

fn collect(outputs: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.is_symlink() {
            collect(outputs, &path, files);
        } else if is_result(&path.to_string_lossy()) {
            let name = path
                .strip_prefix(outputs)
                .expect("below")
                .to_string_lossy()
                .into_owned();
            files.insert(name, fs::read(path).expect("a file"));
        }
    }
}

#[test]
fn two_checkouts_share_every_action_through_one_disk_cache() {
    let (first, second) = (messy(), messy());
    assert_ne!(first.root(), second.root());
    let cache = tempfile::TempDir::new().expect("a folder");
    let flag = format!("--disk_cache={}", cache.path().display());
    let build = |workspace: &Workspace| {
        workspace.bazel(["clean"]).succeeds();
        workspace
            .bazel([
                "build",
                &flag,
                "--config=fix",
                VIEW_ASPECT,
                "--output_groups=+fixpoint_json",
                "//...",
            ])
            .succeeds()
    };
    let filled = build(&first);
    assert!(processes(&filled).contains("worker"), "{filled}");
    let reused = build(&second);
    assert!(processes(&reused).contains("disk cache hit"), "{reused}");
    assert!(!processes(&reused).contains("worker"), "{reused}");
    let checkout = second;
    let (first, second) = (made(&first), made(&checkout));
    assert!(
        first.contains_key("pkg/files.fixpoint/json/pkg/messy.py.fix.json"),
        "{first:?}"
    );
    assert_eq!(
        first.keys().collect::<Vec<_>>(),
        second.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &first {
        assert!(second[name] == *bytes, "{name} differs");
    }
    // Reports are fetched even if Bazel leaves outputs in the cache.
    checkout.bazel(["clean"]).succeeds();
    let minimal = "--remote_download_minimal";
    checkout
        .bazel(["build", &flag, minimal, "--config=fix", "//..."])
        .succeeds();
    let fetched = made(&checkout);
    let report = "pkg/files.fixpoint/report/pkg/messy.py.fix.pb";
    assert_eq!(fetched.get(report), first.get(report), "{fetched:?}");
}

#[test]
fn sandbox_local_and_worker_produce_the_same_bytes() {
    let workspace = messy();
    let module = workspace.read("MODULE.bazel");
    let build = |strategy: &str| {
        workspace.bazel(["clean"]).succeeds();
        let flag = format!("--strategy=FixpointAnalyze={strategy}");
        let outcome = workspace
            .bazel(["build", &flag, "--config=fix", "//..."])
            .succeeds();
        assert!(processes(&outcome).contains(strategy), "{outcome}");
        made(&workspace)
    };
    let sandboxed = build("linux-sandbox");
    assert!(
        sandboxed.contains_key("pkg/files.fixpoint/report/pkg/messy.py.fix.pb"),
        "{sandboxed:?}"
    );
    assert_eq!(build("local"), sandboxed);
    assert_eq!(build("worker"), sandboxed);
    // Workers and path mapping exclude each other, but both may be enabled.
    let mapped = || {
        workspace.bazel(["clean"]).succeeds();
        let flag = "--experimental_output_paths=strip";
        let built = workspace.bazel(["build", flag, "--config=fix", "//..."]);
        let built = built.succeeds();
        assert_eq!(made(&workspace), sandboxed);
        processes(&built).to_owned()
    };
    assert!(mapped().contains("worker"));
    workspace.write("MODULE.bazel", module + "fixpoint.sandbox()\n");
    assert!(mapped().contains("linux-sandbox"));
}

#[test]
fn bazel_and_the_command_line_produce_the_same_report() {
    // C-59 C-64
    let workspace = messy();
    workspace
        .bazel([
            "build",
            "--config=fix",
            VIEW_ASPECT,
            "--output_groups=+fixpoint_canonical,+fixpoint_json",
            "//pkg:files",
        ])
        .succeeds();
    let reports = tempfile::TempDir::new().expect("a folder");
    run(Command::new(binary())
        .args(["check", "pkg", "--report-dir"])
        .arg(reports.path())
        .current_dir(workspace.root()))
    .succeeds();
    for (ours, theirs) in [("report", "fix.pb"), ("json", "fix.json")] {
        let name = format!("pkg/messy.py.{theirs}");
        let built = workspace.path(format!("bazel-bin/pkg/files.fixpoint/{ours}/{name}"));
        let built = fs::read(&built).unwrap_or_else(|error| panic!("{}: {error}", built.display()));
        let alone = fs::read(reports.path().join(&name)).expect("a report");
        assert!(built == alone, "{name} differs");
    }
    let canonical = workspace.read("bazel-bin/pkg/files.fixpoint/canonical/pkg/messy.py");
    assert_eq!(canonical, crate::CLEAN);
}

#[test]
fn one_changed_file_needs_one_analysis() {
    let workspace = Workspace::new();
    generate(&workspace, 50);
    workspace
        .bazel(["build", "--config=fix", "//part_0:files"])
        .succeeds();
    workspace.write("part_0/file_3.yaml", "name:   changed\n");
    let outcome = workspace
        .bazel(["build", "--config=fix", "//part_0:files"])
        .succeeds();
    assert!(processes(&outcome).contains("1 worker"), "{outcome}");
}

#[test]
fn a_target_with_a_thousand_files_is_analysed_checked_and_fixed() {
    let workspace = Workspace::new();
    let names: Vec<String> = (0..1_000)
        .map(|number| format!("file_{number}.py"))
        .collect();
    for name in &names {
        workspace.write(format!("many/{name}"), MESSY);
    }
    let list: String = names
        .iter()
        .map(|name| format!("        \"{name}\",\n"))
        .collect();
    workspace.write(
        "many/BUILD.bazel",
        format!(
            "load(\"@fixpoint//rules:defs.bzl\", \"fix\")\n\nfilegroup(\n    name = \"files\",\n    \
             srcs = [\n{list}    ],\n)\n\nfix(\n    name = \"fix\",\n    targets = [\":files\"],\n)\n"
        ),
    );
    workspace
        .bazel(["build", "--config=strict", "//many:files"])
        .exits(1)
        .says("1000 safe fixes pending");
    workspace
        .bazel(["run", "//many:fix"])
        .succeeds()
        .says("Fixed 1000 of 1000 files");
    workspace
        .bazel(["build", "--config=strict", "//many:files"])
        .succeeds();
}

#[test]
fn the_same_file_in_two_targets_is_one_fix() {
    let workspace = Workspace::new();
    workspace.bazel(["clean"]).succeeds();
    add_messy(&workspace);
    workspace.write(
        "other/BUILD.bazel",
        "load(\"@fixpoint//rules:defs.bzl\", \"fix\")\n\nfilegroup(\n    name = \"files\",\n    srcs = \
         [\"//pkg:messy.py\"],\n)\n\nfix(\n    name = \"fix\",\n    targets = [\n        \":files\",\n        \
         \"//pkg:files\",\n    ],\n)\n",
    );
    let build = workspace.read("pkg/BUILD.bazel") + "\nexports_files([\"messy.py\"])\n";
    workspace.write(
        "pkg/BUILD.bazel",
        build.replace(
            "name = \"files\",",
            "name = \"files\",\n    visibility = [\"//visibility:public\"],",
        ),
    );
    workspace
        .bazel(["run", "//other:fix", "--", "--dry-run"])
        .succeeds()
        .says("1 of 2 files");
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .succeeds()
        .says("Fixed pkg/messy.py (format-python)\nFixed 1 of ");
    assert_eq!(workspace.read("pkg/messy.py"), crate::CLEAN);
}
