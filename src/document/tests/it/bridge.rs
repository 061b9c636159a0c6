//! The rows of docs/bridge.md: both sides give the same bytes.

use fixpoint_document::{Change, Document, Format, Op, Pointer, Value};
use fixpoint_edit::apply;

use crate::harness::{action, edited, lowered, ops, pack};

/// The JSON form of a syntax tree, as a compiler would print it.
const TREE: &str = r#"{
  "kind": "fn",
  "name": "load",
  "params": [{"name": "path"}],
  "returnType": {"kind": "named", "name": "Text"},
  "body": [
    {"kind": "call", "name": "open"},
    {"kind": "call", "name": "read"}
  ],
  "doc": "Reads."
}
"#;

#[track_caller]
fn row(list: &str, before: &str, after: &str) {
    let edited = edited(Format::Json, TREE, ops(Format::Json, list));
    assert_eq!(edited, Ok(TREE.replacen(before, after, 1)), "{list}");
}

#[test]
fn patch_ops_are_pointer_ops_on_the_tree() {
    // F-65 X-45
    // replace_node
    row(
        "{op: replace_array_item, at: /body, index: 1, value: {kind: halt}}",
        r#"{"kind": "call", "name": "read"}"#,
        "{\n      \"kind\": \"halt\"\n    }",
    );
    // insert_before, insert_after
    row(
        "{op: insert_array_item, at: /body, index: 0, value: 1}",
        "\"body\": [\n",
        "\"body\": [\n    1,\n",
    );
    row(
        "{op: insert_array_item, at: /body, index: 1, value: 1}",
        "\"open\"},\n",
        "\"open\"},\n    1,\n",
    );
    // wrap
    row(
        "{op: replace_value, at: /doc, value: [Reads.], expects: {equals: Reads.}}",
        "\"doc\": \"Reads.\"",
        "\"doc\": [\n    \"Reads.\"\n  ]",
    );
    // delete_node
    row(
        "{op: remove_key, at: '', key: doc}",
        "],\n  \"doc\": \"Reads.\"\n",
        "]\n",
    );
    row(
        "{op: remove_array_item, at: /body, index: 0}",
        "    {\"kind\": \"call\", \"name\": \"open\"},\n",
        "",
    );
    // widen_effect, add_refinement
    row(
        "{op: replace_value, at: /returnType/kind, value: effect}",
        "named",
        "effect",
    );
    // rename_symbol, rename_field
    row(
        "{op: replace_value, at: /name, value: fetch, expects: {equals: load}}",
        "load",
        "fetch",
    );
    // add_field, add_param
    row(
        "{op: insert_array_item, at: /params, value: {name: mode}}",
        r#"{"name": "path"}]"#,
        r#"{"name": "path"}, {"name": "mode"}]"#,
    );
}

#[test]
fn pointer_ops_and_their_byte_edits_give_the_same_bytes() {
    // F-65 X-01 X-45 X-46
    let list = "{op: insert_array_item, at: /body, index: 0, value: 1}, {op: remove_array_item, at: /body, index: 1}, {op: rename_key, at: '', from: doc, to: docs}";
    let pack = pack(vec![action("a", ops(Format::Json, list))]);
    let lowered = lowered(&pack, &[("f.json", TREE)]);
    let (report, snapshot) = &lowered.files[0];
    let canonical = report.canonical.as_ref().expect("a canonical text");
    let by_edits = apply(snapshot, &canonical.edits).expect("they fit").text;
    assert_eq!(
        edited(Format::Json, TREE, ops(Format::Json, list)),
        Ok(by_edits.clone())
    );
    let by_fix = apply(snapshot, &report.fixes[0].edits)
        .expect("they fit")
        .text;
    assert_eq!(by_fix, by_edits);
    // Ops that cancel each other out give no edits.
    let nothing = "{op: insert_array_item, at: /body, index: 0, value: 1}, {op: remove_array_item, at: /body, index: 0}";
    assert_eq!(
        edited(Format::Json, TREE, ops(Format::Json, nothing)).as_deref(),
        Ok(TREE)
    );
}

#[test]
fn a_diff_of_the_lines_gives_the_same_bytes_in_whole_lines() {
    // F-65 X-45 X-48
    let after = edited(
        Format::Json,
        TREE,
        ops(Format::Json, "{op: replace_value, at: /name, value: fetch}"),
    )
    .expect("applied");
    let mut text = TREE.to_owned();
    for change in fixpoint_text::line_changes(TREE, &after).iter().rev() {
        assert_eq!(&TREE[change.old.range()], "  \"name\": \"load\",\n");
        text.replace_range(change.old.range(), &after[change.new.range()]);
    }
    assert_eq!(text, after);
}

