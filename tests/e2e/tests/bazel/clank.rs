//! Tests Clank programs of several packages: they are built, run, tested and repaired.

use std::fs;
use std::process::Command;

use fixpoint_e2e::{Tree, Workspace, binary, run};
use serde_json::Value;

use crate::VIEW_ASPECT;

const LIB: &str = r#"load("@fixpoint//rules:defs.bzl", "clank_library", "clank_test")

clank_library(
    name = "lib",
    srcs = [
        "geo.clank",
        "shapes.clank",
        ":generated",
    ],
    visibility = ["//visibility:public"],
)

genrule(
    name = "generated",
    outs = ["numbers.clank"],
    cmd = "echo 'fn three() -> Int { 3 }' > $@",
)

clank_test(
    name = "passes",
    size = "small",
    srcs = ["passes.clank"],
    deps = [":lib"],
)

clank_test(
    name = "fails",
    size = "small",
    srcs = ["fails.clank"],
    deps = [":lib"],
)
"#;

const APP: &str = r#"load("@fixpoint//rules:defs.bzl", "clank_binary")

clank_binary(
    name = "app",
    srcs = ["main.clank"],
    deps = ["//lib"],
)
"#;

const GEO: &str = "rec Point { x: Int, y: Int }\n";

const SHAPES: &str = "use geo.{Point}
use numbers.{three}

sum Shape { Circle(center: Point, r: Int), Empty }

fn area(shape: Shape) -> Int {
  match shape { Circle(_, r) -> three() * r * r, Empty -> 0 }
}

fn at_origin(r: Int{r > 0}) -> Shape {
  Circle(Point(0, 0), r)
}
";

const MAIN: &str = "use shapes.{area, at_origin}

fn main() -> IO + Unit {
  println(\"the area is \" ++ to_string(area(at_origin(2))))
}
";

pub(crate) fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("lib/BUILD.bazel", LIB);
    workspace.write("lib/geo.clank", GEO);
    workspace.write("lib/shapes.clank", SHAPES);
    let test = |expected: &str| {
        format!(
            "use shapes.{{area, at_origin}}\n\nfn main() -> Unit {{\n  assert area(at_origin(1)) == {expected}\n}}\n"
        )
    };
    workspace.write("lib/passes.clank", test("3"));
    workspace.write("lib/fails.clank", test("4"));
    workspace.write("app/BUILD.bazel", APP);
    workspace.write("app/main.clank", MAIN);
    workspace
}

#[test]
fn a_program_runs_with_the_modules_of_another_package_and_tests_pass_and_fail() {
    let workspace = workspace();
    let before = Tree::of(workspace.root());
    workspace
        .bazel(["run", "//app"])
        .succeeds()
        .says("the area is 12");
    workspace.bazel(["test", "//lib:passes"]).succeeds();
    workspace
        .bazel(["test", "--test_output=errors", "//lib:fails"])
        .exits(3)
        .says("the program panicked: ")
        .says("lib/fails.clank:4:");
    before.is_unchanged();

    // The same code runs on Node, if it is installed.
    let code = workspace.path("bazel-bin/app/app.modules/main.mjs");
    let text = fs::read_to_string(&code).expect("code");
    assert!(text.contains("from \"../../lib/lib.modules/shapes.mjs\";"));
    if run(Command::new("sh").args(["-c", "command -v node"])).code == 0 {
        run(Command::new("node").arg(code))
            .succeeds()
            .says("the area is 12");
    }
    workspace
        .bazel(["build", "--output_groups=clank_typescript", "//lib"])
        .succeeds();
    let types = workspace.read("bazel-bin/lib/lib.modules/shapes.mts");
    assert!(
        types.contains("import { Point } from \"./geo.mjs\";"),
        "{types}"
    );
}

#[test]
fn a_changed_body_does_not_recompile_dependents() {
    let workspace = workspace();
    let compiled = || {
        let log = workspace.path("log.json");
        let flag = format!("--execution_log_json_file={}", log.display());
        workspace.bazel(["build", &flag, "//app"]).succeeds();
        let log = fs::read_to_string(log).expect("a log");
        let of = |label: &str| {
            let entries = log.split("\"commandArgs\"");
            let entries = entries.filter(|it| it.contains("\"ClankCompile\""));
            entries.filter(|it| it.contains(label)).count()
        };
        (of("\"//lib:lib\""), of("\"//app:app\""))
    };
    workspace.bazel(["clean"]).succeeds();
    assert_eq!(compiled(), (1, 1));
    workspace.write("lib/shapes.clank", SHAPES.replace("three() * r", "4 * r"));
    assert_eq!(compiled(), (1, 0));
    workspace
        .bazel(["run", "//app"])
        .succeeds()
        .says("the area is 16");
    workspace.write("lib/shapes.clank", SHAPES.replace("r > 0", "r >= 0"));
    assert_eq!(compiled(), (1, 1));
}

#[test]
fn a_broken_program_is_reported_repaired_and_built() {
    let workspace = workspace();
    let broken = MAIN.replace("to_string(area(", "to_string(aera(");
    workspace.write("app/main.clank", &broken);
    let before = Tree::of(workspace.root());
    let outcome = workspace
        .bazel([
            "build",
            "--config=fix",
            VIEW_ASPECT,
            "--output_groups=+fixpoint_json",
            "//...",
        ])
        .fails()
        .says("error[E1001]: 'aera' is not defined")
        .says("app/main.clank:4:")
        .says("//app:app has 1 error");
    before.is_unchanged();

    // The report contains the candidates, ranked.
    let report = workspace.read("bazel-bin/app/app.fixpoint/json/app/main.clank.fix.json");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let all = |list: &str| report[list].as_array().cloned().unwrap_or_default();
    let finding = all("diagnostics")
        .into_iter()
        .find(|it| it["rule"] == "E1001");
    let id = finding.expect("the finding")["fix_ids"][0].clone();
    let fix = all("fixes").into_iter().find(|it| it["id"] == id);
    assert_eq!(fix.expect("a candidate")["safety"], "behavior_changing");
    let id = id.as_str().expect("an id");
    let command = format!("bazel run //:fix -- --approve {id}");
    outcome.says(&command);

    workspace
        .bazel(["run", "//:fix", "--", "--approve", id])
        .succeeds();
    assert_eq!(workspace.read("app/main.clank"), MAIN);
    workspace
        .bazel(["run", "//app"])
        .succeeds()
        .says("the area is 12");
}

