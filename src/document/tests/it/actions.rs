//! Packs of actions: their form, their order, and their conflicts.

use fixpoint_document::{ActionPack, Format};
use fixpoint_report::{Provenance, Safety, from_json, to_json};

use crate::harness::{action, applied, lowered, ops, pack};

const PACK: &str = r#"{
  "pack_version": "10.4",
  "workspace_root": ".",
  "fix_actions": [
    {
      "id": "FIX_000123",
      "title": "Short human label",
      "severity": "error",
      "targets": [
        {
          "file": "app/app-core.yaml",
          "json_pointer": "/app/name",
          "rule_id": "SEM_IDENTITY_SINGLE_SOURCE"
        }
      ],
      "ops": [
        {
          "op": "replace_value",
          "file": "app/app-core.yaml",
          "json_pointer": "/app/name",
          "value": 123456789012345678901234567890,
          "expects": {
            "type": "string",
            "equals": "old_value",
            "exists": true
          }
        }
      ],
      "notes": "Optional short note",
      "confidence": "high"
    }
  ]
}
"#;

#[test]
fn json_and_yaml_give_the_same_pack_and_json_round_trips() {
    // F-18 F-21 F-22 F-23 F-24 F-25 F-27 F-28 F-29 F-30 F-31 F-67
    let json = ActionPack::parse(Format::Json, PACK).expect("a pack");
    assert_eq!(json.to_json(), PACK);
    let yaml = "pack_version: '10.4'\nworkspace_root: .\nfix_actions:\n- id: FIX_000123\n  title: Short human label\n  severity: error\n  targets:\n  - {file: app/app-core.yaml, json_pointer: /app/name, rule_id: SEM_IDENTITY_SINGLE_SOURCE}\n  ops:\n  - op: replace_value\n    file: app/app-core.yaml\n    json_pointer: /app/name\n    value: 123456789012345678901234567890\n    expects: {type: string, equals: old_value, exists: true}\n  notes: Optional short note\n  confidence: high\n";
    assert_eq!(ActionPack::parse(Format::Yaml, yaml), Ok(json));
    let empty = r#"{"pack_version": "1", "workspace_root": ".", "fix_actions": []}"#;
    assert!(ActionPack::parse(Format::Json, empty).is_ok()); // F-04 F-17
}

#[test]
fn an_invalid_pack_is_rejected_with_its_location() {
    // F-02 F-25 F-26 F-27 F-28 F-29 F-31 F-36
    let long = "x".repeat(121);
    for (from, to, message) in [
        ("\"pack_version\": \"10.4\",", "", "lacks `pack_version`"),
        (
            "\"10.4\"",
            "10.4",
            "`/pack_version` must be a string, but is a number",
        ),
        (
            "\"error\"",
            "\"fatal\"",
            "`/fix_actions/0/severity` must be one of error, warning, info",
        ),
        ("\"high\"", "0.9", "must be one of high, medium, low"),
        (
            "Short human label",
            long.as_str(),
            "`/fix_actions/0/title` must be a short label",
        ),
        (
            "replace_value",
            "patch_file",
            "`/fix_actions/0/ops/0/op` must be one of replace_value",
        ),
        (
            "\"json_pointer\": \"/app/name\",\n          \"value\"",
            "\"json_pointer\": \"app\",\n          \"value\"",
            "must be empty or start with `/`",
        ),
        ("\"value\"", "\"valeu\"", "has the unknown key `valeu`"),
        (
            "\"type\": \"string\"",
            "\"type\": \"text\"",
            "must be one of null, boolean",
        ),
        ("\"exists\": true", "\"exists\": 1", "must be true or false"),
        ("\"notes\"", "\"id\"", "has the key `id` twice"),
    ] {
        let error =
            ActionPack::parse(Format::Json, &PACK.replacen(from, to, 1)).expect_err(message);
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn the_output_order_does_not_depend_on_the_input_order() {
    // F-05 F-55 F-56 F-57 F-58 F-59 F-60 F-61 F-68 F-69 D-14
    let mut list = Vec::new();
    for (id, severity, file, pointer) in [
        ("1", "error", "a.yaml", "/items/2"),
        ("2", "error", "a.yaml", "/items/10"),
        ("3", "error", "b.yaml", "/a"),
        ("4", "warning", "a.yaml", "/a"),
        ("5", "info", "a.yaml", "/a"),
    ] {
        list.push(format!(
            "{{id: '{id}', title: t, severity: {severity}, ops: [{{op: remove_key, file: z.yaml, json_pointer: '', key: z}}, {{op: remove_key, file: a.yaml, json_pointer: '', key: a}}], targets: [{{file: z.yaml, json_pointer: '', rule_id: r}}, {{file: {file}, json_pointer: {pointer}, rule_id: r}}]}}"
        ));
    }
    let sorted = |list: &[String]| {
        let text = format!(
            "{{pack_version: '1', workspace_root: ., fix_actions: [{}]}}",
            list.join(", ")
        );
        let mut pack = ActionPack::parse(Format::Yaml, &text).expect("a pack");
        pack.sort();
        pack
    };
    let pack = sorted(&list);
    let ids: Vec<&str> = pack.fix_actions.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "3", "4", "5"]);
    for action in &pack.fix_actions {
        // Sorting keeps the order of the ops.
        let files: Vec<&str> = action.ops.iter().map(|op| op.file.as_str()).collect();
        assert_eq!(files, ["z.yaml", "a.yaml"]);
    }
    list.reverse();
    assert_eq!(sorted(&list).to_json(), pack.to_json());
    list.swap(0, 3);
    assert_eq!(sorted(&list).to_json(), pack.to_json());
}