/// An op of a changeset, with a pointer to the value itself.
enum Step {
    Set(Pointer, Value),
    Delete(Pointer),
    Insert(Pointer, usize, Value),
    Move(Pointer, Pointer),
}

/// Converts an action to a changeset, according to the table in docs/bridge.md.
fn step(op: &Op, length: impl Fn(&Pointer) -> usize) -> Step {
    let at = &op.json_pointer;
    match &op.change {
        Change::ReplaceValue { value } => Step::Set(at.clone(), value.clone()),
        Change::AddValue { key, value } => Step::Set(at.join(key), value.clone()),
        Change::RemoveKey { key } => Step::Delete(at.join(key)),
        Change::InsertArrayItem { index, value } => Step::Insert(
            at.clone(),
            index.unwrap_or_else(|| length(at)),
            value.clone(),
        ),
        Change::ReplaceArrayItem { index, value } => {
            Step::Set(at.join(index.to_string()), value.clone())
        }
        Change::RemoveArrayItem { index } => Step::Delete(at.join(index.to_string())),
        Change::RenameKey { from, to } => Step::Move(at.join(from), at.join(to)),
    }
}

fn value_at<'v>(root: &'v mut Value, tokens: &[String]) -> &'v mut Value {
    tokens.iter().fold(root, |value, token| match value {
        Value::Object(members) => {
            let place = members.iter().position(|it| it.0 == *token);
            &mut members[place.expect("a member")].1
        }
        Value::Array(items) => &mut items[token.parse::<usize>().expect("an index")],
        other => other,
    })
}

fn set(root: &mut Value, at: &Pointer, value: Value) {
    let (around, last) = at.split_last().expect("not the root");
    match value_at(root, around.tokens()) {
        Value::Object(members) => match members.iter_mut().find(|it| it.0 == last) {
            Some(member) => member.1 = value,
            None => members.push((last.to_owned(), value)),
        },
        Value::Array(items) => items[last.parse::<usize>().expect("an index")] = value,
        other => panic!("{other:?} holds nothing"),
    }
}

fn delete(root: &mut Value, at: &Pointer) -> Value {
    let (around, last) = at.split_last().expect("not the root");
    match value_at(root, around.tokens()) {
        Value::Object(members) => {
            let place = members.iter().position(|it| it.0 == last);
            members.remove(place.expect("a member")).1
        }
        Value::Array(items) => items.remove(last.parse().expect("an index")),
        other => panic!("{other:?} holds nothing"),
    }
}

#[test]
fn actions_become_changesets_in_a_separate_step() {
    // F-62 F-63
    let text = "a: {k: 1, l: 2}\nb: [1, 2]\nc: x\n";
    for list in [
        "{op: replace_value, at: /c, value: y}",
        "{op: add_value, at: /a, key: n, value: 3}",
        "{op: remove_key, at: /a, key: k}",
        "{op: insert_array_item, at: /b, value: 3}",
        "{op: insert_array_item, at: /b, index: 0, value: 3}",
        "{op: replace_array_item, at: /b, index: 1, value: 3}",
        "{op: remove_array_item, at: /b, index: 0}",
        "{op: rename_key, at: /a, from: k, to: m}",
    ] {
        let made = ops(Format::Yaml, list);
        let read = |text: &str| {
            let document = Document::parse(Format::Yaml, text).expect("YAML");
            document.root().value()
        };
        let mut changed = read(text);
        let length = |at: &Pointer| match value_at(&mut changed.clone(), at.tokens()) {
            Value::Array(items) => items.len(),
            _ => 0,
        };
        match step(&made[0], length) {
            Step::Set(at, value) => set(&mut changed, &at, value),
            Step::Delete(at) => drop(delete(&mut changed, &at)),
            Step::Insert(at, index, value) => match value_at(&mut changed, at.tokens()) {
                Value::Array(items) => items.insert(index, value),
                other => panic!("{other:?} is no array"),
            },
            Step::Move(from, to) => {
                let value = delete(&mut changed, &from);
                set(&mut changed, &to, value);
            }
        }
        let after = edited(Format::Yaml, text, made).expect(list);
        assert_eq!(read(&after), changed, "{list}");
    }
}
