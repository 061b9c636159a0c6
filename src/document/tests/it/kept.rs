//! Text that edits must keep: comments, the byte order mark, line ends.

use fixpoint_document::Format;

use crate::harness::{edited, ops};

#[track_caller]
fn check(format: Format, before: &str, list: &str, after: &str) {
    let made = edited(format, before, ops(format, list));
    let made = made.unwrap_or_else(|error| panic!("{error}\n{list}\n{before}"));
    assert_eq!(made, after, "{list}\n{before}");
}

#[test]
fn every_op_keeps_the_byte_order_mark() {
    let list = [
        "{op: replace_value, at: /a, value: 2}",
        "{op: replace_value, at: '', value: {b: 1}}",
        "{op: add_value, at: '', key: z, value: 2}",
        "{op: remove_key, at: '', key: a}",
        "{op: remove_key, at: '', key: a}, {op: remove_key, at: '', key: b}",
        "{op: remove_key, at: '', key: a}, {op: add_value, at: '', key: z, value: 2}",
        "{op: rename_key, at: '', from: a, to: z}",
        "{op: insert_array_item, at: /b, index: 0, value: 2}",
        "{op: replace_array_item, at: /b, index: 0, value: 2}",
        "{op: remove_array_item, at: /b, index: 0}",
    ];
    for (format, text) in [
        (Format::Json, "{\"a\": 1, \"b\": [1]}"),
        (Format::Json, "{\n  \"a\": 1,\n  \"b\": [1]\n}\n"),
        (Format::Yaml, "a: 1\nb: [1]\n"),
        (Format::Yaml, "--- {a: 1, b: [1]}\n"),
        (Format::Toml, "a = 1\nb = [1]\n"),
        (Format::Toml, "b = [1]\na = 1\n"),
    ] {
        for list in list {
            let plain = edited(format, text, ops(format, list));
            let plain = plain.unwrap_or_else(|error| panic!("{error}\n{text}"));
            check(
                format,
                &format!("\u{feff}{text}"),
                list,
                &format!("\u{feff}{plain}"),
            );
        }
    }
    check(
        Format::Yaml,
        "\u{feff}- 1\n- 2\n",
        "{op: remove_array_item, at: '', index: 0}",
        "\u{feff}- 2\n",
    );
}

#[test]
fn comments_in_yaml_brackets_stay_separated_from_their_neighbors() {
    for (before, list, after) in [
        (
            "a: [1, # one\n  2]\n",
            "{op: remove_array_item, at: /a, index: 0}",
            "a: [\n  2]\n",
        ),
        (
            "a: [1, # one\n  2]\n",
            "{op: remove_array_item, at: /a, index: 1}",
            "a: [1 # one\n  ]\n",
        ),
        (
            "a: [1, # one\n  2]\n",
            "{op: insert_array_item, at: /a, index: 1, value: 9}",
            "a: [1, # one\n  9,\n  2]\n",
        ),
        (
            "- a: {x: 1, # one\n    y: 2}\n",
            "{op: remove_key, at: /0/a, key: x}",
            "- a: {\n    y: 2}\n",
        ),
        (
            "a: [ # none\n  ]\n",
            "{op: insert_array_item, at: /a, value: 1}",
            "a: [ # none\n  1\n  ]\n",
        ),
        (
            "a: &x [ # none\n  1]\nb: {} # b\n",
            "{op: remove_array_item, at: /a, index: 0}",
            "a: &x [ # none\n  ]\nb: {} # b\n",
        ),
        // A pair without braces.
        (
            "a: [k: 1, 2]\n",
            "{op: replace_value, at: /a/0/k, value: 3}",
            "a: [k: 3, 2]\n",
        ),
        (
            "a: [k: 1, 2]\n",
            "{op: rename_key, at: /a/0, from: k, to: l}, {op: add_value, at: /a/0, key: m, value: 2}",
            "a: [{l: 1, m: 2}, 2]\n",
        ),
    ] {
        check(Format::Yaml, before, list, after);
    }
}

#[test]
fn additions_keep_comments_in_place() {
    for (format, before, list, after) in [
        (
            Format::Yaml,
            "m:\n  x:\n    k: 1\n    # about k\n\n    # more\n  # about m\nn: 1\n",
            "{op: add_value, at: /m, key: z, value: 2}",
            "m:\n  x:\n    k: 1\n    # about k\n\n    # more\n  z: 2\n  # about m\nn: 1\n",
        ),
        (
            Format::Yaml,
            "- - 1\n  # inner\n- 2\n",
            "{op: insert_array_item, at: '', index: 1, value: 9}",
            "- - 1\n  # inner\n- 9\n- 2\n",
        ),
        (
            Format::Jsonc,
            "{\"a\": {\"x\": 1 /* x */}}",
            "{op: add_value, at: /a, key: y, value: 2}",
            "{\"a\": {\"x\": 1 /* x */, \"y\": 2}}",
        ),
    ] {
        check(format, before, list, after);
    }
}

