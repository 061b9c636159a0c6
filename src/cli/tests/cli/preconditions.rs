//! The preconditions of the actions that `validate` prints, and what `apply --actions` does if they
//! do not hold.

use serde_json::Value;

use crate::project::Project;

const SCHEMA: &str = r#"{
  "properties": {
    "a": { "const": 1 }, "b": { "const": 2 }, "c": { "const": 3 },
    "name": { "type": "string" },
    "port": { "type": "integer" },
    "tags": { "uniqueItems": true }
  },
  "additionalProperties": false,
  "x-fixpoint-former-keys": { "old": { "remove": true }, "title": { "rename": "name" } }
}
"#;

fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::new(files);
    project.write("schema.json", SCHEMA);
    project.write(
        "fixpoint.toml",
        "[[validate.schema]]\nfiles = [\"conf/*\"]\nschema = \"schema.json\"\n",
    );
    project
}

/// Stores the output of `validate` in pack.json and returns its actions.
fn validated(project: &Project, arguments: &[&str]) -> Vec<Value> {
    let arguments = [&["validate", "--format=json"], arguments].concat();
    let output = project.run(&arguments).exits_with(1).stdout;
    project.write("pack.json", &output);
    let output: Value = serde_json::from_str(&output).expect("JSON");
    output["fix_actions"].as_array().expect("a list").clone()
}

fn sha256(project: &Project, path: &str) -> String {
    let snapshot = fixpoint_text::Snapshot::new(path, project.read(path));
    snapshot.digest().to_string()
}

#[test]
fn every_action_of_validate_has_preconditions_and_the_hash_of_its_file() {
    // F-46 F-47 F-48 F-49 F-75
    let project = project(&[
        (
            "conf/a.yaml",
            "title: x\nport: \"80\"\ntags: [x, y, x]\nold: {k: 1}\n",
        ),
        ("conf/b.json", "{ \"title\": \"x\", \"tags\": [[], []] }\n"),
        ("conf/c.toml", "port = \"80\"\nold = 1\n"),
    ]);
    project.write(
        "schema.json",
        SCHEMA.replacen('{', "{ \"required\": [\"a\", \"b\"],", 1),
    );
    let actions = validated(&project, &[]);
    assert!(actions.len() >= 12, "{actions:?}");
    for action in &actions {
        for op in action["ops"].as_array().expect("ops") {
            let file = op["file"].as_str().expect("a file");
            assert_eq!(op["base_sha256"], sha256(&project, file), "{op}");
            let expects = &op["expects"];
            if op["op"] == "add_value" {
                assert_eq!(expects["exists"], false, "{op}");
            } else {
                assert!(expects["type"].is_string(), "{op}");
                assert!(expects.get("equals").is_some(), "{op}");
            }
        }
    }
    project
        .run(&["apply", "--actions", "pack.json"])
        .exits_with(0);
    project.run(&["validate"]).exits_with(0);
}

#[test]
fn an_action_is_not_applied_to_a_changed_file() {
    // F-50 F-51 F-75
    let project = project(&[
        ("conf/a.yaml", "tags: [x, y, x, keep]\n"),
        ("conf/b.yaml", "port: \"80\"\n"),
        ("conf/c.yaml", "port: \"80\"\n"),
    ]);
    let actions = validated(&project, &[]);
    let [a, _, c] = actions.as_slice() else {
        panic!("{actions:?}");
    };
    project.write("conf/a.yaml", "tags: [y, x, keep]\n");
    project.write("conf/c.yaml", "port: \"80\" # open\n");
    let ended = project
        .run(&["apply", "--actions", "pack.json"])
        .exits_with(1);
    assert_eq!(project.read("conf/a.yaml"), "tags: [y, x, keep]\n");
    assert_eq!(project.read("conf/b.yaml"), "port: 80\n");
    assert_eq!(project.read("conf/c.yaml"), "port: \"80\" # open\n");
    let id = |action: &Value| action["id"].as_str().expect("an id").to_owned();
    ended
        .prints(&format!(
            "Rejected {}: expectation_failed in op 0 on conf/a.yaml at /tags: expected \"x\", found \"keep\"",
            id(a)
        ))
        .prints(&format!("Rejected {}: changed_file in op 0 on conf/c.yaml at /port", id(c)))
        .prints("Applied 1 of 3 actions to 1 file; 2 rejected");
    // The applied action does not hold any more either.
    project
        .run(&["apply", "--actions", "pack.json"])
        .exits_with(1)
        .prints("expected string, found 80")
        .prints("Applied 0 of 3 actions to 0 files; 3 rejected");
}

#[test]
fn six_operations_are_enough_where_no_comment_is_lost() {
    // F-36
    let plain = "tags: [x, v, x]\nport: \"80\"\n";
    let project = project(&[
        ("conf/a.yaml", plain),
        ("conf/b.yaml", "tags:\n  - x # one\n  - x\n"),
    ]);
    let seven = validated(&project, &[]);
    let used = |actions: &[Value], name: &str| {
        let ops = actions.iter().filter_map(|it| it["ops"].as_array());
        ops.flatten().any(|op| op["op"] == name)
    };
    assert!(used(&seven, "remove_array_item"));
    assert_eq!(seven.len(), 3);
    let six = validated(&project, &["--ops=six"]);
    assert!(!used(&six, "remove_array_item"), "{six:?}");
    assert_eq!(six.len(), 2);
    project
        .run(&["validate", "--format=json", "--ops=six"])
        .exits_with(1)
        .complains("an action is left out, because --ops=six cannot express it")
        .complains("on conf/b.yaml at /tags: expected an array without comments");
    project
        .run(&["apply", "--actions", "pack.json"])
        .exits_with(0);
    assert_eq!(
        project.read("conf/a.yaml"),
        "tags:\n  - x\n  - v\nport: 80\n"
    );
    project.run(&["validate", "conf/a.yaml"]).exits_with(0);
    // The action that was left out is found again.
    assert_eq!(validated(&project, &[]).len(), 1);
}
