//! Tests that reported fixes can be applied: every fix passes the gate, and all actions of a pack
//! can be applied at once.

use crate::common::{checked, findings, library, ruled, run};
use fixpoint_document::{ActionPack, Document, Format, OpSet, Sources, Value, lower};
use fixpoint_edit::apply;
use fixpoint_text::Snapshot;
use fixpoint_validate::{Library, ValidatorOutput};

const SCHEMA: &str = r#"{
  "properties": {
    "name": { "type": "string" },
    "port": { "type": "integer" },
    "one": { "const": 1 },
    "two": { "default": "x" },
    "three": { "default": [1] },
    "tags": { "uniqueItems": true }
  },
  "required": ["one", "two", "three"],
  "additionalProperties": false,
  "x-fixpoint-former-keys": {
    "old": { "remove": true },
    "older": { "remove": true },
    "title": { "rename": "name" }
  }
}"#;

fn pack(library: &Library, path: &str, text: &str) -> ActionPack {
    let report = run(library, path, text).report;
    let snapshot = Snapshot::new(path, text);
    ValidatorOutput::of([(&report, Some(&snapshot))], OpSet::All).actions
}

/// The text after a pack is applied. Every action of it must be applicable.
fn applied(pack: &ActionPack, path: &str, text: &str) -> String {
    let snapshot = Snapshot::new(path, text);
    let sources = Sources::read(pack, &mut |_| Ok(snapshot.clone()));
    let lowered = lower(pack, &sources);
    assert_eq!(lowered.errors, [], "{path}");
    let (report, _) = lowered.files.first().expect("a file");
    let edits = &report.canonical.as_ref().expect("a text").edits;
    apply(&snapshot, edits).expect("edits that fit").text
}

fn value(path: &str, text: &str) -> Value {
    let format = Format::of_path(path).expect("a format");
    let document = Document::parse(format, text).expect("a document");
    document.root().value()
}

#[test]
fn all_actions_of_a_pack_give_the_same_result_as_the_fixes() {
    // F-10 F-12
    let library = library(Some(SCHEMA), None);
    for (path, text) in [
        ("a.yaml", "old: 1\nolder: {a: 2}\ntitle: x\nport: \"80\"\n"),
        ("a.yaml", "older: 1\n"),
        (
            "a.json",
            "{\"title\": \"x\", \"old\": 1, \"older\": {\"a\": 2}, \"port\": \"80\"}",
        ),
        ("a.json", "{}"),
        ("a.json", "{\n  \"old\": 1\n}\n"),
        (
            "a.toml",
            "old = 1\nolder = {a = 2}\ntitle = \"x\"\nport = \"80\"\n",
        ),
        ("a.toml", ""),
    ] {
        let wanted = run(&library, path, text).canonical;
        let applied = applied(&pack(&library, path, text), path, text);
        assert_eq!(value(path, &applied), value(path, wanted.text()), "{text}");
        assert!(
            findings(&run(&library, path, &applied)).is_empty(),
            "{applied}"
        );
    }
}

#[test]
fn a_merged_action_targets_all_its_diagnostics() {
    // F-19 F-26
    // Two items at the end of one array are at the same place.
    let rule = |key: &str| {
        format!(
            "  - id: has-{key}\n    at: /tags\n    require: {{ schema: {{ contains: {{ const: {key} }} }} }}\n    \
             message: no {key}\n    fix: {{ reason: x., ops: [{{ op: insert_array_item, value: {key} }}] }}\n"
        )
    };
    let sorted = "  - id: sorted\n    at: /tags\n    require: { sorted: true }\n    message: sorted\n    fix: { reason: x. }\n";
    let rules = format!(
        "files: [\"**\"]\nrules:\n{}{}{sorted}",
        rule("q"),
        rule("z")
    );
    let pack = pack(&library(None, Some(&rules)), "a.yaml", "tags: [a]\n");
    let [action] = pack.fix_actions.as_slice() else {
        panic!("{pack:?}");
    };
    assert_eq!(action.ops.len(), 2);
    assert_eq!(action.targets.len(), 2);
    assert_eq!(action.title, "Do what the rule says; Do what the rule says");
    assert_eq!(applied(&pack, "a.yaml", "tags: [a]\n"), "tags: [a, q, z]\n");
}

#[test]
fn keys_that_are_added_to_one_object_are_separate_actions() {
    // F-10 F-38
    let library = library(Some(SCHEMA), None);
    for (path, text) in [("a.yaml", "name: x\n"), ("a.json", "{}"), ("a.toml", "")] {
        let pack = pack(&library, path, text);
        assert_eq!(pack.fix_actions.len(), 3, "{pack:?}");
        let applied = applied(&pack, path, text);
        assert!(
            findings(&run(&library, path, &applied)).is_empty(),
            "{applied}"
        );
    }
}

