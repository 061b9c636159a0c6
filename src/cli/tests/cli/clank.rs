//! The commands on Clank files.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::project::Project;

const PROGRAM: &str = "// Adds.\nfn add(a:Int,b:Int)->Int{\n  let unused=1 // why\n  a+bb\n}\n";

#[test]
fn check_reports_compiler_diagnostics() {
    let project = Project::new(&[("main.clank", PROGRAM)]);
    project
        .run(&["check"])
        .exits_with(1)
        .prints("error[E1001]")
        .prints("warning[W0001]");
    let bad = Project::new(&[("main.clank", "fn (\n")]);
    bad.run(&["check"]).exits_with(1).prints("error[E0001]");
}

#[test]
fn every_diagnostic_names_its_own_phase() {
    // C-100
    let types = "fn f(d: Int{d != 0}) -> Int {\n  let unused = 1;\n  println(\"x\");\n  d + nothing + \"a\"\n}\n\nfn g(k: Int) -> Int {\n  f(k)\n}\n";
    let project = Project::new(&[("a.clank", types), ("b.clank", "fn (\n")]);
    let found = project.run(&["check", "--format=json"]).exits_with(1);
    let document: Value = serde_json::from_str(&found.stdout).expect("JSON");
    let reports = document["reports"].as_array().expect("reports").iter();
    let diagnostics = reports.flat_map(|it| it["diagnostics"].as_array().expect("a list"));
    let pairs: BTreeSet<(&str, &str)> = diagnostics
        .map(|it| {
            let field = |name: &str| it[name].as_str().expect("a word");
            (field("rule"), field("phase"))
        })
        .collect();
    let expected = [
        ("E0001", "clank-syntax"),
        ("E1001", "clank-names"),
        ("E2001", "clank-types"),
        ("E2016", "clank-types"),
        ("E3001", "clank-refinements"),
        ("E4001", "clank-effects"),
        ("W0001", "clank-unused"),
    ];
    assert_eq!(pairs, BTreeSet::from(expected));
    // The page lists the same phases.
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clank.md");
    let page = std::fs::read_to_string(page).expect("the page");
    for (rule, phase) in expected {
        assert!(page.contains(&format!("| `{phase}`")), "{phase}");
        project.run(&["explain", phase]).exits_with(0).prints(rule);
    }
    // A phase or all of them can be selected and silenced.
    let unused = "fn f() -> Int {\n  let unused = 1;\n  2\n}\n";
    project.write("unused.clank", unused);
    for name in ["clank-unused", "clank"] {
        let fixed = project.run(&["fix", "--dry-run", "--only", name, "unused.clank"]);
        fixed.exits_with(0).prints("Would fix unused.clank (W0001)");
        let silenced = types.replace("= 1;", &format!("= 1; // fixpoint: ignore[{name}]"));
        project.write("c.clank", silenced);
        let found = project.run(&["check", "c.clank"]).stdout;
        assert!(!found.contains("W0001"), "{found}");
    }
}

#[test]
fn an_unproved_obligation_is_a_warning_of_one_name_and_fails_strict() {
    // K-106
    let text = "fn first(xs: [Int]) -> Int {\n  xs[0]\n}\n\nfn main() -> IO + Unit {\n  println(to_string(first([7])))\n}\n";
    let project = Project::new(&[("main.clank", text)]);
    let warning = "warning[E3001]: Cannot prove: (0 >= 0 && 0 < len(xs))";
    project.run(&["check"]).exits_with(0).prints(warning);
    project
        .run(&["check", "--strict"])
        .exits_with(1)
        .prints(warning)
        .prints("1 unproved obligation (strict: this fails)");
    for command in ["compile", "run"] {
        let ended = project.run(&[command, "main.clank"]).exits_with(0);
        assert!(ended.stderr.contains(warning), "{}", ended.stderr);
    }
    let refuted = "fn second() -> Int {\n  [1][1]\n}\n";
    project.write("main.clank", refuted);
    project.run(&["check"]).exits_with(1).prints("error[E3001]");
}

#[test]
fn fix_and_format_change_layout_and_keep_comments() {
    let project = Project::new(&[("main.clank", PROGRAM)]);
    let laid_out =
        "// Adds.\nfn add(a: Int, b: Int) -> Int {\n  let unused = 1; // why\n  a + bb\n}\n";
    let printed = project.run(&["format", "main.clank"]).exits_with(0).stdout;
    assert_eq!(printed, laid_out);
    assert_eq!(project.read("main.clank"), PROGRAM);
}

#[test]
fn every_code_is_explained() {
    let project = Project::new(&[]);
    project
        .run(&["explain", "E2015"])
        .exits_with(0)
        .prints("NonExhaustiveMatch")
        .prints("+    _ -> panic(\"case not handled\"),")
        .prints("Add wildcard arm to match (`replace_node`, likely_preserving, medium confidence)");
    project
        .run(&["explain", "clank"])
        .exits_with(0)
        .prints("W0006");
}

#[test]
fn the_page_about_codes_matches_the_code() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clank-codes.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let advice = "run `cargo run -p fixpoint-clank --example codes > docs/clank-codes.md`";
    assert!(page == fixpoint_clank::reference(), "{advice}");
}
