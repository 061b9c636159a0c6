//! Runs the examples of docs/bridge.md: both sides of every row lead to the same document.

use std::collections::BTreeSet;

use fixpoint_clank::repair::{PatchOp, patch};
use fixpoint_document::{ActionPack, Format, Sources, lower};
use fixpoint_text::Snapshot;
use serde_json::{Value, json};

use crate::house::read;
use crate::project::Project;

/// The text of the section under a heading.
fn section(heading: &str) -> String {
    let page = read("docs/bridge.md");
    let start = format!("\n## {heading}\n");
    let (_, rest) = page.split_once(&start).expect("a section");
    rest.split("\n## ").next().expect("its text").to_owned()
}

/// The fenced blocks of a language in a section.
fn block(section: &str, language: &str) -> String {
    let (_, rest) = section
        .split_once(&format!("```{language}\n"))
        .expect("a block");
    rest.split_once("```").expect("its end").0.to_owned()
}

/// The words in backquotes in one column of the first table of a section, by row.
fn column(section: &str, number: usize) -> Vec<BTreeSet<String>> {
    let rows = section.lines().filter(|line| line.starts_with('|'));
    rows.skip(2)
        .map(|row| {
            let cell = row.split('|').nth(number).expect("a cell");
            let words = cell.split('`').skip(1).step_by(2);
            words.map(str::to_owned).collect()
        })
        .collect()
}

/// The document after pointer ops, through the code that `apply --actions` runs.
fn by_actions(document: &Value, ops: &Value) -> Value {
    let mut ops = ops.clone();
    for op in ops.as_array_mut().expect("a list of ops") {
        op["file"] = json!("f.json");
    }
    let pack = json!({
        "pack_version": "1", "workspace_root": ".", "fix_actions": [{
            "id": "a", "title": "t", "severity": "error", "ops": ops,
            "targets": [{"file": "f.json", "json_pointer": "", "rule_id": "r"}],
        }],
    });
    let pack = ActionPack::parse(Format::Json, &pack.to_string()).expect("a pack");
    let text = serde_json::to_string_pretty(document).expect("JSON");
    let snapshot = Snapshot::new("f.json", text);
    let lowered = lower(&pack, &Sources::read(&pack, &mut |_| Ok(snapshot.clone())));
    assert_eq!(lowered.errors, []);
    let after = &lowered.plan.groups[0][0].text;
    serde_json::from_str(after).expect("JSON")
}

fn op_names(ops: &Value) -> BTreeSet<String> {
    let ops = ops.as_array().expect("a list of ops").iter();
    ops.map(|op| op["op"].as_str().expect("an op").to_owned())
        .collect()
}

/// The examples of a section. Every row of its table has one for each op in both columns, and no
/// example has ops that no row names together.
fn examples(section: &str, side: &str, [left, right]: [usize; 2]) -> Vec<Value> {
    let examples: Vec<Value> = block(section, "jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an example"))
        .collect();
    let rows: Vec<_> = column(section, left)
        .into_iter()
        .zip(column(section, right))
        .collect();
    let (mut shown_left, mut shown_right) = (BTreeSet::new(), BTreeSet::new());
    for example in &examples {
        let name = example[side]["op"].as_str().expect("an op").to_owned();
        let pointer = op_names(&example["pointer"]);
        let is_row = |(ours, theirs): &(BTreeSet<String>, BTreeSet<String>)| {
            ours.contains(&name) && pointer.is_subset(theirs)
        };
        assert!(rows.iter().any(is_row), "no row has {name} and {pointer:?}");
        shown_left.insert(name.clone());
        shown_right.extend(pointer.into_iter().map(|it| (name.clone(), it)));
    }
    for (ours, theirs) in &rows {
        let is_op = |it: &&String| !it.contains('.') && !it.ends_with("_file");
        for name in ours.iter().filter(is_op) {
            assert!(shown_left.contains(name), "no example of {name}");
        }
        for pointer in theirs.iter().filter(is_op) {
            let is_shown = |name: &String| shown_right.contains(&(name.clone(), pointer.clone()));
            let named = ours.iter().filter(is_op).count() > 0;
            assert!(
                !named || ours.iter().any(is_shown),
                "no example of {pointer} for {ours:?}"
            );
        }
    }
    examples
}

#[test]
fn every_patch_op_of_the_bridge_equals_its_pointer_ops() {
    // F-65 X-45
    let section = section("PatchOps and pointer ops");
    let tree: Value = serde_json::from_str(&block(&section, "json")).expect("a tree");
    let mut names = BTreeSet::new();
    for example in examples(&section, "patch", [1, 2]) {
        let op: PatchOp = serde_json::from_value(example["patch"].clone()).expect("a PatchOp");
        names.insert(op.name());
        let by_patch = patch(&tree, &[op]).unwrap_or_else(|error| panic!("{error}: {example}"));
        assert_ne!(by_patch, tree, "{example}");
        assert_eq!(
            by_patch,
            by_actions(&tree, &example["pointer"]),
            "{example}"
        );
    }
    assert_eq!(names.len(), 12, "{names:?}");
}

