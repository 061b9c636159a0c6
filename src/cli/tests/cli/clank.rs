//! The commands on Clank files.

use std::path::Path;

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
    bad.run(&["check"]).exits_with(1).prints("error[syntax]");
}

#[test]
fn an_unproved_obligation_is_a_warning_of_one_name_and_fails_strict() {
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