#[test]
fn inline_tables_with_dotted_keys_are_edited_in_place() {
    let text = "t = { a.b = [1, # one\n  2], c = 3, a.d = 4 } # t\n";
    for (list, after) in [
        (
            "{op: add_value, at: /t, key: z, value: 1}",
            "t = { a.b = [1, # one\n  2], c = 3, a.d = 4, z = 1 } # t\n",
        ),
        (
            "{op: add_value, at: /t/a, key: z, value: 1}",
            "t = { a.b = [1, # one\n  2], c = 3, a.d = 4, a.z = 1 } # t\n",
        ),
        (
            "{op: remove_key, at: /t, key: c}",
            "t = { a.b = [1, # one\n  2], a.d = 4 } # t\n",
        ),
        (
            "{op: remove_key, at: /t/a, key: d}",
            "t = { a.b = [1, # one\n  2], c = 3 } # t\n",
        ),
        ("{op: remove_key, at: /t, key: a}", "t = { c = 3 } # t\n"),
        (
            "{op: remove_key, at: /t/a, key: d}, {op: remove_key, at: /t/a, key: b}",
            "t = { a = {}, c = 3 } # t\n",
        ),
        (
            "{op: replace_value, at: /t/a, value: 1}",
            "t = { a = 1, c = 3 } # t\n",
        ),
        (
            "{op: rename_key, at: /t, from: a, to: n}",
            "t = { n.b = [1, # one\n  2], c = 3, n.d = 4 } # t\n",
        ),
        (
            "{op: rename_key, at: /t/a, from: b, to: n}, {op: replace_value, at: /t/a/n/1, value: 5}",
            "t = { a.n = [1, # one\n  5], c = 3, a.d = 4 } # t\n",
        ),
    ] {
        check(Format::Toml, text, list, after);
    }
}

#[test]
fn the_end_of_a_file_and_its_blank_lines_stay() {
    let add = "{op: add_value, at: '', key: z, value: 1}";
    let remove = "{op: remove_key, at: '', key: a}";
    for (format, before, list, after) in [
        (Format::Toml, "# only", add, "# only\nz = 1"),
        (Format::Toml, "# only\r\n", add, "# only\r\nz = 1\r\n"),
        (Format::Toml, "a = 1", remove, ""),
        (Format::Toml, "b = 1\na = 1", remove, "b = 1"),
        (Format::Toml, "b = 1\n\n[a]\nx = 1", remove, "b = 1"),
        (Format::Toml, "[a]\nx = 1\n\n[b]\n", remove, "[b]\n"),
        (Format::Toml, "[b]\nx = 1\n", add, "z = 1\n\n[b]\nx = 1\n"),
        (
            Format::Toml,
            "# head\n\n[b]\n",
            add,
            "# head\n\nz = 1\n\n[b]\n",
        ),
        (Format::Toml, "a = 1\n\n[b]\n", add, "a = 1\nz = 1\n\n[b]\n"),
        (
            Format::Toml,
            "[b]\nx = 1\n\n[c]\n",
            "{op: add_value, at: /b, key: z, value: 1}",
            "[b]\nx = 1\nz = 1\n\n[c]\n",
        ),
        (
            Format::Toml,
            "[b]",
            "{op: add_value, at: /b, key: z, value: 1}",
            "[b]\nz = 1",
        ),
        (
            Format::Toml,
            "[[b]]\nx = 1",
            "{op: insert_array_item, at: /b, value: {y: 1}}",
            "[[b]]\nx = 1\n[[b]]\ny = 1",
        ),
        (
            Format::Toml,
            "a = 1\n\n[[b]]\nx = 1\n",
            "{op: insert_array_item, at: /b, value: {y: 1}}",
            "a = 1\n\n[[b]]\nx = 1\n\n[[b]]\ny = 1\n",
        ),
        (
            Format::Toml,
            "x = 1",
            "{op: replace_value, at: '', value: {y: 1}}",
            "y = 1",
        ),
        (Format::Yaml, "a: 1", remove, "{}"),
        (Format::Yaml, "b: 1\na: 1", remove, "b: 1"),
        (
            Format::Yaml,
            "# only",
            "{op: replace_value, at: '', value: 1}",
            "# only\n1",
        ),
    ] {
        check(format, before, list, after);
    }
}