#[test]
fn ops_are_sequential_and_all_actions_use_one_snapshot() {
    // X-46 F-33
    let text = "a: [1, 2, 3]\nb: 1\n";
    let twice =
        "{op: remove_array_item, at: /a, index: 0}, {op: remove_array_item, at: /a, index: 0}";
    let one = pack(vec![action("one", ops(Format::Yaml, twice))]);
    assert_eq!(
        applied(&one, &[("f.yaml", text)]).0["f.yaml"],
        "a: [3]\nb: 1\n"
    );
    let once = "{op: remove_array_item, at: /a, index: 0}";
    let two = pack(vec![
        action("one", ops(Format::Yaml, once)),
        action("two", ops(Format::Yaml, once)),
    ]);
    let (texts, errors) = applied(&two, &[("f.yaml", text)]);
    assert_eq!(
        (texts["f.yaml"].as_str(), errors.len()),
        ("a: [2, 3]\nb: 1\n", 0)
    );
}

#[test]
fn conflicting_actions_are_resolved_and_reported_in_any_order() {
    // F-55 X-42
    let text = "a: 1\nb: 2\n";
    let file = [("f.yaml", text)];
    let made = |first: &str, second: &str, turned: bool| {
        let mut actions = vec![
            action("one", ops(Format::Yaml, first)),
            action("two", ops(Format::Yaml, second)),
        ];
        if turned {
            actions.reverse();
        }
        let (texts, errors) = applied(&pack(actions), &file);
        let errors: Vec<String> = errors
            .iter()
            .map(|it| format!("{} {}", it.action, it.problem.reason.name()))
            .collect();
        (texts["f.yaml"].clone(), errors)
    };
    for (first, second, after, lost) in [
        (
            "{op: replace_value, at: /a, value: 3}",
            "{op: replace_value, at: /a, value: 4}",
            "a: 3\nb: 2\n",
            1,
        ),
        (
            "{op: replace_value, at: /a, value: 3}",
            "{op: replace_value, at: /a, value: 3}",
            "a: 3\nb: 2\n",
            0,
        ),
        (
            "{op: add_value, at: '', key: c, value: 1}",
            "{op: add_value, at: '', key: c, value: 1}",
            "a: 1\nb: 2\nc: 1\n",
            0,
        ),
        (
            "{op: add_value, at: '', key: c, value: 1}",
            "{op: add_value, at: '', key: d, value: 1}",
            "a: 1\nb: 2\nc: 1\nd: 1\n",
            0,
        ),
        // The changes are far apart in the text, but both add a key `c`.
        (
            "{op: add_value, at: '', key: c, value: 1}",
            "{op: rename_key, at: '', from: a, to: c}",
            "a: 1\nb: 2\nc: 1\n",
            1,
        ),
        (
            "{op: replace_value, at: /a, value: 3}",
            "{op: replace_value, at: /b, value: 3}",
            "a: 3\nb: 3\n",
            0,
        ),
    ] {
        let (text, errors) = made(first, second, false);
        assert_eq!(
            (text.as_str(), errors.len()),
            (after, lost),
            "{first} {second} {errors:?}"
        );
        assert!(errors.iter().all(|it| it == "two conflict"), "{errors:?}");
        assert_eq!(made(first, second, true), (text, errors));
    }
}

#[test]
fn a_lowered_action_is_a_valid_report_with_its_ops() {
    // F-53 F-65
    let list = "{op: replace_value, at: /a, value: 3, expects: {equals: 1}}, {op: add_value, at: '', key: c, value: [1]}";
    let pack = pack(vec![action("one", ops(Format::Yaml, list))]);
    let lowered = lowered(&pack, &[("f.yaml", "a: 1\n")]);
    let (report, _) = &lowered.files[0];
    let json = to_json(report).expect("JSON");
    assert_eq!(from_json(json.as_bytes()).as_ref().ok(), Some(report));
    let fix = &report.fixes[0];
    assert_eq!(fix.safety, i32::from(Safety::BehaviorChanging));
    let op = fix.ops[0].pointer.as_ref().expect("a pointer op");
    assert_eq!(
        (op.json_pointer.as_str(), op.value_json.as_deref()),
        ("/a", Some("3"))
    );
    assert_eq!(fix.preconditions[0].json_pointer.as_deref(), Some("/a"));
    assert!(!json.contains("\"/\""));
}

