//! Repairs of Clank programs on the command line.

use std::collections::BTreeSet;

use fixpoint_clank::repair::{PatchOp, patch};
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
    // The warning waits for the error, whose repair needs approval.
    assert_eq!(printed, PROGRAM);
    project.write("warning.clank", PROGRAM.replace("prce", "price"));
    project
        .run(&["repair", "--format=diff", "warning.clank"])
        .exits_with(0)
        .prints("+  let _rate = 2; // why");
    assert_eq!(project.read("main.clank"), PROGRAM);
}

#[test]
fn an_approved_repair_leads_to_success() {
    let project = Project::new(&[("main.clank", PROGRAM)]);
    let asked = ending(&project, &["main.clank"], 1);
    assert_eq!(asked["status"], "needs_approval");
    assert_eq!(asked["steps"].as_array().map(Vec::len), Some(0));
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
    // The warning waits for the error.
    project.run(&["fix"]);
    assert_eq!(project.read("main.clank"), PROGRAM);
    let id = rename["id"].as_str().expect("an id");
    project.run(&["fix", "--approve", id]).exits_with(0);
    let expected = PROGRAM
        .replace("let rate", "let _rate")
        .replace("prce", "price");
    assert_eq!(project.read("main.clank"), expected);
}

/// A program whose first repair resolves several problems.
const MANY_USES: &str = "fn cost(price: Int) -> Int {\n  prce + prce\n}\n";

#[test]
fn a_repair_has_one_id_and_the_fields_of_the_document_everywhere() {
    let project = Project::new(&[("main.clank", MANY_USES)]);
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&project.run(arguments).stdout).expect("JSON")
    };
    let compiled = json(&["compile", "--emit=json", "main.clank"]);
    let report = json(&["check", "--format=json"])["reports"][0].clone();
    let repairs = compiled["repairs"].as_array().expect("repairs");
    let fixes = report["fixes"].as_array().expect("fixes").iter();
    let mut fixes = fixes.filter(|it| {
        it["phase"]
            .as_str()
            .is_some_and(|it| it.starts_with("clank-"))
    });
    let [repair] = &repairs[..] else {
        panic!("{repairs:#?}");
    };
    let fix = fixes.next().expect("a fix");
    assert!(fixes.next().is_none(), "one repair is one fix");
    for field in [
        "id",
        "title",
        "confidence",
        "safety",
        "kind",
        "scope",
        "rationale",
    ] {
        assert_eq!(fix[field], repair[field], "{field}");
    }
    assert_eq!(fix["targets"]["node_ids"], repair["targets"]["node_ids"]);
    let ops = fix["ops"].as_array().expect("ops").iter();
    let ops: Vec<&Value> = ops.map(|it| &it["patch"]).collect();
    let edits: Vec<&Value> = repair["edits"].as_array().expect("edits").iter().collect();
    assert_eq!(ops, edits);
    let resolved = fix["expected_delta"]["diagnostics_resolved"].as_array();
    assert_eq!(resolved.map(Vec::len), Some(2));
    for diagnostic in report["diagnostics"].as_array().expect("a list") {
        assert_eq!(diagnostic["fix_ids"][0], fix["id"]);
    }

    let id = fix["id"].as_str().expect("an id");
    let expected = MANY_USES.replace("prce", "price");
    let repaired = ending(&project, &["--approve", id, "main.clank"], 0);
    assert_eq!(repaired["program"], expected);
    assert_eq!(repaired["steps"][0]["applied"][0]["id"], id);
    project.run(&["fix", "--approve", id]).exits_with(0);
    assert_eq!(project.read("main.clank"), expected);
}

#[test]
fn an_id_of_a_later_round_is_accepted_everywhere() {
    // K-109: the rename shows that the types do not match either.
    let text = "fn cost(price: Int) -> Float {\n  let rate = 0.2;\n  prce * rate\n}\n";
    let project = Project::new(&[("main.clank", text)]);
    let id_in = |repairs: &Value| repairs[0]["id"].as_str().expect("an id").to_owned();
    let compiled = project
        .run(&["compile", "main.clank", "--emit=json"])
        .stdout;
    let compiled: Value = serde_json::from_str(&compiled).expect("JSON");
    let first = id_in(&compiled["repairs"]);
    let renamed = ending(&project, &["--approve", &first, "main.clank"], 1);
    let second = id_in(&renamed["result"]["repairs"]);
    let both = ["--approve", &first, "--approve", &second, "main.clank"];
    let done = ending(&project, &both, 0);
    project.run(&[&["fix"], &both[..]].concat()).exits_with(0);
    assert_eq!(project.read("main.clank"), done["program"]);
    project
        .run(&["fix", "--approve", "rc_other", "main.clank"])
        .exits_with(2)
        .complains("rc_other: no file has a fix with this id");
}

