//! What is told can be done: every fix that is shown passes the gate, and the actions of a pack can all be
//! applied at once.

use crate::common::{checked, library, ruled, run, told};
use fixpoint_document::{ActionPack, Document, Format, Sources, Value, lower};
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
    ValidatorOutput::of([(&report, Some(&snapshot))]).actions
}

/// The text that a pack leads to, if every action of it can be applied.
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
fn the_actions_of_a_pack_lead_at_once_to_where_the_fixes_lead() {
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
        assert!(told(&run(&library, path, &applied)).is_empty(), "{applied}");
    }
}

#[test]
fn a_joined_action_tells_of_all_it_mends() {
    // F-19 F-26
    let library = library(Some(SCHEMA), None);
    let pack = pack(&library, "a.yaml", "name: x\n");
    let [action] = pack.fix_actions.as_slice() else {
        panic!("{pack:?}");
    };
    assert_eq!(action.ops.len(), 3);
    assert_eq!(action.targets.len(), 3);
    assert!(action.title.contains("Add `one` with the value 1; Add"));
    assert!(action.title.chars().count() <= 120, "{}", action.title);
}

/// The bytes of the two fixes go together; what is left of the object would be nothing at all.
#[test]
fn an_object_that_fixes_empty_stays_one() {
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
fn of_two_former_keys_of_one_neither_is_chosen() {
    // F-14
    let schema = r#"{ "additionalProperties": false, "properties": { "c": {} },
        "x-fixpoint-former-keys": { "a": { "rename": "c" }, "b": { "rename": "c" } } }"#;
    let run = run(&library(Some(schema), None), "a.yaml", "a: 1\nb: 2\n");
    assert!(run.report.fixes.is_empty());
}

#[test]
fn of_two_values_for_one_key_neither_is_chosen() {
    // F-14
    let two = r#"{ "allOf": [
        { "required": ["a"], "properties": { "a": { "default": 1 } } },
        { "required": ["a"], "properties": { "a": { "default": 2 } } } ] }"#;
    let run = run(&library(Some(two), None), "a.yaml", "b: 1\n");
    assert!(run.report.fixes.is_empty());
    assert!(!run.report.diagnostics.is_empty());
}

#[test]
fn the_value_of_a_missing_key_may_be_said_elsewhere_in_the_schema() {
    let schema = r##"{ "required": ["a", "b"],
        "properties": { "a": { "$ref": "#/$defs/five" }, "b": { "enum": ["x"] } },
        "$defs": { "five": { "$ref": "#/$defs/number" }, "number": { "type": "integer", "default": 5 } } }"##;
    let run = run(&library(Some(schema), None), "a.json", "{ \"c\": 1 }\n");
    let value: serde_json::Value = serde_json::from_str(run.canonical.text()).expect("JSON");
    assert_eq!(value, serde_json::json!({ "a": 5, "b": "x", "c": 1 }));
}

#[test]
fn what_rules_ask_of_one_place_is_done_in_turn() {
    let rules = "files: [\"**\"]\nrules:\n  - id: once\n    at: /tags\n    require: { unique: true }\n    message: once\n    fix: { reason: A set. }\n  - id: sorted\n    at: /tags\n    require: { sorted: true }\n    message: sorted\n    fix: { reason: A set. }\n";
    let library = library(None, Some(rules));
    for text in [
        "tags:\n  - c\n  - a\n  - a\n  - a\n  - b\n",
        "tags: [b, b, a, b]\n",
    ] {
        // Whatever goes together at first, the loop of validating and applying comes to an end.
        let mut current = text.to_owned();
        for _ in 0..3 {
            let pack = pack(&library, "a.yaml", &current);
            if !pack.fix_actions.is_empty() {
                current = applied(&pack, "a.yaml", &current);
            }
        }
        let wanted = run(&library, "a.yaml", text);
        assert_eq!(current, wanted.canonical.text());
        assert!(told(&run(&library, "a.yaml", &current)).is_empty());
    }
}

#[test]
fn a_title_is_a_label_whatever_a_key_is() {
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
fn a_fix_that_would_be_refused_is_not_told() {
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
fn a_removed_key_takes_the_comment_on_its_line_and_no_other() {
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
fn one_bad_fix_does_not_keep_others_from_being_told() {
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
fn a_fix_whose_own_finding_would_stay_is_not_told() {
    let rules = "files: [\"**\"]\nrules:\n  - id: owned\n    require: { schema: { required: [owner] } }\n    message: nobody owns this\n    fix:\n      reason: Somebody must.\n      ops: [{ op: add_value, key: ownr, value: me }]\n";
    let (found, after) = ruled(rules, "a.yaml", "a: 1\n");
    assert_eq!(found, ["owned  []"]);
    assert_eq!(after, "a: 1\n");
}

#[test]
fn a_finding_that_a_further_fix_mends_is_no_obstacle() {
    let rules = "files: [\"**\"]\nrules:\n  - id: owned\n    require: { schema: { required: [owner] } }\n    message: nobody owns this\n    fix:\n      reason: Somebody must.\n      ops: [{ op: add_value, key: owner, value: platfrom }]\n  - id: team\n    at: /owner\n    require: { one_of: [platform] }\n    message: no team\n    fix: { reason: A slip. }\n";
    let (found, after) = ruled(rules, "a.yaml", "a: 1\n");
    assert_eq!(found, ["owned  [Do what the rule says]"]);
    assert_eq!(after, "a: 1\nowner: platform\n");
}

#[test]
fn more_errors_than_are_told_can_all_be_mended() {
    let schema = r#"{ "additionalProperties": { "type": "integer" } }"#;
    let lines = |value: &str| -> String {
        let lines = (0..1500).map(|number| format!("key{number}: {value}\n"));
        lines.collect()
    };
    let (_, after) = checked(schema, "a.yaml", &lines("\"1\""));
    assert!(after == lines("1"));
}
