//! Repairs of Clank programs on the command line.

use serde_json::Value;

use crate::project::Project;

const PROGRAM: &str = "fn cost(price: Int) -> Int {\n  let rate = 2; // why\n  prce * 3\n}\n";

fn ending(project: &Project, arguments: &[&str], status: i32) -> Value {
    let arguments = [&["repair", "--format=json"], arguments].concat();
    let printed = project.run(&arguments).exits_with(status).stdout;
    serde_json::from_str(&printed).expect("JSON")
}

#[test]
fn repair_prints_and_does_not_write() {
    // K-57
    let project = Project::new(&[("main.clank", PROGRAM)]);
    let printed = project
        .run(&["repair", "main.clank"])
        .exits_with(1)
        .complains("needs approval")
        .stdout;
    assert_eq!(printed, PROGRAM.replace("let rate", "let _rate"));
    project
        .run(&["repair", "--format=diff", "main.clank"])
        .exits_with(1)
        .prints("+  let _rate = 2; // why");
    assert_eq!(project.read("main.clank"), PROGRAM);
}

#[test]
fn an_approved_repair_leads_to_success() {
    let project = Project::new(&[("main.clank", PROGRAM)]);
    let asked = ending(&project, &["main.clank"], 1);
    assert_eq!(asked["status"], "needs_approval");
    assert_eq!(
        asked["steps"][0]["applied"][0]["title"],
        "Rename 'rate' to '_rate'"
    );
    let id = asked["ids"][0].as_str().expect("an id");
    let done = ending(&project, &["--approve", id, "main.clank"], 0);
    assert_eq!(done["status"], "success");
    assert_eq!(done["result"]["status"], "success");
    let expected = PROGRAM
        .replace("let rate", "let _rate")
        .replace("prce", "price");
    assert_eq!(done["program"], expected);
}

#[test]
fn fix_writes_safe_repairs_and_approved_ones() {
    let project = Project::new(&[("main.clank", PROGRAM)]);
    let reports = project
        .run(&["check", "--format=json"])
        .exits_with(1)
        .stdout;
    let reports: Value = serde_json::from_str(&reports).expect("JSON");
    let report = &reports["reports"][0];
    let fixes = report["fixes"].as_array().expect("fixes");
    let rename = fixes
        .iter()
        .find(|it| it["rule"] == "E1001")
        .expect("a fix");
    assert_eq!(rename["ops"][0]["patch"]["op"], "rename_symbol");
    project.run(&["fix"]);
    assert_eq!(
        project.read("main.clank"),
        PROGRAM.replace("let rate", "let _rate")
    );
    let id = rename["id"].as_str().expect("an id");
    project.run(&["fix", "--approve", id]).exits_with(0);
    let expected = PROGRAM
        .replace("let rate", "let _rate")
        .replace("prce", "price");
    assert_eq!(project.read("main.clank"), expected);
}

#[test]
fn repair_reads_ast_json() {
    let program =
        r#"{"kind": "program", "declarations": [{"source": "fn f() -> Unit { println(\"a\") }"}]}"#;
    let project = Project::new(&[("main.json", program)]);
    let done = ending(&project, &["--input=ast", "main.json"], 0);
    assert_eq!(done["status"], "success");
    let function = &done["program"]["declarations"][0];
    assert_eq!(function["returnType"]["effects"][0]["name"], "IO");
    let bad = Project::new(&[("main.json", "{}")]);
    bad.run(&["repair", "--input=ast", "main.json"])
        .exits_with(1)
        .complains("expected the kind `program`");
}