#[test]
fn paths_stay_in_the_workspace_and_follow_the_pack_root() {
    // F-08 F-23 F-35
    let list = ops(Format::Yaml, "{op: replace_value, at: /a, value: 3}");
    let mut nested = pack(vec![action("one", list)]);
    nested.workspace_root = "sub/".to_owned();
    let (texts, errors) = applied(&nested, &[("sub/f.yaml", "a: 1\n"), ("f.yaml", "a: 1\n")]);
    assert_eq!(
        (texts["sub/f.yaml"].as_str(), texts["f.yaml"].as_str()),
        ("a: 3\n", "a: 1\n")
    );
    assert!(errors.is_empty());
    for root in ["..", "/etc", "a/../.."] {
        nested.workspace_root = root.to_owned();
        let (_, errors) = applied(&nested, &[]);
        assert_eq!(
            errors[0].problem.reason.name(),
            "outside_workspace",
            "{root}"
        );
    }
}

#[test]
fn an_apply_error_has_one_form() {
    // F-51
    let list = "{op: replace_value, at: /a, value: 3, expects: {type: string}}";
    let (_, errors) = applied(
        &pack(vec![action("one", ops(Format::Yaml, list))]),
        &[("f.yaml", "a: [1]\n")],
    );
    assert_eq!(
        errors[0].to_json(),
        r#"{"action": "one", "op": 0, "reason": "expectation_failed", "file": "f.yaml", "json_pointer": "/a", "expected": "string", "found": "[1]"}"#
    );
    assert_eq!(
        errors[0].to_string(),
        "one: expectation_failed in op 0 on f.yaml at /a: expected string, found [1]"
    );
}

#[test]
fn ten_thousand_ops_in_one_action_are_one_pass() {
    let items: Vec<String> = (0..10_000).map(|it| format!("  - {it} # c")).collect();
    let text = format!("a:\n{}\n", items.join("\n"));
    let list: Vec<String> = (0..10_000)
        .map(|it| format!("{{op: replace_array_item, at: /a, index: {it}, value: x}}"))
        .collect();
    let (texts, errors) = applied(
        &pack(vec![action("one", ops(Format::Yaml, &list.join(", ")))]),
        &[("f.yaml", &text)],
    );
    assert!(errors.is_empty());
    assert_eq!(texts["f.yaml"].matches("- x # c\n").count(), 10_000);
}

#[test]
fn many_actions_on_one_long_line_finish_in_time() {
    // Each action scans the line once. Scanning it for every key, or for every pair of action and
    // key, would take too long.
    let count = 4_000;
    let keys: Vec<String> = (0..count).map(|it| format!("\"k{it}\": [{it}]")).collect();
    let text = format!("{{{}}}", keys.join(", "));
    let actions = (0..count).map(|it| {
        let list = format!("{{op: insert_array_item, at: /k{it}, value: x}}");
        action(&format!("a{it}"), ops(Format::Json, &list))
    });
    let (texts, errors) = applied(&pack(actions.collect()), &[("f.json", &text)]);
    assert!(errors.is_empty());
    assert_eq!(texts["f.json"].matches(", \"x\"]").count(), count);
}

#[test]
fn an_action_cannot_contain_a_free_form_patch() {
    // F-73 X-10: an action consists of ops that a rule names, and is marked as imported. No field
    // says that a model wrote it, and no field contains a text to apply.
    let edit = ops(Format::Yaml, "{op: replace_value, at: /a, value: 2}");
    let made = lowered(&pack(vec![action("A", edit)]), &[("f.yaml", "a: 1\n")]);
    assert_eq!(made.files[0].0.fixes[0].provenance(), Provenance::Imported);
    for field in [
        "provenance: llm",
        "patch: '--- a'",
        "diff: x",
        "prompt: x",
        "edits: []",
    ] {
        let text = format!(
            "{{pack_version: '1', workspace_root: ., fix_actions: [{{id: a, title: t, severity: error, \
             targets: [{{file: f.yaml, json_pointer: '', rule_id: r}}], ops: [], {field}}}]}}"
        );
        let error = ActionPack::parse(Format::Yaml, &text).expect_err(field);
        assert!(error.to_string().contains("unknown key"), "{error}");
    }
    let words = ["builtin", "extracted", "manual", "imported"];
    for word in words {
        assert!(fixpoint_report::parse_word::<Provenance>(word).is_ok());
    }
    for word in ["llm", "model", "ai", "generated"] {
        assert!(fixpoint_report::parse_word::<Provenance>(word).is_err());
    }
}
