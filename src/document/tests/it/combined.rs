//! Actions that change one file together: which of them can be combined, and which one wins.

use fixpoint_document::{ActionPack, Document, FixAction, Format, Value};
use fixpoint_report::{Confidence, Severity};

use crate::harness::{action, applied, file_name, ops, pack};

fn value(format: Format, text: &str) -> Value {
    let document = Document::parse(format, text).unwrap_or_else(|error| panic!("{error}: {text}"));
    document.root().value()
}

/// An action for each list of ops, named `0`, `1` and so on.
fn actions(format: Format, lists: &[&str]) -> Vec<FixAction> {
    let lists = lists.iter().enumerate();
    lists
        .map(|(number, list)| action(&number.to_string(), ops(format, list)))
        .collect()
}

/// The text after all actions, and the errors.
fn result(format: Format, text: &str, actions: Vec<FixAction>) -> (String, Vec<String>) {
    let name = file_name(format);
    let (texts, errors) = applied(&pack(actions), &[(name, text)]);
    let errors = errors.iter().map(ToString::to_string).collect();
    (texts[name].clone(), errors)
}

#[test]
fn actions_that_add_different_keys_to_one_object_are_all_applied() {
    // F-10 F-38 F-76
    let lists = [
        "{op: add_value, at: /app, key: b, value: 1}",
        "{op: add_value, at: /app, key: c, value: [x]}",
        "{op: add_value, at: /app, key: d, value: {k: v}}",
        "{op: add_value, at: /app, key: e, value: last}",
    ];
    for (format, text) in [
        (Format::Yaml, "app:\n  a: 1 # one\nz: 2\n"),
        (Format::Yaml, "app: {a: 1}\nz: 2\n"),
        (Format::Yaml, "app: {}\nz: 2\n"),
        (Format::Yaml, "app: { a: 1, } # one\nz: 2"),
        (Format::Json, "{\"app\": {\"a\": 1}, \"z\": 2}"),
        (Format::Json, "{\n  \"app\": {},\n  \"z\": 2\n}\n"),
        (
            Format::Jsonc,
            "{\n  \"app\": {\n    \"a\": 1, // one\n  },\n  \"z\": 2\n}\n",
        ),
        (Format::Jsonc, "{ \"app\": { /* none */ }, \"z\": 2 }\n"),
        (Format::Toml, "[app]\na = 1 # one\n\n[z]\nx = 2\n"),
        (Format::Toml, "app = {}\nz = 2\n"),
        (Format::Toml, "app = { a = 1 }\nz = 2\n"),
        (Format::Toml, "app.a = 1\nz = 2\n"),
    ] {
        for count in 2..=lists.len() {
            let (after, errors) = result(format, text, actions(format, &lists[..count]));
            assert_eq!(errors, [""; 0], "{text}");
            // The result is that of one action with all ops.
            let whole = action("all", ops(format, &lists[..count].join(", ")));
            let (together, _) = result(format, text, vec![whole]);
            assert_eq!(after, together, "{text}");
            let app = value(format, &after).get("app").cloned();
            let Some(Value::Object(members)) = app else {
                panic!("{after}");
            };
            let added = ["b", "c", "d", "e"];
            for key in &added[..count] {
                assert!(members.iter().any(|it| it.0 == *key), "{after}");
            }
            let comments = |text: &str| text.matches(['#', '*']).count();
            assert_eq!(comments(&after), comments(text), "{after}");
        }
    }
}

#[test]
fn combined_actions_do_not_depend_on_the_order_of_the_pack() {
    // C-92 F-55: a pack with conflicts.
    let lists = [
        "{op: add_value, at: '', key: b, value: 1}",
        "{op: add_value, at: '', key: c, value: 1}, {op: replace_value, at: /a, value: 2}",
        "{op: add_value, at: '', key: d, value: 1}",
        "{op: replace_value, at: /a, value: 3}",
        "{op: add_value, at: '', key: b, value: 1}",
    ];
    let mut all = actions(Format::Yaml, &lists);
    let first = result(Format::Yaml, "a: 1\n", all.clone());
    assert_eq!(first.0, "a: 2\nb: 1\nc: 1\nd: 1\n");
    assert_eq!(
        first.1,
        [
            "3: conflict on f.yaml: expected a place that no other action of the pack changes; validate again, found action 1, which changes the same place"
        ]
    );
    for _ in 0..lists.len() {
        all.rotate_left(1);
        assert_eq!(result(Format::Yaml, "a: 1\n", all.clone()), first);
    }
}