#[test]
fn holes_and_checks_where_values_come_in_have_the_same_id_everywhere() {
    // K-109
    let text = "external fn ask(n: Int) -> Int = \"Math.abs\"\n\nfn need(n: Int{n > 0}) -> Int {\n  n\n}\n\n\
                fn main() -> Int {\n  need(ask(3)) + ?more\n}\n";
    let project = Project::new(&[]);
    project.write("main.clank", text);
    let compiled = project
        .run(&["compile", "main.clank", "--emit=json"])
        .stdout;
    let compiled: Value = serde_json::from_str(&compiled).expect("JSON");
    let checked = project
        .run(&["check", "--format=json"])
        .exits_with(1)
        .stdout;
    let checked: Value = serde_json::from_str(&checked).expect("JSON");
    let ids = |list: &Value| -> BTreeSet<String> {
        let list = list.as_array().expect("a list").iter();
        let ids = list.filter_map(|it| it["id"].as_str());
        ids.filter(|it| it.starts_with("rc_"))
            .map(str::to_owned)
            .collect()
    };
    let known = ids(&compiled["repairs"]);
    assert!(!known.is_empty());
    assert_eq!(ids(&checked["reports"][0]["fixes"]), known);
    for id in known {
        project.write("main.clank", text);
        let approved = ["--approve", &id, "main.clank"];
        let arguments = [&["repair"], &approved[..]].concat();
        let repaired = project.run(&arguments).stdout;
        assert_ne!(repaired, text, "{id}");
        let arguments = [&["fix", "--safety=likely"], &approved[..]].concat();
        project.run(&arguments);
        assert_eq!(project.read("main.clank"), repaired, "{id}");
    }
}

#[test]
fn an_id_that_two_files_have_needs_the_file() {
    let project = Project::new(&[("a.clank", MANY_USES), ("b.clank", MANY_USES)]);
    let asked = ending(&project, &["a.clank"], 1);
    let id = asked["ids"][0].as_str().expect("an id");
    project
        .run(&["fix", "--approve", id])
        .exits_with(2)
        .complains("a.clank and b.clank have a fix with this id");
    assert_eq!(project.read("a.clank"), MANY_USES);
    project
        .run(&["fix", "--approve", id, "b.clank"])
        .exits_with(0);
    assert_eq!(project.read("a.clank"), MANY_USES);
    assert_eq!(project.read("b.clank"), MANY_USES.replace("prce", "price"));
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

/// A program with a mistake for each safety level, and one that only its author can clarify.
const DOCUMENT: &str = r#"{"kind": "program", "id": "prog", "declarations": [
  {"kind": "fn", "id": "fn_f", "name": "f",
   "params": [{"name": "width", "id": "par", "type": {"kind": "named", "id": "t_w", "name": "Int"}}],
   "returnType": {"kind": "named", "id": "t_r", "name": "Int"},
   "body": {"kind": "block", "id": "blk", "statements": [
     {"kind": "let", "id": "let_x", "pattern": {"kind": "ident", "id": "pat_x", "name": "x"}, "init": {"source": "1"}},
     {"kind": "expr", "id": "stm", "expr": {"source": "println(\"f\")"}}],
    "expr": {"kind": "ident", "id": "use_w", "name": "widht"}}}]}"#;

