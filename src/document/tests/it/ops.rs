//! Each op on each format, with comments in the positions that are hardest to preserve.

use fixpoint_document::Format;

use crate::harness::{edited, ops};

/// Checks the removed and added lines after one action with these ops.
#[track_caller]
fn check(format: Format, text: &str, list: &str, removed: &[&str], added: &[&str]) {
    let after = edited(format, text, ops(format, list)).unwrap_or_else(|error| panic!("{error}"));
    let changes = fixpoint_text::line_changes(text, &after);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    for change in changes {
        gone.extend(lines(&text[change.old.range()]));
        new.extend(lines(&after[change.new.range()]));
    }
    let lists = (removed.to_vec(), added.to_vec());
    let found = (as_strs(&gone), as_strs(&new));
    assert_eq!(found, lists, "\n{after}");
}

fn as_strs(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

const JSONC: &str = r#"{
  // head
  "a": 1, // one
  "b": [1, 2, 3], /* two */
  "c": {},
  "d": {
    "x": 1,
    "y": 2 // last
  }
}"#;

#[test]
fn json_with_comments() {
    // F-37 F-38 F-39 F-40 F-41 F-43 F-44 F-70 X-47
    let check = |list: &str, removed: &[&str], added: &[&str]| {
        check(Format::Jsonc, JSONC, list, removed, added);
    };
    check(
        "{op: replace_value, at: /a, value: two}",
        &[r#"  "a": 1, // one"#],
        &[r#"  "a": "two", // one"#],
    );
    check(
        "{op: add_value, at: /d, key: z, value: [1]}",
        &[r#"    "y": 2 // last"#],
        &[
            r#"    "y": 2, // last"#,
            r#"    "z": ["#,
            "      1",
            "    ]",
        ],
    );
    check(
        "{op: add_value, at: /c, key: z, value: 3}",
        &[r#"  "c": {},"#],
        &[r#"  "c": {"#, r#"    "z": 3"#, "  },"],
    );
    check(
        "{op: remove_key, at: '', key: a}",
        &[r#"  "a": 1, // one"#],
        &[],
    );
    check(
        "{op: remove_key, at: /d, key: y}",
        &[r#"    "x": 1,"#, r#"    "y": 2 // last"#],
        &[r#"    "x": 1"#],
    );
    check(
        "{op: rename_key, at: '', from: a, to: 'n/m'}",
        &[r#"  "a": 1, // one"#],
        &[r#"  "n/m": 1, // one"#],
    );
    let array = r#"  "b": [1, 2, 3], /* two */"#;
    for (list, after) in [
        ("{op: insert_array_item, at: /b, value: 9}", "[1, 2, 3, 9]"),
        (
            "{op: insert_array_item, at: /b, value: 9, index: 0}",
            "[9, 1, 2, 3]",
        ),
        (
            "{op: insert_array_item, at: /b, value: 9, index: 1}",
            "[1, 9, 2, 3]",
        ),
        (
            "{op: replace_array_item, at: /b, value: [9], index: 1}",
            "[1, [9], 3]",
        ),
        // Removing the first item leaves no gap.
        ("{op: remove_array_item, at: /b, index: 0}", "[2, 3]"),
        ("{op: remove_array_item, at: /b, index: 2}", "[1, 2]"),
    ] {
        check(list, &[array], &[&array.replace("[1, 2, 3]", after)]);
    }
}

const YAML: &str = "# head
a: 1 # one
b:
  # about x
  - x
  - k: 1 # kk
    l: 2
  - [1, 2]
# mid
c: {p: 1, q: 'two'} # flow
d: 'it'
\"e\":
  f: |
    text

  g:
    h: 1
last: null";

#[test]
fn yaml_in_block_and_flow_style() {
    // F-37 F-38 F-39 F-40 F-41 F-43 F-44 F-70 X-47
    let check = |list: &str, removed: &[&str], added: &[&str]| {
        check(Format::Yaml, YAML, list, removed, added);
    };
    check(
        "{op: replace_value, at: /a, value: {z: [1], w: {}}}",
        &["a: 1 # one"],
        &["a: # one", "  z:", "    - 1", "  w: {}"],
    );
    check(
        "{op: replace_value, at: /d, value: new}",
        &["d: 'it'"],
        &["d: 'new'"],
    );
    check(
        "{op: replace_value, at: /e/f, value: 'no'}",
        &["  f: |", "    text"],
        &["  f: \"no\""],
    );
    check(
        "{op: replace_value, at: /b, value: 5}",
        &["b:", "  - x", "  - k: 1 # kk", "    l: 2", "  - [1, 2]"],
        &["b: 5"],
    );
    check(
        "{op: add_value, at: '', key: end, value: {q: [1, {r: s, t: u}]}}",
        &["last: null"],
        &[
            "last: null",
            "end:",
            "  q:",
            "    - 1",
            "    - r: s",
            "      t: u",
        ],
    );
    check(
        "{op: add_value, at: /e, key: i, value: 1}",
        &[],
        &["  i: 1"],
    );
    check(
        "{op: add_value, at: /c, key: r, value: 'x, y'}",
        &["c: {p: 1, q: 'two'} # flow"],
        &["c: {p: 1, q: 'two', r: \"x, y\"} # flow"],
    );
    check("{op: remove_key, at: '', key: a}", &["a: 1 # one"], &[]);
    check(
        "{op: remove_key, at: /b/1, key: k}",
        &["  - k: 1 # kk", "    l: 2"],
        &["  - l: 2"],
    );
    check(
        "{op: remove_key, at: '', key: last}",
        &["    h: 1", "last: null"],
        &["    h: 1"],
    );
    check(
        "{op: rename_key, at: '', from: e, to: ee}",
        &["\"e\":"],
        &["\"ee\":"],
    );
    check(
        "{op: insert_array_item, at: /b, value: {m: 1}}",
        &[],
        &["  - m: 1"],
    );
    check(
        "{op: insert_array_item, at: /b, value: y, index: 0}",
        &[],
        &["  - \"y\""],
    );
    check(
        "{op: insert_array_item, at: /b, value: z, index: 1}",
        &[],
        &["  - z"],
    );
    check(
        "{op: replace_array_item, at: /b, value: [7, 8], index: 1}",
        &["  - k: 1 # kk", "    l: 2"],
        &["  - - 7", "    - 8"],
    );
    check("{op: remove_array_item, at: /b, index: 0}", &["  - x"], &[]);
    check(
        "{op: remove_array_item, at: /b, index: 1}",
        &["  - k: 1 # kk", "    l: 2"],
        &[],
    );
}

const TOML: &str = "# head
a = 1 # one
b.c = 'x'
b.d = [1, # c
  2,
]

# about t
[t.u] # tu
k = 1

[[arr]]
z = 1
[arr.sub]
q = 2

[[arr]]
z = 3

[e]
inline = { p = 1, q = 'two' } # flow
";

#[test]
fn toml_tables_dots_and_arrays_of_tables() {
    // F-37 F-38 F-39 F-40 F-41 F-43 F-44 F-70 X-47
    let check = |list: &str, removed: &[&str], added: &[&str]| {
        check(Format::Toml, TOML, list, removed, added);
    };
    // The comment after a replaced value stays.
    check(
        "{op: replace_value, at: /a, value: {z: [1]}}",
        &["a = 1 # one"],
        &["a = { z = [1] } # one"],
    );
    check(
        "{op: replace_value, at: /e/inline/q, value: new}",
        &["inline = { p = 1, q = 'two' } # flow"],
        &["inline = { p = 1, q = 'new' } # flow"],
    );
    check(
        "{op: replace_value, at: /t/u, value: {g: 1}}",
        &["k = 1"],
        &["g = 1"],
    );
    check(
        "{op: add_value, at: '', key: n, value: x}",
        &[],
        &["n = \"x\""],
    );
    check(
        "{op: add_value, at: /b, key: n, value: 1}",
        &[],
        &["b.n = 1"],
    );
    check(
        "{op: add_value, at: /t/u, key: n, value: 1}",
        &[],
        &["n = 1"],
    );
    check(
        "{op: add_value, at: /t, key: n, value: 1}",
        &[],
        &["[t]", "n = 1", ""],
    );
    check("{op: remove_key, at: '', key: a}", &["a = 1 # one"], &[]);
    check("{op: remove_key, at: /b, key: c}", &["b.c = 'x'"], &[]);
    check(
        "{op: remove_key, at: '', key: arr}",
        &[
            "[[arr]]",
            "z = 1",
            "[arr.sub]",
            "q = 2",
            "",
            "[[arr]]",
            "z = 3",
            "",
        ],
        &[],
    );
    check(
        "{op: rename_key, at: '', from: arr, to: 'a b'}",
        &["[[arr]]", "[arr.sub]", "[[arr]]"],
        &["[[\"a b\"]]", "[\"a b\".sub]", "[[\"a b\"]]"],
    );
    // An item of an array on several lines gets its own line.
    check(
        "{op: insert_array_item, at: /b/d, value: 3}",
        &[],
        &["  3,"],
    );
    check(
        "{op: insert_array_item, at: /arr, value: {m: 1}}",
        &[],
        &["[[arr]]", "m = 1", ""],
    );
    check(
        "{op: replace_array_item, at: /arr, index: 0, value: {n: 1}}",
        &["z = 1", "[arr.sub]", "q = 2"],
        &["n = 1"],
    );
    check(
        "{op: remove_array_item, at: /arr, index: 0}",
        &["z = 1", "[arr.sub]", "q = 2", "", "[[arr]]"],
        &[],
    );
    check(
        "{op: remove_array_item, at: /b/d, index: 1}",
        &["  2,"],
        &[],
    );
}

#[test]
fn line_ends_and_the_missing_final_newline_stay() {
    let after = edited(
        Format::Yaml,
        "a: 1\r\nb:\r\n  - x",
        ops(
            Format::Yaml,
            "{op: insert_array_item, at: /b, value: z}, {op: add_value, at: '', key: c, value: {d: 1}}",
        ),
    );
    assert_eq!(
        after.as_deref(),
        Ok("a: 1\r\nb:\r\n  - x\r\n  - z\r\nc:\r\n  d: 1")
    );
    let after = edited(
        Format::Toml,
        "a = 1",
        ops(Format::Toml, "{op: add_value, at: '', key: b, value: 2}"),
    );
    assert_eq!(after.as_deref(), Ok("a = 1\nb = 2"));
    let after = edited(
        Format::Json,
        "\t{\r\n\t\t\"a\": 1\r\n\t}",
        ops(Format::Json, "{op: add_value, at: '', key: b, value: [2]}"),
    );
    assert_eq!(
        after.as_deref(),
        Ok("\t{\r\n\t\t\"a\": 1,\r\n\t\t\"b\": [\r\n\t\t\t2\r\n\t\t]\r\n\t}")
    );
}

#[test]
fn a_yaml_stream_is_an_array_of_documents() {
    let text = "a: 1\n---\na: 2 # two\n...\n---\n- x\n";
    let after = edited(
        Format::Yaml,
        text,
        ops(
            Format::Yaml,
            "{op: replace_value, at: /1/a, value: 3}, {op: remove_array_item, at: /2, index: 0}",
        ),
    );
    assert_eq!(
        after.as_deref(),
        Ok("a: 1\n---\na: 3 # two\n...\n---\n[]\n")
    );
    let error = edited(
        Format::Yaml,
        text,
        ops(Format::Yaml, "{op: remove_array_item, at: '', index: 0}"),
    );
    assert_eq!(
        error.map_err(|it| it.problem.reason.name()),
        Err("unsupported")
    );
}
