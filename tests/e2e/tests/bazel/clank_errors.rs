//! Tests the errors of Clank targets for invalid input.

use fixpoint_e2e::Workspace;

const BUILD: &str = r#"load("@fixpoint//rules:defs.bzl", "clank_binary", "clank_library")

"#;

fn with(targets: &str, files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("pkg/BUILD.bazel", format!("{BUILD}{targets}"));
    for (path, text) in files {
        workspace.write(format!("pkg/{path}"), text);
    }
    workspace
}

#[test]
fn duplicate_circular_and_missing_modules_are_reported() {
    let workspace = with(
        r#"clank_library(name = "twins", srcs = ["a.clank", "b.clank"])
clank_library(name = "circle", srcs = ["c.clank", "d.clank"])
clank_library(name = "lib", srcs = ["lib.clank"])
clank_library(name = "taken", srcs = ["sub/lib.clank"], deps = [":lib"])
clank_library(name = "unknown", srcs = ["e.clank"])
clank_library(name = "missing", srcs = ["f.clank"], deps = [":lib"])
"#,
        &[
            ("a.clank", "mod same\n"),
            ("b.clank", "mod same\n"),
            ("c.clank", "use d\n"),
            ("d.clank", "use c\n"),
            ("lib.clank", "fn area() -> Int {\n  1\n}\n"),
            ("sub/lib.clank", "fn other() -> Int {\n  1\n}\n"),
            ("e.clank", "use lib.{area}\n"),
            ("f.clank", "use lib.{aera}\n"),
        ],
    );
    workspace
        .bazel(["build", "-k", "//pkg:all"])
        .fails()
        .says("pkg/a.clank and pkg/b.clank are both the module `same`")
        .says("modules use one another in a circle: `c` uses `d` uses `c`")
        .says("pkg/sub/lib.clank is the module `lib`, and so is one of the modules passed in")
        .says("error[E1004]: there is no module `lib` here")
        .says("error[E1003]: `lib` has no `aera`; did you mean `area`?");
    // Reports are built despite all of these errors.
    workspace
        .bazel([
            "build",
            "--output_groups=fixpoint_reports",
            "--config=fix",
            "//pkg:all",
        ])
        .succeeds();
    assert!(
        workspace
            .path("bazel-bin/pkg/circle.fixpoint/report/pkg/c.clank.fix.pb")
            .exists()
    );
}

#[test]
fn targets_that_cannot_be_run_or_read_are_reported() {
    let workspace = with(
        r#"clank_binary(name = "no_main", srcs = ["lib.clank"])
clank_binary(name = "which", srcs = ["lib.clank", "other.clank"])
clank_library(name = "bytes", srcs = ["bytes.clank"])
clank_library(name = "broken", srcs = ["broken.clank"])
clank_library(name = "above", srcs = ["above.clank"], deps = [":broken"])
"#,
        &[
            ("lib.clank", "fn area() -> Int {\n  1\n}\n"),
            ("other.clank", "fn other() -> Int {\n  1\n}\n"),
            ("broken.clank", "fn area( -> Int {\n  1\n}\n"),
            (
                "above.clank",
                "use broken\n\nfn other() -> Int {\n  area()\n}\n",
            ),
        ],
    );
    workspace.write("pkg/bytes.clank", [0xff, 0xfe, 0x00]);
    let fails = |target: &str| workspace.bazel(["build", target]).fails();
    fails("//pkg:no_main").says("pkg/lib.clank has no function `main` to run");
    fails("//pkg:which").says("which of the srcs runs?");
    fails("//pkg:bytes").says("pkg/bytes.clank is not UTF-8; save it as UTF-8");
    fails("//pkg:above").says("pkg/broken.clank:1:");

    let rejects = |target: &str, says: &str| {
        workspace.write("pkg/BUILD.bazel", format!("{BUILD}{target}"));
        workspace.bazel(["build", "//pkg:it"]).fails().says(says);
    };
    workspace.write("pkg/a.txt", "");
    rejects(r#"clank_library(name = "it", srcs = [])"#, "srcs");
    rejects(r#"clank_library(name = "it", srcs = ["a.txt"])"#, "a.txt");
}