#[test]
fn actions_over_several_files_are_combined_too() {
    let made = |id: &str, key: &str| {
        let list = format!("{{op: add_value, at: '', key: {key}, value: 1}}");
        let mut all = ops(Format::Yaml, &list);
        let mut other = all[0].clone();
        other.file = "g.yaml".to_owned();
        all.push(other);
        action(id, all)
    };
    let actions = vec![made("1", "b"), made("2", "c")];
    let files = [("f.yaml", "a: 1\n"), ("g.yaml", "{}\n")];
    let (texts, errors) = applied(&pack(actions), &files);
    assert_eq!(errors, []);
    assert_eq!(texts["f.yaml"], "a: 1\nb: 1\nc: 1\n");
    assert_eq!(
        value(Format::Yaml, &texts["g.yaml"]),
        value(Format::Yaml, "{b: 1, c: 1}")
    );
}

#[test]
fn a_change_inside_a_removed_value_is_a_conflict() {
    // Both actions also add a key, so that their edits collide.
    let inner =
        "{op: replace_value, at: /app/a, value: 2}, {op: add_value, at: '', key: c, value: 1}";
    let outer = "{op: remove_key, at: '', key: app}, {op: add_value, at: '', key: d, value: 1}";
    let text = "app:\n  a: 1\nz: 2\n";
    for (lists, after) in [
        ([inner, outer], "app:\n  a: 2\nz: 2\nc: 1\n"),
        ([outer, inner], "z: 2\nd: 1\n"),
    ] {
        let (text, errors) = result(Format::Yaml, text, actions(Format::Yaml, &lists));
        assert_eq!((text.as_str(), errors.len()), (after, 1), "{errors:?}");
        assert!(errors[0].starts_with("1: conflict"), "{errors:?}");
        assert!(errors[0].ends_with("found action 0, which changes the same place"));
    }
}

#[test]
fn the_more_severe_action_wins_a_conflict_and_then_emit_order() {
    // F-61 F-76
    let made = |id: &str, value: u32, severity: Severity, confidence: Confidence| FixAction {
        severity,
        confidence: Some(confidence),
        ..action(
            id,
            ops(
                Format::Yaml,
                &format!("{{op: replace_value, at: /a, value: {value}}}"),
            ),
        )
    };
    // Neither a better confidence nor fewer ops outweigh the severity.
    let mut severe = made("z", 2, Severity::Error, Confidence::Low);
    severe.ops.extend(ops(
        Format::Yaml,
        "{op: add_value, at: '', key: b, value: 1}",
    ));
    let minor = made("a", 3, Severity::Info, Confidence::High);
    let middle = made("b", 4, Severity::Warning, Confidence::High);
    let (text, errors) = result(
        Format::Yaml,
        "a: 1\n",
        vec![minor.clone(), middle.clone(), severe],
    );
    assert_eq!(text, "a: 2\nb: 1\n");
    assert_eq!(errors.len(), 2);
    for (error, id) in errors.iter().zip(["a", "b"]) {
        assert!(error.starts_with(&format!("{id}: conflict")), "{error}");
        assert!(error.contains("found action z, which"), "{error}");
    }
    // With equal severity, the order of the pack does not decide, but emit order does.
    let mut first = made("y", 5, Severity::Info, Confidence::Low);
    first.targets[0].rule_id = "a-rule".to_owned();
    let (text, errors) = result(Format::Yaml, "a: 1\n", vec![minor, first]);
    assert_eq!(text, "a: 5\n");
    assert!(errors[0].starts_with("a: conflict"), "{errors:?}");
    assert!(errors[0].contains("found action y, which"), "{errors:?}");
}

#[test]
fn many_actions_that_add_keys_finish_in_time() {
    let lists: Vec<String> = (0..600)
        .map(|it| format!("{{op: add_value, at: '', key: k{it}, value: {it}}}"))
        .collect();
    let lists: Vec<&str> = lists.iter().map(String::as_str).collect();
    let (text, errors) = result(Format::Yaml, "a: 1\n", actions(Format::Yaml, &lists));
    assert_eq!(errors, [""; 0]);
    assert_eq!(text.lines().count(), 601);
}

#[test]
fn a_written_pack_with_preconditions_reads_back() {
    let list = "{op: remove_key, at: '', key: a, expects: {type: number, equals: 1}, base_sha256: '0000000000000000000000000000000000000000000000000000000000000000'}";
    let pack = pack(actions(Format::Yaml, &[list]));
    let json = pack.to_json();
    assert_eq!(ActionPack::parse(Format::Json, &json).as_ref(), Ok(&pack));
    let short = json.replace("\"000", "\"0");
    let error = ActionPack::parse(Format::Json, &short).expect_err("too short");
    assert!(error.to_string().contains("must be a SHA-256"), "{error}");
}
