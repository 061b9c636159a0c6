//! Preconditions of stored actions: what they contain, and what they prevent.

use fixpoint_document::{FixAction, Format, OpSet, Problem, Sources};
use fixpoint_text::Snapshot;

use crate::harness::{action, applied, file_name, ops, pack};

/// The action with preconditions for `text`.
fn guarded(format: Format, text: &str, list: &str, set: OpSet) -> Result<FixAction, String> {
    let made = action("a", ops(format, list));
    let snapshot = Snapshot::new(file_name(format), text);
    let sources = Sources::read(&pack(vec![made.clone()]), &mut |_| {
        Ok::<_, Problem>(snapshot.clone())
    });
    made.guarded(&sources, set).map_err(|it| it.to_string())
}

/// What the ops expect, as JSON.
fn expects(action: &FixAction) -> Vec<String> {
    let ops = action.ops.iter();
    ops.map(|op| {
        let value = op.to_value();
        let expects = value.get("expects").expect("a precondition");
        expects.to_json()
    })
    .collect()
}

fn apply(format: Format, text: &str, action: &FixAction) -> (String, Vec<String>) {
    let name = file_name(format);
    let (texts, errors) = applied(&pack(vec![action.clone()]), &[(name, text)]);
    let errors = errors.iter().map(ToString::to_string).collect();
    (texts[name].clone(), errors)
}

#[test]
fn every_op_gets_a_precondition_that_holds_in_its_turn() {
    // F-46 F-47 F-48 F-49
    let text = "name: old\ntags: [x, y]\nport: '80'\n";
    let list = "{op: replace_value, at: /port, value: 80}, {op: add_value, at: '', key: k, value: 1}, \
                {op: rename_key, at: '', from: name, to: title}, {op: remove_array_item, at: /tags, index: 1}, \
                {op: insert_array_item, at: /tags, value: z}, {op: replace_array_item, at: /tags, index: 0, value: w}, \
                {op: remove_key, at: '', key: k}";
    let action = guarded(Format::Yaml, text, list, OpSet::All).expect("it can be applied");
    assert_eq!(
        expects(&action),
        [
            r#"{"type": "string", "equals": "80"}"#,
            r#"{"exists": false}"#,
            r#"{"type": "string", "equals": "old"}"#,
            r#"{"type": "string", "equals": "y"}"#,
            r#"{"type": "array", "equals": ["x"]}"#,
            r#"{"type": "string", "equals": "x"}"#,
            r#"{"type": "number", "equals": 1}"#,
        ]
    );
    let digest = Snapshot::new("f.yaml", text).digest();
    assert!(action.ops.iter().all(|op| op.base_sha256 == Some(digest)));
    let (after, errors) = apply(Format::Yaml, text, &action);
    assert_eq!(errors, [""; 0]);
    assert_eq!(after, "title: old\ntags: [w, z]\nport: 80\n");
}

#[test]
fn an_action_for_another_text_is_rejected() {
    // F-50
    let list = "{op: remove_array_item, at: /a, index: 2}";
    let action = guarded(Format::Yaml, "a: [x, y, x, keep]\n", list, OpSet::All).expect("guarded");
    for (now, found) in [
        // The item that was meant has moved.
        (
            "a: [y, x, keep]\n",
            "a: expectation_failed in op 0 on f.yaml at /a: expected \"x\", found \"keep\"",
        ),
        (
            "a: [y]\n",
            "a: expectation_failed in op 0 on f.yaml at /a: expected a value at /a/2, found nothing",
        ),
        // The item is there, but no longer a duplicate.
        ("a: [z, y, x, keep]\n", "a: changed_file in op 0 on f.yaml"),
        ("# new\na: [x, y, x, keep]\n", "a: changed_file in op 0"),
    ] {
        let (after, errors) = apply(Format::Yaml, now, &action);
        assert_eq!(after, now);
        assert!(errors[0].starts_with(found), "{errors:?}");
    }
    let (_, errors) = apply(Format::Yaml, "a: [z, y, x, keep]\n", &action);
    let digest = Snapshot::new("f.yaml", "a: [z, y, x, keep]\n").digest();
    assert!(errors[0].ends_with(&format!("run the validator again, found {digest}")));
}

#[test]
fn a_long_or_unbounded_value_is_guarded_by_its_type() {
    let long = "x".repeat(5000);
    let text = format!("a: {long}\n");
    let remove = "{op: remove_key, at: '', key: a}";
    let action = guarded(Format::Yaml, &text, remove, OpSet::All).expect("guarded");
    assert_eq!(expects(&action), [r#"{"type": "string"}"#]);
    // Aliases may repeat a short text many times.
    let text = "b: &b [x, x]\na: [*b, *b, *b]\n";
    let action = guarded(Format::Yaml, text, remove, OpSet::All).expect("guarded");
    assert_eq!(expects(&action), [r#"{"type": "array"}"#]);
    // JSON has no infinite numbers.
    let action = guarded(Format::Yaml, "a: .inf\n", remove, OpSet::All).expect("guarded");
    assert_eq!(expects(&action), [r#"{"type": "number"}"#]);
}

#[test]
fn a_removed_item_can_be_expressed_with_six_ops() {
    // F-36
    let list = "{op: remove_array_item, at: /a, index: 3}, {op: remove_array_item, at: /a, index: 1}, \
                {op: replace_array_item, at: /a, index: 0, value: w}";
    for (format, text, after) in [
        (
            Format::Yaml,
            "a: [x, y, z, v]\nb: 1\n",
            "a:\n  - w\n  - z\nb: 1\n",
        ),
        (
            Format::Toml,
            "a = [\"x\", \"y\", \"z\", \"v\"]\n",
            "a = [\"w\", \"z\"]\n",
        ),
    ] {
        let action = guarded(format, text, list, OpSet::Six).expect("guarded");
        let names: Vec<&str> = action.ops.iter().map(|it| it.change.name()).collect();
        assert_eq!(names, ["replace_value", "replace_array_item"]);
        assert_eq!(
            expects(&action)[0],
            r#"{"type": "array", "equals": ["x", "y", "z", "v"]}"#
        );
        assert_eq!(apply(format, text, &action), (after.to_owned(), vec![]));
    }
}

#[test]
fn an_array_with_comments_is_not_replaced_for_six_ops() {
    // Replacing the array would remove the comment, which removing an item keeps.
    let list = "{op: remove_array_item, at: /a, index: 1}";
    for (format, text) in [
        (Format::Yaml, "a:\n  - x # one\n  - x\n"),
        (Format::Toml, "a = [\n  \"x\", # one\n  \"x\",\n]\n"),
        (Format::Jsonc, "{ \"a\": [\"x\", /* two */ \"x\"] }\n"),
    ] {
        assert!(guarded(format, text, list, OpSet::All).is_ok());
        let error = guarded(format, text, list, OpSet::Six).expect_err("a comment");
        assert_eq!(
            error,
            format!(
                "a: unsupported in op 0 on {} at /a: expected an array without comments, because \
                 replacing it would remove them, found a comment",
                file_name(format)
            )
        );
    }
}