#[test]
fn a_fix_that_depends_on_another_module_can_be_approved() {
    let workspace = workspace();
    let twice = "\nfn twice(n: Int) -> Int {\n  n * 2\n}\n";
    workspace.write("lib/shapes.clank", SHAPES.to_owned() + twice);
    let broken = MAIN.replace("area, at_origin", "twice");
    let broken = broken.replace("area(at_origin(2))", "twice(2.5)");
    workspace.write("app/main.clank", &broken);
    let outcome = workspace
        .bazel(["build", "//app"])
        .fails()
        .says("error[E2001]: expected `Int`, found `Float`");
    let said = outcome.said();
    let (_, rest) = said.split_once("//:fix -- --approve ").expect("a command");
    let id = rest.split_whitespace().next().expect("an id");
    workspace
        .bazel(["run", "//:fix", "--", "--approve", id])
        .succeeds();
    assert!(
        workspace
            .read("app/main.clank")
            .contains("twice(float_to_int(2.5))")
    );
}

#[test]
fn a_safe_fix_is_applied_in_memory_and_strict_waits_for_it() {
    let workspace = workspace();
    let pending = "use shapes.{area,at_origin}\nfn main() -> IO + Unit {\n  let total = 0\n  total = area(at_origin(2))\n  println(to_string(total))\n}\n";
    workspace.write("app/main.clank", pending);
    let before = Tree::of(workspace.root());
    workspace
        .bazel(["run", "//app"])
        .succeeds()
        .says("12")
        .says("warning: app/main.clank is not canonical: 2 safe fixes pending; run `bazel run //:fix`");
    workspace
        .bazel(["build", "--config=strict", "//app"])
        .fails()
        .says("app/main.clank:4:3: ")
        .says("[E2013]")
        .says("To apply the safe fixes: bazel run //:fix");
    before.is_unchanged();
    // The source map contains the source lines.
    let map = workspace.read("bazel-bin/app/app.modules/main.mjs.map");
    assert!(map.contains("use shapes.{area,at_origin}"), "{map}");
    workspace.bazel(["run", "//:fix"]).succeeds();
    assert!(
        workspace
            .read("app/main.clank")
            .contains("let mut total = 0")
    );
    workspace
        .bazel(["build", "--config=strict", "//..."])
        .succeeds();
    workspace
        .bazel(["build", "--config=fix", "//..."])
        .succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .succeeds();
}

#[test]
fn a_repair_of_the_compiler_is_approved_in_bazel_by_the_same_id() {
    let workspace = Workspace::new();
    let build = "load(\"@fixpoint//rules:defs.bzl\", \"clank_library\")\n\nclank_library(\n    name = \"lib\",\n    srcs = [\"lib.clank\"],\n)\n";
    workspace.write("pkg/BUILD.bazel", build);
    workspace.write(
        "pkg/lib.clank",
        "fn total(count: Int) -> Int {\n  coutn * 2\n}\n",
    );
    let mut compile = Command::new(binary());
    compile.args(["compile", "--emit=json", "pkg/lib.clank"]);
    let compiled = run(compile.current_dir(workspace.root())).exits(1);
    let result: Value = serde_json::from_str(&compiled.stdout).expect("JSON");
    let id = result["repairs"][0]["id"].as_str().expect("an id");
    workspace
        .bazel(["build", "//pkg:lib"])
        .fails()
        .says(&format!("bazel run //:fix -- --approve {id}"));
    workspace
        .bazel(["run", "//:fix", "--", "--approve", id])
        .succeeds();
    assert!(workspace.read("pkg/lib.clank").contains("  count * 2\n"));
}

#[test]
fn generated_files_are_left_out_if_their_list_is_among_the_files() {
    let workspace = Workspace::new();
    workspace.write("pkg/program.clank", "fn one() -> Int {\n  1\n}\n");
    let mut compile = Command::new(binary());
    compile.args(["compile", "pkg/program.clank", "--output=pkg/out"]);
    run(compile.current_dir(workspace.root())).succeeds();
    let build = |files: &str| {
        format!("filegroup(\n    name = \"out\",\n    srcs = glob([\"out/{files}\"]),\n)\n")
    };
    let strict = || workspace.bazel(["build", "--config=strict", "//pkg:out"]);
    workspace.write("pkg/BUILD.bazel", build("*.js"));
    strict().fails().says("pkg/out/program.js");
    workspace.write("pkg/BUILD.bazel", build("*"));
    strict().succeeds();
    // A file that is not listed is still examined.
    workspace.write("pkg/out/own.js", "let  a = 1\n");
    strict().fails().says("pkg/out/own.js");

    let test = "load(\"@fixpoint//rules:defs.bzl\", \"fix_test\")\n\nfix_test(\n    name = \"fixpoint\",\n    srcs = glob([\"out/*\"]),\n)\n";
    workspace.write("pkg/out/own.js", "let a = 1;\n");
    workspace.write("pkg/BUILD.bazel", test);
    workspace
        .bazel(["test", "--config=strict", "//pkg:fixpoint"])
        .succeeds();
}
