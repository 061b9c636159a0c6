//! Tests the behavior in Bazel, with a real Bazel on small workspaces.
#![allow(clippy::disallowed_methods, reason = "tests run programs on files")]

mod bad_input;
mod bazelw;
mod cache;
mod canonical;
mod clank;
mod clank_errors;
mod documents;
mod example;
mod future;
mod imported;
mod learned;
mod modes;
mod reach;
mod reference;
mod release;
mod remote;
mod ruleset;
mod sources;
mod toolchain;
mod workspace_test;
mod writer;

use fixpoint_e2e::Workspace;

/// Python that is not canonical, and its canonical text.
const MESSY: &str = "x = { 'a':1 }\n";
const CLEAN: &str = "x = {\"a\": 1}\n";

/// Declares the output groups with reports in other forms.
const VIEW_ASPECT: &str = "--aspects=@fixpoint//rules:defs.bzl%view_aspect";

/// A workspace with a canonical and a messy file in one target, and a test on both.
fn messy() -> Workspace {
    let workspace = Workspace::new();
    add_messy(&workspace);
    workspace
}

fn add_messy(workspace: &Workspace) {
    workspace.write(
        "pkg/BUILD.bazel",
        r#"load("@fixpoint//rules:defs.bzl", "fix_test")

filegroup(
    name = "files",
    srcs = [
        "clean.py",
        "messy.py",
    ],
)

fix_test(
    name = "canonical",
    targets = [":files"],
)
"#,
    );
    workspace.write("pkg/clean.py", CLEAN);
    workspace.write("pkg/messy.py", MESSY);
}