#[test]
fn a_patched_canonical_ast_can_be_repaired_and_compiled_again() {
    // K-55 K-63 K-67 K-68 K-69
    let project = Project::new(&[("main.json", DOCUMENT)]);
    let mut rounds = 0;
    loop {
        let printed = project
            .run(&["compile", "--input=ast", "--emit=json", "main.json"])
            .stdout;
        let result: Value = serde_json::from_str(&printed).expect("JSON");
        let repairs = result["repairs"].as_array().expect("a list");
        let Some(first) = repairs.first() else {
            assert_eq!(result["status"], "success");
            break;
        };
        assert!(result["canonical_ast"]["declarations"].is_array());
        let ops: Vec<PatchOp> = serde_json::from_value(first["edits"].clone()).expect("ops");
        let patched = patch(&result["canonical_ast"], &ops).expect("a patch");
        project.write("main.json", patched.to_string());
        rounds += 1;
        assert!(rounds < 10);
    }
    let program: Value = serde_json::from_str(&project.read("main.json")).expect("JSON");
    let function = &program["declarations"][0];
    assert_eq!(function["id"], "fn_f");
    assert_eq!(function["body"]["expr"]["id"], "use_w");
    assert_eq!(function["body"]["expr"]["name"], "width");
    assert_eq!(function["body"]["statements"][0]["pattern"]["name"], "_x");
}

#[test]
fn an_outdated_base_is_rejected() {
    // K-55
    let project = Project::new(&[("main.clank", PROGRAM)]);
    let asked = ending(&project, &["main.clank"], 1);
    let base = asked["base_sha256"].as_str().expect("a digest");
    let id = asked["ids"][0].as_str().expect("an id");
    let compiled = project
        .run(&["compile", "--emit=json", "main.clank"])
        .stdout;
    let compiled: Value = serde_json::from_str(&compiled).expect("JSON");
    assert_eq!(compiled["base_sha256"], base);
    let approved = ["--base", base, "--approve", id, "main.clank"];
    assert_eq!(ending(&project, &approved, 0)["status"], "success");
    project.write("main.clank", PROGRAM.replace('3', "4"));
    project
        .run(&[&["repair"], &approved[..]].concat())
        .exits_with(3)
        .complains("does not match --base")
        .complains("compile it again");
}