/// Applies an op of the changeset format that the page describes.
fn by_changeset(document: &Value, op: &Value) -> Value {
    let mut after = document.clone();
    let path = |member: &str| op[member].as_str().expect("a path").to_owned();
    let split = |path: &str| {
        let (parent, last) = path.rsplit_once('/').expect("not the root");
        (parent.to_owned(), last.to_owned())
    };
    let set = |after: &mut Value, path: &str, value: Value| {
        let (parent, last) = split(path);
        match after.pointer_mut(&parent).expect("a container") {
            Value::Array(items) => items[last.parse::<usize>().expect("an index")] = value,
            object => object[last] = value,
        }
    };
    let delete = |after: &mut Value, path: &str| {
        let (parent, last) = split(path);
        match after.pointer_mut(&parent).expect("a container") {
            Value::Array(items) => items.remove(last.parse().expect("an index")),
            Value::Object(members) => members.remove(&last).expect("a member"),
            other => panic!("{other} is not a container"),
        }
    };
    match op["op"].as_str().expect("an op") {
        "set_value" => set(&mut after, &path("path"), op["value"].clone()),
        "delete_value" => drop(delete(&mut after, &path("path"))),
        "insert_into_array" => {
            let index = op["index"].as_u64().expect("an index");
            let items = after.pointer_mut(&path("path")).expect("an array");
            let items = items.as_array_mut().expect("an array");
            items.insert(usize::try_from(index).expect("small"), op["value"].clone());
        }
        "move_value" => {
            let value = delete(&mut after, &path("from"));
            set(&mut after, &path("path"), value);
        }
        other => panic!("{other} is not an op of the format"),
    }
    after
}

#[test]
fn every_changeset_op_of_the_bridge_equals_its_pointer_ops() {
    // F-62 F-63 F-65
    let section = section("Changesets");
    let document = json!({"app": {"name": "a", "tags": ["x", "y"]}});
    assert!(section.contains(r#"`{"app": {"name": "a", "tags": ["x", "y"]}}`"#));
    let mut ops = BTreeSet::new();
    for example in examples(&section, "changeset", [2, 1]) {
        ops.extend(op_names(&example["pointer"]));
        let by_changeset = by_changeset(&document, &example["changeset"]);
        assert_ne!(by_changeset, document, "{example}");
        assert_eq!(
            by_changeset,
            by_actions(&document, &example["pointer"]),
            "{example}"
        );
    }
    assert_eq!(ops.len(), 7, "{ops:?}");
}

#[test]
fn the_validator_exports_a_changeset_that_can_be_reviewed_and_applied() {
    // F-62 F-64: what `validate` prints is what `apply` reads, without a conversion.
    let schema = r#"{ "properties": { "port": { "type": "integer" }, "tags": { "uniqueItems": true } },
        "required": ["kind"], "additionalProperties": false,
        "x-fixpoint-former-keys": { "old": { "remove": true }, "tag": { "rename": "tags" } } }"#;
    let schema = schema.replace("\"port\"", "\"kind\": { \"const\": 1 }, \"port\"");
    let settings = "[[validate.schema]]\nfiles = [\"conf/*\"]\nschema = \"schema.json\"\n";
    let project = Project::new(&[
        ("conf/a.yaml", "port: \"80\"\ntags: [x, x]\nold: 1\n"),
        ("conf/b.json", "{ \"tag\": [] }\n"),
        ("schema.json", &schema),
        ("fixpoint.toml", settings),
    ]);
    let validated = project.run(&["validate", "--format=json"]).exits_with(1);
    let mut changeset: Value = serde_json::from_str(&validated.stdout).expect("JSON");
    let vocabulary: BTreeSet<String> = column(&section("Changesets"), 1)
        .into_iter()
        .flatten()
        .collect();
    let actions = changeset["fix_actions"].as_array_mut().expect("a list");
    assert!(actions.len() > 4, "{actions:?}");
    for action in actions.iter() {
        assert!(op_names(&action["ops"]).is_subset(&vocabulary), "{action}");
    }
    // A review may remove actions.
    actions.retain(|action| action["targets"][0]["file"] == "conf/b.json");
    let left = actions.len();
    project.write("changeset.json", changeset.to_string());
    project
        .run(&["apply", "--actions", "changeset.json"])
        .exits_with(0)
        .prints(&format!(
            "Applied {left} of {left} actions to 1 file; 0 rejected"
        ));
    assert_eq!(
        project.read("conf/a.yaml"),
        "port: \"80\"\ntags: [x, x]\nold: 1\n"
    );
    project.run(&["validate", "conf/b.json"]).exits_with(0);
}