/// The edits of the two fixes are compatible, but together they would leave no text for the object.
#[test]
fn an_object_that_fixes_empty_stays_an_object() {
    let rule = |id: &str, key: &str| {
        format!(
            "  - id: {id}\n    at: /app/{key}\n    require: {{ absent: true }}\n    message: gone\n    \
             fix: {{ safety: behavior_preserving, reason: x. }}\n"
        )
    };
    let rules = format!(
        "files: [\"**\"]\nrules:\n{}{}",
        rule("no-a", "a"),
        rule("no-b", "b")
    );
    let library = library(None, Some(&rules));
    for (path, text, wanted) in [
        ("q.yaml", "app:\n  a: 1\n  b: 2\nc: 1\n", "app: {}\nc: 1\n"),
        (
            "q.toml",
            "x = 1\napp.a = 1\napp.b = 2\n",
            "x = 1\napp = {}\n",
        ),
        (
            "q.json",
            "{ \"app\": { \"a\": 1, \"b\": 2 } }\n",
            "{ \"app\": {} }\n",
        ),
    ] {
        let run = run(&library, path, text);
        assert_eq!(run.canonical.text(), wanted);
        assert!(run.report.rejected.is_empty(), "{:?}", run.report.rejected);
    }
}

#[test]
fn two_former_keys_of_one_key_are_not_fixed() {
    // F-14
    let schema = r#"{ "additionalProperties": false, "properties": { "c": {} },
        "x-fixpoint-former-keys": { "a": { "rename": "c" }, "b": { "rename": "c" } } }"#;
    let run = run(&library(Some(schema), None), "a.yaml", "a: 1\nb: 2\n");
    assert!(run.report.fixes.is_empty());
}

#[test]
fn a_key_with_two_defaults_is_not_added() {
    // F-14
    let two = r#"{ "allOf": [
        { "required": ["a"], "properties": { "a": { "default": 1 } } },
        { "required": ["a"], "properties": { "a": { "default": 2 } } } ] }"#;
    let run = run(&library(Some(two), None), "a.yaml", "b: 1\n");
    assert!(run.report.fixes.is_empty());
    assert!(!run.report.diagnostics.is_empty());
}

#[test]
fn the_default_of_a_missing_key_is_found_through_references() {
    let schema = r##"{ "required": ["a", "b"],
        "properties": { "a": { "$ref": "#/$defs/five" }, "b": { "enum": ["x"] } },
        "$defs": { "five": { "$ref": "#/$defs/number" }, "number": { "type": "integer", "default": 5 } } }"##;
    let run = run(&library(Some(schema), None), "a.json", "{ \"c\": 1 }\n");
    let value: serde_json::Value = serde_json::from_str(run.canonical.text()).expect("JSON");
    assert_eq!(value, serde_json::json!({ "a": 5, "b": "x", "c": 1 }));
}

#[test]
fn rules_about_one_place_are_applied_in_turn() {
    let rules = "files: [\"**\"]\nrules:\n  - id: once\n    at: /tags\n    require: { unique: true }\n    message: once\n    fix: { reason: A set. }\n  - id: sorted\n    at: /tags\n    require: { sorted: true }\n    message: sorted\n    fix: { reason: A set. }\n";
    let library = library(None, Some(rules));
    for text in [
        "tags:\n  - c\n  - a\n  - a\n  - a\n  - b\n",
        "tags: [b, b, a, b]\n",
    ] {
        // Whatever is compatible in the first round, validating and applying repeatedly comes to an
        // end.
        let mut current = text.to_owned();
        for _ in 0..3 {
            let pack = pack(&library, "a.yaml", &current);
            if !pack.fix_actions.is_empty() {
                current = applied(&pack, "a.yaml", &current);
            }
        }
        let wanted = run(&library, "a.yaml", text);
        assert_eq!(current, wanted.canonical.text());
        assert!(findings(&run(&library, "a.yaml", &current)).is_empty());
    }
}

#[test]
fn a_title_is_one_short_line_for_any_key() {
    // F-26
    let key = "k".repeat(200);
    let schema = format!(
        r#"{{ "properties": {{ "{key}": {{ "const": 1 }}, "a\nb": {{ "const": 1 }} }}, "required": ["{key}", "a\nb"] }}"#
    );
    let library = library(Some(&schema), None);
    let pack = pack(&library, "a.json", "{}");
    assert!(!pack.fix_actions.is_empty());
    let read = ActionPack::parse(Format::Json, &pack.to_json());
    assert_eq!(read.expect("a pack that can be read"), pack);
}

