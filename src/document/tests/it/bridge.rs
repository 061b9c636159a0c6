//! The rows of docs/bridge.md: each side gives the same bytes. F-65 X-45 X-46 X-48

use fixpoint_document::Format;
use fixpoint_edit::apply;

use crate::harness::{action, edited, lowered, ops, pack};

/// A tree's JSON form, as a compiler would hand it out.
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
    // What cancels out in the evolving document is no edit of the snapshot.
    let nothing = "{op: insert_array_item, at: /body, index: 0, value: 1}, {op: remove_array_item, at: /body, index: 0}";
    assert_eq!(
        edited(Format::Json, TREE, ops(Format::Json, nothing)).as_deref(),
        Ok(TREE)
    );
}

#[test]
fn a_diff_of_the_lines_gives_the_same_bytes_in_whole_lines() {
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
