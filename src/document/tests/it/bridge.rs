//! Pointer ops, byte edits and line diffs: all of them give the same bytes.

use fixpoint_document::Format;
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