#[test]
fn a_fix_that_would_be_rejected_is_not_proposed() {
    // F-13 F-14
    let enough = r#"{ "properties": { "tags": { "uniqueItems": true, "minItems": 3 } } }"#;
    let other = r#"{ "allOf": [
        { "properties": { "a": { "type": "string" } } },
        { "properties": { "a": { "not": { "const": "1" } } } } ] }"#;
    let former = r#"{ "additionalProperties": false,
        "x-fixpoint-former-keys": { "old": { "remove": true } } }"#;
    for (schema, path, text) in [
        (enough, "a.yaml", "tags: [a, a, b]\n"),
        (other, "a.json", "{ \"a\": 1 }\n"),
        (
            former,
            "a.yaml",
            "old:\n  a: 1\n  # Why it is so.\n  b: 1\n",
        ),
        (former, "a.jsonc", "{ \"old\": [\n  // one\n  1 ] }\n"),
    ] {
        let run = run(&library(Some(schema), None), path, text);
        assert_eq!(run.report.diagnostics.len(), 1, "{text}");
        let rule = run.report.diagnostics[0].rule.as_str();
        assert_ne!(rule, "schema-combination", "{text}");
        assert!(run.report.fixes.is_empty(), "{text}");
        assert!(run.report.rejected.is_empty(), "{text}");
        assert_eq!(run.canonical.text(), text);
    }
}

#[test]
fn a_removed_key_removes_only_the_comment_on_its_line() {
    let former = r#"{ "properties": { "a": {}, "b": {} }, "additionalProperties": false,
        "x-fixpoint-former-keys": { "old": { "remove": true } } }"#;
    for (path, text, after) in [
        (
            "a.yaml",
            "a: 1 # one\n# above\nold: 2 # two\n# below\nb: 3\n",
            "a: 1 # one\n# above\n# below\nb: 3\n",
        ),
        (
            "a.toml",
            "a = 1 # one\n# above\nold = 2 # two\n# below\nb = 3\n",
            "a = 1 # one\n# above\n# below\nb = 3\n",
        ),
        (
            "a.jsonc",
            "{\n  \"a\": 1, // one\n  // above\n  \"old\": 2, // two\n  // below\n  \"b\": 3\n}\n",
            "{\n  \"a\": 1, // one\n  // above\n  // below\n  \"b\": 3\n}\n",
        ),
        ("a.jsonc", "{ \"old\": [ /* one */ 1 ] }\n", "{}\n"),
    ] {
        let (found, fixed) = checked(former, path, text);
        assert_eq!(found, ["schema-unknown-key /old [Remove `old`]"], "{text}");
        assert_eq!(fixed, after);
    }
}

#[test]
fn one_bad_fix_does_not_prevent_others() {
    let schema = r#"{ "properties": {
        "tags": { "uniqueItems": true, "minItems": 3 },
        "port": { "type": "integer" }, "name": { "type": "string" } } }"#;
    let text = "tags: [a, a, b]\nport: \"80\"\nname: 1\n";
    let (found, after) = checked(schema, "a.yaml", text);
    assert_eq!(
        found,
        [
            "schema-type /name [Write it as \"1\"]",
            "schema-type /port [Write it as 80]",
            "schema-duplicate-items /tags []",
        ]
    );
    assert_eq!(after, "tags: [a, a, b]\nport: 80\nname: \"1\"\n");
}

#[test]
fn a_fix_that_does_not_resolve_its_finding_is_not_proposed() {
    let rules = "files: [\"**\"]\nrules:\n  - id: owned\n    require: { schema: { required: [owner] } }\n    message: nobody owns this\n    fix:\n      reason: Somebody must.\n      ops: [{ op: add_value, key: ownr, value: me }]\n";
    let (found, after) = ruled(rules, "a.yaml", "a: 1\n");
    assert_eq!(found, ["owned  []"]);
    assert_eq!(after, "a: 1\n");
}

#[test]
fn a_fix_may_cause_a_finding_that_another_fix_resolves() {
    let rules = "files: [\"**\"]\nrules:\n  - id: owned\n    require: { schema: { required: [owner] } }\n    message: nobody owns this\n    fix:\n      reason: Somebody must.\n      ops: [{ op: add_value, key: owner, value: platfrom }]\n  - id: team\n    at: /owner\n    require: { one_of: [platform] }\n    message: no team\n    fix: { reason: A slip. }\n";
    let (found, after) = ruled(rules, "a.yaml", "a: 1\n");
    assert_eq!(found, ["owned  [Do what the rule says]"]);
    assert_eq!(after, "a: 1\nowner: platform\n");
}

#[test]
fn errors_beyond_the_report_limit_are_fixed_too() {
    let schema = r#"{ "additionalProperties": { "type": "integer" } }"#;
    let lines = |value: &str| -> String {
        let lines = (0..1500).map(|number| format!("key{number}: {value}\n"));
        lines.collect()
    };
    let (_, after) = checked(schema, "a.yaml", &lines("\"1\""));
    assert!(after == lines("1"));
}
