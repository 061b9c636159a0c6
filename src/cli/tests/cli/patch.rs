//! `fixpoint patch`: PatchOps on a program, printed and never written.

use serde_json::{Value, json};

use crate::project::Project;

const TEXT: &str =
    "// Adds.\nfn add(a: Int, b: Int) -> Int {\n  let sum_up = a + b; // both\n  sum_up\n}\n";

/// The id of the first node of that kind, from the canonical AST of the program.
fn id_of(project: &Project, kind: &str, name: &str) -> String {
    fn find(value: &Value, kind: &str, name: &str) -> Option<String> {
        match value {
            Value::Object(members) => {
                let text = |key: &str| members.get(key).and_then(Value::as_str);
                if text("kind") == Some(kind) && text("name").is_none_or(|it| it == name) {
                    return text("id").map(str::to_owned);
                }
                members.values().find_map(|it| find(it, kind, name))
            }
            Value::Array(items) => items.iter().find_map(|it| find(it, kind, name)),
            _ => None,
        }
    }
    let ast = project.run(&["compile", "a.clank", "--emit=json"]).stdout;
    let result: Value = serde_json::from_str(&ast).expect("JSON");
    find(&result["canonical_ast"], kind, name).expect("a node")
}

fn sha256(text: &str) -> String {
    fixpoint_text::Digest::of(text.as_bytes()).to_string()
}

#[test]
fn ops_are_applied_to_text_and_nothing_is_written() {
    let project = Project::new(&[("a.clank", TEXT)]);
    let function = id_of(&project, "fn", "add");
    let ops = json!([
        {"op": "widen_effect", "fn_id": function, "add_effects": ["IO"]},
        {"op": "add_param", "fn_id": function, "param": {"name": "_c", "type": {"source": "Str"}}},
    ]);
    project.write("ops.json", ops.to_string());
    let patched = project
        .run(&["patch", "a.clank", "--ops", "ops.json"])
        .exits_with(0);
    let after = TEXT.replace("b: Int) -> Int", "b: Int, _c: Str) -> IO + Int");
    assert_eq!(patched.stdout, after);
    assert_eq!(project.read("a.clank"), TEXT);
    // The AST form leads to the same program.
    let ast = project
        .run(&["patch", "a.clank", "--ops", "ops.json", "--emit=ast"])
        .exits_with(0);
    project.write("b.json", ast.stdout);
    let text = project.run(&["patch", "b.json", "--ops", "none.json", "--emit=clank"]);
    assert_eq!(text.status, Some(3), "{}", text.stderr);
    project.write("none.json", "[]");
    project
        .run(&["patch", "b.json", "--ops", "none.json", "--emit=clank"])
        .exits_with(0)
        .prints("fn add(a: Int, b: Int, _c: Str) -> IO + Int {");
}

#[test]
fn a_patch_for_another_version_is_refused() {
    let project = Project::new(&[("a.clank", TEXT)]);
    let function = id_of(&project, "fn", "add");
    let patch = |base: &str| {
        let ops = [json!({"op": "rename", "symbol_id": function, "new_name": "plus"})];
        json!({"base_sha256": base, "ops": ops}).to_string()
    };
    project.write("ops.json", patch(&sha256(TEXT)));
    project
        .run(&["patch", "a.clank", "--ops", "ops.json"])
        .exits_with(0)
        .prints("fn plus(");
    project.write("ops.json", patch(&sha256("other")));
    project
        .run(&["patch", "a.clank", "--ops", "ops.json"])
        .exits_with(3)
        .complains("the ops are for another version of a.clank");
}

#[test]
fn what_cannot_be_applied_is_an_error_and_prints_nothing() {
    let project = Project::new(&[("a.clank", TEXT)]);
    for (ops, status, message) in [
        ("{", 2, "is not a list of PatchOps"),
        (
            r#"[{"op": "explode", "node_id": "n1"}]"#,
            2,
            "unknown variant `explode`",
        ),
        (r#"{"ops": [], "sha": "1"}"#, 2, "unknown field `sha`"),
        (
            r#"[{"op": "delete_node", "node_id": "nowhere"}]"#,
            1,
            "there is no node `nowhere`",
        ),
    ] {
        project.write("ops.json", ops);
        let ended = project
            .run(&["patch", "a.clank", "--ops", "ops.json"])
            .exits_with(status);
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
}
