//! Pointer ops, byte edits and line diffs: all of them give the same bytes.

use fixpoint_document::Format;
use fixpoint_edit::apply;

use crate::harness::{action, edited, lowered, ops, pack};

const PAGE: &str = include_str!("../../../../docs/bridge.md");

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
    // F-65 X-45
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

/// The rows of the page about what a direction loses: the direction, and the loss.
fn losses() -> Vec<(&'static str, &'static str)> {
    let (_, section) = PAGE
        .split_once("## What each direction loses")
        .expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|it| it.contains(" → "));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|it| (it[1], it[3])).collect()
}

fn loss(direction: &str) -> &'static str {
    let row = losses().into_iter().find(|it| it.0 == direction);
    row.unwrap_or_else(|| panic!("no row for {direction}")).1
}

#[test]
fn the_page_lists_what_each_direction_loses() {
    // X-48: each form of the chain has a row to and from its neighbor.
    let chain = ["PatchOp", "pointer ops", "byte edits", "diff"];
    let pairs = chain.windows(2);
    let both = |it: &[&str]| {
        [
            format!("{} → {}", it[0], it[1]),
            format!("{} → {}", it[1], it[0]),
        ]
    };
    let expected: Vec<String> = pairs.flat_map(both).collect();
    let listed: Vec<&str> = losses().into_iter().map(|it| it.0).collect();
    assert_eq!(listed, expected);

    // Different PatchOps become one pointer op.
    let examples = PAGE.lines().filter(|it| it.starts_with("{\"patch\""));
    let becomes_replacement = |it: &&str| it.contains("\"pointer\": [{\"op\": \"replace_value\"");
    let names = examples.filter(becomes_replacement);
    let names = names.filter_map(|it| it.split('"').nth(5));
    let replacing: std::collections::BTreeSet<&str> = names.collect();
    assert_eq!(replacing.len(), 7, "{replacing:?}");
    assert!(
        loss("pointer ops → PatchOp").contains("seven different PatchOps become a `replace_value`")
    );
    assert!(loss("PatchOp → pointer ops").contains("the name of the op and the id of the node"));

    // A report keeps the pointer ops.
    let name = || ops(Format::Json, "{op: replace_value, at: /name, value: fetch}");
    let doc = || {
        ops(
            Format::Json,
            "{op: replace_value, at: /doc, value: Fetches.}",
        )
    };
    let fixes = |pack| lowered(&pack, &[("f.json", TREE)]).files[0].0.fixes.clone();
    let apart = fixes(pack(vec![action("a", name()), action("b", doc())]));
    assert!(apart.iter().all(|it| it.ops.len() == 1));
    assert_eq!(
        loss("pointer ops → byte edits"),
        "nothing: the report keeps the op"
    );

    // A comment can be edited, and has no pointer.
    let [with, without] = ["a: 1 # one\n", "a: 1\n"];
    let same = "{op: replace_value, at: '', value: {a: 1}}";
    assert_eq!(
        edited(Format::Yaml, with, ops(Format::Yaml, same)).as_deref(),
        Ok(with)
    );
    assert_eq!(
        edited(Format::Yaml, without, ops(Format::Yaml, same)).as_deref(),
        Ok(without)
    );
    assert!(loss("byte edits → pointer ops").contains("a comment"));

    // Two fixes and one fix with the edits of both have the same diff.
    let together = fixes(pack(vec![action("a", [name(), doc()].concat())]));
    assert_eq!((apart.len(), together.len()), (2, 1));
    let text = |fixes: &[fixpoint_report::Fix]| {
        let edits: Vec<_> = fixes.iter().flat_map(|it| it.edits.clone()).collect();
        let snapshot = fixpoint_text::Snapshot::new("f.json", TREE);
        apply(&snapshot, &edits).expect("they fit").text
    };
    assert_eq!(text(&apart), text(&together));
    assert!(loss("byte edits → diff").contains("atomicity"));

    // An edit of a part of a line becomes an edit of the line.
    let edit = &together[0].edits[0];
    let line = fixpoint_text::line_changes(TREE, &text(&together))[0]
        .old
        .range();
    assert!(line.len() > (edit.end - edit.start) as usize);
    assert!(loss("diff → byte edits").contains("replaces the whole line"));
}