#[test]
fn the_four_endings_have_their_own_details() {
    let project = Project::new(&[
        ("main.clank", PROGRAM),
        (
            "print.clank",
            "fn f() -> Int {\n  let a = 1;\n  println(\"f\");\n  2\n}\n",
        ),
        ("odd.clank", "fn f(a: Int) -> Int {\n  a(1)\n}\n"),
    ]);
    let done = ending(&project, &["print.clank"], 0);
    assert_eq!(done["status"], "success");
    let steps = done["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["before"]["errors"], 1);
    assert_eq!(steps[0]["after"]["errors"], 0);
    assert_eq!(steps[1]["round"], 2);
    let safe = ending(&project, &["--safety=safe", "print.clank"], 1);
    assert_eq!(safe["status"], "needs_approval");
    assert_eq!(safe["ids"].as_array().map(Vec::len), Some(2));
    let stuck = ending(&project, &["--max-rounds=1", "print.clank"], 1);
    assert_eq!(stuck["status"], "stuck");
    assert_eq!(stuck["reason"], "gave up after 1 round");
    let odd = ending(&project, &["odd.clank"], 1);
    assert_eq!(odd["status"], "needs_clarification");
    assert!(
        odd["problems"][0]
            .as_str()
            .is_some_and(|it| it.contains("E2005")),
        "{odd}"
    );
    project
        .run(&["repair", "--approve", "rc_nothing", "main.clank"])
        .exits_with(2)
        .complains("cannot approve repair rc_nothing");
    project
        .run(&["repair", "--help"])
        .exits_with(0)
        .prints("Exit status")
        .prints("--approve");
}

#[test]
fn repairs_name_only_nodes_of_the_program() {
    // Repairs change the program; its code is generated again.
    let text = "fn main() -> IO + Unit {\n  let a = 1;\n  println(\"hello\")\n}\n";
    let project = Project::new(&[("src/main.clank", text)]);
    project
        .run(&["compile", "--emit=all", "--output", "out", "src/main.clank"])
        .exits_with(0);
    let made =
        ["out/main.ts", "out/main.js", "out/main.result.json"].map(|it| (it, project.read(it)));
    project.run(&["repair", "src/main.clank"]).exits_with(0);
    project.run(&["fix", "src"]).exits_with(0);
    assert_eq!(
        project.read("src/main.clank"),
        text.replace("let a", "let _a")
    );
    for (path, before) in &made {
        assert_eq!(project.read(path), *before, "{path}");
    }
    // A repair can name only nodes of the program.
    let result: Value = serde_json::from_str(&made[2].1).expect("JSON");
    let canonical = result["canonical_ast"].to_string();
    for repair in result["repairs"].as_array().expect("a list") {
        for id in repair["targets"]["node_ids"].as_array().expect("ids") {
            assert!(canonical.contains(&format!("\"id\":{id}")), "{id}");
        }
    }
}

#[test]
fn fix_widens_callers_with_the_function() {
    // K-78: a fix of a report is complete on its own.
    let text = "fn inner() -> Int {\n  println(\"a\");\n  1\n}\n\nfn outer() -> Int {\n  println(\"b\");\n  inner()\n}\n";
    let project = Project::new(&[("main.clank", text)]);
    project.run(&["fix", "--safety=likely"]).exits_with(0);
    assert_eq!(
        project.read("main.clank"),
        text.replace("-> Int", "-> IO + Int")
    );
}

#[test]
fn a_long_chain_is_reported_in_either_form() {
    let chain = "1 + ".repeat(3_000);
    let text = format!("fn f() -> Int {{ let x = 1; {chain}1 }}\n");
    let project = Project::new(&[("a.clank", &text)]);
    let compile = ["compile", "a.clank", "--emit=ast"];
    project.write("a.json", project.run(&compile).exits_with(0).stdout);
    for file in ["a.clank", "a.json"] {
        let repair = ["repair", file, "--format=json"];
        let ended = project.run(&repair).exits_with(0);
        assert!(
            ended.stdout.starts_with("{\n  \"status\": \"success\""),
            "{file}"
        );
    }
}

const TWO_GOALS: &str = "fn pos(n: Int{n > 0}) -> Int {\n  n\n}\n\nfn f(a: Int, b: Int) -> Int {\n  let c = pos(a) + pos(b);\n  c\n}\n";

#[test]
fn alternatives_that_are_not_chosen_are_not_rejections() {
    let project = Project::new(&[("main.clank", TWO_GOALS)]);
    project
        .run(&["fix", "--safety=likely"])
        .exits_with(0)
        .prints("0 fixes rejected, 0 findings remaining");
}

#[test]
fn an_approved_fix_wins_over_its_alternatives() {
    let project = Project::new(&[("main.clank", TWO_GOALS)]);
    let reports = project.run(&["check", "--format=json"]).stdout;
    let reports: Value = serde_json::from_str(&reports).expect("JSON");
    let fixes = reports["reports"][0]["fixes"].as_array().expect("fixes");
    let assert = fixes.iter().find(|it| it["title"] == "Assert a > 0");
    let id = assert.expect("a fix")["id"].as_str().expect("an id");
    project
        .run(&["fix", "--safety=likely", "--approve", id])
        .exits_with(0);
    let text = project.read("main.clank");
    assert!(
        text.contains("assert a > 0;") && text.contains("if b > 0"),
        "{text}"
    );
}

#[test]
fn approved_repairs_that_exclude_each_other_are_reported() {
    let project = Project::new(&[("main.clank", TWO_GOALS)]);
    let compiled = project
        .run(&["compile", "--emit=json", "main.clank"])
        .stdout;
    let compiled: Value = serde_json::from_str(&compiled).expect("JSON");
    let repairs = compiled["repairs"].as_array().expect("repairs");
    let id = |at: usize| repairs[at]["id"].as_str().expect("an id");
    let rival = repairs[0]["compatibility"]["conflicts_with"][0].as_str();
    let rival = rival.expect("an id");
    let both = ["--approve", id(0), "--approve", rival, "main.clank"];
    let done = ending(&project, &both, 0);
    assert_eq!(done["unapplied"][0]["id"], rival);
    project
        .run(&[&["repair"], &both[..]].concat())
        .exits_with(0)
        .complains(&format!(
            "{rival} was approved, but not applied: it conflicts with {}",
            id(0)
        ));
}

#[test]
fn repairs_that_need_approval_are_reported_with_their_location() {
    let text = "fn f(a: Int, b: Int) -> Float {\n  a * 0.5 + b * 0.25\n}\n";
    let project = Project::new(&[("main.clank", text)]);
    project
        .run(&["repair", "main.clank"])
        .exits_with(1)
        .complains("int_to_float() at 2:7 (behavior_changing)")
        .complains("int_to_float() at 2:17 (behavior_changing)");
}
